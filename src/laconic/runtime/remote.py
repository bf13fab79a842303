"""Work spread over other machines, through the backend that the user has chosen for joblib.

joblib's own backends stay on this machine, where native threads that share the table do better. With any
other, such as dask's inside ``joblib.parallel_config(backend="dask")``, each piece of work is a task. A task
carries all it needs, so that a scheduler can run it again elsewhere when a worker dies.
"""

from __future__ import annotations

import math
import multiprocessing
import sys
import warnings
from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from laconic import __version__
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

PATIENCE = 2.0
"""Seconds that answers may be late before they are given up."""

MOST_JOBS = 2**16
"""More than any machine has processors."""

Piece = TypeVar("Piece")
Answer = TypeVar("Answer")


def is_remote() -> bool:
    """Whether the user has chosen a backend of joblib whose workers are not on this machine."""
    if "joblib" not in sys.modules:  # nobody can have chosen one
        return False
    from joblib import parallel

    here = (
        parallel.LokyBackend,
        parallel.MultiprocessingBackend,
        parallel.SequentialBackend,
        parallel.ThreadingBackend,
    )
    return type(parallel.get_active_backend()[0]) not in here


def jobs(n_jobs: int | None) -> int:
    """Return how much may be done at once for a user's ``n_jobs``.

    Elsewhere, 1 stays on this machine, and so does ``None`` inside a task: who has spread the folds does not
    expect every fit to spread again.
    """
    from joblib import effective_n_jobs

    if n_jobs is not None and n_jobs > MOST_JOBS:
        raise InputError(f"n_jobs must be at most {MOST_JOBS}, or -1 for all processors, not {shown(n_jobs)}")
    if is_remote() and (n_jobs == 1 or (n_jobs is None and _dask_worker() is not None)):
        return 1
    return int(effective_n_jobs(n_jobs))


def spread(
    work: Callable[[Piece], Answer], pieces: Sequence[Piece], n_jobs: int, seconds: float = math.inf
) -> Generator[tuple[int, Answer], None, None]:
    """Yield (number of the piece, answer) as workers answer; what is much too late is left out.

    Close it when it is not read to its end, as by Ctrl-C: that gives up what is still being worked on.

    Parameters
    ----------
    work : callable
        A function of a module, so that workers find it.
    pieces : sequence
        Objects that can be pickled, each with all that the work needs.
    n_jobs : int
        As `jobs` returned it.
    seconds : float
        How long all the work may take.
    """
    from joblib import Parallel, delayed, parallel

    backend, _ = parallel.get_active_backend()
    run = Parallel(
        n_jobs=n_jobs,
        batch_size=1,
        pre_dispatch="all",
        return_as="generator_unordered" if backend.supports_return_generator else "list",
        timeout=seconds + PATIENCE if math.isfinite(seconds) and backend.supports_timeout else None,
    )
    # A tuple is small to dask, which would put large arguments on one worker each and lose them with it.
    tasks = (delayed(_answered)(work, (k, piece), __version__) for k, piece in enumerate(pieces))
    answers = run(tasks)
    try:
        for answer in answers:  # noqa: UP028 - "yield from" would close them before the warning is silenced
            yield answer
    except multiprocessing.TimeoutError:
        return
    finally:
        if not isinstance(answers, list):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that tasks were given up is what was wanted
                answers.close()


def _answered(
    work: Callable[[Piece], Answer], numbered: tuple[int, Piece], version: str
) -> tuple[int, Answer]:
    if version != __version__:
        raise InputError(
            f"a worker has laconic {__version__}, but this process has {version}; install the same version"
        )
    k, piece = numbered
    return k, work(piece)


def is_wanted() -> bool:
    """Whether somebody still waits for the task that this thread runs; True where nobody can tell.

    A scheduler cannot stop a thread. A long search asks, and ends when its client is gone.
    """
    worker = _dask_worker()
    if worker is None:
        return True
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state not in {"cancelled", "released", "forgotten"}


def _dask_worker() -> Any:
    """Return the worker of dask whose task this thread runs, if any."""
    if "distributed" not in sys.modules:
        return None
    from distributed.utils import thread_state  # get_worker also finds workers in other threads

    state = getattr(thread_state, "execution_state", None)
    return None if state is None else state["worker"]
