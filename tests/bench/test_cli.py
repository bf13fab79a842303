import json
import subprocess
import sys

import pandas as pd
import pytest
from typer.testing import CliRunner

from laconic.bench import compare
from laconic.bench.cli import app
from laconic.bench.methods import GROUPS, METHODS
from laconic.bench.plan import BenchTask
from laconic.bench.records import Exit, Record, open_records
from laconic.runtime.errors import InputError


def bench(*arguments):
    return CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)


def test_help_imports_neither_pandas_nor_matplotlib_nor_scikit_learn():
    code = (
        "import sys; import laconic.bench.cli; "
        "print([m for m in ('pandas', 'numpy', 'matplotlib', 'sklearn', 'pysat') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_run_table_and_figures_fit_together(lab, probe, tmp_path):
    common = ["--suite", "cp20", "--data", lab.data, "--dataset", "tiny", "-q", 2, "--fold", 1, "--fold", 2]
    limits = ["--time-limit", 10, "--memory", 512, "-o", lab.records]
    plan = bench("run", "-m", probe("good"), *common, *limits, "--dry-run")
    assert plan.stdout.count("good  tiny  q2  fold") == 2
    assert not lab.records.exists()

    first = bench("run", "-m", "good", *common, *limits, "-j", 2)
    assert first.exit_code == 0
    assert "2 tasks run, 0 kept" in first.stderr
    assert "[2/2]" in first.stderr
    again = bench("run", "-m", "good", *common, *limits)
    assert "0 tasks run, 2 kept" in again.stderr

    shown = bench("table", lab.records)
    assert "On all 2 training sets, 2 of them solved by every method" in shown.stdout
    assert json.loads(bench("table", lab.records, "--json").stdout)["good"]["solved"] == 2
    assert bench("table", lab.records, "--csv").stdout.startswith("method,tasks,solved")
    assert "| good | 2 | 2 |" in bench("table", lab.records, "--markdown").stdout

    drawn = bench("figures", lab.records, "-o", tmp_path / "figures")
    assert drawn.exit_code == 0
    assert "<svg" in (tmp_path / "figures" / "index.html").read_text()


def test_compare_shows_table_and_plot_and_what_is_missing(lab, probe, tmp_path):
    table = tmp_path / "loans.csv"
    ages = list(range(20, 70, 5))
    labels = ["yes" if age > 42 else "no" for age in ages]
    city = ["Atlantis", "Rome", "Oslo"] + ["Rome"] * 3 + ["Oslo"] * 4
    pd.DataFrame({"age": ages, "city": city, "good": labels}).to_csv(table, index=False)
    plot = tmp_path / "plot.png"
    # The probe refuses the fold that holds out the only row of Atlantis.
    method = probe("fine", behaviour="missing without Atlantis")
    options = ["--target", "good", "--time-limit", 10, "--memory", 512, "-j", 2, "--plot", plot]
    result = bench("compare", table, "-m", method, *options)
    assert result.exit_code == 0
    (line,) = [line for line in result.stdout.splitlines() if line.startswith("fine")]
    assert line.split()[1:7] == ["4", "of", "5", "1.0", "±", "0.0"]
    assert "1 missing-peer" in line
    assert "fine: ripper is not here" in result.stderr
    assert plot.read_bytes()[:4] == b"\x89PNG"


def test_after_a_run_each_cause_of_failure_is_told_once(lab, probe):
    names = [probe("gone", behaviour="missing"), probe("broken", behaviour="raise"), probe("fine")]
    asked = [part for name in names for part in ("-m", name)]
    common = ["--suite", "cp20", "--data", lab.data, "--dataset", "tiny", "-q", 2, "--fold", 1, "--fold", 2]
    said = bench("run", *asked, *common, "--memory", 512, "-j", 2, "-o", lab.records).stderr.splitlines()
    told = said[said.index(f"6 tasks run, 0 kept from before; records in {lab.records}") + 1 :]
    assert sorted(told) == [
        "2 of broken ended with crash: KeyError: 'an untold bug'",
        "2 of gone ended with missing-peer: ripper is not here; make it with: laconic bench peers ripper",
    ]


def test_the_papers_tools_go_by_one_name(lab):
    chosen = ["--suite", "cp20", "--data", lab.data, "--dataset", "tiny", "-q", 2, "--fold", 1, "--dry-run"]
    planned = bench("run", "-m", "paper", "-m", "exact", "-m", "opt", *chosen).stdout.splitlines()
    assert [line.split()[1] for line in planned] == [*GROUPS["paper"], "exact"]
    assert set(GROUPS["paper"]) <= set(METHODS)


def test_a_folder_is_not_compared_as_if_it_were_a_table(tmp_path):
    with pytest.raises(
        InputError, match="is a folder; give one table, or run: laconic bench run --suite csv"
    ):
        bench("compare", tmp_path)


def test_a_table_that_cannot_be_used_is_refused_before_anything_runs(tmp_path):
    table = tmp_path / "loans.csv"
    table.write_text("age,good\n" + "1,yes\n" * 6)
    with pytest.raises(InputError, match="only one class"):
        bench("compare", table)


def test_the_papers_suite_has_no_other_quantisations(lab):
    with pytest.raises(InputError, match="no quantisation 7; it has: 2, 3, 4"):
        bench("run", "-m", "opt", "--suite", "cp20", "--data", lab.data, "-q", 7)


def test_records_of_rivals_alone_give_figures(tmp_path):
    file = tmp_path / "records.jsonl"
    with open_records(file) as writer:
        writer.append(
            Record(BenchTask("cp20", "iris", 2, 1, "ripper", 9.0, 512, 0, "abc"), Exit.TIMEOUT, 9, 9, 9)
        )
    assert bench("figures", file, "-o", tmp_path / "figures").exit_code == 0
    with pytest.raises(InputError, match="--rival 'cn2'; choose among: ripper"):
        bench("figures", file, "-o", tmp_path / "figures", "--rival", "cn2")


def test_a_table_of_a_sample_warns_and_gives_the_same_sets(tmp_path):
    file = tmp_path / "records.jsonl"
    with open_records(file) as writer:
        for method, folds in (("ripper", (1, 2, 3)), ("cn2", (2,))):
            for fold in folds:
                task = BenchTask("cp20", "iris", 2, fold, method, 9.0, 512, 0, "abc")
                writer.append(Record(task, Exit.TIMEOUT, 9, 9, 9))
    shown = bench("table", file).stdout
    assert shown.index("not every method") < shown.index("On the same 1") < shown.index("On all 3")
    mixed = bench("table", file, "--json")
    assert {name: row["tasks"] for name, row in json.loads(mixed.stdout).items()} == {"ripper": 3, "cn2": 1}
    assert "--same-sets" in mixed.stderr
    same = bench("table", file, "--json", "--same-sets")
    assert {name: row["tasks"] for name, row in json.loads(same.stdout).items()} == {"ripper": 1, "cn2": 1}
    assert same.stderr == ""
    assert "On all 3" not in bench("table", file, "--same-sets", "--markdown").stdout
    bench("figures", file, "-o", tmp_path / "figures")
    page = (tmp_path / "figures" / "index.html").read_text()
    assert "On the same 1 training sets" in page
    assert "On all 3 training sets" in page


def test_methods_are_listed_with_what_is_missing():
    listed = json.loads(bench("methods", "--json").stdout)
    assert list(listed) == list(METHODS)
    assert listed["sp-l3"]["label"] == "sp[λ3]"
    assert listed["opt"]["missing"] is None
    assert "opt∪" in bench("methods").stdout


def test_a_comparison_has_laconics_default_and_perfect_sets_unless_told_otherwise():
    assert {"exact-sp-l2-written", "exact"} <= set(compare.COMPARED) <= set(METHODS)


def test_unasked_a_comparison_leaves_out_rivals_that_are_not_installed_and_says_so(
    lab, probe, tmp_path, monkeypatch
):
    monkeypatch.syspath_prepend(lab.modules)
    monkeypatch.setenv("LACONIC_PEERS", str(tmp_path / "nothing"))
    monkeypatch.setattr(compare, "COMPARED", (probe("here"), "ripper", "cn2"))
    table = tmp_path / "loans.csv"
    table.write_text(
        "age,good\n" + "".join(f"{age},{'yes' if age > 42 else 'no'}\n" for age in range(20, 70, 5))
    )
    result = bench("compare", table, "--time-limit", 10, "--memory", 512, "-j", 2)
    assert [line.split()[0] for line in result.stdout.splitlines() if " of 5" in line] == ["here"]
    for name, package in (("ripper", "wittgenstein"), ("cn2", "Orange3")):
        remedy = f"{package} is not installed; run: laconic bench peers install {name}"
        assert f"not compared: {name}: {remedy}" in result.stderr

    named = bench("compare", table, "-m", "ripper", "--time-limit", 10, "--memory", 512, "-j", 2)
    (line,) = [line for line in named.stdout.splitlines() if line.startswith("ripper")]
    assert line.split()[1:4] == ["0", "of", "5"]
    assert "5 missing-peer" in line
    assert "ripper: wittgenstein is not installed" in named.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "-m", "nope"], "unknown method 'nope'"),
        (["run", "--suite", "nope"], "unknown suite 'nope'"),
        (["run", "-m", "opt", "-j", 0], "--jobs"),
        (["run", "-m", "opt", "--retry", "ill"], "--retry does not know 'ill'"),
        (["run", "-m", "opt", "-q", 1], "at least 2 bins, not 1"),
        (["run", "-m", "opt", "-o", "."], r"\. is not a file"),
        (["run", "-m", "opt", "--time-limit", "inf"], "--time-limit must be .* not inf s"),
        (["run", "-m", "opt", "--cpu-limit", "1e300"], "--cpu-limit must be"),
        (["run", "-m", "opt", "--memory", 10**30], "--memory must be"),
        (["table", "nowhere.jsonl"], "no records at nowhere.jsonl"),
        (["compare", "nowhere.csv", "--bins", 1], "at least 2 bins, not 1"),
        (["compare", "nowhere.csv", "--plot", "x.xyz"], r"--plot x\.xyz should end with"),
        (["compare", "nowhere.csv", "--plot", "."], r"cannot write \.: .* with --plot"),
    ],
)
def test_bad_arguments_are_refused_with_the_next_step(arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=message):
        bench(*arguments)
