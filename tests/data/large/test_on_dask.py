"""Dask DataFrames give what memory gives, in threads and on a cluster, also when a worker dies."""

import signal
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from tests.support.messy_tables import assert_same, binarizers, outcome, reference, tables

from laconic import Binarizer, DecisionSetClassifier
from laconic.data.large import partitions, ranges
from laconic.data.training import in_memory
from laconic.runtime.errors import InputError

dd = pytest.importorskip("dask.dataframe", reason="dask is not installed")
dask = pytest.importorskip("dask")

from laconic.data.large.on_dask import from_dask  # noqa: E402

QUICK = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture(autouse=True)
def here():
    """Run in this thread unless a test says otherwise."""
    with dask.config.set(scheduler="synchronous", **{"dataframe.convert-string": False}):
        yield


@QUICK
@given(frame=tables(), binarizer=binarizers(), weighted=st.booleans(), n=st.integers(1, 11))
def test_a_dask_frame_gives_what_memory_gives(frame, binarizer, weighted, n):
    table = dd.from_pandas(frame, npartitions=n, sort=False)
    expected = reference(table.compute(), clone(binarizer), weighted=weighted)
    dropped = table if weighted else table.drop(columns="w")
    assert_same(expected, outcome(lambda: from_dask(dropped, "y", "w" if weighted else None, binarizer)))
    rest = table.drop(columns=["y", "w"])
    weights = table["w"] if weighted else None
    assert_same(expected, outcome(lambda: from_dask(rest, table["y"], weights, binarizer)))


@QUICK
@given(frame=tables(), bins=st.integers(2, 4), weighted=st.booleans())
def test_quantiles_are_exact_when_the_values_do_not_fit(monkeypatch, frame, bins, weighted):
    for module in (ranges, partitions):
        monkeypatch.setattr(module, "MAX_VALUES", 5)
    monkeypatch.setattr(ranges, "N_STRETCHES", 3)
    kept = [name for name in frame if pd.api.types.is_numeric_dtype(frame[name].dtype) or name == "y"]
    if len(kept) < 3:
        return
    binarizer = Binarizer(bins=bins)
    table = dd.from_pandas(frame[kept], npartitions=4, sort=False)
    expected = reference(frame[kept], clone(binarizer), weighted=weighted)
    dropped = table if weighted else table.drop(columns="w")
    assert_same(expected, outcome(lambda: from_dask(dropped, "y", "w" if weighted else None, binarizer)))


def loans(n=4000):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {
            "income": rng.lognormal(8, 1, n),
            "age": rng.integers(18, 90, n),
            "region": rng.choice(["north", "south", "east"], n),
        }
    )
    risky = (frame["income"] < 3000) & (frame["region"] == "north")
    frame["repaid"] = np.where(risky ^ (rng.random(n) < 0.02), "no", "yes")
    return frame


def test_folds_are_spread_over_the_workers_by_joblib(cluster):
    from distributed import Client

    address, _ = cluster
    frame = loans(600)
    X, y = frame.drop(columns="repaid"), frame["repaid"]
    clf = DecisionSetClassifier(regularization=0.05)
    expected = cross_val_score(clf, X, y, cv=3)
    with dask.config.set(scheduler=None), Client(address, timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
        with parallel_config(backend="dask"):
            found = cross_val_score(clf, X, y, cv=3, n_jobs=2)
    assert found.tolist() == expected.tolist()


class _Killer:
    """Kills a process once enough partitions have been read."""

    def __init__(self, process, marks, after):
        import threading

        self._thread = threading.Thread(target=self._wait, args=(process, marks, after))

    @staticmethod
    def _wait(process, marks, after):
        end = time.monotonic() + 60
        while len(list(marks.iterdir())) < after and time.monotonic() < end:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._thread.join()


def test_workers_reduce_the_table_and_one_of_them_is_killed_on_the_way(cluster, tmp_path):
    from distributed import Client

    address, workers = cluster
    frame = loans()
    expected = DecisionSetClassifier(regularization=0.02).fit(frame.drop(columns="repaid"), frame["repaid"])
    marks = tmp_path / "marks"
    marks.mkdir()

    def slowly(part, place):
        Path(place, f"{time.time_ns()}").touch()
        time.sleep(0.2)
        return part

    pieces = dd.from_pandas(frame, npartitions=12, sort=False)
    table = pieces.map_partitions(slowly, str(marks), meta=frame.iloc[:0])
    with dask.config.set(scheduler=None), Client(address, timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
        clf = DecisionSetClassifier(regularization=0.02)
        with _Killer(workers[0], marks, after=5):
            clf.fit(table.drop(columns="repaid"), table["repaid"])
        assert workers[0].poll() == -signal.SIGKILL
        assert len(client.scheduler_info()["workers"]) == 1
    assert clf.decision_set_.to_json() == expected.decision_set_.to_json()
    n_passes = 3  # labels, values, rows
    assert len(list(marks.iterdir())) > n_passes * 12  # what the dead worker had was done again


@pytest.mark.parametrize(
    ("spoil", "y", "weight", "message"),
    [
        (
            lambda f: f,
            "nothing",
            None,
            "y names column 'nothing', which X lacks; its columns are: income, age",
        ),
        (lambda f: f, None, None, "y must be a dask Series or the name of a column"),
        (lambda f: f.assign(w=-1.0), "repaid", "w", "in partition .: 20 weights of a partition are missing"),
        (lambda f: f.assign(repaid=None), "repaid", None, "the label is missing in 40 rows"),
        (lambda f: f.assign(repaid="x"), "repaid", None, "all rows have one class"),
        (
            lambda f: f.assign(age=np.inf),
            "repaid",
            None,
            "in partition .: Input X contains infinity: column 'age'",
        ),
        (lambda f: f[[]].assign(repaid=f["repaid"]), "repaid", None, "no columns to learn from"),
    ],
)
def test_bad_input_gets_one_clear_sentence(spoil, y, weight, message):
    table = dd.from_pandas(spoil(loans(40)), npartitions=2, sort=False)
    with pytest.raises(InputError, match=message):
        DecisionSetClassifier().fit(table, y, weight)


def test_a_class_without_weight_is_none():
    frame = pd.DataFrame({"x": range(6), "w": [1, 2, 0, 1, 0.5, 0], "y": ["p", "q", "c", "p", "q", "c"]})
    found = from_dask(dd.from_pandas(frame, npartitions=3, sort=False), "y", "w", Binarizer())
    assert_same(reference(frame, Binarizer(), weighted=True), found)
    assert found.classes.tolist() == ["p", "q"]


def test_labels_must_be_partitioned_like_the_table():
    frame = loans(40)
    table = dd.from_pandas(frame.drop(columns="repaid"), npartitions=2, sort=False)
    with pytest.raises(InputError, match="y has 4 partitions, but X has 2"):
        DecisionSetClassifier().fit(table, dd.from_pandas(frame["repaid"], npartitions=4, sort=False))
    pieces = [dd.from_pandas(part, npartitions=1) for part in (frame["repaid"][:3], frame["repaid"][3:])]
    crooked = dd.concat(pieces)
    with pytest.raises(InputError, match=r"a partition of y has \d+ rows, but that of X has 20"):
        DecisionSetClassifier().fit(table, crooked)
    with pytest.raises(InputError, match="cannot be learned from"):
        DecisionSetClassifier().fit(table["age"], "age")


def test_categories_beyond_what_fits_are_refused(monkeypatch):
    for module in (ranges, partitions):
        monkeypatch.setattr(module, "MAX_VALUES", 5)
    frame = loans(40).assign(region=[f"r{k}" for k in range(40)])
    with pytest.raises(InputError, match="too many for categories; leave it out"):
        DecisionSetClassifier().fit(dd.from_pandas(frame, npartitions=3, sort=False), "repaid")


@QUICK
@given(frame=tables(), data=st.data(), weighted=st.booleans(), n=st.integers(1, 7))
def test_rows_added_by_partitions_are_those_added_in_memory(frame, data, weighted, n):
    cut = data.draw(st.integers(2, len(frame) - 1))
    old = outcome(
        lambda: in_memory(frame.drop(columns=["y", "w"])[:cut], frame["y"][:cut], None, Binarizer(bins=3))
    )
    if isinstance(old, InputError):
        return
    new = dd.from_pandas(frame[cut:], npartitions=n, sort=False)
    rows = new.compute()
    weight = rows["w"].to_numpy() if weighted else None
    expected = outcome(lambda: old.extended(rows.drop(columns=["y", "w"]), rows["y"], weight))
    named = new if weighted else new.drop(columns="w")
    assert_same(expected, outcome(lambda: old.extended(named, "y", "w" if weighted else None)))
    parts = new.drop(columns=["y", "w"]), new["y"], new["w"] if weighted else None
    assert_same(expected, outcome(lambda: old.extended(*parts)))


def test_partial_fit_of_a_dask_frame_is_that_of_its_rows():
    frame = loans(3000)
    pieces = frame[:1000], frame[1000:2000], frame[2000:]
    here, away = (DecisionSetClassifier(regularization=0.02) for _ in range(2))
    for piece in pieces:
        here.partial_fit(piece.drop(columns="repaid"), piece["repaid"])
        away.partial_fit(dd.from_pandas(piece, npartitions=5, sort=False), "repaid")
        assert away.decision_set_.to_json() == here.decision_set_.to_json()
    assert away.decision_set_.proof.n_samples == 3000
    assert away.feature_names_in_.tolist() == ["income", "age", "region"]
    # New rows may come from anywhere.
    again = DecisionSetClassifier(regularization=0.02).fit(
        pieces[0].drop(columns="repaid"), pieces[0]["repaid"]
    )
    again.partial_fit(dd.from_pandas(pieces[1], npartitions=2), "repaid")
    again.partial_fit(pieces[2].drop(columns="repaid"), pieces[2]["repaid"])
    assert again.decision_set_.to_json() == here.decision_set_.to_json()


def test_the_first_partial_fit_may_lack_classes():
    frame = loans(400)
    table = dd.from_pandas(frame[frame["repaid"] == "yes"], npartitions=2, sort=False)
    with pytest.raises(InputError, match="all rows have one class"):
        DecisionSetClassifier().partial_fit(table, "repaid")
    clf = DecisionSetClassifier().partial_fit(table, "repaid", classes=["yes", "no"])
    assert clf.classes_.tolist() == ["no", "yes"]
    with pytest.raises(InputError, match=r"label 'maybe' is not one of the classes \('no', 'yes'\)"):
        clf.partial_fit(table.assign(repaid="maybe"), "repaid")
    clf.partial_fit(dd.from_pandas(frame[frame["repaid"] == "no"], npartitions=3), "repaid")
    assert clf.decision_set_.proof.n_samples == 400


@pytest.mark.parametrize(
    ("spoil", "y", "message"),
    [
        (lambda f: f.assign(age=np.nan), "repaid", "in partition .: row 0 has no value in column 'age'"),
        (lambda f: f.assign(repaid=None), "repaid", "the label is missing in 40 rows"),
        (lambda f: f.drop(columns="age"), "repaid", "Feature names seen at fit time, yet now missing"),
        (lambda f: f.assign(more=1), "repaid", "Feature names unseen at fit time"),
        (lambda f: f, "nothing", "y names column 'nothing', which X lacks"),
        (lambda f: f, ["no"] * 40, "y must be a dask Series or the name of a column"),
    ],
)
def test_new_rows_that_do_not_fit_are_refused(spoil, y, message):
    frame = loans(300)
    clf = DecisionSetClassifier().fit(frame.drop(columns="repaid"), frame["repaid"])
    before = clf.decision_set_.to_json()
    with pytest.raises(ValueError, match=message):
        clf.partial_fit(dd.from_pandas(spoil(loans(40)), npartitions=2, sort=False), y)
    assert clf.decision_set_.to_json() == before


def test_new_rows_are_counted_on_the_workers(cluster):
    from distributed import Client

    frame = loans(1000)
    here = DecisionSetClassifier(regularization=0.02).fit(
        frame[:500].drop(columns="repaid"), frame["repaid"][:500]
    )
    away = clone(here).fit(frame[:500].drop(columns="repaid"), frame["repaid"][:500])
    here.partial_fit(frame[500:].drop(columns="repaid"), frame["repaid"][500:])
    with dask.config.set(scheduler=None), Client(cluster[0], timeout=60) as client:
        client.wait_for_workers(1, timeout=60)
        client.get_task_stream()
        away.partial_fit(dd.from_pandas(frame[500:], npartitions=6, sort=False), "repaid")
        done = [one["key"] for one in client.get_task_stream()]
    assert sum("_counted" in str(key) for key in done) == 2 * 6  # labels, rows
    assert away.decision_set_.to_json() == here.decision_set_.to_json()


def test_partitions_are_held_to_the_columns_of_the_table():
    frame = loans(90)
    pieces = [
        frame[:30],
        frame[30:60].assign(more=1)[::-1],
        frame[60:][["repaid", "region", "age", "income"]],
    ]

    def table(pieces):
        tasks = [dask.delayed(piece) for piece in pieces]
        return dd.from_delayed(tasks, meta=frame.iloc[:0], verify_meta=False)

    expected = in_memory(frame.drop(columns="repaid"), frame["repaid"], None, Binarizer())
    assert_same(expected, from_dask(table(pieces), "repaid", None, Binarizer()))
    with pytest.raises(
        InputError, match="in partition 1: the partition lacks column 'age', which the table has"
    ):
        from_dask(table([frame[:30], frame[30:].drop(columns="age")]), "repaid", None, Binarizer())
    with pytest.raises(InputError, match="y must be a dask Series or the name of a column"):
        from_dask(table(pieces)[["age"]], table(pieces)[["repaid"]], None, Binarizer())
