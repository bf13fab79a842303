import numpy as np
import pandas as pd
import pytest

from laconic.bench.plan import Choice, choose
from laconic.bench.split import stratified_folds
from laconic.bench.suites import SuiteSpec, data_root
from laconic.errors import InputError


def real_data():
    try:
        return data_root()
    except InputError as error:
        pytest.skip(f"the benchmark tables are not here: {error}")


def test_the_papers_suite_is_71_tables_by_3_by_5():
    real_data()
    suite = SuiteSpec("cp20").open()
    assert len(choose(suite, Choice())) == 1065
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


def test_missing_labels_and_single_classes_are_refused(csv):
    for text, message in (("a,y\n1,\n2,x\n", "row 0 has no label"), ("a,y\n1,x\n2,x\n", "one class only")):
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
    assert len(choose(suite, Choice())) == 15
    split = suite.load("iris", 6, 1)
    assert len(split.test_labels) == 30
    assert split.training.classes == ("setosa", "versicolor", "virginica")
