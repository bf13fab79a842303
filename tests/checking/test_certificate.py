"""Certificates as users meet them: made by a fit, saved, read, and checked against data."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from tests.support.checking.builders import facts, sealed
from tests.support.checking.mutations import mutations

from laconic import (
    Certificate,
    Constraints,
    DecisionSetClassifier,
    load_certificate,
    verify_certificate,
)
from laconic.checking import checker
from laconic.checking.certify.certificate import class_by_class, loads
from laconic.checking.certify.certify import check_table, strongest
from laconic.checking.certify.stated import objective_in
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import CertificateError, InputError

MODES = {
    "sparse": {},
    "sparse small": {"regularization": 0.01},
    "every_class": {"every_class": True},
    "per_row": {"counting": "per_row"},
    "perfect": {"objective": "perfect"},
    "min_rules": {"objective": "min_rules"},
    "min_rules_then_literals": {"objective": "min_rules_then_literals"},
}


@pytest.fixture(scope="module")
def loans():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 70, 80).astype(float),
            "job": rng.choice(["clerk", "driver", "none"], 80),
            "owner": rng.choice([True, False], 80),
        }
    )
    labels = np.where((frame["age"] > 40) & (frame["job"] != "none"), "good", "bad")
    frame.loc[::9, "age"] = np.nan
    return frame, np.where(rng.random(80) < 0.1, "good", labels)


@pytest.mark.parametrize("mode", MODES)
def test_every_objective_has_a_certificate_that_holds(mode, loans):
    clf = DecisionSetClassifier(**MODES[mode], certificate=True).fit(*loans)
    verdict = verify_certificate(clf.certificate_, *loans)
    assert verdict.holds
    assert verdict.problem is None
    assert verdict.cost == clf.decision_set_.proof.cost
    assert verdict.lower_bound == clf.certificate_.lower_bound
    assert verdict.optimal
    assert clf.optimal_


def test_classes_tied_together_by_rows_are_proved_together(loans):
    clf = DecisionSetClassifier(counting="per_row", regularization=0.02, certificate=True).fit(*loans)
    content = clf.certificate_.content
    alone = class_by_class(content)
    assert alone["lower_bound"] < content["lower_bound"] == content["cost"]
    verdict = verify_certificate(clf.certificate_, *loans, model=clf.decision_set_)
    assert verdict.optimal
    assert verdict.parts == ()
    assert verdict.statement.startswith("optimal (sparse, λ = 1/50, errors per row): the rules cost ")
    verdict = verify_certificate(Certificate(alone), *loans)
    assert (verdict.cost, verdict.lower_bound) == (content["cost"], alone["lower_bound"])


def test_a_proof_of_all_classes_together_proves_nothing_untrue():
    rng = np.random.default_rng(17)
    features = rng.integers(0, 2, (10, 3))
    labels = (features[:, 0] | features[:, 1]) ^ (rng.random(10) < 0.3)
    table = Table.from_arrays(features, labels, rng.integers(1, 4, 10))
    goal = Objective(Kind.SPARSE, 0.03, Counting.PER_ROW)
    solution = get("brute")(Problem.of(table, goal), budget=Budget())
    document = strongest(facts(table, goal, solution.rules, solution.cost), table, Budget())
    assert document["class_by_class"]["lower_bound"] < document["lower_bound"] == solution.cost

    def proved(content):
        try:
            verdict = check_table(Certificate(content), table, 20.0)
        except CertificateError:
            return None
        return (verdict.cost, verdict.lower_bound) if verdict.holds else None

    assert proved(document) == (solution.cost, solution.cost)
    assert proved(class_by_class(document)) == (solution.cost, document["class_by_class"]["lower_bound"])
    optima = {}
    accepted = rejected = 0
    for path, changed in mutations(document):
        if not isinstance(changed, dict):
            continue
        assert proved(changed) is None, path
        try:
            forged = sealed(changed)
        except (checker.Malformed, UnicodeEncodeError):
            continue
        found = proved(forged)
        accepted, rejected = accepted + (found is not None), rejected + (found is None)
        if found is not None:
            stated = repr(
                [forged.get(key) for key in ("objective", "counting", "every_class", "regularization")]
            )
            if stated not in optima:
                problem = Problem.of(table, objective_in(forged))
                optima[stated] = get("brute")(problem, budget=Budget()).cost
            assert found[1] <= optima[stated] <= found[0], path
    assert accepted > 0
    assert rejected > 500


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda c: c.update(size_budget=3), "does not go with constraints, a budget or OTHERWISE"),
        (lambda c: c.update(constraints={"max_rules": 9}), "does not go with constraints"),
        (lambda c: c.update(class_by_class=[]), "is not a lower bound and its proofs"),
        (lambda c: c["class_by_class"].update(audited=True), "is not a lower bound and its proofs"),
        (lambda c: c.pop("compiled_constraints"), "does not go with constraints"),
    ],
)
def test_proofs_of_single_classes_are_where_they_belong(change, says, loans):
    clf = DecisionSetClassifier(counting="per_row", regularization=0.02, certificate=True).fit(*loans)
    content = json.loads(clf.certificate_.to_json())
    change(content)
    content["seal"] = checker.seal(content)
    with pytest.raises(checker.Malformed, match=says):
        class_by_class(content)
    assert not verify_or_refuse(content, loans)


def test_the_proofs_of_single_classes_are_checked_too(loans):
    clf = DecisionSetClassifier(counting="per_row", regularization=0.02, certificate=True).fit(*loans)
    content = json.loads(clf.certificate_.to_json())
    content["class_by_class"]["lower_bound"] += 1
    content["seal"] = checker.seal(content)
    verdict = verify_certificate(Certificate(content), *loans)
    assert "the classes' bounds make" in verdict.problem


@pytest.mark.parametrize("wish", [{"size_budget": 4}, {"max_errors": 2}], ids=str)
@pytest.mark.parametrize("default", ["explained", "otherwise"])
def test_a_table_without_conditions_has_a_certificate(wish, default):
    X, y = pd.DataFrame({"a": [1] * 5}), ["u", "u", "u", "u", "v"]
    clf = DecisionSetClassifier(**wish, default=default, certificate=True).fit(X, y)
    verdict = verify_certificate(clf.certificate_, X, y, model=clf.decision_set_)
    assert verdict.problem is None
    assert verdict.optimal


def test_a_lambda_of_more_digits_than_a_fit_uses_is_refused(loans):
    clf = DecisionSetClassifier(regularization=0.0125, constraints={"max_rules": 3}, certificate=True)
    content = dict(clf.fit(*loans).certificate_.content)
    # 80 rows: the price of a condition would be 2 at this λ, and 1 at the nearest fraction of nine digits.
    content["regularization"] = [10**18 + 1, 80 * 10**18]
    content["seal"] = checker.seal(content)
    with pytest.raises(CertificateError, match="more digits than a certificate of laconic"):
        verify_certificate(Certificate(content), *loans)


def test_weights_are_part_of_what_is_certified(loans):
    X, y = loans
    weights = np.linspace(0.5, 2, len(X)).round(1)
    certificate = DecisionSetClassifier(certificate=True).fit(X, y, weights).certificate_
    assert verify_certificate(certificate, X, y, weights).optimal
    assert "this is not the data" in verify_certificate(certificate, X, y).problem


def test_the_order_of_rows_does_not_matter(loans):
    X, y = loans
    certificate = DecisionSetClassifier(certificate=True).fit(X, y).certificate_
    assert verify_certificate(certificate, X[::-1], y[::-1]).optimal


def test_other_data_are_noticed(loans):
    X, y = loans
    certificate = DecisionSetClassifier(certificate=True).fit(X, y).certificate_
    other = np.where(np.arange(len(y)) == 3, np.where(y == "good", "bad", "good"), y)
    verdict = verify_certificate(certificate, X, other)
    assert not verdict.holds
    assert not verdict.optimal
    assert verdict.problem.startswith("this is not the data it was made for")
    unknown = verify_certificate(certificate, X, np.where(y == "good", "fine", y))
    assert unknown.problem == "the data has label 'fine', which the certificate does not know"


def test_the_same_fit_gives_the_same_bytes(loans):
    texts = {
        DecisionSetClassifier(certificate=True, n_jobs=jobs).fit(*loans).certificate_.to_json()
        for jobs in (1, 2)
    }
    assert len(texts) == 1


def test_a_certificate_survives_file_and_pickle(loans, tmp_path):
    clf = DecisionSetClassifier(certificate=True).fit(*loans)
    clf.certificate_.save(tmp_path / "cert.json")
    again = load_certificate(tmp_path / "cert.json")
    assert isinstance(again, Certificate)
    assert again.content == clf.certificate_.content
    assert pickle.loads(pickle.dumps(clf)).certificate_.content == again.content


def test_no_certificate_is_made_unless_asked_for(loans):
    clf = DecisionSetClassifier(certificate=True).fit(*loans)
    clf.set_params(certificate=False).fit(*loans)
    assert not hasattr(clf, "certificate_")
    assert not hasattr(clone(clf), "certificate_")


def test_a_certificate_of_any_engine_holds(loans):
    X, y = load_iris(return_X_y=True)
    clf = DecisionSetClassifier("perfect", engine="sat", certificate=True, time_limit=30).fit(X[::3], y[::3])
    assert verify_certificate(clf.certificate_, X[::3], y[::3]).holds


def test_a_search_cut_short_still_gives_a_valid_bound():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (300, 14)), rng.integers(0, 2, 300)
    clf = DecisionSetClassifier("perfect", certificate=True, time_limit=1.0).fit(X, y)
    verdict = verify_certificate(clf.certificate_, X, y)
    assert verdict.holds
    assert verdict.cost == clf.cost_
    assert verdict.lower_bound == clf.certificate_.lower_bound < verdict.cost


def test_a_check_out_of_time_is_not_decided(loans):
    certificate = DecisionSetClassifier(certificate=True).fit(*loans).certificate_
    verdict = verify_certificate(certificate, *loans, time_limit=1e-9)
    assert (verdict.decided, verdict.holds, verdict.optimal) == (False, False, False)


def test_an_interrupted_certificate_does_not_cost_the_rules(loans, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("laconic.checking.certify.certify.with_proofs", interrupted)
    clf = DecisionSetClassifier(certificate=True)
    warned = pytest.warns(UserWarning, match="the rules are kept, but there is no certificate")
    with warned, pytest.raises(KeyboardInterrupt):
        clf.fit(*loans)
    assert clf.rules_
    assert not hasattr(clf, "certificate_")


@pytest.fixture(scope="module")
def text(loans):
    return DecisionSetClassifier(certificate=True).fit(*loans).certificate_.to_json()


def deep(levels):
    return '{"format":"laconic certificate","schema_version":1,"proofs":' + "[" * levels + "]" * levels + "}"


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        "{",
        "[]",
        "null",
        "NaN",
        '{"format":"laconic decision set"}',
        '{"format":"laconic certificate"}',
        '{"format":"laconic certificate","schema_version":true}',
        '{"format":"laconic certificate","schema_version":99}',
        '{"format":"laconic certificate","schema_version":1,"cost":NaN}',
        '{"format":"laconic certificate","schema_version":1,"cost":' + "9" * 5000 + "}",
        '{"format":"laconic certificate","schema_version":1,"columns":"\\ud800"}',
        deep(100_000),
    ],
    ids=lambda hostile: hostile[:60],
)
def test_what_is_not_a_certificate_is_refused_in_a_sentence(hostile):
    with pytest.raises(CertificateError) as refused:
        loads(hostile)
    assert str(refused.value).count("\n") == 0


@pytest.mark.parametrize("levels", [10, 500, 900])
def test_deep_nesting_is_refused(levels, loans):
    with pytest.raises(CertificateError):
        verify_certificate(loads(deep(levels)), *loans)


def test_a_truncated_certificate_is_refused(text):
    for end in range(0, len(text) - 1, 97):
        with pytest.raises(CertificateError):
            loads(text[:end])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("classes", None),
        ("classes", {"dtype": "<U4", "labels": []}),
        ("columns", [{"name": "age"}]),
        ("features", [{"positive": {"kind": "threshold", "column": "age"}, "negative": None}]),
        ("features", [{"kind": "eval", "column": "__import__('os')"}]),
        ("named", "yes"),
    ],
)
def test_damaged_words_are_refused(key, value, text, loans):
    content = {**json.loads(text), key: value}
    content["seal"] = checker.seal(content)
    with pytest.raises(CertificateError, match="malformed"):
        verify_certificate(Certificate(content), *loans)


def test_giant_numbers_and_trees_end_in_a_refusal(text, loans):
    content = json.loads(text)
    leaf = content["proofs"][0]["proof"]
    for proof in (
        {**leaf, "scale": 2**60},
        {**leaf, "prices": [2**60] * len(leaf["prices"])},
        {**leaf, "splitters": [[0]] * 200_000},
        {"rows": [10**9], "some": leaf, "none": leaf},
        {"rows": [-1], "some": leaf, "none": leaf},
        {"rows": [0], "some": leaf},
    ):
        forged = {**content, "proofs": [{**content["proofs"][0], "proof": proof}, *content["proofs"][1:]]}
        forged["seal"] = checker.seal(forged)
        try:
            assert not verify_certificate(Certificate(forged), *loans, time_limit=5).optimal or (
                proof["splitters"] != leaf["splitters"]
            )
        except CertificateError:
            continue


def test_a_model_without_facts_cannot_be_certified(loans):
    from dataclasses import replace

    from laconic.checking.certify.certify import certify

    clf = DecisionSetClassifier().fit(*loans)
    with pytest.raises(InputError, match="no proof facts to certify"):
        certify(replace(clf.decision_set_, proof=None), None)


WISHES = {
    "max_rules": {"constraints": {"max_rules": 2}},
    "max_rule_length": {"constraints": {"max_rule_length": 1}},
    "max_literals": {"constraints": {"max_literals": 2}},
    "size as a constraint": {"constraints": {"max_size": 3}},
    "forbidden": {"constraints": {"forbidden": ["job"]}},
    "required": {"constraints": {"required": ["owner"]}},
    "operators": {"constraints": {"operators": ["<=", "is"]}},
    "positive": {"constraints": {"positive": True}},
    "monotone": {"constraints": {"monotone": {"age": {"good": "increasing"}}}},
    "rules_in": {"constraints": {"rules_in": ["IF owner is True THEN good"]}},
    "rules_out": {"constraints": {"rules_out": ["IF owner is True THEN good"]}},
    "literal_costs": {"constraints": {"literal_costs": {"age": 2.5}}},
    "feature_costs": {"constraints": {"feature_costs": {"age": 1.5}}},
    "disjoint": {"constraints": {"disjoint": True}},
    "min_precision": {"constraints": {"min_precision": 0.9}},
    "min_support": {"constraints": {"min_support": 20}},
    "class_weight": {"class_weight": {"good": 3}},
    "balanced": {"class_weight": "balanced"},
    "false positives": {"constraints": {"false_positive_costs": {"good": 4}}},
    "false negatives": {"constraints": {"false_negative_costs": {"bad": 0.5}}},
    "measure": {"measure": "features,longest"},
    "average length": {"measure": "size,average_length", "regularization": 0.05},
    "size": {"size_budget": 4},
    "errors": {"max_errors": 30},
    "size and measure": {"size_budget": 5, "measure": "longest"},
    "errors and rules": {"max_errors": 40, "constraints": {"max_rules": 3}},
    "perfect": {"objective": "perfect", "constraints": {"max_rule_length": 4}},
    "min_rules": {"objective": "min_rules", "constraints": {"max_rule_length": 3}},
    "per row": {"counting": "per_row", "constraints": {"max_rules": 2}},
    "every class": {"every_class": True, "constraints": {"max_size": 5}},
}


@pytest.mark.parametrize("wish", WISHES)
def test_every_constraint_measure_and_budget_has_a_certificate_that_holds(wish, loans):
    X, y = loans
    clf = DecisionSetClassifier(**{"regularization": 0.05, **WISHES[wish]}, certificate=True).fit(X, y)
    verdict = verify_certificate(clf.certificate_, X, y)
    assert verdict.holds
    assert verdict.cost == clf.decision_set_.proof.cost
    assert verdict.optimal
    assert clf.optimal_


@pytest.mark.parametrize("wish", ["max_rules", "class_weight", "size", "measure"])
def test_constraints_are_bound_to_what_is_proved(wish, loans):
    """Other words, or other integers than those the words mean: neither passes, with whatever seal."""
    content = DecisionSetClassifier(**WISHES[wish], certificate=True).fit(*loans).certificate_.content
    for changed in (
        {"constraints": {"max_rules": 3}},
        {"constraints": {"measure": ["rules", "size"]}},
        {"size_budget": 99},
        {"max_errors": 99.0},
        {"compiled_constraints": {**content["compiled_constraints"], "max_rules": 1}},
        {"compiled_constraints": {**content["compiled_constraints"], "disjoint": True}},
        {"compiled_constraints": {**content["compiled_constraints"], "min_support": 2}},
    ):
        forged = {**content, **changed}
        forged["seal"] = checker.seal(forged)
        assert not verify_or_refuse(forged, loans), changed


def verify_or_refuse(content, data):
    try:
        return verify_certificate(Certificate(content), *data).holds
    except CertificateError:
        return False


def test_where_a_rule_could_cover_no_row_the_verdict_says_what_is_proved():
    """A cheaper set has a rule that covers nothing, which no engine gives and only `min_support` excludes."""
    X = pd.DataFrame({"a": ["1", "1", "1", "0"], "b": ["1", "1", "0", "1"], "c": ["1", "0", "1", "1"]})
    y, weights = [1, 0, 0, 0], [2, 20, 20, 20]

    def verdict(**settings):
        clf = DecisionSetClassifier(regularization=0.05, every_class=True, **settings, certificate=True)
        clf.fit(X, y, sample_weight=weights)
        found = verify_certificate(clf.certificate_, X, y, weights)
        assert found.holds
        assert clf.optimal_
        assert clf.decision_set_.proof.regularization == 0.05
        return found, clf.decision_set_.proof.in_user_units(clf.decision_set_.proof.cost)

    free, cost = verdict()
    assert cost == Fraction(35, 2)
    assert not free.optimal
    assert (free.lower_bound, free.cost) == (164, 175)
    assert "min_support" not in free.statement
    bound, cost = verdict(constraints={"max_rules": 100})
    assert cost == Fraction(35, 2)
    assert bound.optimal
    assert "a rule for every class, max_rules = 100, min_support = 1)" in bound.statement


def test_a_bound_that_falls_short_is_still_one():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (150, 10)), rng.integers(0, 2, 150)
    wishes = Constraints(max_rules=12, disjoint=True)
    clf = DecisionSetClassifier(regularization=0.005, constraints=wishes, certificate=True, time_limit=4.0)
    verdict = verify_certificate(clf.fit(X, y).certificate_, X, y)
    assert verdict.holds
    assert verdict.cost == clf.decision_set_.proof.cost
    assert 0 < verdict.lower_bound == clf.certificate_.lower_bound < verdict.cost
