"""Making a certificate for a decision set, and checking one against data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from numpy.typing import ArrayLike

from laconic.checking import checker
from laconic.checking import constraint_checker as constraint_checker
from laconic.checking.certify import verified as verified_checker
from laconic.checking.certify.binding import mismatches
from laconic.checking.certify.canonical import raw_table_text
from laconic.checking.certify.certificate import (
    Certificate,
    class_by_class,
    constrained_facts_of,
    facts_of,
    joint_facts_of,
    malformed,
)
from laconic.checking.certify.demanding import prove_levels
from laconic.checking.certify.effort import Effort
from laconic.checking.certify.prices import nothing
from laconic.checking.certify.proof import prove
from laconic.checking.certify.relaxed import class_cost, separate_optimum
from laconic.checking.certify.stated import objective_in, stated, stated_by, stated_problem
from laconic.checking.certify.statement import Scope, scope_of, statement
from laconic.checking.certify.together import prove_together
from laconic.checking.recheck import certified_table, recheck
from laconic.data.table import Table
from laconic.model.decision_set import DecisionSet
from laconic.problem.objective import Counting, Kind, Problem
from laconic.problem.parts import Part
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError


def certify(model: DecisionSet, table: Table, budget: Budget | None = None) -> Certificate:
    """Make a checkable proof that no decision set is cheaper than a model's rules.

    The proof is made from the table alone and uses nothing from the engine's search. Its bound may be below
    the engine's if time is short or a perfect problem has a wide gap; see `Certificate.lower_bound`.

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
    budget = budget or Budget(None)
    if model.proof.constraints is None and not model.proof.has_budget:
        return Certificate(strongest(facts_of(model), table, budget))
    problem, plain = stated_problem(model, model.proof, table)
    return Certificate(
        with_constraint_proofs(constrained_facts_of(model, stated(problem, plain)), table, budget)
    )


def strongest(facts: dict[str, Any], table: Table, budget: Budget) -> dict[str, Any]:
    """Return a certificate without constraints: class by class, or all classes together if that proves more.

    Errors per row tie the classes together, so that the bounds of single classes often fall short.
    """
    if facts["counting"] != Counting.PER_ROW.value or facts["objective"] != Kind.SPARSE.value:
        return with_proofs(facts, table, budget)
    plain = with_proofs(facts, table, budget.part(CLASS_BY_CLASS))
    if plain["lower_bound"] == plain["cost"] or budget.expired():
        return plain
    stating = joint_facts_of(facts, stated(Problem.of(table, objective_in(facts))))
    try:
        statement = constraint_checker.Statement(stating, table)
        values = statement.values([tuple(rule) for rule in facts["rules"]])
    except checker.Refuted:  # the numbers are too large for it
        return plain
    bound, proof = prove_together(statement, values, 0, budget)
    if bound <= plain["lower_bound"]:
        return plain
    part = {key: plain[key] for key in ("lower_bound", "proofs")}
    content = {**stating, "bounds": [bound], "lower_bound": bound, "proofs": [proof], "class_by_class": part}
    return {**content, "seal": checker.seal(content)}


def with_constraint_proofs(facts: dict[str, Any], table: Table, budget: Budget) -> dict[str, Any]:
    """Return the facts of a certificate under constraints with bounds, the proofs of them, and the seal."""
    try:
        statement = constraint_checker.Statement(facts, table)
        values = statement.values([tuple(rule) for rule in facts["rules"]])
    except checker.Refuted as reason:
        raise InputError(f"no certificate can be made: {reason}; use fewer digits in the weights") from None
    bounds, proofs = prove_levels(statement, values, budget)
    content = {
        **facts,
        "bounds": bounds,
        "lower_bound": constraint_checker.whole_cost(statement, bounds),
        "proofs": proofs,
    }
    return {**content, "seal": checker.seal(content)}


def with_proofs(facts: dict[str, Any], table: Table, budget: Budget) -> dict[str, Any]:
    """Return the facts of a certificate with a lower bound, the proof of it, and the seal."""
    try:
        task = checker.Task(facts, table)
    except (checker.Refuted, checker.Malformed) as reason:
        raise InputError(
            f"no certificate can be made: {reason}; use fewer digits in the regularization and the weights"
        ) from None
    proofs = list(_proofs(task, facts["rules"], budget))
    bound = min(task.total([proof["bound"] for proof in proofs]), facts["cost"])
    content = {**facts, "lower_bound": bound, "proofs": proofs}
    return {**content, "seal": checker.seal(content)}


def _proofs(task: checker.Task, rules: Sequence[Sequence[int]], budget: Budget) -> Iterator[dict[str, Any]]:
    for place, target in enumerate(task.classes):
        problem = task.of_class(target)
        if budget.expired():
            yield {"class": target, "bound": problem.constant, "proof": nothing(len(problem.pos))}
            continue
        bodies = [list(literals) for c, *literals in rules if c == target]
        if task.share > 1:
            bodies = separate_optimum(problem, budget.part(0.5 / (len(task.classes) - place))) or []
        known = class_cost(problem, bodies)
        if target == task.otherwise:
            # A bound above the most expensive other class would not raise the bound of the whole set.
            known = max(0, _dearest(task, rules) - problem.constant)
        proof, bound = prove(problem, known, bodies, budget.part(1 / (len(task.classes) - place)))
        yield {"class": target, "bound": bound + problem.constant, "proof": proof}


def _dearest(task: checker.Task, rules: Sequence[Sequence[int]]) -> int:
    """Return the largest cost of a class by its rules, except the class of the OTHERWISE rule."""
    costs = [0]
    for target in task.classes:
        if target != task.otherwise:
            problem = task.of_class(target)
            bodies = [list(literals) for c, *literals in rules if c == target]
            costs.append(class_cost(problem, bodies) + problem.constant)
    return max(costs)


CLASS_BY_CLASS = 0.4
"""Share of the time for the proofs of single classes where errors are counted per row."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of the checker on a certificate and some data.

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
    parts : tuple of Part
        Under constraints or a budget: what the cost consists of.
    """

    cost: int | None
    lower_bound: int | None
    problem: str | None = None
    decided: bool = True
    statement: str = field(default="", repr=False)
    scope: Scope | None = field(default=None, repr=False)
    parts: tuple[Part, ...] = field(default=(), repr=False)

    @property
    def holds(self) -> bool:
        """Whether all claims of the certificate were proved."""
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
    verified: bool = False,
) -> Verdict:
    """Check a certificate against data with the independent checker.

    The data become a binary table with the certificate's own conditions; everything after that is proved by
    `laconic.checking.checker`, which shares no code with any engine. With a model, the verdict is about that
    model: it is recounted on the data, and all facts of the certificate must agree with the model's.

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
    verified : bool
        Let the program ``laconic-check`` decide, which is proved in Coq; ``make proofs`` builds it.

    Returns
    -------
    Verdict
    """
    if model is not None and (found := mismatches(certificate, model)):
        return Verdict(None, None, f"it is not the certificate of this model: {'; '.join(found)}")
    if model is not None and (found := recheck(model, X, y, sample_weight)):
        return Verdict(None, None, f"the model does not stand: {'; '.join(found)}")
    digest = certificate.content.get("table_digest")
    table = certified_table(certificate.words, digest, X, y, sample_weight)
    if isinstance(table, str):
        return Verdict(None, None, table.replace("the model", "the certificate"))
    text = raw_table_text(certificate.words, X, y, sample_weight, table.scale) if verified else None
    verdict, scope = check_table(certificate, table, time_limit, text), scope_of(certificate, table)
    if verdict.cost is None or verdict.lower_bound is None:
        return replace(verdict, scope=scope)
    said = statement(certificate.content, verdict.cost, verdict.lower_bound, scope, verdict.parts)
    return replace(verdict, statement=said, scope=scope)


def check_table(
    certificate: Certificate, table: Table, time_limit: float | None = None, table_text: str | None = None
) -> Verdict:
    """Check a certificate against a binary table; with its canonical text, by the verified program."""
    seconds = math.inf if time_limit is None else time_limit
    effort = Effort(seconds)
    content = certificate.content
    try:
        if "compiled_constraints" not in content:
            # A limit of 0 is a limit.
            wishes = ("constraints", "size_budget", "max_errors")
            named = [name for name in wishes if content.get(name) is not None and content[name] != {}]
            if named:
                return Verdict(
                    None,
                    None,
                    f"it names {named[0]}, but states no compiled constraints that its proof is about",
                )
        sealed = content.get("seal") == checker.seal(content)
        alone = class_by_class(content) if sealed else content
        if table_text is not None:  # which refuses constraints
            return Verdict(*verified_checker.check(alone, table, table_text, seconds))
        if "compiled_constraints" not in content:
            return Verdict(*checker.check(content, table, effort))
        if alone is not content:
            checker.check(alone, table, effort)
        if content.get("table_digest") != checker.digest(table):  # other data may lack the named columns
            return Verdict(*constraint_checker.check(content, table, effort))
        compiled, parts = stated_by(certificate, table)
        if compiled != content["compiled_constraints"]:
            return Verdict(None, None, "what it proves is not what its constraints and budget mean")
        return Verdict(*constraint_checker.check(content, table, effort), parts=parts)
    except checker.Malformed as what:
        raise malformed(str(what)) from None
    except checker.Refuted as reason:
        return Verdict(None, None, str(reason))
    except TimeoutError:
        return Verdict(None, None, "the check was not finished in time", decided=False)
