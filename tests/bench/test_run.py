import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from laconic.bench.methods import METHODS, MethodEntry
from laconic.bench.records import Exit, open_records, read_records
from laconic.bench.run import on_this_machine, run_plan
from laconic.runtime.errors import InputError

from .conftest import is_alive, wait_for


def only_record(lab):
    (record,) = read_records([lab.records])
    return record


def lines_in(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_good_task_is_recorded_with_score_time_versions_and_machine(lab, probe):
    tasks = lab.plan(probe("good"))
    summary = run_plan(tasks, lab.spec, lab.records)
    assert (summary.planned, summary.kept, summary.ran) == (1, 0, 1)
    record = only_record(lab)
    assert record.task == tasks[0]
    assert (record.exit, record.solved, record.message) == (Exit.OK, True, "")
    assert record.score["size"] == 1
    assert record.score["test"]["rows"] == 4
    assert record.score["train"]["rows"] == 16
    assert record.versions["probe"] == "7"
    assert {"laconic", "python"} <= record.versions.keys()
    assert record.machine["cores"] == os.cpu_count()
    assert 0 <= record.wall_s < 5
    assert record.peak_mb > 10


def test_the_time_limit_ends_the_process_and_is_a_result(lab, probe):
    run_plan(lab.plan(probe("slow", behaviour="sleep"), limit_s=0.5), lab.spec, lab.records)
    record = only_record(lab)
    assert (record.exit, record.solved) == (Exit.TIMEOUT, False)
    assert 1.5 <= record.wall_s < 4
    assert not any(is_alive(pid) for pid in lab.noted())


def test_a_method_that_ignores_sigterm_is_killed(lab, probe):
    run_plan(lab.plan(probe("deaf", behaviour="stubborn"), limit_s=0.3), lab.spec, lab.records)
    assert only_record(lab).exit is Exit.TIMEOUT
    assert len(lab.noted()) == 1
    assert not any(is_alive(pid) for pid in lab.noted())


def test_an_answer_that_is_not_proved_is_recorded_but_not_solved(lab, probe):
    run_plan(lab.plan(probe("weak", behaviour="gives up")), lab.spec, lab.records)
    record = only_record(lab)
    assert (record.exit, record.solved) == (Exit.OK, False)
    assert (record.answer["cost"], record.answer["lower_bound"]) == (5, 3)


def test_an_answer_that_comes_after_the_limit_is_not_solved(lab, probe):
    run_plan(lab.plan(probe("late", behaviour="sleep", seconds=0.8), limit_s=0.4), lab.spec, lab.records)
    record = only_record(lab)
    assert (record.exit, record.solved) == (Exit.OK, False)


def test_the_memory_limit_is_a_result(lab, probe):
    run_plan(lab.plan(probe("hog", behaviour="hog"), memory_mb=256), lab.spec, lab.records)
    record = only_record(lab)
    assert record.exit is Exit.MEMOUT
    assert record.peak_mb <= 300


def test_memory_is_summed_over_all_processes_of_a_task(lab, probe):
    # Four children of 60 MB each: none breaks the limit alone.
    run_plan(lab.plan(probe("hogs", behaviour="hog in children"), memory_mb=200), lab.spec, lab.records)
    record = only_record(lab)
    assert record.exit is Exit.MEMOUT
    assert record.peak_mb > 200
    assert record.wall_s < 15


@pytest.mark.parametrize("how", ["processes", "short processes", "threads"])
def test_processor_time_is_summed_over_all_processes_and_threads(lab, probe, how):
    tasks = lab.plan(probe("burner", behaviour=f"burn in {how}"), limit_s=60.0, cpu_limit_s=1.5)
    run_plan(tasks, lab.spec, lab.records)
    record = only_record(lab)
    assert (record.exit, record.solved) == (Exit.CPUOUT, False)
    assert 2.5 <= record.cpu_s < 20  # killed a second of overtime later
    assert record.wall_s < 30
    assert "of processor time" in record.message
    assert not any(is_alive(pid) for pid in lab.noted())
    assert record.task.cpu_limit_s == 1.5


def test_sleeping_uses_no_processor_time(lab, probe):
    tasks = lab.plan(probe("nap", behaviour="sleep", seconds=2.5), cpu_limit_s=0.2)
    run_plan(tasks, lab.spec, lab.records)
    record = only_record(lab)
    assert (record.exit, record.solved) == (Exit.OK, True)
    assert record.wall_s > 2


def test_a_method_stops_itself_by_processor_time_if_that_is_limited(lab, probe):
    tasks = lab.plan(probe("nap", behaviour="sleep within the budget", seconds=0.6), cpu_limit_s=0.3)
    run_plan(tasks, lab.spec, lab.records)
    assert only_record(lab).exit is Exit.OK


def test_an_answer_that_took_too_much_processor_time_is_not_solved(lab, probe):
    tasks = lab.plan(probe("late", behaviour="burn a little", seconds=0.6), cpu_limit_s=0.3)
    run_plan(tasks, lab.spec, lab.records)
    record = only_record(lab)
    assert (record.exit, record.solved) == (Exit.OK, False)
    assert record.cpu_s >= 0.6


@pytest.mark.parametrize(
    ("behaviour", "exit_", "message"),
    [
        ("segfault", Exit.CRASH, "SIGSEGV; its last output: last words"),
        ("raise", Exit.CRASH, "an untold bug"),
        ("missing", Exit.MISSING, "ripper is not here"),
        ("malformed", Exit.ERROR, "column 'nowhere'"),
    ],
)
def test_every_way_to_fail_is_a_record_that_says_why(lab, probe, behaviour, exit_, message):
    run_plan(lab.plan(probe("bad", behaviour=behaviour)), lab.spec, lab.records)
    record = only_record(lab)
    assert record.exit is exit_
    assert message in record.message
    assert (record.score, record.answer, record.solved) == (None, None, False)


def test_a_chatty_method_does_not_stall(lab, probe):
    run_plan(lab.plan(probe("chatty", behaviour="chatty")), lab.spec, lab.records)
    assert only_record(lab).exit is Exit.OK


def test_what_a_method_leaves_running_is_ended(lab, probe):
    run_plan(lab.plan(probe("litter", behaviour="leaves a child")), lab.spec, lab.records)
    assert only_record(lab).exit is Exit.OK
    assert len(lab.noted()) == 2
    assert not any(is_alive(pid) for pid in lab.noted())


def test_finished_tasks_are_skipped_and_a_bad_exit_can_be_retried(lab, probe, monkeypatch):
    tasks = lab.plan(probe("fickle", behaviour="missing"), folds=(1, 2))
    assert run_plan(tasks, lab.spec, lab.records).ran == 2
    assert run_plan(tasks, lab.spec, lab.records).ran == 0
    probe("fickle")  # installed at last
    assert run_plan(tasks, lab.spec, lab.records, retry=[Exit.MISSING]).ran == 2
    assert lines_in(lab.records) == 4
    assert [record.exit for record in read_records([lab.records])] == [Exit.OK, Exit.OK]


def test_tasks_run_side_by_side(lab, probe):
    tasks = lab.plan(probe("nap", behaviour="sleep", seconds=1.0), folds=(1, 2))
    moments = []
    run_plan(tasks, lab.spec, lab.records, backend=_timed(on_this_machine(2), moments))
    assert len(read_records([lab.records])) == 2
    assert abs(moments[0] - moments[1]) < 0.9  # one after the other they would end a second apart


def _timed(backend, moments):
    def run(jobs):
        for pair in backend(jobs):
            moments.append(time.monotonic())
            yield pair

    return run


def test_two_runs_on_one_file_do_not_mix(lab, probe):
    tasks = lab.plan(probe("good"))
    with open_records(lab.records), pytest.raises(InputError, match="another run is writing"):
        run_plan(tasks, lab.spec, lab.records)
    assert lines_in(lab.records) == 0


RUNNER = """
    import sys
    from pathlib import Path
    from laconic.bench.methods import METHODS, MethodEntry
    from laconic.bench.plan import SuitePart, make_plan
    from laconic.bench.run import on_this_machine, run_plan
    from laconic.bench.suites import SuiteSpec

    data, notes, records, seconds = sys.argv[1:]
    options = {"behaviour": "sleep", "seconds": float(seconds), "note": notes}
    METHODS["nap"] = MethodEntry("probe", "nap", "for tests", "heuristic", options)
    spec = SuiteSpec("cp20", data)
    choice = SuitePart(quantisations=[2], folds=[1, 2, 3, 4])
    tasks = make_plan(spec.open(), ["nap"], choice=choice, limit_s=20, memory_mb=512)
    summary = run_plan(tasks, spec, Path(records), backend=on_this_machine(2))
    sys.exit(3 if summary.interrupted else 0)
"""


def start_runner(lab, seconds):
    arguments = [lab.data, lab.notes, lab.records, seconds]
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(RUNNER), *map(str, arguments)])


def test_a_run_killed_at_any_point_is_resumed_with_nothing_lost_or_doubled(lab, probe):
    """Eight tasks; the runner is killed by SIGKILL twice, with a torn line the second time."""
    for enough in (1, 3):
        runner = start_runner(lab, 0.2)
        wait_for(lambda enough=enough: lines_in(lab.records) >= enough)
        n_started = len(lab.noted())
        wait_for(lambda n=n_started: len(lab.noted()) > n)  # a task is under way
        runner.send_signal(signal.SIGKILL)
        runner.wait()
        wait_for(lambda: not any(is_alive(pid) for pid in lab.noted()), seconds=5)
        before = [record.task.id for record in read_records([lab.records])]
        assert enough <= len(before) < 8
    with lab.records.open("ab") as out:
        out.write(b'{"id":"torn in the mid')
    assert [record.task.id for record in read_records([lab.records])] == before

    runner = start_runner(lab, 0.2)
    assert runner.wait(timeout=60) == 0
    counts = Counter(json.loads(line)["id"] for line in lab.records.read_text().splitlines())
    assert len(counts) == 8
    assert set(counts.values()) == {1}
    assert list(counts)[: len(before)] == before
    assert {(record.exit, record.message) for record in read_records([lab.records])} == {(Exit.OK, "")}


@pytest.mark.parametrize(
    ("signal_", "code"),
    [(signal.SIGINT, 3), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_a_stopped_run_takes_its_tasks_along(lab, signal_, code):
    runner = start_runner(lab, 600)
    wait_for(lambda: len(lab.noted()) == 2)
    runner.send_signal(signal_)
    assert runner.wait(timeout=20) == code
    wait_for(lambda: not any(is_alive(pid) for pid in lab.noted()), seconds=5)
    assert read_records([lab.records]) == []


def test_adding_a_method_takes_one_file_and_one_line(lab, monkeypatch):
    source = """
        from laconic.bench.methods.api import MethodAnswer
        from laconic.bench.rules import RuleSet, binary_rule, default_class


        def run(training, limits, *, target):
            rule = binary_rule(training.names, [(0, True), (1, True)], training.classes, target)
            default = default_class(training.labels, len(training.classes), target)
            return MethodAnswer(RuleSet((rule,), training.classes[default]))
    """
    (lab.modules / "both_of_two.py").write_text(textwrap.dedent(source))
    monkeypatch.setitem(
        METHODS, "both", MethodEntry("both_of_two", "both[2]", "a and b", "heuristic", {"target": 1})
    )

    summary = run_plan(lab.plan("both", folds=None), lab.spec, lab.records)

    assert summary.ran == 5
    for record in read_records([lab.records]):
        assert record.answer["rules"] == {
            "rules": [{"if": [["a", "=", 1], ["b", "=", 1]], "then": "yes"}],
            "default": "no",
        }
        # The labels are "a and b", so the rule is right on every row: 2 literals, the rule, the default.
        assert (record.score["size"], record.score["test"]["strict_errors"]) == (4, 0)


def test_a_killed_supervisor_takes_its_worker_along_and_is_a_crash(lab, probe):
    def kill_supervisor():
        wait_for(lambda: lab.noted())
        (worker,) = lab.noted()
        parent = int(Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(parent, signal.SIGKILL)

    killer = threading.Thread(target=kill_supervisor)
    killer.start()
    run_plan(lab.plan(probe("slow", behaviour="sleep")), lab.spec, lab.records)
    killer.join()
    record = only_record(lab)
    assert record.exit is Exit.CRASH
    assert "supervisor ended" in record.message
    wait_for(lambda: not any(is_alive(pid) for pid in lab.noted()), seconds=5)
