"""What a method is: a function from training rows to rules.

A method sees binary training rows and limits; it never sees the test rows, and it does not score itself.
The harness runs it in a process of its own, times the call, kills it if it overstays, and hands its rules to
the scorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.bench.rules import RuleSet
from laconic.runtime.errors import LaconicError


class MissingPeerError(LaconicError):
    """A method needs a package or program that is not here; the message says how to get it."""


class PeerError(LaconicError):
    """A package or program crashed, or gave an answer that is none; no traceback of ours would help."""


@dataclass(frozen=True, eq=False)
class Training:
    """The rows a method may learn from.

    Attributes
    ----------
    names : tuple of str
        Unique names of the binary features.
    matrix : ndarray of bool, shape (n_samples, n_features)
    labels : ndarray of int64, shape (n_samples,)
        Class numbers.
    classes : tuple of str
        Class names by number. A class may have no training row.
    allowed : ndarray of bool, shape (n_features, 2)
        Whether a rule may ask for the feature to be false (column 0) or true (column 1); false only
        for features of raw columns with missing values. Rivals may ignore it.
    """

    names: tuple[str, ...]
    matrix: NDArray[np.bool_]
    labels: NDArray[np.int64]
    classes: tuple[str, ...]
    allowed: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a method may spend.

    Attributes
    ----------
    seconds : float
        A method that can return its best answer so far should do so within this time; the harness
        kills it somewhat later.
    memory_mb : int
        Enforced by the harness; here for peers that take a limit of their own.
    seed : int
        For methods that draw random numbers.
    scratch : Path
        An empty directory, removed afterwards: for peers driven over files.
    """

    seconds: float
    memory_mb: int
    seed: int
    scratch: Path


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method hands back.

    Attributes
    ----------
    rules : RuleSet
    optimal : bool or None
        Whether the method proved its answer best in its own terms; ``None`` if it never claims that
        (heuristics). ``False`` means "stopped early", and the task does not count as solved.
    cost, lower_bound : int or None
        The method's objective value and bound, in its own integer units.
    seconds : mapping
        Parts of the time, by name: ``encode``, ``solve``.
    counts : mapping
        Work done: clauses, conflicts, nodes, by name.
    versions : mapping
        Versions of the packages that did the work, by name.
    """

    rules: RuleSet
    optimal: bool | None = None
    cost: int | None = None
    lower_bound: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)


class Method(Protocol):
    """The function ``run`` of a method's module; keyword options come from its registry line."""

    def __call__(self, training: Training, limits: Limits, **options: Any) -> Answer:
        """Learn rules from the training rows."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the registry: where a method lives and how it is shown.

    Attributes
    ----------
    module : str
        Importable name of the module with ``run``.
    label : str
        As written in tables and figures: the paper's name where it has one.
    summary : str
    family : str
        "perfect", "sparse", "rules", "heuristic" or "tree": groups the lists. The paper's virtual tool
        *perfect* is all methods of the first family together.
    options : mapping
        Keyword arguments of ``run`` for this variant; plain data, sent to the worker as JSON.
    """

    module: str
    label: str
    summary: str
    family: str
    options: Mapping[str, Any] = field(default_factory=dict)
