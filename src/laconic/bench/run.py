"""Running a plan: tasks with a record are skipped, all others are run and recorded as they end.

Only the runner writes records, one per finished task. If it is killed at any point, even by SIGKILL, the
records of all finished tasks are complete, and the supervisors end their tasks; the next run does the rest.
"""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from laconic.bench.execute import Job, RawOutcome, execute, make_job, make_record
from laconic.bench.plan import BenchTask
from laconic.bench.progress import Reporter, Silent
from laconic.bench.records import Exit, open_records
from laconic.bench.suites import SuiteSpec

FinishedTask = tuple[BenchTask, RawOutcome]
Backend = Callable[[Sequence[tuple[BenchTask, Job]]], Iterator[FinishedTask]]
"""Runs jobs and yields each task with its outcome as it ends."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The result of a run.

    Attributes
    ----------
    planned, kept, ran : int
        Number of tasks in the plan, of those with a record from before, and of those run now.
    interrupted : bool
        Whether the user interrupted the run; the same command resumes it.
    """

    planned: int
    kept: int
    ran: int
    interrupted: bool


def run_plan(
    tasks: Sequence[BenchTask],
    spec: SuiteSpec,
    records: Path,
    *,
    backend: Backend | None = None,
    retry: Iterable[Exit] = (),
    reporter: Reporter | None = None,
) -> RunSummary:
    """Run the tasks that have no record yet.

    Parameters
    ----------
    tasks : sequence of BenchTask
        The tasks in the order in which to start them.
    spec : SuiteSpec
        The suite that supplies their rows.
    records : Path
        The file to append to.
    backend : callable, optional
        By default one process at a time on this machine, see `on_this_machine`.
    retry : iterable of Exit
        The kinds of tasks to run again, e.g. those with a missing peer.
    reporter : Reporter, optional
        Receives the events of the run.
    """
    backend = backend or on_this_machine(1)
    reporter = reporter or Silent()
    again = set(retry)
    ran = 0
    with open_records(records) as writer:
        todo = [task for task in tasks if task.id not in writer.done or writer.done[task.id].exit in again]
        reporter.start(len(tasks), todo)
        try:
            for task, outcome in backend([(task, make_job(task, spec)) for task in todo]):
                record = make_record(task, outcome)
                writer.append(record)
                ran += 1
                reporter.finished(record, outcome.get("elapsed_s", record.wall_s))
        except KeyboardInterrupt:
            return RunSummary(len(tasks), len(tasks) - len(todo), ran, interrupted=True)
        finally:
            reporter.stop()
    return RunSummary(len(tasks), len(tasks) - len(todo), ran, interrupted=False)


def on_this_machine(n_jobs: int) -> Backend:
    """Return a backend that runs ``n_jobs`` tasks at a time, each in processes of its own."""

    def run(jobs: Sequence[tuple[BenchTask, Job]]) -> Iterator[FinishedTask]:
        waiting: queue.SimpleQueue[tuple[BenchTask, Job]] = queue.SimpleQueue()
        for pair in jobs:
            waiting.put(pair)
        ended: queue.SimpleQueue[FinishedTask | Exception] = queue.SimpleQueue()
        running = _Running()
        threads = [
            threading.Thread(target=_pull, args=(waiting, ended, running), daemon=True)
            for _ in range(max(1, min(n_jobs, len(jobs))))
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in jobs:
                found = ended.get()
                if isinstance(found, Exception):
                    raise found
                yield found
        finally:
            running.cancel()
            for thread in threads:
                thread.join()

    return run


class _Running:
    """The running supervisors; cancelling ends them all and prevents new ones from starting."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alive: set[subprocess.Popen[bytes]] = set()
        self.off = False

    def add(self, supervisor: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._alive.add(supervisor)
            if self.off and supervisor.stdin is not None:
                supervisor.stdin.close()

    def cancel(self) -> None:
        with self._lock:
            self.off = True
            for supervisor in self._alive:
                if supervisor.poll() is None and supervisor.stdin is not None:
                    supervisor.stdin.close()


def _pull(
    waiting: queue.SimpleQueue[tuple[BenchTask, Job]],
    ended: queue.SimpleQueue[FinishedTask | Exception],
    running: _Running,
) -> None:
    """Run jobs until there are none; a failure of the harness itself ends the run."""
    try:
        while not running.off:
            task, job = waiting.get_nowait()
            outcome = execute(job, running.add)
            if outcome is not None:
                ended.put((task, outcome))
    except queue.Empty:
        return
    except Exception as error:
        ended.put(error)
