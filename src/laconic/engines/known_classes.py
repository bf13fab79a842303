"""Costs and bounds of the whole set, from the searches of the single classes.

Classes are independent, so costs and bounds add up. With an OTHERWISE line, one class d needs no rules, and
all sums leave out the largest term (`Problem.total`). The class d is decided as soon as the lower bound of d
exceeds the cost of every other class. Its search is not needed any more then, whatever its own best rules
are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from laconic.engines.schedule import Search
from laconic.problem.objective import Problem


class KnownClasses:
    """The costs and bounds of all classes after the last turn of each search.

    During a turn a search may run in another thread, so only `update` accesses a search.

    Parameters
    ----------
    problem : Problem
        A problem whose classes are independent.
    searches : mapping of int to Search
        The search of each class. A class without a search can only be given by OTHERWISE.
    """

    def __init__(self, problem: Problem, searches: Mapping[int, Search]) -> None:
        self._problem = problem
        self._class_of = {search: c for c, search in searches.items()}
        self._costs = {c: search.upper_bound for c, search in searches.items()}
        self._bounds = {c: search.lower_bound for c, search in searches.items()}
        # Sums are updated, not recomputed: there may be very many classes.
        self._sums = [sum(self._costs.values()), sum(self._bounds.values())]
        self.without = {search for search, c in self._class_of.items() if self._costs[c] < self._bounds[c]}
        self._decided: int | None = None

    def update(self, search: Search) -> None:
        """Record the cost and the bound of a search."""
        target = self._class_of[search]
        news = search.upper_bound, search.lower_bound
        for k, (known, value) in enumerate(zip((self._costs, self._bounds), news, strict=True)):
            self._sums[k] += value - known[target]
            known[target] = value
        if news[0] >= news[1]:
            self.without.discard(search)
        if self._problem.otherwise and not self.without and self._decided is None:
            self._decide()

    @property
    def cost(self) -> int | None:
        """Cost of the incumbent; None until each class has one."""
        if self.without:
            return None
        return self._problem.total(self._costs.values()) if self._problem.otherwise else self._sums[0]

    @property
    def lower_bound(self) -> int:
        """Lower bound on all decision sets."""
        return self._problem.total(self._bounds.values()) if self._problem.otherwise else self._sums[1]

    def otherwise_class(self) -> int | None:
        """Return the class of the incumbent's OTHERWISE line, or None without such a line."""
        return self._dearest() if self._problem.otherwise else None

    def is_needed(self, search: Search) -> bool:
        """Return False if the class of the search is certain to be given by OTHERWISE."""
        return self._class_of[search] != self._decided

    def _dearest(self) -> int:
        return max(self._problem.heaviest_first, key=lambda c: self._costs.get(c, math.inf))

    def _decide(self) -> None:
        """Decide the class if one is certain to cost most; of equal costs, the heaviest class is taken."""
        first = self._dearest()
        order = self._problem.heaviest_first
        lighter = order[order.index(first) + 1 :]
        bound = self._bounds.get(first, math.inf)
        if all(self._costs[c] < bound + (c in lighter) for c in order if c != first):
            self._decided = first
