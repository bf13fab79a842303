"""A real dask scheduler with two real worker processes."""

import socket
import subprocess
import sys
from contextlib import contextmanager

import pytest


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def _two_workers(place):
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    port = str(_free_port())
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": place}
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "dask", "scheduler", "--port", port, "--no-dashboard"], **quiet
    )
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60"]
    workers = [
        subprocess.Popen([sys.executable, "-m", "dask", "worker", address, "--name", name, *options], **quiet)
        for name in ("first", "second")
    ]
    try:
        yield address, workers
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Give the scheduler's address and the two workers' processes."""
    with _two_workers(tmp_path_factory.mktemp("cluster")) as both:
        yield both


@pytest.fixture
def mortal_cluster(tmp_path):
    """Give the same for one test, which may kill a worker."""
    with _two_workers(tmp_path) as both:
        yield both
