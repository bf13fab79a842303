"""The circumstances of a record: processor, memory, system, versions, commit."""

from __future__ import annotations

import os
import platform
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import laconic

_PACKAGES = ("numpy", "pandas", "scikit-learn", "python-sat", "highspy")


@cache
def machine() -> dict[str, Any]:
    """Return the properties of this machine that determine its speed, without its host name."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "memory_mb": _memory_mb(),
        "os": f"{platform.system()} {platform.release()}",
    }


@cache
def versions() -> dict[str, str]:
    """Return the versions of Laconic, Python and the main libraries."""
    found = {"laconic": laconic.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


@cache
def commit() -> str | None:
    """Return the commit of the project's checkout, marked if modified; None for an installed wheel."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists():
        return None
    try:
        run = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return run.stdout.strip() or None


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory_mb() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    except (ValueError, OSError, AttributeError):
        return None
