"""Running one task under a supervisor, on this machine or on a node of a cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from laconic.bench import machine, methods
from laconic.bench.plan import BenchTask
from laconic.bench.records import Exit, Record
from laconic.bench.suites import SuiteSpec
from laconic.bench.supervise import GRACE_S, SETUP_S, overtime

Job = dict[str, Any]
RawOutcome = dict[str, Any]


def make_job(task: BenchTask, spec: SuiteSpec) -> Job:
    """Return a job: everything a worker needs, as plain data.

    The method is sent as module and options, so that all workers run what the runner's registry says.
    """
    line = methods.entry(task.method)
    most_cpu = _longest(task.limit_s) * (os.cpu_count() or 1)
    if task.cpu_limit_s is not None:
        most_cpu = min(most_cpu, _longest(task.cpu_limit_s))
    return {
        "task": task.to_json(),
        "suite": asdict(spec),
        "module": line.module,
        "options": dict(line.options),
        "cpu_s": most_cpu,
    }


def _longest(limit_s: float) -> int:
    """Return the maximum time of a task from the start of its process to its end."""
    return int(2 * SETUP_S + limit_s + overtime(limit_s) + GRACE_S)


def execute(
    job: Job,
    on_start: Callable[[subprocess.Popen[bytes]], None] | None = None,
    environment: dict[str, str] | None = None,
) -> RawOutcome | None:
    """Run a job in processes of its own and return its outcome, or ``None`` if it was cancelled.

    Closing the supervisor's standard input, to which ``on_start`` has access, cancels the job. The processes
    inherit this process's environment variables unless ``environment`` is given.
    """
    born = time.monotonic()
    directory = Path(tempfile.mkdtemp(prefix="laconic-bench-"))
    try:
        (directory / "job.json").write_text(json.dumps(job))
        with (directory / "supervisor.log").open("wb") as log:
            supervisor = subprocess.Popen(
                [sys.executable, "-P", "-m", "laconic.bench.supervise", str(directory)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=environment,
                start_new_session=True,  # Ctrl-C goes to the runner, which then cancels the task
            )
        if on_start is not None:
            on_start(supervisor)
        called_off = False
        code = supervisor.wait()
        assert supervisor.stdin is not None
        called_off = supervisor.stdin.closed
        supervisor.stdin.close()
        outcome_file = directory / "outcome.json"
        if outcome_file.exists():
            outcome: RawOutcome = json.loads(outcome_file.read_text())
        elif called_off:
            return None
        else:
            log_text = (directory / "supervisor.log").read_text(errors="replace")[-2000:]
            message = f"the supervisor ended with exit code {code}: {log_text}"
            outcome = {"exit": "crash", "message": message, "wall_s": 0.0, "cpu_s": 0.0, "peak_mb": 0.0}
        outcome |= _circumstances(outcome.get("versions", {}))
        return outcome | {"elapsed_s": time.monotonic() - born}
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def make_record(task: BenchTask, outcome: RawOutcome) -> Record:
    """Return the record of a finished task; the time of its processes is not part of the method's result."""
    values = {name: value for name, value in outcome.items() if name != "elapsed_s"}
    return Record(task=task, **{**values, "exit": Exit(outcome["exit"])})


def _circumstances(peers: dict[str, str]) -> dict[str, Any]:
    return {
        "versions": {**machine.versions(), **peers},
        "machine": machine.machine(),
        "commit": machine.commit(),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
    }
