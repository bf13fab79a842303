"""Fronts of training tables: points in the user's units, their proofs, ranges of λ, files and pictures."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from sklearn.datasets import load_iris
from tests.support.front_oracle import staircase
from tests.support.strategies import tables

from laconic import DecisionSetClassifier, DecisionSetPath, load_front, save_front
from laconic.checking.recheck import recheck
from laconic.data.binarize import Binarizer
from laconic.data.training import in_memory
from laconic.engines.fronts.staircase import steps
from laconic.learning.front import find_front
from laconic.learning.front_document import dumps
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError, ModelFileError

X, Y = load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def iris():
    return in_memory(X, Y, None, Binarizer())


@pytest.fixture(scope="module")
def corners(iris):
    return find_front(iris, max_size=20, budget=Budget(60))


@pytest.fixture(scope="module")
def whole(iris):
    return find_front(iris, every="size", max_size=20, budget=Budget(60))


def test_the_corners_are_among_the_points_of_the_whole_front(corners, whole):
    assert corners.complete
    assert whole.complete
    kept = [point for point in whole.points if point.breakpoint]
    assert [(point.size, point.errors) for point in kept] == [
        (point.size, point.errors) for point in corners.points
    ]
    assert len(whole.points) > len(corners.points)
    assert all(point.proved and point.gap == 0 for point in whole.points)


def test_each_corner_is_what_the_classifier_finds_inside_its_range_of_lambda(corners):
    for point in corners.points[1:-1]:
        low, high = point.lambdas
        # Λ is rounded up to a whole number, which must not leave the range.
        if int(high * 150) <= low * 150 + 1:
            continue
        clf = DecisionSetClassifier(regularization=float((low + high) / 2)).fit(X, Y)
        assert (clf.size_, clf.errors_) == (point.size, point.errors)


def test_ranges_of_lambda_touch(corners):
    known = [point.lambdas for point in corners.points if point.lambdas is not None]
    assert known[0][1] is None
    for above, below in itertools.pairwise(known):
        assert above[0] == below[1]
        assert below[0] < below[1]


def test_the_largest_set_is_best_down_to_lambda_zero(iris):
    front = find_front(iris, max_size=8, budget=Budget(60))
    assert front.points[-1].size <= 8
    assert front.points[-2].lambdas is not None
    everything = find_front(iris, budget=Budget(120))
    assert everything.complete
    assert everything.points[-1].lambdas[0] == 0


def test_every_model_stands_on_its_data_and_says_what_is_proved(whole):
    for point, model in zip(whole.points, whole.models, strict=True):
        assert model.proof.optimal
        assert model.proof.max_size == point.size
        assert recheck(model, X, Y) == []
        assert model.size == point.size


def test_no_range_of_lambda_is_claimed_that_a_larger_set_may_break():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (400, 16)))
    training = in_memory(frame, rng.integers(0, 2, 400), None, Binarizer())
    rushed = find_front(training, max_size=6, budget=Budget(1e-9))
    assert all(point.lambdas is None for point in rushed.points)


def test_weights_are_told_in_the_users_units():
    weights = np.where(Y == 0, 0.5, 1.0)
    training = in_memory(X, Y, weights, Binarizer())
    front = find_front(training, every="size", max_size=4, budget=Budget(60))
    assert front.points[0].errors == 125
    clf = DecisionSetClassifier(max_size=4).fit(X, Y, weights)
    assert (front.points[-1].size, front.points[-1].errors) == (clf.size_, clf.errors_)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(table=tables())
def test_the_points_are_those_of_the_oracle(table):
    from types import SimpleNamespace

    from laconic.data.column import Column
    from laconic.data.literals import Equals, Feature
    from laconic.data.training import TrainingTable

    names = [f"x{f}" for f in range(table.n_features)]
    features = tuple(
        Feature(Equals(name, "=", True), Equals(name, "=", False) if table.allowed[f, 0] else None)
        for f, name in enumerate(names)
    )
    training = TrainingTable(
        table,
        SimpleNamespace(features_=features),
        np.arange(table.n_classes),
        tuple(Column(name, "binary") for name in names),
    )
    if (table.allowed[:, 1] == 0).any():
        return  # a feature's true side always has words
    front = find_front(training, every="size", budget=Budget(60))
    truth = staircase(table, max(point.size for point in front.points) + 2)
    assert [(point.size, point.errors * table.scale) for point in front.points] == [
        (k, truth[k]) for k in steps(truth)
    ]
    assert front.complete


def test_without_time_points_carry_their_gap():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (400, 16)))
    training = in_memory(frame, rng.integers(0, 2, 400), None, Binarizer())
    looks = itertools.count()
    budget = Budget(30, clock=lambda: next(looks))  # a few looks at the clock, however slow the machine
    front = find_front(training, every="size", max_size=25, budget=budget)
    assert not front.complete
    hollow = [point for point in front.points if not point.proved]
    assert hollow
    assert any(point.gap > 0 for point in hollow)
    for point, model in zip(front.points, front.models, strict=True):
        assert model.proof.optimal == point.proved
        assert point.lower_bound <= point.errors


def test_a_front_can_be_saved_and_read_again(whole, tmp_path):
    save_front(whole, tmp_path / "front.json")
    again = load_front(tmp_path / "front.json")
    assert again.points == whole.points
    assert again.models == tuple(replace(model, history=()) for model in whole.models)
    assert (again.every, again.complete, again.max_size) == ("size", True, 20)
    assert dumps(again) == dumps(whole)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="x"), "not a laconic front"),
        (lambda d: d.update(schema_version=99), "newer version"),
        (lambda d: d.update(every="day"), "kind of points"),
        (lambda d: d["points"][1].update(size=3), "another size"),
        (lambda d: d["points"][1].update(errors="17"), "does not have its errors"),
        (lambda d: d["points"][1].update(errors="x"), "cannot be read"),
        (lambda d: d["points"][1].update(lambdas=["1/2"]), "range of λ"),
        (lambda d: d["points"][1].update(errors="1e999999999"), "cannot be read"),
        (lambda d: d["points"][1].update(lower_bound="1e999999999"), "cannot be read"),
        (lambda d: d["points"][1].update(lambdas=["0", "1e999999999"]), "cannot be read"),
        (lambda d: d.update(total_weight="1e999999999"), "'total_weight' is not a number"),
        (lambda d: d.update(max_size=10**400), "a number has more than 400 digits"),
        (lambda d: d["points"].append(7), "not an object"),
        (lambda d: d["points"][1]["model"]["proof"].update(max_size=1), "budget"),
        (lambda d: d["points"][1].pop("proved"), "'proved' is missing"),
    ],
)
def test_a_damaged_front_is_refused(corners, tmp_path, change, message):
    document = json.loads(dumps(corners))
    change(document)
    (tmp_path / "front.json").write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match=message):
        load_front(tmp_path / "front.json")


def test_files_that_are_no_front_are_refused(tmp_path):
    with pytest.raises(ModelFileError, match="there is no front"):
        load_front(tmp_path / "nothing.json")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ModelFileError, match="not JSON"):
        load_front(tmp_path / "text")
    (tmp_path / "twice").write_text('{"every": "size", "every": "breakpoint"}')
    with pytest.raises(ModelFileError, match="the key 'every' is there twice in one object"):
        load_front(tmp_path / "twice")
    with pytest.raises(ModelFileError, match="is larger than any front"):
        load_front("/dev/zero")


def test_the_picture_marks_what_is_not_proved(whole):
    import matplotlib as mpl

    mpl.use("Agg")
    from laconic.learning.front_plot import plot_front

    hollow = replace(
        whole, points=(*whole.points[:-1], replace(whole.points[-1], proved=False, lower_bound=1))
    )
    assert plot_front(whole).get_legend() is None
    assert [text.get_text() for text in plot_front(hollow).get_legend().get_texts()] == [
        "proven",
        "not proven",
    ]
    mpl.pyplot.close("all")


def test_the_estimator_offers_points_models_and_a_table(whole):
    path = DecisionSetPath("size").fit(X, Y)
    assert path.points_ == whole.points
    assert path.complete_
    assert path.model(4) == whole.models[4]
    assert path.model(-1) == whole.models[-1]
    with pytest.raises(InputError, match="no point 99"):
        path.model(99)
    frame = path.to_frame()
    assert frame["errors"].is_monotonic_decreasing
    assert list(frame["size"]) == [point.size for point in whole.points]
    assert path.n_features_in_ == 4


def test_the_estimator_draws_its_front():
    import matplotlib as mpl

    mpl.use("Agg")
    ax = DecisionSetPath(max_size=4).fit(X, Y).plot()
    assert ax.get_xlabel().startswith("size")
    mpl.pyplot.close("all")


@pytest.mark.parametrize("settings", [{"every": "day"}, {"max_size": -1}, {"max_size": 10**6}])
def test_wrong_settings_are_refused(settings):
    with pytest.raises(ValueError, match=r"every|max_size|largest size"):
        DecisionSetPath(**settings).fit(X, Y)
