"""A budget that another thread can end at once, so that a search stops with the best set so far."""

from __future__ import annotations

import math
import threading

from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels


class Stopper:
    """Ends all searches of some budgets, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._flags: list[kernels.StopFlag] = []
        self.stopped = False

    def stop(self) -> None:
        """End the searches; those that start later end at once."""
        with self._lock:
            self.stopped = True
            for flag in self._flags:
                flag.raise_flag()

    def watch(self, flag: kernels.StopFlag) -> kernels.StopFlag:
        """Return a flag that `stop` raises.

        Parameters
        ----------
        flag : StopFlag
        """
        with self._lock:
            self._flags = [*self._flags[-100:], flag]
            if self.stopped:
                flag.raise_flag()
        return flag


class StoppableBudget(Budget):
    """A budget, and all its parts, that a `Stopper` ends.

    Parameters
    ----------
    seconds : float or None
    stopper : Stopper
    work : int, optional
    """

    def __init__(self, seconds: float | None, stopper: Stopper, work: int | None = None) -> None:
        super().__init__(seconds, work=work)
        self.stopper = stopper

    def remaining(self) -> float:
        """Return the seconds left; none once stopped."""
        return 0.0 if self.stopper.stopped else super().remaining()

    def expired(self) -> bool:
        """Return whether the time is over or the search was stopped."""
        return self.stopper.stopped or super().expired()

    def part(self, share: float) -> StoppableBudget:
        """Return a budget with this share of the remaining time, starting now.

        Parameters
        ----------
        share : float
        """
        left = self.remaining()
        return StoppableBudget(None if math.isinf(left) else left * share, self.stopper)

    def within(self, work: int | None, seconds: float) -> StoppableBudget:
        """Return a budget of some work units and seconds, starting now.

        Parameters
        ----------
        work : int
        seconds : float
        """
        return StoppableBudget(min(seconds, self.remaining()), self.stopper, work)

    def stop_flag(self) -> kernels.StopFlag:
        """Return a flag for a native search, which is raised when this is stopped."""
        return self.stopper.watch(super().stop_flag())
