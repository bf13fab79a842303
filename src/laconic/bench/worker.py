"""The process that runs one method on one task.

It is started and watched by `laconic.bench.supervise`. It reads ``job.json`` in the directory named on its
command line, loads the rows, runs the method, scores the rules, and writes ``result.json``. It signals the
start and the end of the method on a pipe, so that only the method is timed.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from laconic.bench.limits import die_with_parent, limit_cpu, limit_memory

STARTED, FINISHED = b"S", b"F"


def main() -> None:
    """Run the job in the directory given as first argument; the second is the descriptor of the pipe."""
    directory, pipe = Path(sys.argv[1]), int(sys.argv[2])
    die_with_parent()
    job = json.loads((directory / "job.json").read_text())
    limit_memory(job["task"]["memory_mb"])
    limit_cpu(job["cpu_s"])
    try:
        result = run_job(job, directory, pipe)
    except MemoryError:
        result = {"exit": "memout", "message": "the method ran out of memory"}
    except Exception as error:
        result = _failure(error)
    # Written under another name first, so that the supervisor never sees an incomplete result.
    unfinished = directory / "result.part"
    unfinished.write_text(json.dumps(result))
    unfinished.rename(directory / "result.json")
    os._exit(0)  # remaining threads of a method must not keep the process alive


def run_job(job: dict[str, Any], directory: Path, pipe: int) -> dict[str, Any]:
    """Load the rows, run the method and score its rules; return the fields of a record."""
    from laconic.bench.methods import load
    from laconic.bench.methods.api import Limits
    from laconic.bench.scorer import score
    from laconic.bench.suites import SuiteSpec

    task = job["task"]
    spec = SuiteSpec(**{**job["suite"], "bins": tuple(job["suite"]["bins"] or ()) or None})
    split = spec.open().load(task["dataset"], task["quantisation"], task["fold"])
    method = load(job["module"])
    scratch = directory / "scratch"
    scratch.mkdir()
    cpu_limit = task.get("cpu_limit_s", math.inf)
    # On a busy machine a task has far less processor time than wall time. A limit of processor time that is
    # the lower one is therefore measured as such; the supervisor enforces the other.
    clock = time.process_time if cpu_limit < task["limit_s"] else time.monotonic
    seconds = min(task["limit_s"], cpu_limit)
    limits = Limits(seconds, task["memory_mb"], task["seed"], scratch, clock)

    os.write(pipe, STARTED)
    wall, cpu = time.monotonic(), _cpu_seconds()
    answer = method(split.training, limits, **job["options"])
    wall, cpu = time.monotonic() - wall, _cpu_seconds() - cpu
    os.write(pipe, FINISHED)

    found = score(answer.rules, split.train_rows(), split.test_rows(), split.training.classes)
    return {
        "exit": "ok",
        "message": "",
        "wall_s": round(wall, 4),
        "cpu_s": round(cpu, 4),
        "answer": {
            "rules": answer.rules.to_json(),
            "optimal": answer.optimal,
            "cost": answer.cost,
            "lower_bound": answer.lower_bound,
            "seconds": {name: round(float(value), 4) for name, value in answer.seconds.items()},
            "counts": dict(answer.counts),
        },
        "score": {
            "size": found.size,
            "n_rules": found.n_rules,
            "n_literals": found.n_literals,
            "classes_described": found.classes_described,
            "n_classes": len(split.training.classes),
            "n_features": len(split.training.names),
            "train": _part(found.train),
            "test": _part(found.test),
        },
        "versions": dict(answer.versions),
    }


def _part(part: Any) -> dict[str, Any]:
    return {
        "rows": part.rows,
        "strict_errors": part.strict_errors,
        "plain_errors": part.plain_errors,
        "uncovered": part.uncovered,
        "conflicting": part.conflicting,
    }


def _failure(error: Exception) -> dict[str, Any]:
    """Distinguish a missing peer, a refused task, and a crash."""
    from laconic.bench.methods.api import MissingPeerError, PeerError
    from laconic.runtime.errors import InputError

    if isinstance(error, MissingPeerError):
        return {"exit": "missing-peer", "message": str(error)}
    if isinstance(error, InputError):
        return {"exit": "error", "message": str(error)}
    if isinstance(error, PeerError):
        return {"exit": "crash", "message": str(error)}
    # std::bad_alloc becomes a MemoryError in Python or, with some bindings, another exception.
    text = "".join(traceback.format_exception(error))
    message = text if len(text) <= 2000 else f"Traceback, its end:\n{text[-2000:]}"
    return {"exit": "memout" if "bad_alloc" in text else "crash", "message": message}


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the children it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


if __name__ == "__main__":
    main()
