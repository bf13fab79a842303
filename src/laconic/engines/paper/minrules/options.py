"""Options of the engine for the fewest rules."""

from __future__ import annotations

from dataclasses import dataclass

from laconic.engines.paper.satkit.options import SOLVERS, Rc2Options, check_choice, check_flag


@dataclass(frozen=True, slots=True)
class MinRulesOptions(Rc2Options):
    """Options of engine ``minrules``, in addition to those of RC2, which minimises literals and errors.

    Attributes
    ----------
    counting_solver : str
        PySAT's name of the solver that refutes numbers of rules.
    symmetry : bool
        Whether to exclude equivalent orders of the rules.
    warm_start : bool
        Whether to start from the static bound and stop at the greedy incumbent. Otherwise the search starts
        from one rule and ends when a formula is satisfiable, as in MinDS.
    """

    counting_solver: str = "cadical195"
    symmetry: bool = True
    warm_start: bool = True

    def __post_init__(self) -> None:
        # Named explicitly because super() fails in a dataclass with slots.
        Rc2Options.__post_init__(self)
        check_choice("counting_solver", self.counting_solver, SOLVERS)
        check_flag("symmetry", self.symmetry)
        check_flag("warm_start", self.warm_start)
