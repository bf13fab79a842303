"""New rows: exact for all rows together, and the old rules are where the search starts."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from tests.support.messy_tables import assert_same, tables
from tests.support.strategies import tables as binary_tables

from laconic import Binarizer, DecisionSetClassifier, Table, TrainingTable, load_model, save_model
from laconic.data.training import in_memory
from laconic.engines import registry
from laconic.engines.api import StopReason
from laconic.engines.warm import Start, inherited_bound, solve_from
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Objective, Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError, ModelFileError


def rows(n, seed=0, noise=0.05):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "job": rng.choice(["clerk", "driver", "nurse"], n),
            "owner": rng.random(n) < 0.5,
        }
    )
    ill = (X["age"] > 60) & (X["job"] != "nurse")
    return X, np.where(ill ^ (rng.random(n) < noise), "yes", "no")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frame=tables(), data=st.data(), weighted=st.booleans())
def test_a_table_with_rows_added_is_the_table_of_all_rows(frame, data, weighted):
    X, y = frame.drop(columns=["y", "w"]), frame["y"]
    w = frame["w"].to_numpy() if weighted else None
    try:
        whole = in_memory(X, y, w, Binarizer(bins=3, max_categories=50))
    except InputError:
        return
    cut = data.draw(st.integers(1, len(frame) - 1))
    frozen = FrozenEstimator(whole.binarizer)  # the conditions of all rows, so that any row fits them
    part = slice(None, cut), slice(cut, None)
    weights = (None, None) if w is None else (w[:cut], w[cut:])
    if w is not None and (weights[0].sum() == 0 or weights[1].sum() == 0):
        return
    old = in_memory(X[part[0]], y[part[0]], weights[0], frozen, whole.classes)
    found = old.extended(X[part[1]], y[part[1]], weights[1])
    assert_same(whole, replace(found, columns=whole.columns))  # fewer rows may look like another kind


def test_partial_fit_finds_what_a_fit_on_all_rows_finds():
    X, y = rows(900)
    clf = DecisionSetClassifier(regularization=0.02)
    first = clone(clf).partial_fit(X[:300], y[:300])
    assert first.decision_set_.to_json() == clone(clf).fit(X[:300], y[:300]).decision_set_.to_json()
    for start in (300, 600):
        first.partial_fit(X[start : start + 300], y[start : start + 300])
    binarizer = FrozenEstimator(Binarizer().fit(X[:300]))
    expected = clone(clf).set_params(binarizer=binarizer).fit(X, y)
    assert (first.optimal_, first.cost_) == (True, expected.cost_)
    assert first.decision_set_.proof.table_digest == expected.decision_set_.proof.table_digest
    assert first.decision_set_.proof.n_samples == 900


def test_classes_that_come_later_can_be_named_at_first():
    X, y = rows(200)
    only_no = y == "no"
    clf = DecisionSetClassifier().partial_fit(X[only_no], y[only_no], classes=["yes", "no"])
    assert clf.classes_.tolist() == ["no", "yes"]
    assert set(clf.predict(X)) == {"no"}
    clf.partial_fit(X[~only_no], y[~only_no])
    assert set(clf.predict(X)) == {"no", "yes"}
    with pytest.raises(InputError, match="label 'maybe' is not one of the classes"):
        clf.partial_fit(X[:1], ["maybe"])


def test_an_old_optimum_that_still_stands_is_proved_again_without_a_search():
    X, y = rows(400, noise=0)
    clf = DecisionSetClassifier("perfect", regularization=0.02, binarizer=Binarizer(bins=6))
    X["age"] = X["age"] // 20 * 20
    y = np.where((X["age"] > 40) & X["owner"], "yes", "no")
    clf.fit(X[:200], y[:200])
    before = clf.rules_
    clf.partial_fit(X[200:], y[200:])
    assert clf.optimal_
    assert [rule.literals for rule in clf.rules_] == [rule.literals for rule in before]
    assert clf.counts_ == {}  # no engine has worked
    assert [state.note for state in clf.history_] == ["the rules so far"]


def test_an_old_optimum_that_is_beaten_gives_way():
    X = pd.DataFrame({"a": [0, 0, 1, 1] * 10, "b": [0, 1, 0, 1] * 10})
    clf = DecisionSetClassifier(regularization=0.05).fit(X, X["a"])
    assert {literal.column for rule in clf.rules_ for literal in rule.literals} == {"a"}
    more = pd.concat([X] * 30, ignore_index=True)
    clf.partial_fit(more, more["b"])
    assert {literal.column for rule in clf.rules_ for literal in rule.literals} == {"b"}
    assert clf.optimal_


def test_old_rules_stay_when_others_are_as_good():
    X = pd.DataFrame({"a": [0, 1] * 20, "b": [0, 1] * 20})  # two columns that say the same
    clf = DecisionSetClassifier(regularization=0.05).fit(X, X["a"])
    table = clf.training_table_
    problem = Problem.of(table.table, Objective())
    other = tuple(
        CodedRule.of(r.target, [code ^ 2 for code in r.literals]) for r in clf.decision_set_.proof.rules
    )
    assert cost(problem, other) == clf.cost_
    found = solve_from(Start(other), registry.get("exact"), problem, budget=Budget(None))
    assert (found.rules, found.stop_reason) == (tuple(sorted(other)), StopReason.PROVED)


def test_a_search_without_time_returns_the_old_rules():
    X, y = rows(600)
    clf = DecisionSetClassifier(regularization=0.02).fit(X[:500], y[:500])
    training = clf.training_table_.extended(X[500:], y[500:])
    problem = Problem.of(training.table, Objective(regularization=0.02))
    rules = clf.decision_set_.proof.rules
    found = solve_from(Start(rules), registry.get("exact"), problem, budget=Budget(1e-9))
    assert found.cost <= cost(problem, rules)
    assert found.history[0].cost == cost(problem, rules)


@settings(max_examples=150, deadline=None)
@given(table=binary_tables(restrict_literals=False), data=st.data(), kind=st.sampled_from(list(Kind)))
def test_an_inherited_bound_is_never_above_the_optimum(table, data, kind):
    objective = Objective(kind, 0.05)
    n = table.weights.size
    more = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n), label="more")
    weights = table.weights + np.array(more, np.int64).reshape(table.weights.shape)
    grown = Table(table.bits, weights, table.allowed, table.scale)
    old, new = Problem.of(table, objective), Problem.of(grown, objective)
    solve = registry.get("exact")
    before = solve(old, budget=Budget(None)).lower_bound
    bound = inherited_bound(old, before, new)
    assert bound <= solve(new, budget=Budget(None)).cost
    if kind is Kind.SPARSE:
        assert bound == before


def test_a_bound_is_not_inherited_when_a_finer_unit_makes_size_cheaper():
    table = Table.from_arrays([[0], [1]], [0, 1], [5, 5])
    finer = Table(
        table.bits, 10 * table.weights + np.array([[1, 0], [0, 0]]), table.allowed, 10 * table.scale
    )
    old, new = (Problem.of(one, Objective(regularization=0.05)) for one in (table, finer))
    assert (old.literal_cost, new.literal_cost) == (1, 6)  # a tenth of a tenth was rounded up before
    bound = registry.get("exact")(old, budget=Budget(None)).lower_bound
    assert 10 * bound > registry.get("exact")(new, budget=Budget(None)).cost
    assert inherited_bound(old, bound, new) == 0


def test_a_bound_is_not_inherited_when_a_row_changes_its_heaviest_class():
    table = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    more = np.array([[0, 0], [2, 0], [2, 0], [0, 0]])
    flipped = Table(table.bits, table.weights + more, table.allowed, table.scale)
    old, new = (Problem.of(one, Objective(Kind.PERFECT)) for one in (table, flipped))
    bound = registry.get("exact")(old, budget=Budget(None)).lower_bound
    assert bound == 12
    assert registry.get("exact")(new, budget=Budget(None)).cost == 1  # all rows have one class
    assert inherited_bound(old, bound, new) == 0


def test_rows_that_no_condition_describes_are_refused():
    X, y = rows(100)
    clf = DecisionSetClassifier().fit(X, y)
    gap = X[:3].astype({"age": float})
    gap.loc[1, "age"] = np.nan
    with pytest.raises(InputError, match="row 1 has no value in column 'age', for which neither 'age <= "):
        clf.partial_fit(gap, y[:3])
    two = DecisionSetClassifier().fit(X[["age"]].assign(job=np.where(X["owner"], "clerk", "driver")), y)
    with pytest.raises(InputError, match="row 2 has the new value 'nurse' in column 'job'"):
        two.partial_fit(pd.DataFrame({"age": [1, 2, 3], "job": ["clerk", "driver", "nurse"]}), y[:3])
    new = X[:3].assign(job="pilot")  # one of many: it is not clerk, not driver and not nurse
    clf.partial_fit(new, y[:3])


def test_weights_of_different_units_add_up_exactly():
    X, y = rows(60)
    table = in_memory(X[:30], y[:30], np.full(30, 0.5), Binarizer())
    found = table.extended(X[30:], y[30:], np.full(30, 0.2)).table
    assert found.scale == 10
    assert Fraction(found.total_weight) / found.scale == 30 * Fraction(1, 2) + 30 * Fraction(1, 5)
    assert found.n_samples == 60


def test_a_training_table_survives_its_file(tmp_path):
    X, y = rows(300)
    X.loc[3, "job"] = None
    clf = DecisionSetClassifier(regularization=0.02).fit(
        X, y, sample_weight=np.linspace(0.5, 2, 300).round(2)
    )
    clf.training_table_.save(tmp_path / "rows.npz")
    save_model(clf.decision_set_, tmp_path / "model.json")
    loaded = TrainingTable.load(tmp_path / "rows.npz")
    assert_same(clf.training_table_, loaded)
    again = DecisionSetClassifier(regularization=0.02).fit(loaded)
    assert again.decision_set_ == load_model(tmp_path / "model.json")
    loaded.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "rows.npz").read_bytes()


def test_damaged_files_are_refused(tmp_path):
    X, y = rows(50)
    path = tmp_path / "rows.npz"
    in_memory(X, y, None, Binarizer()).save(path)
    good = path.read_bytes()
    with np.load(path) as data:
        arrays = dict(data)
    for damage in (b"", b"no", good[:200]):
        path.write_bytes(damage)
        with pytest.raises(ModelFileError, match="rows"):
            TrainingTable.load(path)
    np.savez(path, **{**arrays, "weights": arrays["weights"] + 1})
    with pytest.raises(ModelFileError, match="the rows are not those that were saved"):
        TrainingTable.load(path)
    np.savez(path, **{**arrays, "meaning": np.frombuffer(b"{}", np.uint8)})
    with pytest.raises(ModelFileError, match="not a training table"):
        TrainingTable.load(path)
    with pytest.raises(ModelFileError, match="there is no file"):
        TrainingTable.load(tmp_path / "nothing.npz")


def with_arrays(path, **changes):
    """Write a saved table again with other arrays."""
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored.files}
    for name, change in changes.items():
        arrays[name] = change(arrays[name])
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("bits", lambda bits: bits[:-1]),
        ("bits", lambda bits: bits.astype(float)),
        ("weights", lambda weights: weights[:-1]),
        ("weights", lambda weights: weights.ravel()),
        ("weights", lambda weights: -weights),
        ("weights", lambda weights: weights + 2**62),
        ("samples", lambda samples: samples[None]),
        ("samples", lambda samples: np.array(7)),
        ("meaning", lambda _: np.frombuffer(b"[" * 10**5, np.uint8)),
    ],
)
def test_arrays_that_do_not_fit_each_other_are_refused(tmp_path, name, change):
    path = tmp_path / "rows.npz"
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
    DecisionSetClassifier().fit(X, [0, 1, 0, 1]).training_table_.save(path)
    with_arrays(path, **{name: change})
    with pytest.raises(ModelFileError):
        TrainingTable.load(path)


def test_an_archive_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("laconic.data.packed.ALWAYS", 10_000)
    path = tmp_path / "rows.npz"
    np.savez_compressed(path, bits=np.zeros(10_000_000, np.uint8))
    with pytest.raises(ModelFileError, match="unpacks to far more than a training table of its size"):
        TrainingTable.load(path)


def test_new_rows_of_a_kind_that_cannot_be_added_are_refused():
    X, y = rows(200)
    clf = DecisionSetClassifier().fit(X, y)
    with pytest.raises(InputError, match="new rows cannot be a TrainingTable; give X and y"):
        clf.partial_fit(clf.training_table_, None)
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    relation = duckdb.from_df(X.assign(y=y))
    with pytest.raises(InputError, match=r"new rows cannot be a DuckDB relation; .* with \.df\(\)"):
        clf.partial_fit(relation, "y")
    with pytest.raises(InputError, match="its rows name the classes; give no classes"):
        DecisionSetClassifier().partial_fit(relation, "y", classes=["no", "yes"])
    assert clf.decision_set_.proof.n_samples == 200
