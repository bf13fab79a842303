import gzip

import numpy as np
import pandas as pd
import pytest

from laconic.bench.plan import SuitePart, choose, make_plan
from laconic.bench.records import read_records
from laconic.bench.run import run_plan
from laconic.bench.split import stratified_folds
from laconic.bench.suites import SuiteSpec, data_root
from laconic.runtime.errors import InputError


def real_data():
    try:
        return data_root()
    except InputError as error:
        pytest.skip(f"the benchmark tables are not here: {error}")


def test_the_papers_suite_is_71_tables_by_3_by_5():
    real_data()
    suite = SuiteSpec("cp20").open()
    assert len(choose(suite, SuitePart())) == 1065
    assert len(suite.datasets) == 71


def test_the_papers_suite_has_the_sizes_that_the_manifest_states():
    manifest = pd.read_csv(real_data() / "manifest.csv").set_index("name")
    suite = SuiteSpec("cp20").open()
    for name, q in (("iris", 2), ("ecoli", 3), ("zoo", 4)):
        folds = [suite.load(name, q, fold) for fold in suite.folds]
        rows = manifest.loc[name, "paper_rows"]
        for split in folds:
            assert split.training.matrix.shape[1] == manifest.loc[name, f"paper_features_r{q}"]
            assert len(split.training.labels) + len(split.test_labels) == rows
        assert sum(len(split.test_labels) for split in folds) == rows


def test_two_valued_columns_other_than_0_and_1_become_bits(lab):
    """Ecoli's chg has 0.5 and 1.0 in the authors' files; the larger value is true."""
    path = lab.data / "quantised" / "r2" / "tiny.csv.gz"
    frame = pd.read_csv(path)
    frame["a"] = frame["a"].map({0: 3.5, 1: 7})
    frame["b"] = 1
    frame.to_csv(path, index=False)
    split = lab.spec.open().load("tiny", 2, 1)
    assert split.test_matrix[:, 0].tolist() == (frame["a"].iloc[::5] == 7).tolist()
    assert split.test_matrix[:, 1].all()
    frame["b"] = range(20)
    frame.to_csv(path, index=False)
    with pytest.raises(InputError, match="column 'b' has 20 values"):
        lab.spec.open().load("tiny", 2, 1)


def test_the_laboratorys_fold_is_the_one_that_the_fold_file_names(lab):
    split = lab.spec.open().load("tiny", 2, 3)
    frame = pd.read_csv(lab.data / "quantised" / "r2" / "tiny.csv.gz")
    held_out = frame.iloc[2::5]
    assert split.test_matrix.astype(int).tolist() == held_out[["a", "b", "c"]].to_numpy().tolist()
    assert [split.training.classes[c] for c in split.test_labels] == held_out["label"].tolist()
    assert split.training.names == ("a", "b", "c")
    assert split.train_rows().columns["b"].tolist() == split.training.matrix[:, 1].tolist()


def test_files_of_the_papers_suite_that_are_missing_or_damaged_are_named(lab):
    suite, quantised = lab.spec.open(), lab.data / "quantised"
    folds = quantised / "folds" / "r2" / "tiny.txt.gz"
    whole = folds.read_bytes()
    with gzip.open(folds, "wt") as out:
        out.write("1\n2\n")
    with pytest.raises(InputError, match=r"tiny\.txt\.gz has 2 folds for the 20 rows of tiny\.csv\.gz"):
        suite.load("tiny", 2, 1)
    folds.write_bytes(whole[:20])
    with pytest.raises(InputError, match=r"tiny\.txt\.gz is damaged"):
        suite.load("tiny", 2, 1)
    folds.unlink()
    for ask in (suite.digest, lambda name, q: suite.load(name, q, 1)):
        with pytest.raises(InputError, match=r"there is no .*tiny\.txt\.gz"):
            ask("tiny", 2)
    (quantised / "r3" / "tiny.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(InputError, match=r"r3/tiny\.csv\.gz is damaged"):
        suite.load("tiny", 3, 1)
    (quantised / "r4" / "tiny.csv.gz").unlink()
    with pytest.raises(InputError, match=r"there is no .*r4/tiny\.csv\.gz"):
        suite.weight("tiny", 4)


def test_folds_share_out_every_class_evenly():
    codes = np.array([0] * 12 + [1] * 7 + [2] * 3)
    folds = stratified_folds(codes, 5)
    assert set(folds.tolist()) == {1, 2, 3, 4, 5}
    for c in range(3):
        counts = np.bincount(folds[codes == c], minlength=6)[1:]
        assert counts.max() - counts.min() <= 1
    total = np.bincount(folds, minlength=6)[1:]
    assert total.max() - total.min() <= 1
    assert folds.tolist() == stratified_folds(codes, 5).tolist()


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "loans.csv"
    ages = [20, 25, 30, 35, 40, 45, 50, 55, 60, 65]
    frame = pd.DataFrame(
        {
            "age": [*ages, *ages],
            "city": ["Rome", "Oslo"] * 10,
            "income": [*range(19), None],
            "good": ["yes" if age > 42 else "no" for age in [*ages, *ages]],
        }
    )
    frame.to_csv(path, index=False)
    return path


def test_a_users_table_is_binarized_on_its_training_rows_alone(csv):
    suite = SuiteSpec("csv", str(csv), "good", (3,)).open()
    assert (suite.datasets, suite.quantisations) == (["loans"], (3,))
    split = suite.load("loans", 3, 2)
    assert len(split.training.labels) == 16
    assert split.test_matrix.shape == (4, len(split.training.names))
    assert split.training.classes == ("no", "yes")
    assert all(name.split()[0] in {"age", "city", "income"} for name in split.training.names)
    assert not split.training.allowed.all()  # "not (income <= t)" would hold for the missing income


def test_no_condition_is_made_from_test_rows(csv):
    frame = pd.read_csv(csv)
    frame.loc[4, "city"] = "Atlantis"  # once, so it is a test row of one fold only
    frame.to_csv(csv, index=False)
    suite = SuiteSpec("csv", str(csv), "good").open()
    knows = ["city is Atlantis" in suite.load("loans", 6, fold).training.names for fold in suite.folds]
    assert sorted(knows) == [False, True, True, True, True]


def test_the_label_is_the_last_column_unless_named(csv):
    assert SuiteSpec("csv", str(csv)).open().load("loans", 6, 1).training.classes == ("no", "yes")
    assert SuiteSpec("csv", str(csv), "city").open().load("loans", 6, 1).training.classes == ("Oslo", "Rome")
    with pytest.raises(InputError, match="no column 'bad'"):
        SuiteSpec("csv", str(csv), "bad").open().load("loans", 6, 1)


def test_a_changed_table_or_label_is_another_task(csv):
    first = SuiteSpec("csv", str(csv)).open().digest("loans", 6)
    assert SuiteSpec("csv", str(csv), "city").open().digest("loans", 6) != first
    other = csv.parent / "other"
    other.mkdir()
    (other / "loans.csv").write_text(csv.read_text().replace("Rome", "Roma"))
    assert SuiteSpec("csv", str(other)).open().digest("loans", 6) != first


def test_labels_that_are_no_classes_and_tables_too_small_for_folds_are_refused(csv):
    for text, message in (
        ("a,y\n1,\n2,x\n3,x\n4,x\n5,x\n", "row 0 has no label"),
        ("a,y\n1,x\n2,x\n3,x\n4,x\n5,x\n", "only one class"),
        ("a,y\n1,0.5\n2,1.5\n3,1\n4,1\n5,1\n", "label of row 0 is 0.5, so cut the target into classes"),
        ("a,y\n1,x\n2,z\n3,x\n4,x\n", "has 4 rows; 5 folds need at least one row each"),
    ):
        csv.write_text(text)
        with pytest.raises(InputError, match=message):
            SuiteSpec("csv", str(csv)).open().load("loans", 6, 1)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (SuiteSpec("cp21"), "unknown suite 'cp21'"),
        (SuiteSpec("csv"), "--data"),
        (SuiteSpec("csv", "/nowhere/at/all"), "does not exist"),
        (SuiteSpec("cp20", "/nowhere/at/all"), "LACONIC_DATA"),
        (SuiteSpec("smoke", bins=(4, 1)), "at least 2 bins, not 1"),
        (SuiteSpec("csv", ".", bins=(0,)), "at least 2 bins, not 0"),
    ],
)
def test_a_suite_that_is_not_there_is_refused(spec, message):
    with pytest.raises(InputError, match=message):
        spec.open()


def test_bins_named_twice_are_offered_once():
    assert SuiteSpec("smoke", bins=(4, 3, 4)).open().quantisations == (4, 3)


def test_two_files_of_one_name_are_refused_rather_than_one_dropped(csv):
    (csv.parent / "loans.tsv").write_text("a\ty\n1\tx\n")
    with pytest.raises(InputError, match=r"loans\.csv and loans\.tsv"):
        SuiteSpec("csv", str(csv.parent)).open()
    assert SuiteSpec("csv", str(csv)).open().datasets == ["loans"]


def test_a_manifest_is_skipped_in_a_directory_but_read_when_named(csv):
    manifest = csv.with_name("manifest.csv")
    manifest.write_text(csv.read_text())
    (csv.parent / "folder.csv").mkdir()
    assert SuiteSpec("csv", str(csv.parent)).open().datasets == ["loans"]
    suite = SuiteSpec("csv", str(manifest)).open()
    assert suite.datasets == ["manifest"]
    assert suite.load("manifest", 6, 1).training.classes == ("no", "yes")


def test_a_text_file_is_a_table_only_when_named(csv):
    named = csv.with_name("notes.txt")
    named.write_text(csv.read_text())
    assert SuiteSpec("csv", str(csv.parent)).open().datasets == ["loans"]
    assert SuiteSpec("csv", str(named)).open().load("notes", 6, 1).training.classes == ("no", "yes")
    picture = csv.with_name("plot.png")
    picture.touch()
    with pytest.raises(InputError, match="no CSV or Parquet file"):
        SuiteSpec("csv", str(picture)).open()


def test_the_smoke_suite_needs_no_files():
    suite = SuiteSpec("smoke").open()
    assert len(choose(suite, SuitePart())) == 15
    split = suite.load("iris", 6, 1)
    assert len(split.test_labels) == 30
    assert split.training.classes == ("setosa", "versicolor", "virginica")


def test_the_raw_suite_is_the_papers_71_tables_with_the_rows_and_classes_of_the_manifest():
    manifest = pd.read_csv(real_data() / "manifest.csv").set_index("name")
    suite = SuiteSpec("raw").open()
    assert list(suite.datasets) == list(SuiteSpec("cp20").open().datasets)
    assert suite.quantisations == (2, 3, 4)
    for name in suite.datasets:
        split = suite.load(name, 2, 1)
        assert len(split.training.labels) + len(split.test_labels) == manifest.loc[name, "rows"], name
        assert len(split.training.classes) == manifest.loc[name, "classes"], name
        assert split.training.matrix.shape[1] == len(split.training.names) > 0
        # A class of the test rows that no training row has would make the fold unfair.
        assert set(split.test_labels) <= set(split.training.labels), name


@pytest.fixture
def raw(tmp_path):
    """A folder laid out like that of the paper's tables."""
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, 60)
    frame = pd.DataFrame(
        {
            "age": age,
            "income": np.where(rng.random(60) < 0.2, np.nan, age * 3.5),
            "city": rng.choice(["Rome", "Oslo", ""], 60),
            "target": rng.integers(0, 2, 60),  # a feature in spite of its name, as in schizo
            "class": np.where(age > 50, "old", "young"),
        }
    )
    frame.to_csv(tmp_path / "people.csv.gz", index=False)
    frame.iloc[:20].to_csv(tmp_path / "few.csv.gz", index=False)
    pd.DataFrame({"name": ["people", "few"], "rows": [60, 20]}).to_csv(tmp_path / "manifest.csv", index=False)
    (tmp_path / "README.md").write_text("# Tables\n")
    (tmp_path / "quantised" / "r2").mkdir(parents=True)
    frame.to_csv(tmp_path / "quantised" / "r2" / "people.csv.gz", index=False)
    return tmp_path


def test_a_folder_of_raw_tables_is_read_without_its_manifest_and_quantised_copies(raw):
    suite = SuiteSpec("raw", str(raw)).open()
    assert (suite.name, suite.datasets, suite.quantisations) == ("raw", ["few", "people"], (2, 3, 4))
    assert len(choose(suite, SuitePart())) == 2 * 3 * 5
    assert suite.weight("people", 4) > suite.weight("people", 2) > suite.weight("few", 2)
    held_out = 0
    for fold in suite.folds:
        split = suite.load("people", 3, fold)
        assert split.training.classes == ("old", "young")
        columns = {name.split()[0] for name in split.training.names}
        assert {"age", "income", "city"} <= columns <= {"age", "income", "city", "target"}
        held_out += len(split.test_labels)
    assert held_out == 60
    widths = [suite.load("people", q, 1).training.matrix.shape[1] for q in suite.quantisations]
    assert widths == sorted(set(widths))  # more bins, more conditions


def test_the_raw_suite_runs_and_its_records_say_so(raw, tmp_path):
    spec = SuiteSpec("raw", str(raw))
    choice = SuitePart(datasets=["people"], quantisations=[4], folds=[1, 2])
    tasks = make_plan(spec.open(), ["exact-sp-l2"], choice=choice, limit_s=20, memory_mb=1024)
    run_plan(tasks, spec, tmp_path / "records.jsonl")
    for record in read_records([tmp_path / "records.jsonl"]):
        assert (record.task.suite, record.task.quantisation, record.solved) == ("raw", 4, True)
        assert record.score["test"]["rows"] == 12
        assert record.score["test"]["strict_errors"] <= 3


@pytest.mark.parametrize("name", ["raw", "cp20"])
def test_a_folder_without_the_tables_is_refused(name, tmp_path):
    with pytest.raises(InputError, match=r"no quantised tables in|no CSV or Parquet file"):
        SuiteSpec(name, str(tmp_path)).open()
