"""Certificates of sets with an OTHERWISE line: what is true is accepted, and forgeries are not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.support.checking import canonical_reader
from tests.support.checking.builders import certified, optimum, sealed
from tests.support.checking.constrained import certified as certified_under_constraints
from tests.support.checking.mutations import mutations
from tests.support.constraint_problems import constraints_with
from tests.support.strategies import WITH_OTHERWISE, has_perfect_set, tables

from laconic import DecisionSetClassifier, verify_certificate
from laconic.checking import checker, constraint_checker
from laconic.checking.certify.binding import mismatches
from laconic.checking.certify.canonical import canonical_text, merged_table_text
from laconic.checking.certify.certificate import Certificate
from laconic.checking.certify.demanding import prove_levels
from laconic.checking.certify.effort import Effort
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.problem.objective import Default, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

SPARSE = Objective(regularization=0.05, default=Default.OTHERWISE)
PERFECT = Objective(Kind.PERFECT, default=Default.OTHERWISE)


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


@pytest.fixture
def three():
    """Three classes; the heaviest, 0, is given by OTHERWISE in the best sets."""
    rng = np.random.default_rng(5)
    features = rng.integers(0, 2, (30, 4))
    labels = np.where(features[:, 0] & features[:, 1], 1, np.where(features[:, 2] & features[:, 3], 2, 0))
    return Table.from_arrays(features, labels)


@pytest.mark.parametrize("flavour", sorted(WITH_OTHERWISE))
def test_every_optimum_of_a_small_table_gets_a_certificate(flavour):
    @quick(60)
    @given(table=tables(), objective=st.sampled_from(WITH_OTHERWISE[flavour]))
    def run(table, objective):
        assume(objective.kind is Kind.SPARSE or has_perfect_set(Problem.of(table, objective)))
        document, solution = certified(table, objective)
        assert checker.check(document, table, Effort()) == (solution.cost, solution.cost)

    run()


@pytest.mark.parametrize("flavour", sorted(WITH_OTHERWISE))
def test_the_best_bounds_of_all_classes_make_the_optimum_and_no_more(flavour):
    @quick(40)
    @given(table=tables(), objective=st.sampled_from(WITH_OTHERWISE[flavour]))
    def run(table, objective):
        assume(objective.kind is Kind.SPARSE or has_perfect_set(Problem.of(table, objective)))
        document, solution = certified(table, objective)
        task = checker.Task(document, table)
        best = {c: optimum(task.of_class(c)) for c in task.classes}
        assume(None not in best.values())  # one class may have no perfect set
        assert task.total([best[c] + task.of_class(c).constant for c in task.classes]) == solution.cost
        for part in document["proofs"]:
            problem = task.of_class(part["class"])
            with pytest.raises((checker.Refuted, checker.Malformed)):
                checker.walk(part["proof"], problem, best[part["class"]] + 1, Effort())

    run()


def test_the_class_that_otherwise_gives_is_proved_as_dear_as_the_others_and_no_dearer(three):
    document, _ = certified(three, PERFECT, "exact")
    bounds = {proof["class"]: proof["bound"] for proof in document["proofs"]}
    given_class = bounds.pop(document["otherwise"])
    assert given_class == max(bounds.values())


@pytest.mark.parametrize("objective", [SPARSE, PERFECT])
def test_another_class_for_otherwise_is_refused(three, objective):
    document, _ = certified(three, objective, "exact")
    for other in (1, 2, 7, -1, True, "0", None, 0.0):
        forged = sealed({**document, "otherwise": other})
        with pytest.raises((checker.Malformed, checker.Refuted)):
            checker.check(forged, three, Effort())
    more = {**document, "rules": [[document["otherwise"], 1], *document["rules"]]}
    with pytest.raises(checker.Refuted, match="the class that OTHERWISE gives has another rule"):
        checker.check(sealed(more), three, Effort())
    silent = {**document, "rules": [rule for rule in document["rules"] if rule[0] == 2], "otherwise": 1}
    task = checker.Task(silent, three)
    if objective is PERFECT:
        with pytest.raises(checker.Refuted, match="that a perfect set avoids"):
            task.cost(silent["rules"])
    else:
        # Honest about its cost, such a set is not proved optimal.
        silent["cost"] = task.cost(silent["rules"])
        cost, bound = checker.check(sealed(silent), three, Effort())
        assert cost > bound == document["lower_bound"]


@pytest.mark.parametrize("objective", [SPARSE, PERFECT])
def test_the_size_of_the_line_cannot_be_dropped(three, objective):
    document, _ = certified(three, objective, "exact")
    line = checker.Task(document, three).rule_cost
    less = {name: document[name] - line for name in ("cost", "lower_bound")}
    with pytest.raises(checker.Refuted, match=r"its rules cost \d+, not"):
        checker.check(sealed({**document, **less}), three, Effort())
    with pytest.raises(checker.Refuted, match="the classes' bounds make"):
        checker.check(sealed({**document, "lower_bound": less["lower_bound"]}), three, Effort())
    explained = {name: value for name, value in document.items() if name != "otherwise"}
    for forged in (explained, {**explained, **less}):
        with pytest.raises(checker.Refuted):
            checker.check(sealed(forged), three, Effort())


def test_otherwise_does_not_go_with_errors_per_row_and_every_class(three):
    document, _ = certified(three, SPARSE, "exact")
    for change in ({"counting": "per_row"}, {"every_class": True}):
        with pytest.raises(checker.Malformed, match="does not go with its objective"):
            checker.check(sealed({**document, **change}), three, Effort())


def test_the_canonical_text_names_the_class_of_the_line(three):
    document, _ = certified(three, PERFECT, "exact")
    said = canonical_reader.parsed(canonical_text(document, merged_table_text(three), three))
    assert said["otherwise"] == document["otherwise"] == 0


def test_a_certificate_says_that_otherwise_is_a_rule_and_is_bound_to_the_class():
    X = pd.DataFrame({"a": [0, 0, 1, 1, 2, 2], "b": [0, 1, 0, 1, 0, 1]})
    y = ["x", "y", "x", "x", "z", "x"]
    clf = DecisionSetClassifier("perfect", default="otherwise", certificate=True).fit(X, y)
    verdict = verify_certificate(clf.certificate_, X, y, model=clf.decision_set_)
    assert verdict.optimal
    assert "optimal (perfect, an OTHERWISE rule of size 1): the rules cost" in verdict.statement
    assert verdict.scope.rules[-1] == "'OTHERWISE THEN x'"
    assert clf.certificate_.content["schema_version"] == 3
    other = Certificate({**clf.certificate_.content, "otherwise": 1})
    assert mismatches(other, clf.decision_set_) == [
        "the class that OTHERWISE gives is 'x' in the model, but 'y' in the certificate"
    ]
    explained = DecisionSetClassifier("perfect", certificate=True).fit(X, y)
    assert explained.certificate_.content["schema_version"] == 1
    assert "the class that OTHERWISE gives is 'x' in the model, but None in the certificate" in mismatches(
        explained.certificate_, clf.decision_set_
    )


# Under constraints and budgets


@st.composite
def under_constraints(draw):
    """A problem with usable literals, costs of errors or a budget, and its table."""
    table = draw(tables(max_features=3, max_samples=8, max_classes=3, restrict_literals=False))
    factors = [Fraction(draw(st.sampled_from([1, 1, 2, 3]))) for _ in range(table.n_classes)]
    usable = np.ones((table.n_classes, table.n_features, 2), bool)
    usable.reshape(-1)[draw(st.lists(st.integers(0, usable.size - 1), max_size=3))] = False
    objective = draw(
        st.sampled_from(
            [
                SPARSE,
                PERFECT,
                *(Objective(size_budget=size, default=Default.OTHERWISE) for size in (1, 2, 4, 6)),
                *(Objective(max_errors=most, default=Default.OTHERWISE) for most in (1, 4, 9)),
            ]
        )
    )
    problem = Problem.of(
        table, objective, constraints_with(table, usable=usable, class_factor=tuple(factors))
    )
    try:
        solution = get("exact")(problem, budget=Budget(60))
    except InputError:  # no such set
        assume(False)
    return problem, table, solution


@quick(60)
@given(instance=under_constraints())
def test_sets_under_constraints_and_budgets_have_certificates_that_prove_no_more(instance):
    problem, table, solution = instance
    document = certified_under_constraints(problem, table, solution.rules)
    assert constraint_checker.check(document, table, Effort()) == (solution.cost, solution.cost)
    statement = constraint_checker.Statement(document, table)
    values = statement.values([tuple(rule) for rule in document["rules"]])
    for place, (value, proof) in enumerate(zip(values, document["proofs"], strict=True)):
        more = [*values[:place], value + 1, *values[place + 1 :]]
        bounds, _ = prove_levels(statement, more, Budget(60))
        assert bounds[place] <= value
        if proof is not None:
            with pytest.raises((checker.Refuted, checker.Malformed)):
                constraint_checker.check_level(
                    statement, values, place, value + 1, proof, Effort(nodes=20_000)
                )


def test_no_edit_of_a_certificate_under_a_budget_proves_more():
    table = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], [4, 3, 2, 1])
    problem = Problem.of(table, Objective(size_budget=4, default=Default.OTHERWISE), constraints_with(table))
    solution = get("exact")(problem, budget=Budget(60))
    document = certified_under_constraints(problem, table, solution.rules)
    whole = constraint_checker.check(document, table, Effort())
    assert whole == (solution.cost, solution.cost)
    n_rejected = 0
    for path, changed in mutations(document):
        if not isinstance(changed, dict) or {"compiled_constraints", "objective", "otherwise"} & set(path):
            continue
        try:
            proved = constraint_checker.check(sealed(changed), table, Effort(nodes=20_000))
        except (checker.Malformed, checker.Refuted, TimeoutError, UnicodeEncodeError):
            n_rejected += 1
        else:
            assert proved == whole, path
    assert n_rejected > 100
    for other in (None, 0, 1, 2, "1", True):
        if other != document["otherwise"]:
            with pytest.raises((checker.Malformed, checker.Refuted)):
                constraint_checker.check(sealed({**document, "otherwise": other}), table, Effort())
