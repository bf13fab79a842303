"""The search of one sparse class with very many rows, by subsets of rows and columns.

Sets come from few rows or from few columns. A subset of the rows is searched like any table, and the rules
found are evaluated on all rows. The columns used by these rules, with *all* rows, make a small table once
equal rows are merged: the best set of that table costs the same on the whole table. The subsets grow, so
better columns are found.

Bounds come from all rows, in groups (`prices`, `every_rule`). Leaving rows out would also give a bound, but a
weak one, because it ignores their errors. ``docs/how-it-works.md`` has the proof and the comparison.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import pack, unpack
from laconic.engines.exact.lazy_rows.every_rule import Costs, Examined
from laconic.engines.exact.lazy_rows.prices import PricedRows
from laconic.engines.exact.lazy_rows.rows import Body, SignedRows, few_weights, taken
from laconic.engines.exact.lazy_rows.triples import MAX_FEATURES, Triples, all_triples
from laconic.engines.tuning import Tuning
from laconic.runtime.native import kernels
from laconic.runtime.remote import is_wanted

FIRST_TRY = 1.0
"""Seconds of an initial search of all rows at once."""
FIRST_TRY_CELLS = 3 * 10**7
"""Maximum product of rows and columns for that initial search: above it, the search would hardly begin."""
SUBSET_ROWS = (5_000, 20_000, 80_000)
"""Numbers of rows of the subsets, in the order in which they are searched."""
SUBSET_SECONDS = 1.5
MAX_COLUMNS = 14
"""Maximum number of columns of a small table, which has at most two to this power rows."""
COLUMNS_SECONDS = 3.0
PRICED_ROWS = 20_000
"""Number of rows of the subset on which rules and groups for the dual are found."""
MIN_OF_A_SIDE = 1_000
"""Minimum number of positives and of negatives in that subset, if there are so many."""
PAIRS = (4_000, 16_000)
"""Maximum number of pairs of a positive and a negative group, by round."""
MAX_NUMBERS = 2**26
"""Maximum product of pairs of features and groups; each entry takes four bytes."""
REGROUPINGS = 4
SUBSET_NODES = 450
FINAL_ROUNDS = 4
_SLICE = 0.25
_SHARE = 0.1
_ENOUGH = 1e-3


class LazySearch:
    """A class search for very many rows, as a `laconic.engines.schedule.Search`; its first turn starts it.

    Parameters
    ----------
    bits, allowed : ndarray
        As in `laconic.data.table.Table`.
    in_class, outside : ndarray of int64
        Cost of leaving each row uncovered, and of covering it.
    rule_cost, literal_cost : int
    seed : int
    tuning : dict, optional
        Options of the native searches that are not the defaults.
    """

    plans_its_turns = True

    def __init__(
        self,
        bits: NDArray[np.uint64],
        allowed: NDArray[np.bool_],
        in_class: NDArray[np.int64],
        outside: NDArray[np.int64],
        rule_cost: int,
        literal_cost: int,
        seed: int = 0,
        tuning: Tuning | None = None,
    ) -> None:
        self._bits, self._allowed = bits, allowed
        self._own, self._others = in_class, outside
        self._rule_cost, self._literal_cost = rule_cost, literal_cost
        self._tuning = tuning or {}
        self._rng = np.random.default_rng(seed)
        self._rules: list[Body] = []
        self._columns: dict[int, None] = {}
        self.upper_bound = int(in_class.sum())
        self._constant = int(np.minimum(in_class, outside).sum())
        self.lower_bound = min(self._constant, self.upper_bound)
        self._counts = {"subsets": 0, "small_tables": 0, "listed": 0, "nodes": 0}
        self._deadline = self._turn = math.inf
        self._stop = kernels.StopFlag()
        self._done = False
        self._work = self._steps()

    @property
    def proved(self) -> bool:
        """Whether the incumbent is proved optimal."""
        return self.lower_bound == self.upper_bound

    @property
    def finished(self) -> bool:
        """Whether more time cannot improve incumbent or bound."""
        return self._done or self.proved

    def take_turn(self, seconds: float, stop: kernels.StopFlag) -> bool:
        """Run for some seconds (no limit if negative); return ``proved``."""
        self._stop = stop
        self._turn = math.inf if seconds < 0 else seconds
        self._deadline = time.monotonic() + self._turn
        while not self.finished and time.monotonic() < self._deadline and not stop.out_of_memory():
            if not is_wanted():  # a turn without a limit must end when its task is cancelled
                break
            if next(self._work, "done") == "done":
                self._done = True
        return self.proved

    def settle(self) -> None:
        """Do nothing: the search is a generator and needs no thread."""

    def best(self) -> list[list[int]]:
        """Return the literals of each rule of the incumbent."""
        return [list(body) for body in self._rules]

    def counts(self) -> dict[str, int]:
        """Return the work done, by name."""
        return dict(self._counts)

    def _steps(self) -> Generator[None, None, None]:
        net = few_weights(self._own - self._others)
        rows = SignedRows(self._bits, net)
        if not (net > 0).any() or not (net < 0).any():
            yield from self._small_table([])
            self._raise_bound(self.upper_bound)  # the best set is one rule without literals, or empty
            return
        native = self._native() if self._bits.shape[0] * net.size <= FIRST_TRY_CELLS else None
        if native is not None:
            yield from self._all_rows(native, FIRST_TRY)
        most = (MAX_NUMBERS / max(1, self._bits.shape[0]) ** 2 / 2) ** 2
        for turn, pairs in enumerate(min(pairs, int(most)) for pairs in PAIRS):
            for size in SUBSET_ROWS[: 2 + turn]:
                if turn == 0 or size == SUBSET_ROWS[-1]:
                    yield from self._subset(size)
                    yield from self._small_table(list(self._columns))
            yield from self._bound(rows, pairs)
        yield from self._all_rows(native or self._native(), math.inf)

    def _native(self) -> kernels.SparseSolver:
        costs = self._rule_cost, self._literal_cost
        return kernels.SparseSolver(self._bits, self._allowed, self._own, self._others, *costs, self._tuning)

    def _all_rows(self, native: kernels.SparseSolver, seconds: float) -> Generator[None, None, None]:
        """Search all rows like any table: easy problems are solved that way with any number of rows."""
        for _ in self._run(native, seconds):
            if native.upper_bound < self.upper_bound:
                self._consider([tuple(body) for body in native.best()])
            self._raise_bound(native.lower_bound)
            yield

    def _subset(self, size: int) -> Generator[None, None, None]:
        """Search a subset of the rows, and remember the columns of the rules found."""
        chosen = np.sort(self._rng.permutation(self._own.size)[:size])
        yield
        own, others = self._own[chosen], self._others[chosen]
        share = float(own.sum() + others.sum()) / float(self._own.sum() + self._others.sum())
        solver = kernels.SparseSolver(
            taken(self._bits, chosen),
            self._allowed,
            own,
            others,
            max(1, round(self._rule_cost * share)),
            max(1, round(self._literal_cost * share)),
            self._tuning,
        )
        yield from self._run(solver, SUBSET_SECONDS)
        self._counts["subsets"] += 1
        bodies = [tuple(body) for body in solver.best()]
        self._consider(bodies)
        self._prefer(code >> 1 for body in bodies for code in body)

    def _small_table(self, columns: Sequence[int]) -> Generator[None, None, None]:
        """Search all rows on a few columns, with equal rows merged; costs are those of the whole table."""
        used = np.array(columns[:MAX_COLUMNS], np.int64)
        code = np.zeros(self._own.size, np.int64)
        for feature in used:
            code = 2 * code + unpack(self._bits[feature], code.size)
        yield
        values, cell = np.unique(code, return_inverse=True)
        own, others = (np.bincount(cell, weights=side).astype(np.int64) for side in (self._own, self._others))
        matrix = values[None, :] >> np.arange(used.size)[::-1, None] & 1
        costs = self._rule_cost, self._literal_cost
        solver = kernels.SparseSolver(
            pack(matrix.astype(bool)), self._allowed[used], own, others, *costs, self._tuning
        )
        yield from self._run(solver, COLUMNS_SECONDS)
        self._counts["small_tables"] += 1
        self._consider(
            [tuple(sorted(2 * int(used[c >> 1]) + (c & 1) for c in body)) for body in solver.best()]
        )

    def _run(self, solver: kernels.SparseSolver, seconds: float) -> Generator[None, None, None]:
        spent = 0.0
        if solver.finished:  # the empty set can be proved best before any search
            yield
        while not solver.finished:
            # A step may take only a share of a short turn, so that a bound is proved before the turn ends.
            if spent >= (seconds if math.isinf(seconds) else max(_SLICE, min(seconds, _SHARE * self._turn))):
                return
            began = time.monotonic()
            solver.advance(max(0.0, min(_SLICE, self._deadline - began)), self._stop)
            spent += max(time.monotonic() - began, 0.01)
            yield

    def _bound(self, rows: SignedRows, pairs: int) -> Generator[None, None, None]:
        """Find a dual on a subset of the rows, then raise the bound with it on all rows."""
        literals = np.flatnonzero(self._allowed.ravel())
        full_costs = Costs(self._rule_cost, self._literal_cost)
        start: list[Body] = [()]
        for body in self._rules:
            start += [body, *(body[:k] + body[k + 1 :] for k in range(len(body)))]
        start = list(dict.fromkeys(start))
        few, share = self._sampled_rows(rows)
        costs = Costs(full_costs.rule * share, full_costs.literal * share)
        target = (self.upper_bound - self._constant) * share
        priced = yield from PricedRows.split(few, start, pairs, costs)
        used = dict.fromkeys(code >> 1 for body in self._rules for code in body)
        ranked = yield from priced.promising(literals)
        promising = [column for column in ranked if column not in used]
        yield from self._small_table([*used, *promising])
        for body in start:
            priced.add(body)
        for turn in range(REGROUPINGS):
            if turn:
                priced = yield from priced.regrouped(pairs)
            for _ in range(2):
                priced.ascend(target)
                yield
                found = yield from self._examined(priced, literals, SUBSET_NODES)
                if not priced.join(found):
                    break
        self._prefer(
            code >> 1 for body in sorted(priced.bodies, key=lambda b: -priced.use[b])[:10] for code in body
        )
        yield from self._small_table(list(self._columns))
        if few is not rows:
            priced = yield from priced.on(rows, full_costs)
        for _ in range(FINAL_ROUNDS):
            priced.ascend(float(self.upper_bound - self._constant))
            yield
            found = yield from self._examined(priced, literals, 1 + literals.size)
            self._raise_bound(self._constant + math.ceil(found.bound()))
            if not priced.join(found):
                break
        self._counts["listed"] = max(self._counts["listed"], len(priced.bodies))
        triples = yield from self._triples(priced)
        yield from self._examined(priced, literals, None, triples, prove=True)

    def _sampled_rows(self, rows: SignedRows) -> tuple[SignedRows, float]:
        """Return a subset of the rows with both signs, and its fraction of the weight."""
        if rows.net.size <= PRICED_ROWS:
            return rows, 1.0
        share = PRICED_ROWS / rows.net.size
        chosen = [
            self._rng.permutation(side)[: max(min(side.size, MIN_OF_A_SIDE), round(share * side.size))]
            for side in rows.sides
        ]
        index = np.sort(np.concatenate(chosen))
        few = SignedRows(taken(rows.bits, index), rows.net[index])
        return few, float(np.abs(few.net).sum()) / float(np.abs(rows.net).sum())

    def _examined(
        self,
        priced: PricedRows,
        literals: NDArray[np.int64],
        nodes: int | None,
        triples: Triples | None = None,
        prove: bool = False,
    ) -> Generator[None, None, Examined]:
        """Search the rules up to a number of nodes; with ``prove`` the bound rises on the way."""
        found = Examined(0.0)
        for found in priced.examine(literals, _ENOUGH, triples):
            self._counts["nodes"] += 1
            if prove and found.nodes % 50 == 0:
                self._raise_bound(self._constant + math.ceil(found.bound()))
            if found.nodes == nodes:
                break
            yield
        if prove:
            self._raise_bound(self._constant + math.ceil(found.bound()))
        return found

    def _triples(self, priced: PricedRows) -> Generator[None, None, Triples | None]:
        """Return the prices kept by triples, or None if computing them takes most of the time left."""
        n_blocks = priced.pos.bits.shape[1] / 64
        if self._bits.shape[0] > MAX_FEATURES:
            return None
        work = all_triples(priced.pos, priced.prices())
        began = time.monotonic()
        for block in range(1 << 40):
            try:
                next(work)
            except StopIteration as end:
                found: Triples = end.value
                return found
            now = time.monotonic()
            if block == 3 and (now - began) / 4 * n_blocks > 0.8 * (self._deadline - began):
                return None
            yield
        return None

    def _consider(self, bodies: Sequence[Body]) -> None:
        covered = np.zeros(self._own.size, bool)
        for cover in SignedRows(self._bits, self._own).covers(bodies):
            covered |= cover
        paid = sum(self._rule_cost + self._literal_cost * len(body) for body in bodies)
        cost = paid + int(self._own[~covered].sum()) + int(self._others[covered].sum())
        if cost < self.upper_bound:
            self.upper_bound, self._rules = cost, sorted(set(bodies))
            self._prefer((code >> 1 for body in bodies for code in body), first=True)

    def _prefer(self, features: Iterable[int], first: bool = False) -> None:
        """Remember columns for the small tables; with ``first`` before all others."""
        fresh = dict.fromkeys(features)
        self._columns = {**fresh, **self._columns} if first else {**self._columns, **fresh}

    def _raise_bound(self, bound: int) -> None:
        self.lower_bound = max(self.lower_bound, min(bound, self.upper_bound))
