"""From a training table to the best decision set and what is proved about it.

The part of a fit that is the same for `laconic.DecisionSetClassifier` and for the command line. It does not
import scikit-learn, which alone would take longer than ``laconic fit`` on a small table.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic import __version__
from laconic.checking.recheck import objective_of
from laconic.data.table import Table, table_digest
from laconic.data.training import TrainingTable
from laconic.data.words import number_text
from laconic.engines import registry
from laconic.engines.api import OnProgress, Progress, Solution, StopReason
from laconic.engines.warm import Start, inherited_bound, solve_from
from laconic.learning.name_order import NameOrder
from laconic.model.decision_set import DecisionSet
from laconic.model.decode import decode
from laconic.model.proof import Proof
from laconic.model.render import gap_text, parts_text
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Counting, Kind, Objective, Problem, errors
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from laconic.checking.certify.certificate import Certificate

DEFAULT_ENGINE = "exact"
CERTIFICATE_SHARE = 0.4
"""Of a time limit, what is kept back for the certificate."""


@dataclass(frozen=True)
class Search:
    """Who searches, how long, and who is told of every improvement."""

    budget: Budget
    engine: str = DEFAULT_ENGINE
    options: Mapping[str, Any] | None = None
    seed: int = 0
    n_jobs: int = 1
    watch: Callable[[Problem], OnProgress | None] = lambda _: None
    certificate: bool = False


@dataclass(frozen=True)
class Learned:
    """A decision set, and the search that found it."""

    model: DecisionSet
    problem: Problem
    solution: Solution
    certificate: Certificate | None = None
    interrupted: bool = False
    """Whether Ctrl-C ended the search, or the making of the certificate."""
    no_certificate: str | None = None
    """Why a certificate that was asked for could not be made."""


def learn(
    training: TrainingTable,
    objective: Objective,
    search: Search,
    start: Start | None = None,
    constraints: Constraints | None = None,
) -> Learned:
    """Find the best decision set for a training table, from a decision set in hand if there is one."""
    table = training.table
    problem = problem_of(training, objective, constraints)
    registry.require_support(search.engine, problem)
    engine = registry.get(search.engine)
    by_name = NameOrder.of(training)
    if start is not None:
        engine = partial(solve_from, replace(start, rules=by_name.forth(start.rules)), engine)
    solution = engine(
        problem if by_name.training is training else problem_of(by_name.training, objective, constraints),
        budget=search.budget.part(1 - CERTIFICATE_SHARE) if search.certificate else search.budget,
        seed=search.seed,
        n_jobs=search.n_jobs,
        on_progress=search.watch(problem),
        options=search.options,
    )
    solution = replace(solution, rules=by_name.back(solution.rules))
    model = model_of(training, problem, solution, search.engine, constraints)
    learned = Learned(model, problem, solution, interrupted=solution.stop_reason is StopReason.INTERRUPT)
    return _with_certificate(learned, table, search) if search.certificate else learned


def model_of(
    training: TrainingTable,
    problem: Problem,
    solution: Solution,
    engine: str,
    constraints: Constraints | None = None,
) -> DecisionSet:
    """Say what an engine found in the user's words, with what is proved about it."""
    model = decode(
        solution.rules,
        training.table,
        training.binarizer.features_,
        training.classes,
        training.columns,
        named=training.named,
        every_class=problem.objective.every_class,
        proof=_proof(problem, solution, training.table, engine, constraints or None),
    )
    return replace(model, notes=training.notes, history=solution.history)


def problem_of(
    training: TrainingTable, objective: Objective, constraints: Constraints | None = None
) -> Problem:
    """Return the problem that an objective and constraints, if any, state for a training table."""
    if not constraints:
        return Problem.of(training.table, objective)
    from laconic.problem.constraints.translate import compiled_constraints

    compiled = compiled_constraints(
        constraints,
        training.table,
        training.binarizer.features_,
        training.columns,
        training.classes,
        objective=objective.kind.value,
        per_row=objective.counting is Counting.PER_ROW,
    )
    return Problem.of(training.table, objective, compiled)


def _with_certificate(learned: Learned, table: Table, search: Search) -> Learned:
    """Add a certificate; if none can be made, keep the rules and warn."""
    from laconic.checking.certify.certify import certify

    interrupted, reason = learned.interrupted, "interrupted"
    if not interrupted:
        try:
            return replace(learned, certificate=certify(learned.model, table, search.budget))
        except KeyboardInterrupt:
            interrupted = True
        except InputError as error:
            reason = str(error)
        except MemoryError:
            reason = "there is not enough memory to make one"
    warnings.warn(f"{reason}: the rules are kept, but there is no certificate", stacklevel=4)
    return replace(learned, interrupted=interrupted, no_certificate=reason)


def start_from(
    model: DecisionSet,
    old: TrainingTable,
    new: TrainingTable,
    objective: Objective,
    constraints: Constraints | None = None,
) -> Start:
    """Return a model as the start of a search on its training table with some rows added."""
    proof = model.proof
    if proof is None:
        raise InputError("this model has no proof facts to start from; save one from a fitted classifier")
    if table_digest(old.table) != proof.table_digest:
        raise InputError("these are not the rows that the model was trained on; name those saved with it")
    if proof.constraints is not None or constraints:
        return Start(proof.rules)  # nothing is known of bounds when constraints move with the data
    problem = Problem.of(old.table, objective)
    before = objective_of(proof)
    # λ and the counting mean something to a sparse objective only.
    same = before == objective or before.kind is objective.kind is not Kind.SPARSE
    bound = proof.lower_bound if same else 0
    return Start(proof.rules, inherited_bound(problem, bound, Problem.of(new.table, objective)))


def engine_seed(seed: int | None) -> int:
    """Return what an engine is given for a user's seed, as scikit-learn would draw it; none is fixed too."""
    return 0 if seed is None else int(np.random.RandomState(seed).randint(np.iinfo(np.int32).max))


def progress_text(state: Progress, problem: Problem) -> str:
    """Write one state of a search in the user's units: time, cost, bound and gap."""
    start = f"{state.seconds:7.1f} s   "
    if state.cost is not None and len(problem.pricing.parts) > 1:
        known = parts_text(problem.pricing.parts, state.cost, state.lower_bound)
        return visible(f"{start}{known}   {state.note}".rstrip())
    bound, cost = (
        "-" if value is None else number_text(Fraction(problem.in_user_units(value)))
        for value in (state.lower_bound, state.cost)
    )
    gap = "-" if state.cost is None else gap_text(state.gap)
    return visible(f"{start}cost {cost}   bound {bound}   gap {gap}   {state.note}".rstrip())


def _proof(
    problem: Problem, solution: Solution, table: Table, engine: str, constraints: Constraints | None
) -> Proof:
    objective, pricing = problem.objective, problem.pricing
    return Proof(
        objective=objective.kind.value,
        counting=objective.counting.value,
        regularization=objective.regularization
        if objective.kind is Kind.SPARSE and not objective.has_budget
        else None,
        every_class=objective.every_class,
        error_cost=problem.error_cost,
        literal_cost=problem.literal_cost,
        rule_cost=problem.rule_cost,
        cost=solution.cost,
        lower_bound=solution.lower_bound,
        stop_reason=solution.stop_reason.value,
        errors=errors(problem, solution.rules),
        unavoidable_errors=problem.unavoidable,
        n_samples=table.n_samples,
        n_rows=table.n_rows,
        n_features=table.n_features,
        total_weight=table.total_weight,
        weight_scale=table.scale,
        engine=engine,
        version=__version__,
        table_digest=table_digest(table),
        rules=solution.rules,
        constraints=constraints,
        parts=() if problem.constraints.any_set else pricing.parts,
        measures=problem.measures(solution.rules),
        max_size=objective.max_size,
        max_errors=objective.max_errors,
    )
