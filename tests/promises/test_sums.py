"""What is printed adds up, from the numbers printed: cost = errors + Λ × size, whatever errors cost."""

from __future__ import annotations

import json
import re
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic import DecisionSetClassifier, load_model, save_model
from laconic.cli.summary import proof_text, summary
from laconic.data.words import number_text, sum_texts
from laconic.report.words import claim

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]\d+)?"
SUM = re.compile(rf"cost ({NUMBER}) = ({NUMBER})( for errors)? \+ ({NUMBER}) × (\d+)")
WRONG = re.compile(rf"^Wrong on (?:training rows of weight )?({NUMBER}) of ({NUMBER})", re.MULTILINE)

OPTIONS = {
    "plain": {},
    "every class": {"every_class": True},
    "per row": {"counting": "per_row"},
    "otherwise": {"default": "otherwise"},
    "balanced": {"class_weight": "balanced"},
    "class weights": {"class_weight": {"A": 0.1 + 0.2, "B": 1.7}},
    "every class, balanced": {"every_class": True, "class_weight": "balanced"},
    "otherwise, class weights": {"default": "otherwise", "class_weight": {"A": 3.3}},
    "costs of errors": {"constraints": {"false_positive_costs": {"A": 2.5}}},
    "few rules": {"constraints": {"max_rules": 2}},
    "per row, balanced": {"counting": "per_row", "class_weight": "balanced"},
}


def table(seed, *, weighted):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 40))
    X = pd.DataFrame({"x": rng.integers(0, 5, n), "c": rng.choice(["a", "b", "d"], n)})
    y = rng.choice(["A", "B", "C"], n)
    y[:2] = ["A", "B"]
    return X, y, rng.random(n) * 10.0 ** rng.integers(-3, 6) if weighted else None


def shown_sum(text, size):
    """Check the sum in a text; the number of digits of the cost says how exact it has to be."""
    found = SUM.search(text)
    assert found is not None, text
    cost, errors, price, times = found[1], Fraction(found[2]), Fraction(found[4]), int(found[5])
    places = len(cost.partition(".")[2])
    assert round(errors + price * times, places) == Fraction(cost), found[0]
    said = f"size {size}" if times == size else f"size {size} ({times} with unused bare rules)"
    assert f"{said}, cost" in text
    return found


def fitted(name, seed, price, *, weighted):
    X, y, weights = table(seed, weighted=weighted)
    clf = DecisionSetClassifier(regularization=price, time_limit=20, **OPTIONS[name])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf.fit(X, y, sample_weight=weights)
    return clf, X, y, np.ones(len(X)) if weights is None else weights


@pytest.mark.parametrize("name", OPTIONS)
@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10**6), price=st.sampled_from([0.01, 0.03, 1 / 30, 0.1, 0.4]), weighted=st.booleans()
)
def test_the_cost_is_the_sum_of_what_is_printed(name, seed, price, weighted):
    clf, X, y, weights = fitted(name, seed, price, weighted=weighted)
    model = clf.decision_set_
    found = shown_sum(str(model), model.size)
    assert Fraction(found[1]) == Fraction(number_text(Fraction(clf.cost_)))
    facts = dict(claim(model).facts)
    assert facts["Cost of this set"] == found[0].removeprefix("cost ")
    if found[3] is None:
        counted = Fraction(facts["Errors in training, as the objective counts them"])
        assert float(counted) == pytest.approx(float(Fraction(found[2])), rel=1e-3)
    assert f"{facts['No set costs less than']}" == number_text(Fraction(clf.lower_bound_))

    data = json.loads(json.dumps(summary(model)))
    terms = data["cost_terms"]
    assert terms["errors"] + terms["price"] * terms["size"] == pytest.approx(
        data["cost"], rel=1e-12, abs=1e-12
    )
    if found[3] is None:
        assert terms["errors"] + data["unavoidable_errors"] == pytest.approx(data["errors"], rel=1e-12)
    said = proof_text(model)
    if clf.optimal_:
        assert f"no decision set costs less than {found[1]}\n" in said

    wrong = WRONG.search(str(model))
    missed = weights[clf.predict(X) != y].sum()
    assert float(wrong[1]) == pytest.approx(missed, rel=1e-3, abs=1e-9)
    assert float(wrong[2]) == pytest.approx(weights.sum(), rel=1e-3)
    assert ("weight" in wrong[0]) == weighted


@pytest.mark.parametrize("name", ["plain", "every class", "per row", "otherwise"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_errors_are_those_of_the_rules_on_the_rows(name, weighted):
    """Counted here from the covers of the rules shown, by the definition."""
    for seed in range(8):
        clf, X, y, weights = fitted(name, seed, 0.03, weighted=weighted)
        model = clf.decision_set_
        if model.proof.size != model.size:
            continue  # bare rules that are not shown cover rows as well
        claimed = np.zeros((len(X), 3), bool)
        for k, rule in enumerate(model.rules):
            claimed[:, "ABC".index(rule.label)] |= model.covers(X)[:, k]
        own = np.array(["ABC".index(label) for label in y])
        rows = np.arange(len(X))
        missed = ~claimed[rows, own]
        if model.else_rule is not None:
            label = "ABC".index(model.else_rule.label)
            missed[own == label] = False
            if name == "every class":  # the rule true covers every row
                claimed[:, label] = True
        others = claimed.sum(axis=1) - claimed[rows, own]
        faults = np.minimum(1, missed + others) if name == "per row" else missed + others
        if name == "every class":
            continue  # of contradicting rows only the heaviest class counts
        assert float(clf.errors_) == pytest.approx(float(weights @ faults), rel=1e-6)


@pytest.mark.parametrize(
    "options", [{"objective": "perfect"}, {"objective": "min_rules"}, {"size_budget": 5}]
)
def test_where_there_is_no_price_no_sum_is_shown(options):
    X, y, _ = table(3, weighted=False)
    model = DecisionSetClassifier(time_limit=20, **options).fit(X, y).decision_set_
    assert "×" not in str(model)
    assert summary(model)["cost_terms"] is None
    held = model.proof
    assert dict(claim(model).facts)["Cost of this set"] == number_text(
        Fraction(held.in_user_units(held.cost))
    )


@pytest.mark.parametrize(
    "constraints", [{"literal_costs": {"x": 2}}, {"feature_costs": {"x": 1.5}}, {"measure": ("rules",)}]
)
def test_where_size_is_priced_otherwise_the_cost_is_shown_alone(constraints):
    X = pd.DataFrame({"x": np.arange(40) % 5})
    y = np.where(X["x"] > 2, "A", "B")
    model = DecisionSetClassifier(regularization=0.03, constraints=constraints).fit(X, y).decision_set_
    assert model.rules
    assert "×" not in str(model)
    assert summary(model)["cost_terms"] is None


def test_a_saved_model_and_its_report_say_the_same(tmp_path):
    clf, *_ = fitted("every class, balanced", 5, 0.03, weighted=True)
    save_model(clf.decision_set_, tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert str(again) == str(clf.decision_set_)
    assert claim(again) == claim(clf.decision_set_)


@given(
    st.fractions(0, 10**9, max_denominator=10**9),
    st.fractions(0, 10**6, max_denominator=10**9),
    st.integers(0, 99),
)
def test_sums_add_up_in_the_digits_shown(first, price, times):
    total, *parts = sum_texts(first + price * times, first, price, times)
    if "e" not in total:
        places = len(total.partition(".")[2])
        assert round(Fraction(parts[0]) + Fraction(parts[1]) * times, places) == Fraction(total)
