"""A dask DataFrame reduced by two worker processes, one of which is killed during the run.

    python -m benchmarks.dask_killed_worker --rows 2000000 --place build/dask-data

Starts a scheduler and two workers on this machine, fits a dask DataFrame of the generated table, kills one
worker when a third of the first pass is done, and compares the model with that of `laconic fit` on the same
files. The result is ``benchmarks/results/dask_killed_worker.csv``.
"""

from __future__ import annotations

import argparse
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import dask
import dask.dataframe as dd
import psutil
from distributed import Client

from benchmarks.support import big_table
from benchmarks.support.study import FOLDER, write
from laconic import DecisionSetClassifier, TrainingTable


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--place", type=Path, default=Path("build/dask-data"))
    parser.add_argument("--lambda", dest="price", type=float, default=0.03)
    parser.add_argument("--results", type=Path, default=FOLDER / "dask_killed_worker.csv")
    arguments = parser.parse_args()
    files = big_table.write(arguments.place, arguments.rows)

    clf = DecisionSetClassifier(regularization=arguments.price, time_limit=1800)
    if len(files) > 1:
        pattern = arguments.place / "dask" / "*.parquet"
        pattern.parent.mkdir(exist_ok=True)
        for old in pattern.parent.iterdir():
            old.unlink()
        for file in files:
            (pattern.parent / file.name).hardlink_to(file)
    else:
        pattern = files[0]
    table = TrainingTable.from_files(pattern, "class", memory_limit="4GiB")
    expected = clf.fit(table).decision_set_.to_json()

    address, scheduler, workers = cluster()
    try:
        line = on_cluster(clf, files, address, workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()
    same = clf.decision_set_.to_json() == expected
    line |= {"rows": arguments.rows, "same_model_as_duckdb": same, "optimal": clf.optimal_}
    print(line)
    write(arguments.results, list(line), [line])
    sys.exit(not same)


def on_cluster(clf, files, address, workers):
    """Fit on the cluster while a worker dies; return the measurements."""
    peaks = dict.fromkeys((worker.pid for worker in workers), 0)
    done = threading.Event()

    with dask.config.set({"dataframe.convert-string": True}), Client(address, timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
        table = dd.read_parquet([str(file) for file in files], split_row_groups=1)
        n_partitions = table.npartitions

        def kill_when_a_third_is_done():
            while not done.is_set():
                for pid in peaks:
                    if psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
                        peaks[pid] = max(peaks[pid], psutil.Process(pid).memory_info().rss)
                if workers[0].poll() is None and len(client.who_has()) >= n_partitions // 3:
                    workers[0].send_signal(signal.SIGKILL)
                    workers[0].wait()
                    killed.append(time.monotonic() - start)
                time.sleep(0.2)

        killed: list[float] = []
        start = time.monotonic()
        watcher = threading.Thread(target=kill_when_a_third_is_done)
        watcher.start()
        try:
            clf.fit(table, "class")
        finally:
            done.set()
            watcher.join()
        seconds = time.monotonic() - start
        n_left = len(client.scheduler_info()["workers"])
    return {
        "partitions": n_partitions,
        "seconds": round(seconds, 1),
        "killed_after": round(killed[0], 1) if killed else "",
        "workers_left": n_left,
        "peak_mib_of_a_worker": round(max(peaks.values()) / 2**20),
        "unique_rows": clf.decision_set_.proof.n_rows,
        "conditions": clf.decision_set_.proof.n_features,
    }


def cluster():
    """Start a scheduler and two workers with one thread each."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-m", "dask"]
    scheduler = subprocess.Popen([*command, "scheduler", "--port", str(port), "--no-dashboard"], **quiet)
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "3GiB"]
    workers = [subprocess.Popen([*command, "worker", address, *options], **quiet) for _ in range(2)]
    return address, scheduler, workers


if __name__ == "__main__":
    main()
