"""opt and opt∪: the smallest perfect decision set by iterative SAT (Sections 3.1 and 3.3).

The size N starts at a static bound and grows by one until the formula is satisfiable, or until every size
below the incumbent's is refuted. One solver holds the nodes so far: a refuted size is deactivated, a node is
appended, and learnt clauses are kept. Each refuted size is a proved bound, so a search that runs out of time
still has a bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.engines.paper.sat.formula import node_sequence
from laconic.engines.paper.sat.options import IterativeOptions
from laconic.engines.paper.sat.refutation import write_refutations
from laconic.engines.paper.satkit.bounds import anchors_of
from laconic.engines.paper.satkit.options import parse
from laconic.engines.paper.satkit.oracle import Oracle, SatTimeoutError
from laconic.engines.paper.satkit.part import ProblemPart, split, total_counts
from laconic.engines.registry import require_support
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Find a smallest perfect decision set by iterative SAT."""
    chosen = parse(IterativeOptions, "sat", options)
    require_support("sat", problem)
    recorder = Recorder(budget, on_progress)
    parts = split(problem, budget, recorder, separated=chosen.separated, warm_start=chosen.warm_start)
    reason = StopReason.TIME
    searches: list[SizeSearch] = []
    try:
        # The static bounds are not computed if the greedy incumbent has taken all the time.
        searches.extend(SizeSearch(part, chosen, budget) for part in parts if not budget.expired())
        open_ = [search for search in searches if not search.done]
        # Each class gets an equal share of the remaining time; what finished classes do not use is shared
        # again.
        while open_ and not budget.expired():
            for search, share in zip(open_, budget.shares(len(open_)), strict=True):
                search.run(share)
            open_ = [search for search in open_ if not search.done]
        if chosen.proofs:
            write_refutations(parts, chosen, budget)
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    finally:
        for search in searches:
            search.oracle.delete()
    return conclude(
        problem,
        [rule for part in parts for rule in part.rules],
        sum(part.lower_bound for part in parts),
        reason,
        recorder=recorder,
        counts=total_counts(search.counts() for search in searches),
    )


class SizeSearch:
    """The growing formula of one part."""

    def __init__(self, part: ProblemPart, options: IterativeOptions, budget: Budget) -> None:
        self.part = part
        self.oracle = Oracle(options.solver)
        bound, anchors = anchors_of(part, budget.part(0.1))
        self._size = 1
        if options.warm_start:
            part.claim(bound)
            self._size = part.lower_bound
        self._warm = options.warm_start
        self._found = False
        self._sequence, _ = node_sequence(part, options, with_unused=False, anchors=anchors)
        self._pending: list[Any] = []

    @property
    def done(self) -> bool:
        """Whether nothing is left to search."""
        return self._found or (self._warm and self.part.solved)

    def run(self, budget: Budget) -> None:
        """Refute sizes until one is possible, the incumbent is proved, or the budget expires."""
        try:
            while not self.done:
                self._step(budget)
        except SatTimeoutError:
            return

    def _step(self, budget: Budget) -> None:
        sequence, size = self._sequence, self._size
        while len(sequence.nodes) < size or self._pending:
            if not self._pending:
                self._pending = [sequence.grow()]
            self._drain(budget)
        end, clauses = sequence.close()
        self.oracle.add(clauses, budget)
        if self.oracle.solve([end], budget):
            self.part.accept(sequence.decode(self.oracle.model()), size)
            self.part.prove(size)
            self._found = True
        else:
            self.oracle.add([[[-end]]], budget)
            self._size += 1
            self.part.prove(self._size)

    def _drain(self, budget: Budget) -> None:
        """Finish adding a node, possibly one that was interrupted by the clock."""
        while self._pending:
            self.oracle.add(self._pending[0], budget)
            self._pending.pop()

    def counts(self) -> dict[str, int]:
        """Return the work done."""
        return {
            "conflicts": self.oracle.conflicts,
            "clauses": self.oracle.n_clauses,
            "variables": self._sequence.top,
        }
