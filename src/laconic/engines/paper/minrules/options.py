"""What the engine of few rules can be told."""

from __future__ import annotations

from dataclasses import dataclass

from laconic.engines.paper.satkit.options import SOLVERS, Rc2Options, check_choice, check_flag


@dataclass(frozen=True, slots=True)
class MinRulesOptions(Rc2Options):
    """Options of engine ``minrules``, besides those of RC2, which counts literals and errors.

    Attributes
    ----------
    counting_solver : str
        PySAT's name of the solver that refutes numbers of rules.
    symmetry : bool
        Whether equivalent orders of the rules are excluded.
    warm_start : bool
        Whether to start from the static bound and stop at the greedy incumbent, or to search as MinDS does,
        from one rule until a formula is satisfiable.
    """

    counting_solver: str = "cadical195"
    symmetry: bool = True
    warm_start: bool = True

    def __post_init__(self) -> None:
        # Named in full: super() does not find its class in a dataclass with slots.
        Rc2Options.__post_init__(self)
        check_choice("counting_solver", self.counting_solver, SOLVERS)
        check_flag("symmetry", self.symmetry)
        check_flag("warm_start", self.warm_start)
