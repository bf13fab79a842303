"""The interface of a method: a function from training rows to rules.

A method gets binary training rows and limits. It never sees the test rows, and it does not score itself. The
harness runs it in a process of its own, times the call, kills it if it exceeds its limits, and passes its
rules to the scorer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.bench.rules import RuleSet
from laconic.runtime.budget import Budget
from laconic.runtime.errors import LaconicError


class MissingPeerError(LaconicError):
    """A method needs a package or program that is missing; the message says how to install it."""


class PeerError(LaconicError):
    """A package or program crashed or gave an invalid answer; a traceback of ours would not help."""


@dataclass(frozen=True, eq=False)
class Training:
    """The rows from which a method learns.

    Attributes
    ----------
    names : tuple of str
        Unique names of the binary features.
    matrix : ndarray of bool, shape (n_samples, n_features)
    labels : ndarray of int64, shape (n_samples,)
        The class number of each row.
    classes : tuple of str
        Class names by number. A class may have no training row.
    allowed : ndarray of bool, shape (n_features, 2)
        Whether a rule may require the feature to be false (column 0) or true (column 1). This is false only
        for features of raw columns with missing values. Rivals may ignore it.
    """

    names: tuple[str, ...]
    matrix: NDArray[np.bool_]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]
    allowed: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a method.

    Attributes
    ----------
    seconds : float
        Time limit. A method that can return its best answer so far should do so within this time; the harness
        kills it somewhat later.
    memory_mb : int
        Memory limit, enforced by the harness and passed on to peers that accept one.
    seed : int
        Seed for methods that use random numbers.
    scratch : Path
        An empty directory for exchanging files with peers; it is removed afterwards.
    clock : callable
        The clock of the time limit: processor time if the task limits it, wall time otherwise.
    """

    seconds: float
    memory_mb: int
    seed: int
    scratch: Path
    clock: Callable[[], float] = time.monotonic

    def budget(self) -> Budget:
        """Return a time budget that starts now."""
        return Budget(self.seconds, self.clock)


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """The result of a method.

    Attributes
    ----------
    rules : RuleSet
    optimal : bool or None
        Whether the method proved its answer optimal in its own terms; ``None`` if it never claims this
        (heuristics). ``False`` means "stopped early", and the task does not count as solved.
    cost, lower_bound : int or None
        The method's objective value and bound, in its own integer units.
    seconds : mapping
        Times of phases by name: ``encode``, ``solve``.
    counts : mapping
        Work done, by name: clauses, conflicts, nodes.
    versions : mapping
        Versions of the main packages, by name.
    """

    rules: RuleSet
    optimal: bool | None = None
    cost: int | None = None
    lower_bound: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


class Method(Protocol):
    """The function ``run`` of a method's module; keyword options come from its registry entry."""

    def __call__(self, training: Training, limits: Limits, **options: Any) -> MethodAnswer:
        """Learn rules from the training rows."""
        ...


@dataclass(frozen=True, slots=True)
class MethodEntry:
    """A registry entry: the module of a method, and its presentation.

    Attributes
    ----------
    module : str
        Importable name of the module with ``run``.
    label : str
        The name in tables and figures: the paper's name if it has one.
    summary : str
    family : str
        "perfect", "sparse", "rules", "heuristic" or "tree", by which lists are grouped. The paper's virtual
        tool *perfect* is the first family as a whole.
    options : mapping
        Keyword arguments of ``run`` for this variant: plain data, sent to the worker as JSON.
    """

    module: str
    label: str
    summary: str
    family: str
    options: Mapping[str, Any] = field(default_factory=dict)
