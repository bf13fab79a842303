import gzip
import json

import pytest

from laconic.bench.plan import Task
from laconic.bench.records import Exit, Record, open_records, read_records
from laconic.runtime.errors import InputError


def record(fold=1, exit_=Exit.OK, wall_s=1.0, optimal=True, limit_s=10.0):
    task = Task("cp20", "iris", 2, fold, "opt", limit_s, 512, 0, "abc")
    answer = {"rules": {"rules": [], "default": None}, "optimal": optimal} if exit_ is Exit.OK else None
    part = {"rows": 10, "strict_errors": 1, "plain_errors": 0}
    parts = {"train": part, "test": part}
    score = {"size": 3, "n_rules": 1, "classes_described": 1, "n_classes": 2, **parts} if answer else None
    return Record(task, exit_, wall_s, wall_s, 9.0, answer=answer, score=score, machine={"cores": 2})


def write(path, *records):
    with open_records(path) as writer:
        for one in records:
            writer.append(one)


def test_records_survive_the_trip_through_a_file(tmp_path):
    path = tmp_path / "deep" / "records.jsonl"
    write(path, record(1), record(2, Exit.TIMEOUT))
    write(path, record(3, Exit.MEMOUT))
    assert read_records([path]) == [record(1), record(2, Exit.TIMEOUT), record(3, Exit.MEMOUT)]


def test_every_record_is_on_disk_before_the_next_one(tmp_path):
    path = tmp_path / "records.jsonl"
    with open_records(path) as writer:
        writer.append(record(1))
        assert read_records([path]) == [record(1)]


@pytest.mark.parametrize(
    "content", ["age,good\n1,yes\n2,no", "a note without a line end", '{"a": 1}', "[1, 2]"]
)
def test_a_file_that_holds_no_records_is_refused_and_left_as_it_is(tmp_path, content):
    path = tmp_path / "mine.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=r"is not a record|ends with what is no record"), open_records(path):
        pass
    assert path.read_text() == content


@pytest.mark.parametrize("torn", [b"{", b'{"id"', b'{"id":"1be', b"\0\0\0", b'{"id":"1\0\0'])
def test_what_a_crash_leaves_of_a_line_is_cut_off(tmp_path, torn):
    path = tmp_path / "records.jsonl"
    write(path, record(1))
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    write(path, record(2))
    assert path.read_bytes().startswith(whole + b'{"id":')
    assert read_records([path]) == [record(1), record(2)]


def test_a_torn_last_line_is_ignored_by_readers_and_cut_off_by_writers(tmp_path):
    path = tmp_path / "records.jsonl"
    write(path, record(1))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:50])
    assert read_records([path]) == [record(1)]
    write(path, record(2))
    assert read_records([path]) == [record(1), record(2)]
    assert path.read_bytes().startswith(whole)
    assert path.read_bytes().count(b"\n") == 2


def test_a_last_line_that_lacks_only_its_end_is_not_trusted(tmp_path):
    path = tmp_path / "records.jsonl"
    write(path, record(1), record(2))
    path.write_bytes(path.read_bytes()[:-1])
    assert read_records([path]) == [record(1)]
    write(path, record(2))
    assert read_records([path]) == [record(1), record(2)]


def test_the_last_record_of_a_task_counts_also_over_several_files(tmp_path):
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    write(first, record(1, Exit.MISSING), record(2), record(1, Exit.CRASH))
    assert [one.exit for one in read_records([first])] == [Exit.OK, Exit.CRASH]
    write(second, record(1))
    assert [one.exit for one in read_records([first, second])] == [Exit.OK, Exit.OK]


def test_damage_in_the_middle_is_refused_with_its_line(tmp_path):
    path = tmp_path / "records.jsonl"
    write(path, record(1), record(2))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0][:40] + b"\n" + lines[1])
    with pytest.raises(InputError, match="line 1 is not a record"):
        read_records([path])
    with pytest.raises(InputError, match="line 1"), open_records(path):
        pass


def test_a_record_that_was_edited_is_refused(tmp_path):
    path = tmp_path / "records.jsonl"
    write(path, record(1))
    data = json.loads(path.read_text())
    data["task"]["method"] = "exact"
    path.write_text(json.dumps(data) + "\n")
    with pytest.raises(InputError, match=r"line 1.*does not fit its own task"):
        read_records([path])


def test_packed_records_are_read_but_not_written(tmp_path):
    path = tmp_path / "records.jsonl"
    write(path, record(1))
    packed = tmp_path / "records.jsonl.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_records([packed]) == [record(1)]
    with pytest.raises(InputError, match="packed"), open_records(packed):
        pass


@pytest.mark.parametrize("damage", ["cut short", "not packed", "garbled"])
def test_a_damaged_packed_file_is_refused_by_name(tmp_path, damage):
    path = tmp_path / "records.jsonl"
    write(path, *(record(fold) for fold in range(1, 6)))
    packed = tmp_path / "records.jsonl.gz"
    whole = gzip.compress(path.read_bytes())
    content = {
        "cut short": whole[:-20],
        "not packed": path.read_bytes(),
        "garbled": whole[:10] + b"\xff" * 40 + whole[50:],
    }
    packed.write_bytes(content[damage])
    with pytest.raises(InputError, match=r"records\.jsonl\.gz is cut short or is no gzip file"):
        read_records([packed])


def test_a_directory_is_neither_read_nor_written(tmp_path):
    with pytest.raises(InputError, match=rf"cannot read {tmp_path}"):
        read_records([tmp_path])
    with pytest.raises(InputError, match=rf"{tmp_path} is not a file"), open_records(tmp_path):
        pass


def test_a_file_below_a_file_is_neither_read_nor_written(tmp_path):
    (tmp_path / "a").touch()
    below = tmp_path / "a" / "records.jsonl"
    with pytest.raises(InputError, match=f"cannot read {below}"):
        read_records([below])
    with pytest.raises(InputError, match=f"cannot write {below}"), open_records(below):
        pass


@pytest.mark.parametrize("line", ["5", "null", "[]", '"x"', "{}", "[" * 100_000])
def test_a_line_that_is_no_object_is_refused_with_its_number(tmp_path, line):
    path = tmp_path / "records.jsonl"
    write(path, record(1))
    with path.open("a") as stream:
        stream.write(line + "\n")
    with pytest.raises(InputError, match=r"records\.jsonl, line 2"):
        read_records([path])


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (["task"], 5),
        (["wall_s"], "x"),
        (["cpu_s"], None),
        (["peak_mb"], float("nan")),
        (["message"], 5),
        (["commit"], []),
        (["versions"], {"laconic": []}),
        (["machine"], []),
        (["machine", "memory_mb"], "x"),
        (["answer"], {}),
        (["answer"], None),
        (["answer", "optimal"], "x"),
        (["score"], {}),
        (["score"], None),
        (["score"], 5),
        (["score", "size"], 10**400),
        (["score", "n_rules"], True),
        (["score", "n_classes"], 0),
        (["score", "classes_described"], 3),
        (["score", "test"], None),
        (["score", "test", "rows"], 0),
        (["score", "train", "strict_errors"], 11),
        (["score", "train", "plain_errors"], -1),
    ],
)
def test_a_malformed_part_is_refused_with_its_line_and_name(tmp_path, place, value):
    path = tmp_path / "records.jsonl"
    write(path, record(1), record(2))
    first, second = path.read_text().splitlines()
    data = json.loads(second)
    part = data
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    path.write_text(f"{first}\n{json.dumps(data)}\n")
    with pytest.raises(InputError, match=rf"records\.jsonl, line 2: {place[0]}.* should be .*; restore"):
        read_records([path])


def test_absent_records_are_refused(tmp_path):
    with pytest.raises(InputError, match="laconic bench run"):
        read_records([tmp_path / "none.jsonl"])


@pytest.mark.parametrize(
    ("one", "solved"),
    [
        (record(), True),
        (record(optimal=None), True),  # a heuristic that finished
        (record(optimal=False), False),  # stopped before the proof
        (record(wall_s=10.5), False),  # too late
        (record(wall_s=10.0), True),
        (record(exit_=Exit.TIMEOUT), False),
        (record(exit_=Exit.MISSING), False),
    ],
)
def test_solved_means_finished_in_time_and_proved_where_it_claims_to_prove(one, solved):
    assert one.solved is solved
