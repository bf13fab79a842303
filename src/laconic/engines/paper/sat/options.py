"""What the SAT and MaxSAT engines of the paper can be told."""

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
"""PySAT's clausal cardinality encodings by name."""

PREFIX = "prefix"
"""Our own at-most-one: the prefix variables that symmetry breaking needs anyway."""

SYMMETRIES = ("none", "features", "paper", "anchored")
"""Symmetry breaking: see `laconic.engines.paper.sat.symmetry`."""

MODELS = ("sizes", "unused")
"""Formulas for sparse sets: see `laconic.engines.paper.sat.sizes` and `laconic.engines.paper.sat.unused`."""


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
    proofs : str
        A folder for the last refuted size of each class, as a formula and a DRUP proof; none if empty.
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
    """Options of engine ``maxsat``, besides those of RC2.

    Attributes
    ----------
    separated, cardinality, symmetry, warm_start
        As for engine ``sat``; ``counting="per_row"`` is one search for all classes by nature.
    model : str
        Sparse sets: one formula per size ("sizes") or the paper's formula with unused nodes ("unused").
        Perfect sets always use the latter.
    initial_nodes : int
        Nodes of the first formula with unused nodes.
    node_step : int
        Nodes added when that formula proves too small.
    """

    separated: bool = True
    cardinality: str = PREFIX
    symmetry: str = "anchored"
    warm_start: bool = True
    model: str = "sizes"
    initial_nodes: int = 8
    node_step: int = 10

    def __post_init__(self) -> None:
        # Named in full: super() does not find its class in a dataclass with slots.
        Rc2Options.__post_init__(self)
        check_choice("cardinality", self.cardinality, (PREFIX, *CARDINALITIES))
        check_choice("symmetry", self.symmetry, SYMMETRIES)
        check_choice("model", self.model, MODELS)
        for name in ("separated", "warm_start"):
            check_flag(name, getattr(self, name))
        for name in ("initial_nodes", "node_step"):
            check_count(name, getattr(self, name), 1)
