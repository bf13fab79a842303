"""Packed files, unpacked as they are read, and no further than a file of their size can mean.

A few kilobytes of gzip can unpack to more than any disk holds. Text that repeats itself packs to a hundredth
of its size; what unpacks to far more than that, and to more than memory has to spare, is refused.
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

from laconic.errors import InputError

MOST_TIMES = 200
"""How many times its size a packed file may unpack to."""

ALWAYS = 2**28
"""Bytes that any packed file may unpack to."""


def unpacked(path: Path) -> io.BufferedReader:
    """Open a file packed by gzip."""
    return io.BufferedReader(_Unpacked(path), 2**20)


def most_bytes(packed_bytes: int) -> int:
    """Return how much a packed file of this size may unpack to."""
    return max(ALWAYS, MOST_TIMES * packed_bytes)


class _Unpacked(io.RawIOBase):
    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = most_bytes(path.stat().st_size)
        self._stream = gzip.open(path, "rb")  # noqa: SIM115, closed below

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read1(len(buffer))
        buffer[: len(data)] = data
        self._left -= len(data)
        if self._left < 0:
            raise InputError(
                f"{self._path} unpacks to more than {MOST_TIMES} times its size; "
                f"if it is meant to, unpack it first"
            )
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
