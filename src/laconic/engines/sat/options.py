"""What the SAT and MaxSAT engines can be told, checked in one place.

Each engine has one frozen dataclass. `parse` turns the caller's mapping into it and refuses what it does
not know, naming the valid choices, before any work is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from pysat.card import EncType
from pysat.solvers import SolverNames

from laconic.errors import InputError

# These three cannot be used: CryptoMiniSat is a package of its own, Kissat ends the whole process when it is
# called twice, and Lingeling cannot be stopped (no conflict budget, no interrupt).
_UNUSABLE = ("cryptosat", "kissat404", "lingeling")

SOLVERS: dict[str, str] = {
    alias: aliases[-1]
    for name, aliases in vars(SolverNames).items()
    if not name.startswith("_") and name not in _UNUSABLE
    for alias in aliases
}
"""Every accepted PySAT name and the solver's full name."""

CARDINALITIES: dict[str, int] = {
    name: value
    for name, value in vars(EncType).items()
    if not name.startswith("_") and isinstance(value, int) and name != "native"
}
"""PySAT's clausal cardinality encodings by name."""

PREFIX = "prefix"
"""Our own at-most-one: the prefix variables that symmetry breaking needs anyway."""

SYMMETRIES = ("none", "features", "paper", "anchored")
"""Symmetry breaking: see `laconic.engines.sat.symmetry`."""

MODELS = ("sizes", "unused")
"""Formulas for sparse sets: see `laconic.engines.sat.sizes` and `laconic.engines.sat.unused`."""

STRATEGIES = ("none", "basic", "div", "cluster", "full")
"""RC2's stratification strategies, by PySAT's names."""


@dataclass(frozen=True, slots=True)
class IterativeOptions:
    """Options of engine ``sat``.

    Attributes
    ----------
    solver : str
        Any PySAT solver that can be stopped. The Glucose family looks at its budget only when it restarts, so
        it may overrun a time limit.
    separated : bool
        One search per class (opt) or one for all classes (opt∪).
    cardinality : str
        Encoding of "at most one literal per node".
    symmetry : str
        Which equivalent orders of literals and rules are excluded.
    warm_start : bool
        Whether to start from the static bound and stop at the greedy incumbent, or to search as the paper
        does, from size 1 until a formula is satisfiable.
    """

    solver: str = "cadical195"
    separated: bool = True
    cardinality: str = PREFIX
    symmetry: str = "anchored"
    warm_start: bool = True

    def __post_init__(self) -> None:
        _check_choice("solver", self.solver, SOLVERS)
        _check_flag("separated", self.separated)
        _check_flag("warm_start", self.warm_start)
        _check_choice("cardinality", self.cardinality, (PREFIX, *CARDINALITIES))
        _check_choice("symmetry", self.symmetry, SYMMETRIES)


@dataclass(frozen=True, slots=True)
class MaxSatOptions:
    """Options of engine ``maxsat``.

    Attributes
    ----------
    solver, separated, cardinality, symmetry, warm_start
        As for engine ``sat``; ``counting="per_row"`` is one search for all classes by nature.
    model : str
        Sparse sets: one formula per size ("sizes") or the paper's formula with unused nodes ("unused").
        Perfect sets always use the latter.
    initial_nodes : int
        Nodes of the first formula with unused nodes.
    node_step : int
        Nodes added when that formula proves too small.
    stratification : str
        RC2's strategy; "none" solves all weights at once.
    exhaust, minimize, adapt : bool
        RC2's core exhaustion, core reduction and detection of intrinsic at-most-one constraints.
    trim : int
        How often RC2 trims a core.
    """

    solver: str = "minisat22"
    separated: bool = True
    cardinality: str = PREFIX
    symmetry: str = "anchored"
    warm_start: bool = True
    model: str = "sizes"
    initial_nodes: int = 8
    node_step: int = 10
    stratification: str = "div"
    exhaust: bool = True
    minimize: bool = False
    adapt: bool = False
    trim: int = 0

    def __post_init__(self) -> None:
        _check_choice("solver", self.solver, SOLVERS)
        _check_choice("cardinality", self.cardinality, (PREFIX, *CARDINALITIES))
        _check_choice("symmetry", self.symmetry, SYMMETRIES)
        _check_choice("model", self.model, MODELS)
        _check_choice("stratification", self.stratification, STRATEGIES)
        for name in ("separated", "warm_start", "exhaust", "minimize", "adapt"):
            _check_flag(name, getattr(self, name))
        if self.adapt and SOLVERS[self.solver] == "cadical103":
            raise InputError("adapt=True needs a solver that propagates literals; cadical103 does not")
        for name, low in (("initial_nodes", 1), ("node_step", 1), ("trim", 0)):
            _check_count(name, getattr(self, name), low)


Options = TypeVar("Options", IterativeOptions, MaxSatOptions)


def parse(kind: type[Options], engine: str, options: Mapping[str, Any] | None) -> Options:
    """Check the caller's options and return them as the engine's dataclass."""
    known = [f.name for f in fields(kind)]
    for name in options or {}:
        if name not in known:
            raise InputError(f"engine {engine!r} has no option {name!r}; choose from: {', '.join(known)}")
    return kind(**(options or {}))


def _check_choice(name: str, value: object, choices: Mapping[str, object] | tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"option {name} cannot be {value!r}; choose one of: {', '.join(choices)}")


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise InputError(f"option {name} must be True or False, not {value!r}")


def _check_count(name: str, value: object, low: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise InputError(f"option {name} must be a whole number of at least {low}, not {value!r}")
