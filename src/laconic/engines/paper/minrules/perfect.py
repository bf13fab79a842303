"""mds2 and mds2*: the fewest rules of a class, and then the fewest literals.

The number of rules grows from a bound that needs no search; one solver holds the slots so far, and every
refuted number is a proved bound. When a number is possible, or all below the incumbent's are refuted, it is
the fewest. mds2* then fixes that number and asks RC2 for the fewest literals.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from laconic.engines.paper.minrules.options import MinRulesOptions
from laconic.engines.paper.minrules.slots import RuleSlots
from laconic.engines.paper.satkit.bounds import anchors_of
from laconic.engines.paper.satkit.clauses import Clauses
from laconic.engines.paper.satkit.oracle import Oracle, OutOfTimeError
from laconic.engines.paper.satkit.part import Part
from laconic.engines.paper.satkit.rc2 import BoundReachedError, MaxSat
from laconic.engines.paper.satkit.work import Work
from laconic.problem.coded import CodedRule
from laconic.runtime.budget import Budget


class PerfectSearch:
    """The search for one class.

    Parameters
    ----------
    part : Part
        Of one class of a hard problem.
    options : MinRulesOptions
    budget : Budget
    """

    def __init__(self, part: Part, options: MinRulesOptions, budget: Budget) -> None:
        self.part = part
        self._options = options
        size, anchors = anchors_of(part, budget.part(0.1))
        self._anchors = anchors if options.symmetry else ()
        # The anchors need a rule each; a class without negatives has none and one bare rule.
        least_rules = max(1, len(anchors))
        self._least_literals = size - least_rules
        self._n_rules = 1
        if options.warm_start:
            part.claim(self._price(least_rules, self._least_literals))
            self._n_rules = least_rules
        self._fewest: int | None = None
        self._slots = RuleSlots(part.view, self._anchors, pays=False, ordered=options.symmetry)
        self._oracle = Oracle(options.counting_solver)
        self._pending: Iterator[Clauses] | None = None

    @property
    def counted(self) -> bool:
        """Whether the fewest rules are known."""
        return self._fewest is not None or (self._options.warm_start and self.part.solved)

    @property
    def done(self) -> bool:
        """Whether nothing is left to prove."""
        return self.counted and self.part.solved

    def count(self, budget: Budget) -> None:
        """Refute numbers of rules until the fewest are known or the budget ends."""
        try:
            while not self.counted:
                self._try_number(budget)
        except OutOfTimeError:
            return

    def shorten(self, budget: Budget, work: Work) -> None:
        """Find the fewest literals of the fewest rules, or what the budget allows."""
        assert self._fewest is not None
        try:
            self._fewest_literals(self._fewest, budget, work)
        except OutOfTimeError:
            return

    def delete(self, work: Work) -> None:
        """Count the work of the solver and free it."""
        work.counts["conflicts"] += self._oracle.conflicts
        work.counts["clauses"] += self._oracle.n_clauses
        work.counts["variables"] += self._slots.top
        self._oracle.delete()

    def _price(self, n_rules: int, n_literals: int) -> int:
        problem = self.part.problem
        return problem.rule_cost * n_rules + problem.literal_cost * n_literals

    def _try_number(self, budget: Budget) -> None:
        """Ask for a set of so many rules; a refusal is a bound, and the next number is due."""
        n_rules = self._n_rules
        if self._options.warm_start and n_rules == len(self.part.rules):
            self._fewest = n_rules
            return
        while len(self._slots.slots) < n_rules or self._pending is not None:
            # A slot cut short by the clock is resumed here.
            self._pending = self._pending or self._slots.grow()
            self._oracle.add(self._pending, budget)
            self._pending = None
        end, clauses = self._slots.close()
        self._oracle.add([clauses], budget)
        if self._oracle.solve([end], budget):
            rules = self._slots.decode(self._oracle.model())
            self.part.offer([shortened(self.part, rule) for rule in rules])
            self.part.prove(self._price(n_rules, self._least_literals))
            self._fewest = n_rules
        else:
            self._oracle.add([[[-end]]], budget)
            self._n_rules += 1
            self.part.prove(self._price(self._n_rules, self._least_literals))

    def _fewest_literals(self, n_rules: int, budget: Budget, work: Work) -> None:
        """Minimise the literals of a set of so many rules, the fewest there are."""
        part, options = self.part, self._options
        slots = RuleSlots(part.view, self._anchors, pays=False, ordered=options.symmetry)
        paid = part.problem.rule_cost * n_rules

        def on_bound(core_cost: int) -> None:
            part.prove(paid + core_cost)
            if options.warm_start and part.solved:
                raise BoundReachedError

        def on_model(model: list[int]) -> None:
            part.offer([shortened(part, rule) for rule in slots.decode(model)])

        maxsat: MaxSat | None = None
        try:
            maxsat = MaxSat(
                complete(slots, n_rules),
                lambda: slots.soft(0, part.problem.literal_cost),
                lambda: slots.top,
                options,
                budget,
            )
            optimum = maxsat.compute(budget, on_model, on_bound)
            assert optimum is not None
            part.accept(slots.decode(maxsat.model()), paid + optimum)
            part.prove(paid + optimum)
        except BoundReachedError:
            return
        finally:
            work.add(maxsat, slots.top)


def complete(slots: RuleSlots, n_rules: int) -> Iterator[Clauses]:
    """Yield the clauses of a formula of exactly so many slots."""
    for _ in range(n_rules):
        yield from slots.grow()
    end, clauses = slots.close()
    yield [[end]]
    yield clauses


def shortened(part: Part, rule: CodedRule) -> CodedRule:
    """Drop literals from a pure rule while it stays pure, first those that exclude the fewest rows."""
    view = part.view
    place = {int(code): k for k, code in enumerate(view.codes)}
    excludes = ~view.holds[view.weights[:, 0] < 0][:, [place[code] for code in rule.literals]]
    times = excludes.sum(axis=1)
    kept = list(rule.literals)
    for k in np.argsort(excludes.sum(axis=0), kind="stable").tolist():
        if (times[excludes[:, k]] > 1).all():
            times -= excludes[:, k]
            kept.remove(rule.literals[k])
    return CodedRule.of(rule.target, kept)
