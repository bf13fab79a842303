"""Sizes of memory: read, checked, and what the machine has."""

from __future__ import annotations

import os
import re

from laconic.runtime.errors import InputError

SMALLEST_LIMIT = 512 * 2**20
"""Below this, Python with its libraries and a reader's own buffers have no room."""
LARGEST_LIMIT = 2**50
"""No machine has a pebibyte of memory, and native code counts bytes in 64 bits."""

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_UNITS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}
_MOST_DIGITS = 20
_UNITS |= {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def parse_size(text: str | int) -> int:
    """Return a size in bytes.

    >>> parse_size("4GiB"), parse_size("500 MB"), parse_size(2**30)
    (4294967296, 500000000, 1073741824)
    """
    if isinstance(text, int):
        return text
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _UNITS or len(match[1]) > _MOST_DIGITS:
        raise InputError(f"cannot read the size {text!r:.60}; write it like 4GiB or 500MB")
    return int(float(match[1]) * _UNITS[match[2]])


def memory_bytes(limit: str | int | None) -> int:
    """Return the memory limit in bytes: by default half of what the machine has; too little is refused."""
    if limit is None:
        return max(SMALLEST_LIMIT, physical_memory() // 2)
    size = parse_size(limit)
    if size < SMALLEST_LIMIT:
        mebibytes = (size + 2**19) >> 20
        raise InputError(
            f"a memory limit of {mebibytes} MiB is too small; give at least {SMALLEST_LIMIT >> 20} MiB"
        )
    if size > LARGEST_LIMIT:
        raise InputError("a memory limit of more than 1024 TiB is more than any machine has; give less")
    return size


def physical_memory() -> int:
    """Return the bytes of memory that the machine has."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return 8 * 2**30
