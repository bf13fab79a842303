"""Limits on a task's processes that the operating system enforces.

For Linux and macOS. macOS has neither a parent-death signal nor a process list to sample, so only the
supervision over pipes and the resource limits remain there.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def die_with_parent() -> None:
    """Request SIGKILL for this process when its parent dies; exit at once if the parent is already dead."""
    parent = os.getppid()
    _prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent has died, so that none can escape."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def limit_memory(megabytes: int) -> None:
    """Limit the private memory of this process and of each process that it starts.

    RLIMIT_DATA counts the private writable memory of a process. RLIMIT_AS would also count libraries and
    address space that is reserved but not used, which can be many times that.
    """
    _lower(resource.RLIMIT_DATA, megabytes * 2**20)


def limit_cpu(seconds: int) -> None:
    """Limit the CPU time of each process, as a backstop in case the supervisor is gone."""
    _lower(resource.RLIMIT_CPU, seconds)


def ran_out_of_memory(output: str) -> bool:
    """Return whether the last output of a process shows that it exceeded the memory limit."""
    signs = ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory")
    return any(sign in output for sign in signs)


@dataclass(frozen=True, slots=True)
class Process:
    """The kernel's data on a process at one moment.

    Attributes
    ----------
    parent : int
    born : int
        Start time in the kernel's ticks; it distinguishes the process from a later one with the same id.
    resident : int
        Resident memory in bytes.
    cpu_s : float
        CPU time of the process itself, over all threads.
    waited_s : float
        CPU time of all descendants that have ended and have been waited for.
    """

    parent: int
    born: int
    resident: int
    cpu_s: float
    waited_s: float


class CpuTime:
    """The CPU time of a family of processes, including those that have ended."""

    def __init__(self) -> None:
        self._own: dict[tuple[int, int], float] = {}
        self._most = 0.0

    def seconds(self, family: dict[int, Process]) -> float:
        """Return the CPU time so far, from the processes that exist now; it never decreases."""
        self._own |= {(pid, one.born): one.cpu_s for pid, one in family.items()}
        # The kernel's sums lack processes that were not waited for; earlier samples of them are added.
        sums = sum(one.cpu_s + one.waited_s for one in family.values()), sum(self._own.values())
        self._most = max(self._most, *sums)
        return self._most


def descendants(root: int) -> dict[int, Process]:
    """Return all descendants of a process by id; empty on systems without /proc."""
    found: dict[int, Process] = {}
    page, tick = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
    for entry in Path("/proc").glob("[0-9]*"):
        # A process may end while its files are being read.
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may contain spaces, so fields are counted from behind it.
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            user, system, waited_user, waited_system = (int(field) / tick for field in fields[11:15])
            found[int(entry.name)] = Process(
                parent=int(fields[1]),
                born=int(fields[19]),
                resident=int(fields[21]) * page,
                cpu_s=user + system,
                waited_s=waited_user + waited_system,
            )
    family = {root}
    grown = True
    while grown:
        grown = False
        for pid, process in found.items():
            if process.parent in family and pid not in family:
                family.add(pid)
                grown = True
    return {pid: found[pid] for pid in family - {root}}


def _lower(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)
