"""The whole way of a task: runner, supervisor, worker, peer, and back."""

import os
import shutil
import signal
import threading
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from laconic.bench.methods.api import Limits, Training
from laconic.bench.peers.call import call_peer
from laconic.bench.records import Exit, read_records
from laconic.bench.run import run_plan

from ..conftest import is_alive, wait_for


def run_one(lab, method, **limits):
    run_plan(lab.plan(method, **limits), lab.spec, lab.records)
    (record,) = read_records([lab.records])
    return record


def test_rules_times_and_versions_come_back(lab, orders):
    record = run_one(lab, orders("be good"))
    assert (record.exit, record.solved) == (Exit.OK, True)
    assert record.answer["rules"] == {
        "rules": [{"if": [["a", "=", 1], ["b", "=", 1]], "then": "yes"}],
        "default": "no",
    }
    assert record.answer["counts"] == {"n": 2}
    assert record.answer["seconds"].keys() == {"start", "learn", "learn_cpu"}
    assert record.versions["numpy"] == metadata.version("numpy")
    assert record.score["test"]["strict_errors"] == 0


def test_the_peer_gets_the_rows_and_the_job_and_none_of_our_paths(lab, orders):
    assert "PYTHONPATH" in os.environ  # which leads to the tests' modules
    record = run_one(lab, orders("look around"), limit_s=17.0)
    training = lab.spec.open().load("tiny", 2, 1).training
    assert record.answer["counts"] == {
        "seen": 0,
        "rows": 16,
        "ones": training.matrix.sum(),
        "labels": training.labels.sum(),
        "seed": 0,
        "classes": 2,
        "seconds": 17,
    }


def test_a_peer_that_is_not_installed_is_a_result_that_says_how_to_install_it(lab, orders, home):
    shutil.rmtree(home / "fake")
    record = run_one(lab, orders("be good"))
    assert record.exit is Exit.MISSING
    assert record.message == "numpy is not installed; run: laconic bench peers install fake"
    assert lab.noted() == []


@pytest.mark.parametrize(
    ("behaviour", "exit_", "message"),
    [
        ("raise", Exit.CRASH, "fake gave no answer (exit code 1): KeyError: 'an untold bug'"),
        ("die", Exit.CRASH, "fake gave no answer (killed by signal 11)"),
        ("say nothing", Exit.CRASH, "fake gave no answer (exit code 0)"),
        ("garbage", Exit.CRASH, "fake did not write JSON"),
        ("malformed", Exit.CRASH, "7 is not a whole number from 0 to 2"),
        ("refuse", Exit.ERROR, "fake refused the rows: these rows are too square"),
    ],
)
def test_every_way_to_fail_is_a_record_whose_first_line_says_why(lab, orders, behaviour, exit_, message):
    record = run_one(lab, orders(behaviour))
    assert (record.exit, record.solved, record.score) == (exit_, False, None)
    assert message in record.message.splitlines()[0]


@pytest.mark.parametrize("behaviour", ["hang", "stubborn"])
def test_a_peer_that_hangs_is_ended_with_its_task(lab, orders, behaviour):
    record = run_one(lab, orders(behaviour), limit_s=2.0)
    assert record.exit is Exit.TIMEOUT
    assert len(lab.noted()) == 1
    assert not any(is_alive(pid) for pid in lab.noted())


@pytest.mark.parametrize("behaviour", ["hog", "hog slowly"])
def test_the_memory_limit_holds_for_the_peer(lab, orders, behaviour):
    # Fast, it meets the kernel's limit on a single process; slowly, the watched sum with the worker's share.
    record = run_one(lab, orders(behaviour), memory_mb=256, limit_s=100)
    assert record.exit is Exit.MEMOUT
    # What the peer used counts, although it was killed and nobody waited for it.
    assert record.cpu_s > (3 if behaviour == "hog slowly" else 0), record.message
    assert not any(is_alive(pid) for pid in lab.noted())


def test_a_chatty_peer_does_not_stall(lab, orders):
    assert run_one(lab, orders("chatty")).exit is Exit.OK


def test_a_peer_ends_when_supervisor_and_worker_are_killed(lab, orders):
    def parent(pid):
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

    def kill():
        wait_for(lambda: lab.noted())
        (peer,) = lab.noted()
        os.kill(parent(parent(peer)), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    record = run_one(lab, orders("stubborn"))
    killer.join()
    assert record.exit is Exit.CRASH
    wait_for(lambda: not any(is_alive(pid) for pid in lab.noted()), seconds=5)


def test_without_a_harness_a_peer_can_be_given_its_time(fake, tmp_path):
    training = Training(
        ("a", "b"), np.eye(2, dtype=bool), np.array([0, 1]), ("x", "y"), np.ones((2, 2), bool)
    )
    options = {"behaviour": "hang", "note": str(tmp_path)}
    with pytest.raises(TimeoutError, match="fake was stopped after 2 s"):
        call_peer(fake, training, Limits(2.0, 512, 0, tmp_path), options, kill_after=2.0)
    (pid,) = [int(path.name) for path in tmp_path.iterdir() if path.name.isdigit()]
    assert not is_alive(pid)


def test_an_answer_of_an_earlier_call_is_not_taken_for_this_one(fake, tmp_path):
    training = Training(
        ("a", "b"), np.eye(2, dtype=bool), np.array([0, 1]), ("x", "y"), np.ones((2, 2), bool)
    )
    limits = Limits(20.0, 512, 0, tmp_path)
    call_peer(fake, training, limits, {"behaviour": "be good", "note": str(tmp_path)})
    with pytest.raises(Exception, match="gave no answer"):
        call_peer(fake, training, limits, {"behaviour": "say nothing", "note": str(tmp_path)})
