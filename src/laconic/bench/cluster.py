"""Tasks on a dask.distributed cluster.

Each dask task starts one supervised process on its node, as on a single machine, and returns the outcome;
only the client writes records. If a node dies, its supervisors end their tasks, and dask runs them again on
another node. Nodes need the same version of Laconic and, for tables read from files, the data at the same
path or under their own LACONIC_DATA.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any
from uuid import uuid4

from laconic.bench.execute import Job, RawOutcome, execute
from laconic.bench.plan import BenchTask
from laconic.bench.run import FinishedTask
from laconic.runtime.errors import InputError

Future = Any  # distributed.Future, imported only if a cluster is used


class Cluster:
    """A backend that runs tasks on a scheduler."""

    def __init__(self, address: str, patience_s: float = 20.0) -> None:
        if find_spec("distributed") is None:
            raise InputError(
                "running on a cluster needs dask.distributed; run: pip install 'laconic-rules[dask]'"
            )
        self._address = address
        self._patience_s = patience_s
        self._client: Any = None  # distributed.Client
        self._n_workers = 0

    def __call__(self, jobs: Sequence[tuple[BenchTask, Job]]) -> Iterator[FinishedTask]:
        """Run jobs and yield each task with its outcome as it ends."""
        from distributed import as_completed

        client = self._connected()
        try:
            nonce = uuid4().hex[:8]  # the scheduler must not return the old result of a retried task
            futures: dict[Future, BenchTask] = {}
            for rank, (task, job) in enumerate(jobs):
                key = f"laconic-{task.id}-{nonce}"
                futures[client.submit(execute, job, key=key, pure=False, priority=-rank)] = task
            try:
                for future in as_completed(list(futures)):
                    yield futures.pop(future), _outcome(future)
                    future.release()
            finally:
                client.cancel(list(futures))
        finally:
            client.close()
            self._client = None

    def n_workers(self) -> int:
        """Return how many tasks can run at a time: the number of threads on all nodes."""
        # A scheduler that is too busy to answer must not end the run.
        with suppress(OSError, TimeoutError):
            self._n_workers = sum(self._connected().nthreads().values())
        return self._n_workers

    def _connected(self) -> Any:
        from distributed import Client

        if self._client is None:
            try:
                self._client = Client(self._address, timeout=self._patience_s)
            except (OSError, ValueError) as error:
                raise InputError(
                    f"no dask scheduler answers at {self._address} ({error}); check the address"
                ) from error
        return self._client


def _outcome(future: Future) -> RawOutcome:
    """Return the outcome from a node, or an outcome for a failure of the cluster."""
    error = future.exception()
    if error is None:
        outcome: RawOutcome = future.result()
        return outcome
    message = f"the cluster could not run the task: {type(error).__name__}: {error}"
    return {"exit": "crash", "message": message[:2000], "wall_s": 0.0, "cpu_s": 0.0, "peak_mb": 0.0}
