"""Unpacking of gzip files while they are read, up to a limit that depends on their size.

A few kilobytes of gzip can unpack to more than any disk holds. Repetitive text packs to a hundredth of its
size; files that unpack to far more than that, and to more than the spare memory, are refused.
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

from laconic.runtime.errors import InputError

MOST_TIMES = 200
"""Largest ratio of the unpacked to the packed size of a file."""

ALWAYS = 2**28
"""Number of bytes to which any packed file may unpack."""


def unpacked(path: Path) -> io.BufferedReader:
    """Open a file packed by gzip."""
    return io.BufferedReader(_Unpacked(path), 2**20)


def most_bytes(packed_bytes: int) -> int:
    """Return the maximum unpacked size for a packed file of this size."""
    return max(ALWAYS, MOST_TIMES * packed_bytes)


def has_run_over(stream: io.BufferedReader) -> bool:
    """Return whether more of a file was read than allowed."""
    return isinstance(stream.raw, _Unpacked) and stream.raw.left < 0


def too_long(path: Path) -> InputError:
    """Return the refusal of a file that unpacks to more than it may."""
    return InputError(
        f"{path} unpacks to more than {MOST_TIMES} times its size; if it is meant to, unpack it first"
    )


class _Unpacked(io.RawIOBase):
    def __init__(self, path: Path) -> None:
        self._path = path
        self.left = most_bytes(path.stat().st_size)
        self._stream = gzip.open(path, "rb")  # noqa: SIM115, closed below

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read1(len(buffer))
        buffer[: len(data)] = data
        self.left -= len(data)
        if self.left < 0:
            raise too_long(self._path)
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
