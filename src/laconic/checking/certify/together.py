"""A tree of multipliers that shows that no admissible set of listed rules keeps all caps.

HiGHS solves the relaxations; its dual solutions, rounded to integers, are the multipliers. The checker's own
arithmetic decides whether they suffice, so rounding can lose a proof but not make a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from laconic.checking.certify.effort import Effort
from laconic.checking.checker import Refuted
from laconic.checking.constraint_checker.listing import listed
from laconic.checking.constraint_checker.program import Program, Sums, settle
from laconic.checking.constraint_checker.statement import Statement
from laconic.runtime.budget import Budget

MOST_NODES = 3_000
MOST_DEPTH = 150
"""Maximum depth of a tree, because JSON is read by recursion."""
MOST_NAMED = 100_000
"""Maximum number of pairs of a row and a rule that covers it, in the relaxation."""
CUT_ROUNDS = 25
MOST_CUTS = 400
VIOLATION = 0.01
SETTLING = 24
SCALES = (0, 4, 8, 12, 16, 20, SETTLING, 30)
"""Multipliers are rounded to multiples of one over two to one of these."""

Ints = NDArray[np.int64]
Multipliers = list[tuple[int, int]]


def prove_together(
    statement: Statement, values: Sequence[int], place: int, budget: Budget
) -> tuple[int, dict[str, Any] | None]:
    """Return the best bound found at a level, at most the cost of the rules there, and its proof."""
    bound = values[place]
    try:
        effort = Effort(budget.remaining(), clock=budget.clock)
        capped = statement.capped(values, place, bound)
        program = Program(statement, capped, listed(statement, capped, effort))
    except (Refuted, TimeoutError):
        return 0, None
    if sum(len(named) for named in program.named.values()) > MOST_NAMED:
        return 0, None
    search = _Branching(program, place, budget)
    tree = search.run()
    if tree is None and search.root is not None:
        bound, tree = search.root
    if tree is None:
        return 0, None
    return bound, {"blame": [list(one) for one in search.blame], "tree": tree}


class _Branching:
    """Depth first; each node is closed by its relaxation, or branched on."""

    def __init__(self, program: Program, place: int, budget: Budget) -> None:
        self.program, self.budget = program, budget
        numbers = [k for k, _ in program.capped]
        self.earlier = [numbers.index(k) for k in range(place)]
        self.target = numbers.index(place)
        self.relaxation = _Relaxation(program, self.target)
        self.sums, self.pairs = Sums(program), _Pairs(program)
        self.blame: list[tuple[int, int, int]] = []
        self.known: set[tuple[int, int, int]] = set()
        self.nodes = 0
        self.root: tuple[int, dict[str, Any]] | None = None

    def run(self) -> dict[str, Any] | None:
        """Return a tree that shows that there is no solution, or None."""
        program = self.program
        low, high = np.zeros(program.n_vars, np.int64), np.ones(program.n_vars, np.int64)
        low[: len(program.forced)][program.forced] = 1
        for row, (least, variables) in enumerate(zip(program.least, program.column, strict=True)):
            if least > 0 and not len(variables):  # no value satisfies the row, and HiGHS returns no dual
                return {"rows": [row, 1]}
        # Fixing variables by the proved earlier levels makes the rest much smaller.
        settled: list[Multipliers] = []
        for level in self.earlier:
            relaxation = _Relaxation(program, level)
            closing = self._closed(relaxation, low, high, CUT_ROUNDS)
            if closing is not None:
                return _chained(settled, {"rows": flat(closing)})
            multipliers = self._rounded(relaxation, SETTLING)
            _, new_low, new_high = settle(*self.sums.added(multipliers), low, high)
            if (new_low != low).any() or (new_high != high).any():
                settled.append(multipliers)
                low, high = new_low, new_high
        tree = self._node(low, high, 0)
        if self.root is not None:
            self.root = self.root[0], _chained(settled, self.root[1])
        return None if tree is None else _chained(settled, tree)

    def _node(self, low: Ints, high: Ints, depth: int) -> dict[str, Any] | None:
        self.nodes += 1
        if self.nodes > MOST_NODES or depth > MOST_DEPTH or self.budget.expired():
            return None
        closing = self._closed(self.relaxation, low, high, 3 if depth else CUT_ROUNDS)
        if closing is not None:
            return {"rows": flat(closing)}
        if self.budget.expired() or not self.relaxation.solved:
            return None
        multipliers = self._rounded(self.relaxation, SETTLING)
        _, settled_low, settled_high = settle(*self.sums.added(multipliers), low, high)
        n = len(self.program.forced)
        if (settled_low == low).all() and (settled_high == high).all():
            multipliers = []
        free = np.flatnonzero(settled_low[:n] < settled_high[:n])
        if not free.size:
            free = np.flatnonzero(settled_low < settled_high)
        if not free.size:
            return None
        fractions = self.relaxation.values[free]
        branch = int(free[np.abs(fractions - 0.5).argmin()])
        tree: dict[str, Any] = {"on": branch}
        for name, value in (("one", 1), ("zero", 0)):
            child_low, child_high = settled_low.copy(), settled_high.copy()
            child_low[branch] = child_high[branch] = value
            child = self._node(child_low, child_high, depth + 1)
            if child is None:
                return None
            tree[name] = child
        return _chained([multipliers] if multipliers else [], tree)

    def _closed(self, relaxation: _Relaxation, low: Ints, high: Ints, rounds: int) -> Multipliers | None:
        """Return multipliers that exclude every solution, if found; add blame rows on the way."""
        while relaxation.solve(low, high, self.budget):
            for scale in SCALES:
                multipliers = self._rounded(relaxation, scale)
                spare = settle(*self.sums.added(multipliers), low, high)[0]
                if spare < 0:
                    return multipliers
            if relaxation is self.relaxation and self.nodes == 1:
                self._remember(multipliers, spare)
            if not rounds or relaxation.infeasible or not self._cut(relaxation.values):
                break
            rounds -= 1
        return None

    def _rounded(self, relaxation: _Relaxation, scale: int) -> Multipliers:
        """Return the dual as integers over a power of two, a smaller one if sums would be too large."""
        times = 2**scale
        while times:
            rounded = np.floor(relaxation.dual * times)
            found = [(int(r), int(y)) for r, y in zip(relaxation.rows, rounded, strict=False) if y]
            if not relaxation.infeasible:
                found.append((relaxation.skipped, times))
            try:
                self.sums.added(found)
            except Refuted:
                times //= 16
                continue
            return sorted(found)
        return []

    def _remember(self, multipliers: Multipliers, spare: int) -> None:
        """Keep the bound of the root, should no tree be found."""
        times = dict(multipliers).get(self.relaxation.skipped, 0)
        if times:
            less = spare // times + 1  # each unit of the cap reduces the spare amount by this
            bound = self.program.capped[self.target][1].cap + 1 - less
            if bound > 0:
                self.root = bound, {"rows": flat(multipliers)}

    def _cut(self, values: NDArray[np.float64]) -> bool:
        """Add the blame rows that the fractions violate most."""
        found = self.pairs.violated(values, self.known)[:MOST_CUTS]
        for _, place in found:
            self.known.add(place)
            self.blame.append(place)
            self.program.add_blame(place)
        return bool(found)


def _chained(settled: Sequence[Multipliers], tree: dict[str, Any]) -> dict[str, Any]:
    """Return a tree after multipliers that settle variables."""
    for multipliers in reversed(settled):
        tree = {"rows": flat(multipliers), "then": tree}
    return tree


class _Pairs:
    """Pairs of rows that a rule covers both, where one explains and the other is paid for."""

    def __init__(self, program: Program) -> None:
        self.classes = []
        n = len(program.rules.rules)
        for target in sorted({c for c, _ in program.named}):
            named = [(g, program.covering[c, g], x) for (c, g), x in program.named.items() if c == target]
            paid = [
                g for c, g in program.covered if c == target and not _free(program, program.covered[c, g])
            ]
            covers = np.zeros((len(paid), n), bool)
            for k, g in enumerate(paid):
                covers[k, program.covering[target, g]] = True
            self.classes.append((target, named, paid, [program.covered[target, g] for g in paid], covers))

    def violated(
        self, values: NDArray[np.float64], known: set[tuple[int, int, int]]
    ) -> list[tuple[float, tuple[int, int, int]]]:
        """Return the most violated, with by how much."""
        found = []
        for target, named, paid, variables, covers in self.classes:
            if not paid:
                continue
            spent = values[variables]
            for i, rules, xs in named:
                excess = covers[:, rules] @ values[xs] - spent
                for j in np.flatnonzero(excess > VIOLATION).tolist():
                    place = (target, i, paid[j])
                    if place not in known and i != paid[j]:
                        found.append((float(excess[j]), place))
        return sorted(found, key=lambda one: (-one[0], one[1]))


def _free(program: Program, variable: int) -> bool:
    """Return whether covering a row is free, in the prices of all caps and in errors per row."""
    if program.statement.per_row:
        return False
    prices = [price for paid in program.paid for j, price in paid if j == variable]
    return not any(price > 0 for price in prices)


class _Relaxation:
    """The relaxation of the program: the minimum of one capped sum under all other rows."""

    def __init__(self, program: Program, target: int) -> None:
        self.program, self.skipped = program, program.caps[target]
        self.rows: list[int] = []
        self.highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self.highs.silent()
        for option, value in (("threads", 1), ("presolve", "off"), ("solver", "simplex")):
            self.highs.setOptionValue(option, value)
        n = program.n_vars
        self.highs.addVars(n, np.zeros(n), np.ones(n))
        costs = np.zeros(n)
        for j, price in program.paid[target]:
            costs[j] += price
        self.highs.changeColsCost(n, np.arange(n, dtype=np.int32), costs)
        self.values, self.dual, self.infeasible, self.solved = np.zeros(n), np.zeros(0), False, False
        self._next = 0

    def solve(self, low: Ints, high: Ints, budget: Budget) -> bool:
        """Find `values` and `dual`; False if there is no time, or no answer."""
        self.solved = self._solve(low, high, budget)
        return self.solved

    def _solve(self, low: Ints, high: Ints, budget: Budget) -> bool:
        self._take_up_rows()
        n = len(low)
        every = np.arange(n, dtype=np.int32)
        self.highs.changeColsBounds(n, every, low.astype(float), high.astype(float))
        self.highs.setOptionValue("time_limit", self.highs.getRunTime() + budget.remaining())
        self.highs.run()
        status = self.highs.getModelStatus()
        self.infeasible = status == highspy.HighsModelStatus.kInfeasible
        if self.infeasible:
            _, has_ray, ray = self.highs.getDualRay()  # type: ignore[attr-defined]
            direction = np.asarray(ray) if has_ray else np.zeros(len(self.rows))
            largest = float(np.abs(direction).max(initial=0.0))
            self.dual = np.maximum(direction / max(1e-9, largest), 0.0)
            return bool(has_ray)
        if status == highspy.HighsModelStatus.kModelEmpty:
            self.dual = np.zeros(len(self.rows))
            return True
        if status != highspy.HighsModelStatus.kOptimal:
            return False
        solution = self.highs.getSolution()
        self.values = np.asarray(solution.col_value)
        self.dual = np.maximum(np.nan_to_num(np.asarray(solution.row_dual)), 0.0)
        return True

    def _take_up_rows(self) -> None:
        program = self.program
        new = [row for row in range(self._next, len(program.least)) if row != self.skipped]
        self._next = len(program.least)
        if not new:
            return
        starts = np.cumsum([0, *(len(program.column[row]) for row in new)])[:-1].astype(np.int32)
        columns = np.concatenate([program.column[row] for row in new])
        values = np.concatenate([program.value[row] for row in new])
        least = np.array([float(program.least[row]) for row in new])
        top = np.full(len(new), highspy.kHighsInf)
        self.highs.addRows(
            len(new), least, top, columns.size, starts, columns.astype(np.int32), values.astype(float)
        )
        self.rows += new


def flat(multipliers: Multipliers) -> list[int]:
    """Return multipliers in the format of the certificate: row, number, row, number."""
    return [number for pair in multipliers for number in pair]
