"""Options of the paper's SAT and MaxSAT engines."""

from __future__ import annotations

from dataclasses import dataclass

from pysat.card import EncType

from laconic.engines.paper.satkit.options import SOLVERS, Rc2Options, check_choice, check_count, check_flag
from laconic.runtime.errors import InputError

CARDINALITIES: dict[str, int] = {
    name: value
    for name, value in vars(EncType).items()
    if not name.startswith("_") and isinstance(value, int) and name != "native"
}
"""PySAT's cardinality encodings in clauses, by name."""

PREFIX = "prefix"
"""A ladder encoding of at-most-one by the prefix variables that symmetry breaking needs."""

SYMMETRIES = ("none", "features", "paper", "anchored")
"""Kinds of symmetry breaking: see `laconic.engines.paper.sat.symmetry`."""

MODELS = ("sizes", "unused")
"""Formulas for sparse sets: see `laconic.engines.paper.sat.sizes` and `laconic.engines.paper.sat.unused`."""


@dataclass(frozen=True, slots=True)
class IterativeOptions:
    """Options of engine ``sat``.

    Attributes
    ----------
    solver : str
        Any PySAT solver that can be stopped. The Glucose family checks its budget only at restarts, so it may
        exceed a time limit.
    separated : bool
        Whether there is one search per class (opt) or one for all classes (opt∪).
    cardinality : str
        The encoding of "at most one literal per node".
    symmetry : str
        Which equivalent orders of literals and rules to exclude.
    warm_start : bool
        Whether to start from the static bound and stop at the greedy incumbent. Otherwise the search starts
        from size 1 and ends when a formula is satisfiable, as in the paper.
    proofs : str
        A folder for the last refuted size of each class, as a formula and a DRUP proof; empty for none.
    """

    solver: str = "cadical195"
    separated: bool = True
    cardinality: str = PREFIX
    symmetry: str = "anchored"
    warm_start: bool = True
    proofs: str = ""

    def __post_init__(self) -> None:
        check_choice("solver", self.solver, SOLVERS)
        check_flag("separated", self.separated)
        check_flag("warm_start", self.warm_start)
        check_choice("cardinality", self.cardinality, (PREFIX, *CARDINALITIES))
        check_choice("symmetry", self.symmetry, SYMMETRIES)
        if not isinstance(self.proofs, str):
            raise InputError(f"option proofs must be the name of a folder, not {self.proofs!r}")


@dataclass(frozen=True, slots=True)
class MaxSatOptions(Rc2Options):
    """Options of engine ``maxsat``, in addition to those of RC2.

    Attributes
    ----------
    separated, cardinality, symmetry, warm_start
        As for engine ``sat``. With ``counting="per_row"`` there is always one search for all classes.
    model : str
        For sparse sets: one formula per size ("sizes") or the paper's formula with unused nodes ("unused").
        Perfect sets always use the latter.
    initial_nodes : int
        Number of nodes of the first formula with unused nodes.
    node_step : int
        Number of nodes added when that formula proves too small.
    """

    separated: bool = True
    cardinality: str = PREFIX
    symmetry: str = "anchored"
    warm_start: bool = True
    model: str = "sizes"
    initial_nodes: int = 8
    node_step: int = 10

    def __post_init__(self) -> None:
        # Named explicitly because super() fails in a dataclass with slots.
        Rc2Options.__post_init__(self)
        check_choice("cardinality", self.cardinality, (PREFIX, *CARDINALITIES))
        check_choice("symmetry", self.symmetry, SYMMETRIES)
        check_choice("model", self.model, MODELS)
        for name in ("separated", "warm_start"):
            check_flag(name, getattr(self, name))
        for name in ("initial_nodes", "node_step"):
            check_count(name, getattr(self, name), 1)
