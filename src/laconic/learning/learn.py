"""From a training table to the best decision set and its proof facts.

The part of a fit that is the same for `laconic.DecisionSetClassifier` and for the command line. It does not
import scikit-learn, which alone would take longer than ``laconic fit`` on a small table.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.data.table import Table
from laconic.data.targets import TargetWarning, many_classes
from laconic.data.training import TrainingTable
from laconic.engines import registry
from laconic.engines.api import OnProgress, Solution, StopReason
from laconic.engines.warm import Start, solve_from
from laconic.learning.choose import parts_of_a_row
from laconic.learning.model import model_of
from laconic.learning.name_order import NameOrder
from laconic.learning.problem import both_problems
from laconic.learning.resolution import Resolving, dearer_missed_rows
from laconic.learning.superfluous import ConstraintWarning, superfluous_rules
from laconic.learning.unexplained import Unexplained, unexplained_classes
from laconic.model.decision_set import DecisionSet
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from laconic.checking.certify.certificate import Certificate

DEFAULT_ENGINE = "exact"
WORK, MOST_SECONDS = 120_000, 60.0
"""Units of work, and seconds, of the search at a chosen λ if there is no time limit."""
CERTIFICATE_SHARE = 0.4
"""Share of a time limit that is reserved for the certificate."""
CERTIFICATE_SECONDS, CERTIFICATE_TIMES = 30.0, 2.0
"""Without a time limit a certificate may take so many seconds, or so many times as long as the search."""


@dataclass(frozen=True)
class SearchSettings:
    """The engine of a search, its limits, and the callbacks that report progress."""

    budget: Budget
    engine: str = DEFAULT_ENGINE
    options: Mapping[str, Any] | None = None
    seed: int = 0
    n_jobs: int = 1
    watch: Callable[[Problem], OnProgress | None] = lambda _: None
    certificate: bool = False
    certificate_seconds: float | None = None
    """Time limit of the certificate alone; None lets it take what `certificate_budget` says."""
    report: Callable[[str], None] = lambda _: None
    """Called with a line of progress while λ is chosen."""
    only_lambda: bool = False
    """Whether only λ is chosen, so that a fit at that λ is the same problem again."""


@dataclass(frozen=True)
class Learned:
    """A decision set, and the search that found it."""

    model: DecisionSet
    training: TrainingTable
    """What it was learned from; on a finer scale where a chosen λ prices size below one row."""
    problem: Problem
    solution: Solution
    certificate: Certificate | None = None

    interrupted: bool = False
    """Whether Ctrl-C ended the search or the making of the certificate."""
    unexplained: tuple[Unexplained, ...] = ()
    """The classes without a rule."""
    no_certificate: str | None = None
    """The reason if a requested certificate could not be made."""


def learn(
    training: TrainingTable,
    objective: Objective,
    search: SearchSettings,
    start: Start | None = None,
    constraints: Constraints | None = None,
    finer: Callable[[], TrainingTable] | None = None,
) -> Learned:
    """Find the best decision set for a training table, optionally from a known decision set.

    ``finer`` returns the same rows with finer conditions, which a choice of λ may prefer.
    """
    if search.options:
        registry.check_options(search.engine, search.options)
    if objective.size_budget is not None and constraints is not None and constraints.max_size is not None:
        raise InputError("size_budget and the constraint max_size both limit the size; leave one of them out")
    _check_classes(training)
    if objective.needs_choice:
        return _learn_by_choice(training, objective, search, constraints, finer)
    by_name = NameOrder.of(training)
    if start is not None:
        start = replace(start, rules=by_name.forth(start.rules))
    return _learn_at(training, by_name, objective, search, start, constraints)


def _learn_by_choice(
    training: TrainingTable,
    objective: Objective,
    search: SearchSettings,
    constraints: Constraints | None,
    finer: Callable[[], TrainingTable] | None,
) -> Learned:
    """Choose conditions and λ, and find the best decision set for them."""
    # The rest of the problem does not depend on λ, so any λ will do here.
    anywhere = replace(objective, regularization=0.05)

    def problem_on(table: TrainingTable, by_name: NameOrder, respected: Constraints | None) -> Problem:
        stated, known = both_problems(table, by_name.training, anywhere, respected)
        registry.require_support(search.engine, stated)
        return known

    dearer = None
    if search.engine == DEFAULT_ENGINE and not search.only_lambda:
        dearer = dearer_missed_rows(training, objective, constraints)
    resolving = Resolving(
        problem_on, search.budget, search.seed, search.n_jobs, search.report, search.only_lambda
    )
    resolved = resolving.best(training, constraints, finer, dearer)
    found, training, by_name = resolved.found, resolved.training, resolved.by_name
    # Dearer missed rows make each unit of work longer, and a proof less likely.
    work = WORK if resolved.constraints is constraints else WORK // 3
    search = replace(search, budget=_last_budget(search.budget, found.choice.interrupted, work))
    if found.choice.interrupted:  # a callback that has just interrupted the choice is not called again
        search = replace(search, watch=lambda _: None)
    choice, rules = found.choice, found.rules
    while True:
        goal = replace(objective, regularization=choice.best.regularization)
        whole = objective.every_class or search.only_lambda
        parts = 1 if whole else parts_of_a_row(resolved.known, choice.best.regularization)
        scaled, searched = training.on_finer_scale(parts), by_name.on_finer_scale(parts)
        learned = _learn_at(scaled, searched, goal, search, Start(rules), resolved.constraints)
        # The search may have found a cheaper set that exceeds the readable size.
        if learned.model.size <= choice.max_size or choice.chosen == 0 or learned.interrupted:
            break
        choice = replace(choice, chosen=choice.chosen - 1)
    proof = learned.model.facts
    choice = choice.with_set(learned.model.size, proof.errors / proof.weight_scale)
    model = replace(learned.model, choice=choice)
    return replace(learned, model=model, interrupted=learned.interrupted or found.choice.interrupted)


def _last_budget(budget: Budget, interrupted: bool, work: int) -> Budget:
    """Return the budget of the search at the chosen λ, which is limited by work if there is no time limit."""
    if interrupted:
        return budget.part(0.0) if not math.isinf(budget.remaining()) else Budget(0.0)
    return budget.within(work, MOST_SECONDS) if math.isinf(budget.remaining()) else budget


def _check_classes(training: TrainingTable) -> None:
    """Refuse labels that differ on every row; warn of labels that look like a quantity."""
    table = training.table
    said = many_classes(int(table.weights.any(axis=0).sum()), table.n_samples)
    if said is not None:
        warnings.warn(said, TargetWarning, stacklevel=5)


def _learn_at(
    training: TrainingTable,
    by_name: NameOrder,
    objective: Objective,
    search: SearchSettings,
    start: Start | None,
    constraints: Constraints | None,
) -> Learned:
    """Find the best decision set for an objective; ``start`` is in the order of names."""
    table = training.table
    problem, searched = both_problems(training, by_name.training, objective, constraints)
    engine = registry.require_support(search.engine, problem)
    if start is not None:
        engine = partial(solve_from, start, engine)
    solution = engine(
        searched,
        budget=search.budget.part(1 - CERTIFICATE_SHARE) if search.certificate else search.budget,
        seed=search.seed,
        n_jobs=search.n_jobs,
        on_progress=search.watch(problem),
        options=search.options,
    )
    solution = replace(solution, rules=by_name.back(solution.rules))
    model = model_of(training, problem, solution, search.engine, constraints)
    interrupted = solution.stop_reason is StopReason.INTERRUPT
    if problem.constraints.required:
        _warn_of_superfluous(problem, solution, model)
    silent = () if interrupted else unexplained_classes(problem, table, solution.rules)
    learned = Learned(model, training, problem, solution, interrupted=interrupted, unexplained=silent)
    return _with_certificate(learned, table, search) if search.certificate else learned


def _warn_of_superfluous(problem: Problem, solution: Solution, model: DecisionSet) -> None:
    """Warn of rules that are in the set only because a condition is required."""
    # Bare rules that act as an else are not among those of the model.
    listed = [
        k for k, rule in enumerate(solution.rules) if rule.literals or not problem.objective.every_class
    ]
    for k in superfluous_rules(problem, solution.rules):
        if k in listed:
            warnings.warn(
                f"'{visible(model.rules[listed.index(k)])}' is in the set only because a condition of it is "
                "required: other rules cover all rows of its class that it covers",
                ConstraintWarning,
                stacklevel=7,
            )


def certificate_budget(search: SearchSettings) -> Budget:
    """Return the limits of a certificate that is made now, after the search."""
    seconds = search.certificate_seconds
    if seconds is None and math.isfinite(search.budget.remaining()):
        return search.budget
    if seconds is None:
        seconds = max(CERTIFICATE_SECONDS, CERTIFICATE_TIMES * search.budget.elapsed())
    return search.budget.at_most(seconds)


def _with_certificate(learned: Learned, table: Table, search: SearchSettings) -> Learned:
    """Add a certificate; if none can be made, keep the rules and warn."""
    from laconic.checking.certify.certify import certify

    interrupted, reason = learned.interrupted, "interrupted"
    if not interrupted:
        try:
            made = certify(learned.model, table, certificate_budget(search))
            return replace(learned, certificate=made)
        except KeyboardInterrupt:
            interrupted = True
        except InputError as error:
            reason = str(error)
        except MemoryError:
            reason = "there is not enough memory to make one"
    warnings.warn(f"{reason}: the rules are kept, but there is no certificate", stacklevel=4)
    return replace(learned, interrupted=interrupted, no_certificate=reason)


def engine_seed(seed: int | None) -> int:
    """Return an engine's seed for a user's seed, drawn as scikit-learn does; 0 if there is none."""
    return 0 if seed is None else int(np.random.RandomState(seed).randint(np.iinfo(np.int32).max))
