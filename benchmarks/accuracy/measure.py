"""The five fits of one method on one table, in a process of their own under limits."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.methods import Method
from benchmarks.accuracy.tables import SEED, RawTable, encode
from benchmarks.support.study import Measured
from laconic.bench import machine
from laconic.bench.execute import execute
from laconic.bench.peers.environments import surroundings
from laconic.bench.suites import FOLDS

PROCESSOR_SECONDS = 60.0
"""Limit of processor time per fit."""

WALL_SECONDS = 1800.0
"""Limit of wall time per fit. It only stops a process that waits; a busy machine must not reach it."""

MEMORY_MB = 6144
_NOTE_LENGTH = 100


def measure(table: RawTable, method: Method) -> list[Measured]:
    """Return the lines of the results for all folds of a table, without table and method."""
    with tempfile.TemporaryDirectory(prefix="laconic-accuracy-") as directory:
        outcomes = _outcomes(table, method, Path(directory))
        return [{"fold": fold, **_line(table, fold, method, outcomes[fold])} for fold in FOLDS]


def _line(table: RawTable, fold: int, method: Method, outcome: Mapping[str, Any]) -> Measured:
    """Score a fit.

    A fit without a model (because of time, memory, or a failure of the package) is scored like a model with
    one rule without conditions that predicts the most frequent class of the training rows.
    """
    held_out = table.fold_of == fold
    truth, training = table.labels[held_out], table.labels[~held_out]
    most = int(np.bincount(training).argmax())
    answer = outcome.get("answer")
    if answer is None:
        predicted, size, rules, trivial, proven = np.full(truth.size, most), 1, 1, True, None
    else:
        predicted, size, rules = np.array(answer["test"], np.int64), answer["size"], answer["rules"]
        trivial = len({*answer["train"], *answer["test"]}) == 1
        proven = answer["optimal"]
    return {
        "exit": outcome["exit"],
        "rows": truth.size,
        "columns": table.features.shape[1],
        "classes": len(table.classes),
        "errors": int((predicted != truth).sum()),
        "lost": int(((predicted != truth) & (truth == most)).sum()),
        "balanced": f"{balanced_accuracy(truth, predicted):.4f}",
        "size": "" if size is None else size,
        "rules": "" if rules is None else rules,
        "trivial": int(trivial),
        "proven": "" if proven is None else int(proven),
        "wall_s": f"{outcome['wall_s']:.2f}",
        "cpu_s": f"{outcome['cpu_s']:.2f}",
        "version": _version(method, outcome),
        "note": _note(outcome),
    }


def balanced_accuracy(truth: NDArray[np.int64], predicted: NDArray[np.int64]) -> float:
    """Return the mean share of right answers over the classes that have rows."""
    return float(np.mean([np.mean(predicted[truth == label] == label) for label in np.unique(truth)]))


def _outcomes(table: RawTable, method: Method, directory: Path) -> dict[int, Mapping[str, Any]]:
    """Fit all folds in one process; if the process ends early, a new process fits the remaining folds."""
    categories = {}
    for fold in FOLDS:
        rows = encode(table, fold, one_hot=method.one_hot, fill=method.fill)
        place = directory / str(fold)
        place.mkdir()
        np.save(place / "train.npy", rows.train)
        np.save(place / "test.npy", rows.test)
        np.save(place / "labels.npy", table.labels[table.fold_of != fold])
        categories[fold] = rows.categories
    found: dict[int, Mapping[str, Any]] = {}
    while left := [fold for fold in FOLDS if fold not in found]:
        job = {
            "task": {"limit_s": WALL_SECONDS, "cpu_limit_s": PROCESSOR_SECONDS, "memory_mb": MEMORY_MB},
            "command": method.command,
            "folds": [str(directory / str(fold)) for fold in left],
            "categories": [categories[fold] for fold in left],
            "seed": SEED,
            "packages": method.packages,
            "options": dict(method.options),
        }
        outcome = execute(job, environment=surroundings())
        if outcome is None:
            raise KeyboardInterrupt
        for fold in left:
            result, begun = (directory / str(fold) / f"{name}.json" for name in ("result", "begun"))
            if not result.exists():
                before = json.loads(begun.read_text())["cpu_s"] if begun.exists() else 0.0
                found[fold] = {**outcome, "cpu_s": outcome["cpu_s"] - before}
                break
            found[fold] = json.loads(result.read_text())
    return found


def _version(method: Method, outcome: Mapping[str, Any]) -> str:
    """Return the version of the package that learned; for Laconic the commit."""
    if method.family == "ours":
        return machine.commit() or ""
    return " ".join(str(outcome["versions"].get(name, "")) for name in method.packages)


def _note(outcome: Mapping[str, Any]) -> str:
    """Return the end of the message of a failed package."""
    lines = [line.strip() for line in str(outcome["message"]).splitlines() if line.strip()]
    return lines[-1][-_NOTE_LENGTH:] if lines and outcome["exit"] not in ("ok", "cpuout") else ""
