"""The part shared by all drivers for raw tables; it runs in a peer's environment without Laconic.

``python -P serve_tables.py DRIVER DIRECTORY PIPE`` reads ``job.json`` in the directory, which contains:

``folds``
    Other directories, one for each fold, with ``train.npy`` and ``test.npy``, float64, one column per
    feature, and ``labels.npy``, the class numbers of the training rows, int64.
``categories``
    For each fold and column the number of categories, or 0 for a column of numbers. A column of categories
    contains their numbers. NaN is a missing value.
``seed``, ``packages`` (whose versions to report), ``options``, ``task``
    Passed to the driver, with the limit of the task as ``seconds``.

The driver learns from the training rows, and its model predicts both the training and the test rows. Rows are
matrices, or with ``FRAME = True`` data frames with a text for each category. The driver has one of these
functions:

``learn(rows, labels, job) -> (predict, facts)``
    The labels are numbers from 0 without gaps; ``predict`` maps rows to labels.
``learn_class(rows, positive, job) -> (holds, facts)``
    For a one-class learner: ``positive`` is the mask of its rows, and ``holds`` returns whether a rule covers
    each row. Classes are described one after another, the rarest first; the most frequent class is the
    default. A class learns from the rows that no rule covers yet, within its share of the time, and a new row
    gets the first class with a rule for it.

``facts`` may contain ``optimal``, whether the answer was proved optimal, and one description of the model's
size:

``lengths``
    The number of conditions of each rule; the size is their sum plus one for each rule.
``trees``
    Roots of trees, whose leaves count as rules. The driver's ``children(node)`` returns a node's two
    children, or nothing for a leaf.

Without either, the model does not consist of rules. A driver that finds no model in its time raises
``TimeoutError``.

The folds are processed one after another, since importing a package often takes longer than a fit. Each fold
gets a ``result.json`` in its directory, in the supervisor's format, and before that a ``begun.json`` with the
processor time so far, in case it is stopped. The start and the end of learning are signalled on the pipe:
only learning is timed and limited.
"""

from __future__ import annotations

import json
import os
import resource
import runpy
import sys
import time
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

STARTED, FINISHED = b"S", b"F"


def main() -> None:
    """Handle one request."""
    driver, request, pipe = sys.argv[1:]
    runpy.run_path(str(Path(__file__).with_name("serve.py")))["die_with_parent"]()
    warnings.simplefilter("ignore")
    functions = runpy.run_path(driver)

    job = json.loads(Path(request, "job.json").read_text())
    job["seconds"] = min(job["task"]["limit_s"], job["task"]["cpu_limit_s"])
    versions = {name: metadata.version(name) for name in job["packages"]}
    for fold, categories in zip(job["folds"], job["categories"], strict=True):
        result = served(functions, Path(fold), {**job, "categories": categories}, int(pipe))
        _write(Path(fold, "result.json"), {**result, "versions": versions})
    _write(Path(request, "result.json"), {"exit": "ok", "message": ""})
    sys.stdout.flush()
    os._exit(0)  # remaining threads of a package must not keep the process alive


def served(functions: dict[str, Any], fold: Path, job: dict[str, Any], pipe: int) -> dict[str, Any]:
    """Learn from the training rows of one fold, and predict all of its rows."""
    import numpy as np  # imported here, so that --check needs nothing but the driver

    train, test, labels = (np.load(fold / f"{name}.npy") for name in ("train", "test", "labels"))
    if functions.get("FRAME"):
        train, test = (as_frame(rows, job["categories"]) for rows in (train, test))
    present, codes = np.unique(labels, return_inverse=True)
    result: dict[str, Any] = {"exit": "ok", "message": ""}
    wall, cpu = time.monotonic(), _cpu_seconds()
    _write(fold / "begun.json", {"cpu_s": cpu})
    os.write(pipe, STARTED)
    try:
        if "learn_class" in functions:
            predict, facts = one_after_another(functions["learn_class"], train, codes, job)
        else:
            predict, facts = functions["learn"](train, codes, job)
    except (TimeoutError, MemoryError) as error:
        result["exit"] = "timeout" if isinstance(error, TimeoutError) else "memout"
        result["message"] = str(error)
    result |= {"wall_s": time.monotonic() - wall, "cpu_s": _cpu_seconds() - cpu}
    os.write(pipe, FINISHED)
    if result["exit"] == "ok":
        result["answer"] = counted(facts, functions.get("children"))
        for name, rows in (("train", train), ("test", test)):
            found = present[np.asarray(predict(rows)).astype(np.int64)]
            result["answer"][name] = found.tolist()
    return result


def one_after_another(
    learn_class: Callable[..., Any], rows: Any, labels: Any, job: dict[str, Any]
) -> tuple[Callable[[Any], Any], dict[str, Any]]:
    """Describe the classes with a one-class learner, the rarest first, without the most frequent one."""
    import numpy as np

    counts = np.bincount(labels)
    *described, rest = np.argsort(counts, kind="stable").tolist()
    left = np.ones(len(rows), bool)
    steps = []
    lengths = [0]  # the default rule
    share = {**job, "seconds": job["seconds"] / len(described)} if described else job
    for target in described:
        positive = labels[left] == target
        if positive.any():
            holds, facts = learn_class(rows[left], positive, share)
            steps.append((target, holds))
            lengths += facts["lengths"]
            left[left] = ~holds(rows[left])

    def predict(new: Any) -> Any:
        found = np.full(len(new), rest)
        for target, holds in reversed(steps):
            found[holds(new)] = target
        return found

    return predict, {"lengths": lengths}


def counted(facts: dict[str, Any], children: Callable[[Any], Any] | None) -> dict[str, Any]:
    """Return the size and the number of rules of a model, and whether it was proved optimal."""
    lengths = facts.get("lengths")
    if children is not None:
        lengths = [depth for root in facts["trees"] for depth in depths(root, children)]
    return {
        "size": None if lengths is None else int(sum(lengths)) + len(lengths),
        "rules": None if lengths is None else len(lengths),
        "optimal": facts.get("optimal"),
    }


def depths(node: Any, children: Callable[[Any], Any]) -> list[int]:
    """Return the number of tests on the path to each leaf."""
    return [1 + depth for child in children(node) for depth in depths(child, children)] or [0]


def as_frame(rows: Any, categories: list[int]) -> Any:
    """Return rows with a text for each category; a missing one is ``None``."""
    import numpy as np
    import pandas as pd

    columns = {
        f"f{k}": np.array([None if np.isnan(v) else f"v{int(v)}" for v in rows[:, k]], dtype=object)
        if n_categories
        else rows[:, k]
        for k, n_categories in enumerate(categories)
    }
    return pd.DataFrame(columns)


def _write(path: Path, data: dict[str, Any]) -> None:
    # Written under another name first, so that an incomplete result is never read.
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(data))
    unfinished.rename(path)


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the children it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


if __name__ == "__main__":
    main()
