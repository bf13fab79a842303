"""Sparse sets with errors counted per row (the paper's joint model, Section 3.4).

A row is wrong once if no rule of its class covers it or any rule of another class does, which ties the
classes together. Three steps:

1. Incumbent: the separated optimum, a valid set whose joint cost is at most its separated cost, without the
   rules that do not pay; or a greedy set, if better.
2. Bound: split each row's weight over the classes, θ ≥ 0 with sum 1; a row's error is at least
   Σ_c θ_c · (its fault in class c), so the separated optima with weights θ·w add up to a lower bound.
   Half goes to the row's own class, the rest evenly to the others.
3. If the rules that can matter can be listed (the prunings of the sparse engine hold with gross
   instead of net weights), the best set of them is chosen, with a proof in integers
   (`laconic.engines.choice`). Where that takes more than a few nodes, HiGHS first looks for a better set by
   integer programming; what it takes to be proved, in floating point, is not believed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait

import highspy
import numpy as np

from laconic.budget import Budget
from laconic.engines import schedule
from laconic.engines.api import Recorder, Solution, StopReason, conclude
from laconic.engines.choice.candidates import Candidates, merged_rows
from laconic.engines.choice.choose import choose
from laconic.engines.choice.plain import without_demands
from laconic.engines.incumbent import incumbent
from laconic.model.coded import CodedRule, rows_covered
from laconic.native import kernels
from laconic.objective import Problem, cost

MAX_CANDIDATES = 4000
"""Rules per class beyond which no set is chosen among them."""

MAX_CELLS = 3 * 10**8
"""Rows times rules, likewise: bytes that their covers take."""

FEW_NODES = 20
"""Nodes of a search that needs no better set to start from."""


def solve_joint(problem: Problem, *, budget: Budget, seed: int, n_jobs: int, recorder: Recorder) -> Solution:
    """Solve a sparse problem whose errors are counted per row."""
    search = _JointSearch(problem, recorder)
    reason = StopReason.TIME
    try:
        search.run(budget, seed, n_jobs)
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    except MemoryError:
        reason = StopReason.MEMORY
    return conclude(
        problem,
        search.rules,
        search.bound,
        reason,
        recorder=recorder,
        counts={"candidates": search.n_candidates},
    )


class _JointSearch:
    """What is in hand and what is proved; it starts from the empty set."""

    def __init__(self, problem: Problem, recorder: Recorder) -> None:
        self.problem, self.recorder = problem, recorder
        self.rules: list[CodedRule] = []
        self.cost = _cost(problem, [])
        self.bound = 0
        self.n_candidates = 0

    def run(self, budget: Budget, seed: int, n_jobs: int) -> None:
        """Work through the three steps as far as the budget allows."""
        problem = self.problem
        self.offer(_separated_rules(problem, budget.part(0.2), n_jobs))
        self.offer(incumbent(problem, budget.part(0.1)))
        self.prove(_split_bound(problem, budget.part(0.3), n_jobs))
        if self.bound == self.cost or budget.expired():
            return
        candidates = _candidates(problem, budget)
        if candidates is None:
            # Too many rules to list: the rest of the time goes into the bound.
            self.prove(_split_bound(problem, budget, n_jobs))
            return
        self.n_candidates = len(candidates)
        if not candidates:  # no rule can pay for itself
            self.offer([])
            self.prove(self.cost)
            return
        covers = np.array([rows_covered(rule, problem.table) for rule in candidates], dtype=bool)
        listed = Candidates(candidates, covers, complete=True)
        self._choose(listed, budget.part(0.4), FEW_NODES)
        if self.bound == self.cost or budget.expired():
            return
        self.offer(_program_rules(problem, listed, budget.part(0.5), seed))
        self._choose(listed, budget)
        if self.bound < self.cost:  # too many entries for a proof
            self.prove(_split_bound(problem, budget, n_jobs))

    def _choose(self, listed: Candidates, budget: Budget, most_nodes: int | None = None) -> None:
        """Choose among the candidates, starting from the rules in hand."""
        choose(
            without_demands(self.problem),
            listed,
            budget,
            start=self.rules,
            on_set=self.offer,
            on_bound=self.prove,
            most_nodes=most_nodes,
        )

    def offer(self, rules: Sequence[CodedRule]) -> None:
        """Take rules that are cheaper than those in hand."""
        value = _cost(self.problem, rules)
        if value < self.cost or not self.recorder.history:
            self.rules, self.cost = list(rules), value
            self.recorder.report(value, self.bound)

    def prove(self, bound: int) -> None:
        """Take a bound, which is at most what the rules in hand cost."""
        self.bound = max(self.bound, min(bound, self.cost))
        self.recorder.report(self.cost, self.bound)


def _cost(problem: Problem, rules: Sequence[CodedRule]) -> int:
    value = cost(problem, rules)
    assert value is not None
    return value


def _run(
    problem: Problem, own_share: int, other_share: int, price_scale: int, budget: Budget, n_jobs: int
) -> dict[int, kernels.SparseSolver]:
    """Solve the separated problems with each row's weight scaled by its share in the class."""
    table = problem.table
    searches = {}
    for c in problem.classes:
        own = table.weights[:, c]
        others = table.weights.sum(axis=1) - own
        searches[c] = kernels.SparseSolver(
            table.bits,
            table.allowed,
            own * own_share,
            others * other_share,
            problem.rule_cost * price_scale,
            problem.literal_cost * price_scale,
        )
    schedule.run(list(searches.values()), budget, lambda _: None, n_jobs)
    return searches


def _separated_rules(problem: Problem, budget: Budget, n_jobs: int) -> list[CodedRule]:
    searches = _run(problem, 1, 1, 1, budget, n_jobs)
    rules = [CodedRule.of(c, body) for c, search in searches.items() for body in search.best()]
    # Rules that only pay when errors count once per class are dropped, worst first.
    while rules and not budget.expired():
        shorter = [[r for r in rules if r is not out] for out in rules]
        cheapest = min(shorter, key=lambda rest: _cost(problem, rest))
        if _cost(problem, cheapest) > _cost(problem, rules):
            break
        rules = cheapest
    return rules


def _split_bound(problem: Problem, budget: Budget, n_jobs: int) -> int:
    n_others = len(problem.classes) - 1
    if n_others == 0:
        return 0
    scale = 2 * n_others
    searches = _run(problem, n_others, 1, scale, budget, n_jobs)
    return math.ceil(sum(search.lower_bound for search in searches.values()) / scale)


def _candidates(problem: Problem, budget: Budget) -> list[CodedRule] | None:
    """Return every rule that can be in an optimal set, or None if there are too many."""
    table = problem.table
    rules: list[CodedRule] = []
    for c in problem.classes:
        own = np.ascontiguousarray(table.weights[:, c])
        bodies = kernels.joint_candidates(
            table.bits,
            table.allowed,
            own,
            table.weights.sum(axis=1) - own,
            problem.rule_cost,
            problem.literal_cost,
            MAX_CANDIDATES,
            -1.0 if math.isinf(budget.remaining()) else 0.2 * budget.remaining(),
            budget.stop_flag(),
        )
        if bodies is None:
            return None
        rules += [CodedRule.of(c, body) for body in bodies]
    return rules if len(rules) * table.n_rows <= MAX_CELLS else None


def _program_rules(problem: Problem, listed: Candidates, budget: Budget, seed: int) -> list[CodedRule]:
    """Return a good set of the candidates, found by integer programming; the empty set if none is found."""
    candidates = listed.rules
    covers, group = merged_rows(listed.covers)
    weights = np.zeros((covers.shape[1], problem.table.n_classes), np.int64)
    np.add.at(weights, group, problem.table.weights)
    target = np.array([rule.target for rule in candidates], dtype=int)
    prices = [float(problem.rule_price(len(rule.literals))) for rule in candidates]
    model = highspy.Highs()  # type: ignore[no-untyped-call]
    model.silent()
    for option, value in (
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 0.5),  # costs are integers
        ("random_seed", seed % 2**31),
        ("threads", 1),
    ):
        model.setOptionValue(option, value)
    n = len(candidates)
    model.addVars(n, np.zeros(n), np.ones(n))
    model.changeColsCost(n, np.arange(n, dtype=np.int32), np.array(prices))
    model.changeColsIntegrality(
        n, np.arange(n, dtype=np.int32), np.array([highspy.HighsVarType.kInteger] * n)
    )
    claims: dict[tuple[int, int], int] = {}
    infinity = highspy.kHighsInf

    def new_var(price: float) -> int:
        model.addVar(0.0, 1.0)
        at = int(model.getNumCol()) - 1
        model.changeColCost(at, price)
        return at

    for i, weight in enumerate(weights):
        if budget.expired():
            return []
        covering = np.flatnonzero(covers[:, i])
        for d in set(target[covering].tolist()):
            if weight.sum() > weight[d]:
                # "Class d claims the row": at least each of its covering rules.
                claims[i, d] = new_var(0.0)
                for r in covering[target[covering] == d]:
                    model.addRow(0.0, infinity, 2, np.array([claims[i, d], r]), np.array([1.0, -1.0]))
        for c in np.flatnonzero(weight):
            wrong = new_var(float(problem.error_cost * weight[c]))
            own = covering[target[covering] == c]
            index = np.append(own, wrong)
            model.addRow(1.0, infinity, len(index), index, np.ones(len(index)))
            for d in set(target[covering].tolist()) - {int(c)}:
                model.addRow(0.0, infinity, 2, np.array([wrong, claims[i, d]]), np.array([1.0, -1.0]))
    _run_program(model, budget)
    info = model.getInfo()
    values = np.asarray(model.getSolution().col_value)
    if values.size == 0 or info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return []
    return [rule for rule, value in zip(candidates, values[:n], strict=True) if value > 0.5]


def _run_program(model: highspy.Highs, budget: Budget) -> None:
    """Let HiGHS work in a thread of its own: its own clock is read too seldom, and Ctrl-C not at all."""
    model.HandleUserInterrupt = True
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(model.run)
        try:
            while not wait([running], timeout=0.02).done:
                if budget.expired():
                    model.cancelSolve()  # type: ignore[no-untyped-call]
        except BaseException:
            model.cancelSolve()  # type: ignore[no-untyped-call]
            raise
        running.result()
