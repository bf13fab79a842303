"""How long a search may still run, and how much memory it may hold."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from laconic.runtime.native import kernels

_LOOK_EVERY = 0.01
"""Seconds between two looks at the memory, which cost a system call each."""

_LONGEST = 3e9
"""Seconds, about a century: a longer limit is none, and clocks of 64 bits could not keep it."""


class Budget:
    """A stopwatch with a limit, made once by the caller and passed down.

    Parameters
    ----------
    seconds : float or None
        The limit; ``None`` means no limit.
    clock : callable
        Returns seconds, never going back. Tests pass their own.
    memory : int or None
        Bytes that the process may hold; once it has held more, the budget has expired.

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
    ) -> None:
        self._clock = clock
        self._start = clock()
        self._limit = math.inf if seconds is None or seconds > _LONGEST else float(seconds)
        self._memory = None if memory is None else _MemoryWatch(memory)

    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return self._clock() - self._start

    def remaining(self) -> float:
        """Seconds left, never below zero; infinity without a limit."""
        return 0.0 if self.out_of_memory() else max(0.0, self._limit - self.elapsed())

    def native_seconds(self) -> float:
        """Seconds left, as native searches are told them: negative without a limit."""
        left = self.remaining()
        return -1.0 if math.isinf(left) else left

    def expired(self) -> bool:
        """Whether a limit has passed."""
        return self.elapsed() >= self._limit or self.out_of_memory()

    def out_of_memory(self) -> bool:
        """Whether the process has held more memory than it may."""
        return self._memory is not None and self._memory.exceeded()

    @property
    def memory_limit(self) -> int | None:
        """Bytes that the process may hold."""
        return None if self._memory is None else self._memory.limit

    def part(self, share: float) -> Budget:
        """Return a budget with this share of the remaining time, starting now."""
        left = self.remaining()
        part = Budget(None if math.isinf(left) else left * share, self._clock)
        part._memory = self._memory
        return part

    def stop_flag(self) -> kernels.StopFlag:
        """Return what stops a native search from elsewhere; it looks at the memory by itself."""
        return kernels.StopFlag() if self._memory is None else self._memory.stop_flag()


class _MemoryWatch:
    """A limit that, once passed, stays passed, whoever saw it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._flags = [kernels.StopFlag(limit)]
        self._next_look = -math.inf
        self._passed = False

    def stop_flag(self) -> kernels.StopFlag:
        """Return a flag for a native search, which remembers what it saw."""
        self._flags.append(kernels.StopFlag(self.limit))
        return self._flags[-1]

    def exceeded(self) -> bool:
        """Whether the process has held more than it may, at one of the looks."""
        now = time.monotonic()
        if not self._passed and now >= self._next_look:
            self._next_look = now + _LOOK_EVERY
            self._flags[0].out_of_memory()
        # What a search has just seen counts at once.
        self._passed = self._passed or any(flag.was_out_of_memory() for flag in self._flags)
        return self._passed
