"""Run a plan: skip what is recorded, run the rest, record each task as it ends.

The runner alone writes records, one per finished task. Killed at any point, SIGKILL included, it leaves whole
records of what had finished and supervisors that end their tasks; run again, it does the rest.
"""

from __future__ import annotations

import queue
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from laconic.bench.execute import Job, Outcome, execute, make_job, make_record
from laconic.bench.plan import Task
from laconic.bench.progress import Reporter, Silent
from laconic.bench.records import Exit, open_records
from laconic.bench.suites import SuiteSpec

Pair = tuple[Task, Outcome]
Backend = Callable[[Sequence[tuple[Task, Job]]], Iterator[Pair]]
"""Runs jobs and yields each task with its outcome as it ends."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run did.

    Attributes
    ----------
    planned, kept, ran : int
        Tasks in the plan, found finished, and run now.
    interrupted : bool
        Whether the user stopped it; running again resumes it.
    """

    planned: int
    kept: int
    ran: int
    interrupted: bool


def run_plan(
    tasks: Sequence[Task],
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
    tasks : sequence of Task
        In the order in which to start them.
    spec : SuiteSpec
        Where their rows come from.
    records : Path
        File to append to.
    backend : callable, optional
        By default one process at a time on this machine, see `on_this_machine`.
    retry : iterable of Exit
        Run again tasks that ended so, e.g. for a missing peer.
    reporter : Reporter, optional
        Told what happens.
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
    """Return a backend that runs so many tasks at a time, each in processes of its own."""

    def run(jobs: Sequence[tuple[Task, Job]]) -> Iterator[Pair]:
        waiting: queue.SimpleQueue[tuple[Task, Job]] = queue.SimpleQueue()
        for pair in jobs:
            waiting.put(pair)
        ended: queue.SimpleQueue[Pair | Exception] = queue.SimpleQueue()
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
            running.call_off()
            for thread in threads:
                thread.join()

    return run


class _Running:
    """The supervisors at work; calling off ends them all and lets no other start."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alive: set[subprocess.Popen[bytes]] = set()
        self.off = False

    def add(self, supervisor: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._alive.add(supervisor)
            if self.off and supervisor.stdin is not None:
                supervisor.stdin.close()

    def call_off(self) -> None:
        with self._lock:
            self.off = True
            for supervisor in self._alive:
                if supervisor.poll() is None and supervisor.stdin is not None:
                    supervisor.stdin.close()


def _pull(
    waiting: queue.SimpleQueue[tuple[Task, Job]],
    ended: queue.SimpleQueue[Pair | Exception],
    running: _Running,
) -> None:
    """Take jobs until there are none; a failure of the harness itself ends the run."""
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
