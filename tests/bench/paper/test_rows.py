"""The plan of the runs behind the page, their optima, and methods that were not run to the end."""

import gzip
from dataclasses import replace

from tests.support.bench_records import RECORDS, failed, solved

from benchmarks.paper import reproduction, rows
from benchmarks.paper.optima import compared_optima
from laconic.bench.plan import SuitePart
from laconic.bench.records import read_records
from laconic.bench.table import frame


class Suite:
    name = "cp20"
    datasets = tuple(f"t{k}" for k in range(20))
    quantisations = (2,)
    folds = (1,)

    def weight(self, dataset, quantisation):
        return int(dataset[1:])

    def digest(self, dataset, quantisation):
        return "abc"


def on(record, dataset, cpu_limit=None):
    task = replace(record.task, dataset=dataset, cpu_limit_s=cpu_limit, limit_s=1000.0)
    return replace(record, task=task)


TWO = [rows.Row(name, 10, SuitePart()) for name in ("opt", "mopt")]


def test_every_slice_has_small_and_large_tables_of_every_method():
    tasks = rows.open_tasks(Suite(), [], TWO)
    assert len(tasks) == len({task.id for task in tasks}) == 40
    first = tasks[: 40 // rows.SLICES]
    assert [(task.method, task.dataset) for task in first] == [
        ("opt", "t0"),
        ("opt", "t10"),
        ("mopt", "t0"),
        ("mopt", "t10"),
    ]
    assert {task.cpu_limit_s for task in tasks} == {10.0}
    assert {task.cpu_limit_s for task in rows.open_tasks(Suite(), [], TWO, at_most=5)} == {5.0}


def test_only_what_was_not_solved_within_a_lower_limit_is_run_again():
    known = [
        on(solved("opt", 1, size=3, wrong=0), "t1", cpu_limit=5.0),
        on(failed("opt", 1), "t2", cpu_limit=5.0),
        on(failed("opt", 1), "t3", cpu_limit=10.0),
    ]
    again = rows.open_tasks(Suite(), known, TWO[:1])
    assert {task.dataset for task in again} == {*Suite.datasets} - {"t1", "t3"}
    later = rows.open_tasks(Suite(), known, TWO[:1], at_most=5)
    assert {task.dataset for task in later} == {*Suite.datasets} - {"t1", "t2", "t3"}


def test_every_row_names_a_method_that_exists():
    reproduction.methods.labels(row.method for row in rows.ROWS)
    assert {row.method for row in rows.ROWS} <= {*reproduction.methods.METHODS}


def test_packed_records_join_those_of_their_method(tmp_path):
    lines = [json_line(one) for one in RECORDS]
    new = tmp_path / "rows.jsonl"
    new.write_text("".join(lines) + lines[0][:20])  # the last line is incomplete
    old = tmp_path / "cp20_opt.jsonl.gz"
    old.write_bytes(gzip.compress(lines[6].encode()))
    rows.pack(new, tmp_path)
    assert len(read_records([old])) == 3
    assert len(read_records(sorted(tmp_path.glob("cp20_*.gz")))) == len(RECORDS)


def json_line(record):
    import json

    return json.dumps(record.to_json()) + "\n"


def test_optima_of_a_model_are_compared_with_those_of_the_exact_engine():
    both = [solved("exact-sp-l3", fold, size=1, wrong=4) for fold in (1, 2)]
    dearer = replace(both[1], answer={**both[1].answer, "cost": 2})
    (same,) = compared_optima([*RECORDS, *both])[-1:]
    assert (same.method, same.exact, same.n, same.alone, same.differences) == (
        ("sp-l3", "exact-sp-l3", 2, 1, [])
    )
    (other,) = compared_optima([*RECORDS, both[0], dearer])[-1:]
    assert (other.n, len(other.differences)) == (2, 1)


def test_a_method_that_was_not_run_to_the_end_is_shown_apart():
    records = [*RECORDS, solved("imli2", 1, size=5, wrong=1)]
    table = frame(records)
    assert "imli2" not in reproduction.run_to_the_end(table)["method"].to_numpy()
    text = reproduction.render(table, records, sources=["records.jsonl"])
    assert "| imli2 | 1 of 3 | 1 | 1 | 1 |" in text
    assert "Not every method" not in text


def test_limits_of_processor_time_are_shown_as_such():
    record = replace(solved("imli2", 1, size=5, wrong=1, wall=70.0), cpu_s=2.0)
    limited = on(record, "iris", cpu_limit=5.0)
    table = frame([limited])
    assert table[["limit_s", "time_s", "by_cpu"]].to_numpy().tolist() == [[5.0, 2.0, True]]
    assert "| imli2 | 1 | 1 | 5, processor time | 512 |" in reproduction.render(table, [limited], sources=[])
