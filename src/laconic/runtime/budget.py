"""The time and the memory that a search may use."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

from laconic.runtime.native import kernels

_CHECK_INTERVAL = 0.01
"""Seconds between two checks of the memory, each of which is a system call."""

_MAX_SECONDS = 3e9
"""Limit in seconds, about a century, above which there is none: 64-bit clocks could not represent it."""


class Budget:
    """A time limit and a memory limit, created once by the caller and passed down.

    Parameters
    ----------
    seconds : float or None
        The time limit; ``None`` means no limit.
    clock : callable
        Returns seconds and never goes back. Tests pass their own.
    memory : int or None
        The memory limit of the process in bytes. Once the process has exceeded it, the budget has expired.
    work : int or None
        Maximum number of work units of native searches in total. Unlike a time limit, it ends a search in the
        same state on every machine. Searches in Python do not count work units.

    Examples
    --------
    >>> Budget(None).expired()
    False
    """

    def __init__(
        self,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        memory: int | None = None,
        work: int | None = None,
    ) -> None:
        self.work = work
        self._clock = clock
        self._start = clock()
        self._limit = math.inf if seconds is None or seconds > _MAX_SECONDS else float(seconds)
        self._memory = None if memory is None else _MemoryWatch(memory)

    @property
    def clock(self) -> Callable[[], float]:
        """The clock that the time limit is measured with."""
        return self._clock

    def elapsed(self) -> float:
        """Return the seconds since the budget was created."""
        return self._clock() - self._start

    def remaining(self) -> float:
        """Return the seconds left: never negative, and infinite without a limit."""
        out_of_memory = self._memory is not None and self._memory.exceeded()
        return 0.0 if out_of_memory else max(0.0, self._limit - self.elapsed())

    def native_seconds(self) -> float:
        """Return the seconds left, or a negative number without a limit, as native searches expect."""
        left = self.remaining()
        return -1.0 if math.isinf(left) else left

    def expired(self) -> bool:
        """Return whether the time or the memory limit has been exceeded."""
        return self.elapsed() >= self._limit or self.out_of_memory()

    def out_of_memory(self) -> bool:
        """Return whether the process has exceeded the memory limit."""
        return self._memory is not None and self._memory.exceeded()

    @property
    def memory_limit(self) -> int | None:
        """The memory limit of the process in bytes."""
        return None if self._memory is None else self._memory.limit

    def part(self, share: float) -> Budget:
        """Return a budget with this share of the remaining time, starting now."""
        left = self.remaining()
        part = Budget(None if math.isinf(left) else left * share, self._clock)
        part._memory = self._memory
        return part

    def at_most(self, seconds: float) -> Budget:
        """Return a budget of some seconds, or of what is left if that is less, starting now."""
        return self.within(None, seconds)

    def shares(self, count: int) -> Iterator[Budget]:
        """Yield budgets for some tasks in turn; each gets an equal share of what is left when it starts."""
        for place in range(count):
            yield self.part(1 / (count - place))

    def within(self, work: int | None, seconds: float) -> Budget:
        """Return a budget of some work units and seconds, starting now, with the same memory limit."""
        part = Budget(min(seconds, self.remaining()), self._clock, work=work)
        part._memory = self._memory
        return part

    def stop_flag(self) -> kernels.StopFlag:
        """Return a flag that stops a native search; the search checks the memory limit by itself."""
        return kernels.StopFlag() if self._memory is None else self._memory.stop_flag()


class _MemoryWatch:
    """A memory limit that stays exceeded once any thread has seen it exceeded."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._flags = [kernels.StopFlag(limit)]
        self._next_check = -math.inf
        self._passed = False

    def stop_flag(self) -> kernels.StopFlag:
        """Return a flag for a native search; it records whether the search has exceeded the limit."""
        self._flags.append(kernels.StopFlag(self.limit))
        return self._flags[-1]

    def exceeded(self) -> bool:
        """Return whether the process has exceeded the limit at any check."""
        now = time.monotonic()
        if not self._passed and now >= self._next_check:
            self._next_check = now + _CHECK_INTERVAL
            self._flags[0].out_of_memory()
        # A search may have exceeded the limit since the last check here.
        self._passed = self._passed or any(flag.was_out_of_memory() for flag in self._flags)
        return self._passed
