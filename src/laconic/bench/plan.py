"""A plan is data: which method runs on which rows under which limits.

A task's id is a hash of all its fields, among them a digest of its data, so a record says exactly what it
is a record of, and a second run knows what is already done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

import numpy as np

from laconic.bench import methods
from laconic.bench.suites import Suite
from laconic.runtime.errors import InputError

T = TypeVar("T")

MOST_SECONDS = 365 * 86400.0
LEAST_MB, MOST_MB = 64, 2**30
MOST_SEED = 2**32 - 1
"""What a task may be given: no more than the operating system and the methods' generators can count."""


@dataclass(frozen=True, slots=True)
class Task:
    """One run of one method on one training set.

    Attributes
    ----------
    suite, dataset : str
    quantisation : int
        Bins per numeric column.
    fold : int
        From 1; its rows are the test rows, all others the training rows.
    method : str
        A name of `laconic.bench.methods.METHODS`.
    limit_s : float
        Wall time for the method alone, without reading and scoring.
    memory_mb : int
    seed : int
    data : str
        Digest of the data the rows come from.
    cpu_limit_s : float or None
        Processor time for the method, all its processes and threads together; no limit if ``None``.
    """

    suite: str
    dataset: str
    quantisation: int
    fold: int
    method: str
    limit_s: float
    memory_mb: int
    seed: int
    data: str
    cpu_limit_s: float | None = None

    @property
    def id(self) -> str:
        """Hash of all fields."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:20]

    @property
    def instance(self) -> tuple[str, str, int, int]:
        """What methods are compared on: the same for every method."""
        return self.suite, self.dataset, self.quantisation, self.fold

    def to_json(self) -> dict[str, Any]:
        """Return plain data; a limit that is not set is left out, as in records older than that limit."""
        data = asdict(self)
        if self.cpu_limit_s is None:
            del data["cpu_limit_s"]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Task:
        """Read what `to_json` wrote."""
        return cls(**{field.name: data[field.name] for field in fields(cls) if field.name in data})


@dataclass(frozen=True, slots=True)
class Choice:
    """Which part of a suite to run; ``None`` means all.

    Attributes
    ----------
    datasets : sequence of str, optional
    quantisations, folds : sequence of int, optional
    sample : int, optional
        So many training sets, spread evenly over quantisations and sizes of table.
    seed : int
        Of the sample.
    """

    datasets: Sequence[str] | None = None
    quantisations: Sequence[int] | None = None
    folds: Sequence[int] | None = None
    sample: int | None = None
    seed: int = 0


def make_plan(
    suite: Suite,
    names: Iterable[str],
    *,
    choice: Choice | None = None,
    limit_s: float = 60.0,
    memory_mb: int = 4096,
    seed: int = 0,
    cpu_limit_s: float | None = None,
) -> list[Task]:
    """Return the tasks of the chosen part of a suite, in the order in which to run them.

    The largest tables come first, so that the run does not end waiting for one of them; ahead of
    them each method gets its smallest table, so that what is broken shows at once.
    """
    names = list(dict.fromkeys(names))
    for name in names:
        methods.entry(name)
    if not names:
        raise InputError("no method to run; name at least one, see: laconic bench methods")
    _check_limits(limit_s, cpu_limit_s, memory_mb, seed)
    instances = sorted(
        choose(suite, choice or Choice()), key=lambda one: (-suite.weight(one[0], one[1]), one)
    )
    tasks = [
        Task(
            *(suite.name, dataset, q, fold, name, float(limit_s), memory_mb, seed, suite.digest(dataset, q)),
            cpu_limit_s=None if cpu_limit_s is None else float(cpu_limit_s),
        )
        for dataset, q, fold in instances
        for name in names
    ]
    return tasks[-len(names) :] + tasks[: -len(names)]


def _check_limits(limit_s: float, cpu_limit_s: float | None, memory_mb: int, seed: int) -> None:
    # A comparison with NaN is false, so NaN is refused too.
    for name, value in (("--time-limit", limit_s), ("--cpu-limit", cpu_limit_s)):
        if value is not None and not 0 < value <= MOST_SECONDS:
            raise InputError(
                f"{name} must be more than 0 and at most {MOST_SECONDS:.0f} s (a year), not {value:g} s"
            )
    if not LEAST_MB <= memory_mb <= MOST_MB:
        raise InputError(f"--memory must be from {LEAST_MB} to {MOST_MB} MB, not {memory_mb}")
    if not 0 <= seed <= MOST_SEED:
        raise InputError(f"--seed must be from 0 to {MOST_SEED}, not {seed}")


def choose(suite: Suite, choice: Choice) -> list[tuple[str, int, int]]:
    """Return the (dataset, quantisation, fold) triples of the chosen part of a suite."""
    datasets = _subset("dataset", choice.datasets, suite.datasets)
    quantisations = _subset("quantisation", choice.quantisations, suite.quantisations)
    folds = _subset("fold", choice.folds, suite.folds)
    instances = [(name, q, fold) for name in datasets for q in quantisations for fold in folds]
    if choice.sample is None or choice.sample >= len(instances):
        return instances
    if choice.sample < 1:
        raise InputError(f"the sample must hold at least 1 training set, not {choice.sample}")
    if not 0 <= choice.seed <= MOST_SEED:
        raise InputError(f"--sample-seed must be from 0 to {MOST_SEED}, not {choice.seed}")
    # A systematic sample of the list ordered by quantisation and size has the right share of every stratum.
    rng = np.random.default_rng(choice.seed)
    order = rng.permutation(len(instances)).tolist()
    ranked = sorted(
        order,
        key=lambda i: (instances[i][1], suite.weight(instances[i][0], instances[i][1]), instances[i][0]),
    )
    step = len(ranked) / choice.sample
    start = rng.uniform(0, step)
    return [instances[ranked[min(int(start + k * step), len(ranked) - 1)]] for k in range(choice.sample)]


def _subset(what: str, wanted: Sequence[T] | None, known: Sequence[T]) -> Sequence[T]:
    if wanted is None:
        return known
    for one in wanted:
        if one not in known:
            some = ", ".join(str(k) for k in known[:80])
            raise InputError(f"the suite has no {what} {one!r}; it has: {some}")
    return [one for one in known if one in wanted]
