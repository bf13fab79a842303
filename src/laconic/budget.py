"""How long a search may still run."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Budget:
    """A stopwatch with a limit, made once by the caller and passed down.

    Parameters
    ----------
    seconds : float or None
        The limit; ``None`` means no limit.
    clock : callable
        Returns seconds, never going back. Tests pass their own.

    Examples
    --------
    >>> Budget(None).expired()
    False
    """

    def __init__(self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._limit = math.inf if seconds is None else float(seconds)

    def elapsed(self) -> float:
        """Seconds since the budget was made."""
        return self._clock() - self._start

    def remaining(self) -> float:
        """Seconds left, never below zero; infinity without a limit."""
        return max(0.0, self._limit - self.elapsed())

    def expired(self) -> bool:
        """Whether the limit has passed."""
        return self.elapsed() >= self._limit

    def part(self, share: float) -> Budget:
        """Return a budget with this share of the remaining time, starting now."""
        left = self.remaining()
        return Budget(None if math.isinf(left) else left * share, self._clock)
