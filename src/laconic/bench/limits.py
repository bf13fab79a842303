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
from dataclasses import dataclass
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
    """Limit the CPU time of each process: a backstop, should the watching process be gone."""
    _lower(resource.RLIMIT_CPU, seconds)


def ran_out_of_memory(last_words: str) -> bool:
    """Whether what a process said before it died tells that it met the memory limit."""
    signs = ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory")
    return any(sign in last_words for sign in signs)


@dataclass(frozen=True, slots=True)
class Process:
    """What the kernel says of a process at a moment.

    Attributes
    ----------
    parent : int
    born : int
        When it was started, in the kernel's ticks: tells it from a later one of the same id.
    resident : int
        Bytes.
    cpu_s : float
        Its own CPU time, all threads together.
    waited_s : float
        That of the descendants that have ended and that it or they have waited for.
    """

    parent: int
    born: int
    resident: int
    cpu_s: float
    waited_s: float


class CpuTime:
    """CPU time of a family of processes, those that have ended included."""

    def __init__(self) -> None:
        self._own: dict[tuple[int, int], float] = {}
        self._most = 0.0

    def seconds(self, family: dict[int, Process]) -> float:
        """Return the time up to now, given the processes that are there now; it never falls."""
        self._own |= {(pid, one.born): one.cpu_s for pid, one in family.items()}
        # What a parent has not waited for is lost to the kernel's sums, but not to what was seen of it.
        sums = sum(one.cpu_s + one.waited_s for one in family.values()), sum(self._own.values())
        self._most = max(self._most, *sums)
        return self._most


def descendants(root: int) -> dict[int, Process]:
    """Return all descendants of a process, by id; empty where there is no /proc."""
    found: dict[int, Process] = {}
    page, tick = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
    for entry in Path("/proc").glob("[0-9]*"):
        # A process may end while its files are read.
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name in parentheses may hold spaces; fields are counted from behind it.
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
