"""Decision sets along falling prices of size, by short searches whose limit is work and not time.

The sets of a class that were found at one price compete at every other price, so a later search can only
improve the best known sets. Nothing is proved here, and the same table gives the same sets on every machine.
"""

from __future__ import annotations

from fractions import Fraction

from laconic.engines.fronts.one_class import ClassFront
from laconic.engines.rows_of_class import rows_of_class
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels


class Ladder:
    """The best known set of each class at every price.

    Parameters
    ----------
    problem : Problem
        Its errors are counted; its constraints must not tie rules together.
    max_size : int
        Errors are told apart for sizes up to this.
    """

    def __init__(self, problem: Problem, max_size: int) -> None:
        classes = problem.heaviest_first if problem.otherwise else problem.classes
        self._fronts = [ClassFront(rows_of_class(problem, c), max_size, seconds=None) for c in classes]
        self._otherwise = problem.otherwise
        self._stop = kernels.StopFlag()

    def search(self, price: Fraction, units: int, budget: Budget) -> None:
        """Search every class at a price, for some units of work each."""
        for front in self._fronts:
            if not budget.expired():
                front.probe(price, budget.remaining(), self._stop, units)
                front.forget_probes()

    def rules_at(self, price: Fraction) -> list[CodedRule]:
        """Return the best known decision set at a price; of equals, the smallest.

        An OTHERWISE rule gives the class whose own rules would cost most; of equals, the heaviest.
        """
        fronts = self._fronts
        if self._otherwise:
            left_out = max(fronts, key=lambda front: front.least_cost(price))
            fronts = [front for front in fronts if front is not left_out]
        return sorted(rule for front in fronts for rule in front.rules_at_price(price))
