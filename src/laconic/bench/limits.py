"""What the operating system is asked to enforce on a task's processes.

Linux and macOS; on macOS there is no parent-death signal and no process list to sample, so only the
watching over pipes and the resource limits remain.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def die_with_parent() -> None:
    """Ask for SIGKILL when the parent dies, and leave at once if it already has."""
    parent = os.getppid()
    _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent has died, so that none can slip away."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def limit_memory(megabytes: int) -> None:
    """Limit the private memory of this process and, one by one, of those it starts.

    RLIMIT_DATA counts what a process can write to on its own; RLIMIT_AS would also count libraries and
    reserved but unused address space, which can be many times that.
    """
    _lower(resource.RLIMIT_DATA, megabytes * 2**20)


def limit_cpu(seconds: int) -> None:
    """Limit CPU time: a backstop, should the watching process be gone."""
    _lower(resource.RLIMIT_CPU, seconds)


def ran_out_of_memory(last_words: str) -> bool:
    """Whether what a process said before it died tells that it met the memory limit."""
    signs = ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory")
    return any(sign in last_words for sign in signs)


def descendants(root: int) -> dict[int, int]:
    """Return the resident bytes of all descendants of a process, by id; empty where there is no /proc."""
    parents: dict[int, int] = {}
    resident: dict[int, int] = {}
    page = os.sysconf("SC_PAGE_SIZE")
    for entry in Path("/proc").glob("[0-9]*"):
        # A process may end while its files are read.
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may hold spaces; fields are counted from behind it.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
            resident[int(entry.name)] = int(fields[21]) * page
    family = {root}
    grown = True
    while grown:
        grown = False
        for pid, parent in parents.items():
            if parent in family and pid not in family:
                family.add(pid)
                grown = True
    return {pid: resident[pid] for pid in family - {root}}


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)
