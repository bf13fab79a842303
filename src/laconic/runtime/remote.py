"""Tasks on remote workers, through the joblib backend that the user has selected.

joblib's own backends use this machine, where native threads that share the table are faster. With any other
backend, such as dask's inside ``joblib.parallel_config(backend="dask")``, function calls are sent as tasks. A
task carries all its data, so a scheduler can run it again on another worker if a worker dies.
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
"""Seconds after the time limit until which late results are accepted."""

MOST_JOBS = 2**16
"""Maximum of ``n_jobs``: more than any machine has processors."""

Argument = TypeVar("Argument")
Result = TypeVar("Result")


def is_remote() -> bool:
    """Return whether the user has selected a joblib backend whose workers are not on this machine."""
    if "joblib" not in sys.modules:  # no backend can have been selected
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
    """Return the number of jobs that may run at once for a user's ``n_jobs``.

    With a remote backend, 1 means this machine. So does ``None`` inside a task: if the folds of a
    cross-validation are tasks already, the fits in them do not create tasks of their own.
    """
    from joblib import effective_n_jobs

    if n_jobs is not None and n_jobs > MOST_JOBS:
        raise InputError(f"n_jobs must be at most {MOST_JOBS}, or -1 for all processors, not {shown(n_jobs)}")
    if is_remote() and (n_jobs == 1 or (n_jobs is None and _dask_worker() is not None)):
        return 1
    return int(effective_n_jobs(n_jobs))


def spread(
    work: Callable[[Argument], Result], pieces: Sequence[Argument], n_jobs: int, seconds: float = math.inf
) -> Generator[tuple[int, Result], None, None]:
    """Run one task per piece on the workers; yield (number of the piece, result) as results arrive.

    Results that are much too late are left out. A caller that stops reading, for instance on Ctrl-C, must
    close the generator, which cancels the remaining tasks.

    Parameters
    ----------
    work : callable
        A function at the top level of a module, so that workers can import it.
    pieces : sequence
        Objects that can be pickled, each with all the data of its task.
    n_jobs : int
        The number of jobs, from `jobs`.
    seconds : float
        Time limit for all tasks together.
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
    # dask would put large arguments on one worker each and lose them with it; a tuple counts as small.
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
                warnings.simplefilter("ignore")  # the tasks were cancelled on purpose
                answers.close()


def _answered(
    work: Callable[[Argument], Result], numbered: tuple[int, Argument], version: str
) -> tuple[int, Result]:
    if version != __version__:
        raise InputError(
            f"a worker has laconic {__version__}, but this process has {version}; install the same version"
        )
    k, piece = numbered
    return k, work(piece)


def is_wanted() -> bool:
    """Return False if the task that this thread runs has been cancelled; True if that cannot be determined.

    A scheduler cannot stop a thread, so a long search calls this regularly, and ends when its task is
    cancelled.
    """
    worker = _dask_worker()
    if worker is None:
        return True
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state not in {"cancelled", "released", "forgotten"}


def _dask_worker() -> Any:
    """Return the dask worker whose task this thread runs, or None."""
    if "distributed" not in sys.modules:
        return None
    from distributed.utils import thread_state  # get_worker also finds workers in other threads

    state = getattr(thread_state, "execution_state", None)
    return None if state is None else state["worker"]
