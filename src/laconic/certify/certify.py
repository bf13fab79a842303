"""Making a certificate for a decision set, and checking one against data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from laconic import checker
from laconic.budget import Budget
from laconic.certify.binding import mismatches
from laconic.certify.certificate import Certificate, facts_of, malformed
from laconic.certify.effort import Effort
from laconic.certify.prices import nothing
from laconic.certify.proof import prove
from laconic.certify.statement import Scope, scope_of, statement
from laconic.data.table import Table
from laconic.errors import InputError
from laconic.model.decision_set import DecisionSet
from laconic.native import kernels
from laconic.recheck import rebuilt_table, recheck


def certify(model: DecisionSet, table: Table, budget: Budget | None = None) -> Certificate:
    """Prove again, for others to check, that nothing is cheaper than a model's rules.

    Whatever the engine did to find and prove the rules, the proof here is made from the table alone. It
    may fall short of the engine's bound when time is short or a perfect problem has a wide gap;
    `Certificate.lower_bound` says what is proved.

    Parameters
    ----------
    model : DecisionSet
        Fitted, with its proof facts.
    table : Table
        The table it was fitted on.
    budget : Budget, optional
    """
    if model.proof is None:
        raise InputError("this model has no proof facts to certify; take one from a fitted classifier")
    if model.proof.constraints is not None:
        raise InputError("certificates do not cover constraints and other measures; fit without them")
    if model.proof.has_budget:
        raise InputError("certificates do not cover max_size and max_errors; fit without them")
    return Certificate(with_proofs(facts_of(model), table, budget or Budget(None)))


def with_proofs(facts: dict[str, Any], table: Table, budget: Budget) -> dict[str, Any]:
    """Return the facts of a certificate with a lower bound, the proof of it, and the seal."""
    try:
        task = checker.Task(facts, table)
    except (checker.Refuted, checker.Malformed) as reason:
        raise InputError(
            f"no certificate can be made: {reason}; use fewer digits in the regularization and the weights"
        ) from None
    proofs = list(_proofs(task, facts["rules"], budget))
    bound = -(-sum(proof["bound"] for proof in proofs) // task.share)
    content = {**facts, "lower_bound": min(bound, facts["cost"]), "proofs": proofs}
    return {**content, "seal": checker.seal(content)}


def _proofs(task: checker.Task, rules: Sequence[Sequence[int]], budget: Budget) -> Iterator[dict[str, Any]]:
    for place, target in enumerate(task.classes):
        problem = task.of_class(target)
        if budget.expired():
            yield {"class": target, "bound": problem.constant, "proof": nothing(len(problem.pos))}
            continue
        bodies = [list(literals) for c, *literals in rules if c == target]
        if task.share > 1:
            bodies = _separate_optimum(problem, budget.part(0.5 / (len(task.classes) - place)))
        known = class_cost(problem, bodies)
        proof, bound = prove(problem, known, bodies, budget.part(1 / (len(task.classes) - place)))
        yield {"class": target, "bound": bound + problem.constant, "proof": proof}


def class_cost(problem: checker.Problem, bodies: Sequence[Sequence[int]]) -> int:
    """Return what the rules cost in one class's problem, without the constant."""
    covered = np.zeros(problem.holds.shape[1], bool)
    for body in bodies:
        covered |= problem.holds[np.searchsorted(problem.codes, np.array(body, np.int64))].all(axis=0)
    missed = problem.weight[problem.pos[~covered[problem.pos]]].sum()
    wrong = problem.weight[problem.neg[covered[problem.neg]]].sum()
    return int(missed + wrong) + sum(problem.price(len(body)) for body in bodies)


def _separate_optimum(problem: checker.Problem, budget: Budget) -> list[list[int]]:
    """Solve one class's share of a problem whose errors are counted per row."""
    n_rows = problem.holds.shape[1]
    own, others = np.zeros(n_rows, np.int64), np.zeros(n_rows, np.int64)
    own[problem.pos], others[problem.neg] = problem.weight[problem.pos], problem.weight[problem.neg]
    # Each literal becomes a feature of its own, of which only the true side may be used.
    bits = np.zeros((len(problem.codes), max(1, -(-n_rows // 64)) * 64), bool)
    bits[:, :n_rows] = problem.holds
    packed = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    allowed = np.tile(np.array([False, True]), (len(problem.codes), 1))
    solver = kernels.SparseSolver(packed, allowed, own, others, problem.rule_cost, problem.literal_cost)
    solver.advance(budget.native_seconds(), budget.stop_flag())
    return [[int(problem.codes[code // 2]) for code in body] for body in solver.best()]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checker says of a certificate on some data.

    Attributes
    ----------
    cost, lower_bound : int or None
        Proved, in the integer units of the search; None if the certificate fails.
    problem : str or None
        What fails.
    decided : bool
        False if the check ran out of time.
    statement : str
        What was proved, in a sentence: which sets were compared, over which conditions, on which rows.
    scope : Scope or None
        The same as data; None if the table could not be made.
    """

    cost: int | None
    lower_bound: int | None
    problem: str | None = None
    decided: bool = True
    statement: str = field(default="", repr=False)
    scope: Scope | None = field(default=None, repr=False)

    @property
    def holds(self) -> bool:
        """Whether everything the certificate says was proved."""
        return self.problem is None

    @property
    def optimal(self) -> bool:
        """Whether no decision set is cheaper than the rules."""
        return self.holds and self.cost == self.lower_bound


def verify_certificate(
    certificate: Certificate,
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None = None,
    *,
    model: DecisionSet | None = None,
    time_limit: float | None = None,
) -> Verdict:
    """Check a certificate against data with the independent checker.

    The data become a binary table with the certificate's own conditions; everything after that is proved by
    `laconic.checker`, which shares no code with any engine. With a model, the verdict is about that model: it
    is recounted on the data, and everything that the certificate says must be what the model says.

    Parameters
    ----------
    certificate : Certificate
        As `laconic.load_certificate` returns it.
    X : DataFrame or array-like of shape (n_rows, n_columns)
        The data it was made for, rows in any order.
    y : array-like of shape (n_rows,)
    sample_weight : array-like of shape (n_rows,), optional
    model : DecisionSet, optional
        What the certificate is to be about; without it, the verdict is about the certificate's own rules.
    time_limit : float, optional
        Seconds; when they are over the verdict is "not decided".

    Returns
    -------
    Verdict
    """
    if model is not None and (found := mismatches(certificate, model)):
        return Verdict(None, None, f"it is not the certificate of this model: {'; '.join(found)}")
    if model is not None and (found := recheck(model, X, y, sample_weight)):
        return Verdict(None, None, f"the model does not stand: {'; '.join(found)}")
    table = rebuilt_table(certificate.words, X, y, sample_weight)
    if isinstance(table, str):
        return Verdict(None, None, table.replace("the model", "the certificate"))
    verdict, scope = check_table(certificate, table, time_limit), scope_of(certificate, table)
    if verdict.cost is None or verdict.lower_bound is None:
        return replace(verdict, scope=scope)
    said = statement(certificate.content, verdict.cost, verdict.lower_bound, scope)
    return replace(verdict, statement=said, scope=scope)


def check_table(certificate: Certificate, table: Table, time_limit: float | None = None) -> Verdict:
    """Check a certificate against a binary table."""
    effort = Effort(math.inf if time_limit is None else time_limit)
    try:
        return Verdict(*checker.check(certificate.content, table, effort))
    except checker.Malformed as what:
        raise malformed(str(what)) from None
    except checker.Refuted as reason:
        return Verdict(None, None, str(reason))
    except TimeoutError:
        return Verdict(None, None, "the check was not finished in time", decided=False)
