"""A real scheduler process and two real worker processes, one of which is killed half-way."""

import json
import signal
import socket
import subprocess
import sys
from collections import Counter

import pytest

from laconic.bench.limits import descendants
from laconic.bench.records import Exit, read_records
from laconic.bench.run import run_plan
from laconic.runtime.errors import InputError

from .conftest import is_alive, wait_for

pytest.importorskip("distributed", reason="dask.distributed is not installed")

from laconic.bench.cluster import Cluster, _outcome


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def cluster(lab):
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": lab.modules}
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--port", address.rpartition(":")[2], "--no-dashboard"],
        **quiet,
    )
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "30"]
    workers = [
        subprocess.Popen([sys.executable, "-m", "dask", "worker", address, "--name", name, *options], **quiet)
        for name in ("first", "second")
    ]
    yield address, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def test_tasks_of_a_killed_node_run_again_and_every_task_has_one_record(lab, probe, cluster):
    address, workers = cluster
    tasks = lab.plan(probe("nap", behaviour="sleep", seconds=0.3), folds=(1, 2, 3, 4), datasets=None)
    assert len(tasks) == 8

    def kill_one_half_way(jobs):
        backend = Cluster(address)
        wait_for(lambda: backend.n_workers() == 2)
        for n_done, pair in enumerate(backend(jobs), 1):
            yield pair
            if n_done == 2:
                wait_for(lambda: descendants(workers[0].pid).keys() & set(lab.noted()))  # it is at work
                workers[0].send_signal(signal.SIGKILL)
                workers[0].wait()
                wait_for(lambda: backend.n_workers() == 1)

    summary = run_plan(tasks, lab.spec, lab.records, backend=kill_one_half_way)

    assert (summary.ran, summary.interrupted) == (8, False)
    counts = Counter(json.loads(line)["id"] for line in lab.records.read_text().splitlines())
    assert counts == {task.id: 1 for task in tasks}
    assert all(record.exit is Exit.OK for record in read_records([lab.records]))
    assert len(lab.noted()) >= 9  # the dead node's task was started twice
    assert not any(is_alive(pid) for pid in lab.noted())
    # A second run finds nothing left to do.
    assert run_plan(tasks, lab.spec, lab.records, backend=Cluster(address)).ran == 0


def test_a_task_that_the_cluster_gives_up_is_a_crash():
    class Lost:
        def exception(self):
            return RuntimeError("killed worker")

    assert _outcome(Lost())["exit"] == "crash"
    assert "RuntimeError: killed worker" in _outcome(Lost())["message"]


def test_an_address_without_a_scheduler_is_refused(lab, probe, monkeypatch):
    tasks = lab.plan(probe("good"))
    backend = Cluster(f"tcp://127.0.0.1:{free_port()}", patience_s=1)
    with pytest.raises(InputError, match="no dask scheduler answers"):
        run_plan(tasks, lab.spec, lab.records, backend=backend)
    assert read_records([lab.records]) == []
