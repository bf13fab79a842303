"""Run tasks on a dask.distributed cluster.

Each dask task starts one supervised process on its node, as on a single machine, and sends the outcome back;
only the client writes records. If a node dies, its supervisors end their tasks, and dask runs them again on
another node. Nodes need the same version of Laconic and, for tables read from files, the data at the same
place or under their own LACONIC_DATA.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

from laconic.bench.execute import Job, Outcome, execute
from laconic.bench.plan import Task
from laconic.bench.run import Backend, Pair
from laconic.errors import InputError

Future = Any  # distributed.Future; imported only where a cluster is asked for


def on_cluster(address: str, patience_s: float = 20.0) -> Backend:
    """Return a backend that runs tasks on the scheduler at this address, if it answers in time."""
    try:
        from distributed import Client, as_completed
    except ImportError:
        raise InputError(
            "running on a cluster needs dask.distributed; install it with: pip install 'laconic[dask]'"
        ) from None

    def run(jobs: Sequence[tuple[Task, Job]]) -> Iterator[Pair]:
        try:
            client = Client(address, timeout=patience_s)
        except (OSError, ValueError) as error:
            raise InputError(
                f"no dask scheduler answers at {address} ({error}); check the address"
            ) from error
        with client:
            nonce = uuid4().hex[:8]  # a retried task must not get the scheduler's old answer
            futures: dict[Future, Task] = {}
            for rank, (task, job) in enumerate(jobs):
                key = f"laconic-{task.id}-{nonce}"
                futures[client.submit(execute, job, key=key, pure=False, priority=-rank)] = task
            try:
                for future in as_completed(list(futures)):
                    yield futures.pop(future), _outcome(future)
                    future.release()
            finally:
                client.cancel(list(futures))

    return run


def _outcome(future: Future) -> Outcome:
    """Return what a node found out, or how the cluster failed it."""
    error = future.exception()
    if error is None:
        outcome: Outcome = future.result()
        return outcome
    message = f"the cluster could not run the task: {type(error).__name__}: {error}"
    return {"exit": "crash", "message": message[:2000], "wall_s": 0.0, "cpu_s": 0.0, "peak_mb": 0.0}
