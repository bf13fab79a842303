"""Options shared by all engines on PySAT, checked in one place.

Each engine has one frozen dataclass. `parse` converts the caller's mapping into it before any work is done;
the error for an unknown option lists the valid ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from pysat.solvers import SolverNames

from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

# Three solvers cannot be used: CryptoMiniSat is a separate package, Kissat ends the process when it is called
# twice, and Lingeling cannot be stopped (it has no conflict budget and no interrupt).
_UNUSABLE = ("cryptosat", "kissat404", "lingeling")

SOLVERS: dict[str, str] = {
    alias: aliases[-1]
    for name, aliases in vars(SolverNames).items()
    if not name.startswith("_") and name not in _UNUSABLE
    for alias in aliases
}
"""The full name of the solver for every accepted PySAT name."""

STRATEGIES = ("none", "basic", "div", "cluster", "full")
"""Names of RC2's stratification strategies in PySAT."""


@dataclass(frozen=True, slots=True)
class Rc2Options:
    """Options of RC2.

    Attributes
    ----------
    solver : str
        Any PySAT solver that can be stopped. The Glucose family checks its budget only at restarts, so it may
        exceed a time limit.
    stratification : str
        RC2's stratification strategy; "none" solves all weights at once.
    exhaust, minimize, adapt : bool
        Whether RC2 exhausts cores, reduces cores, and detects intrinsic at-most-one constraints.
    trim : int
        Number of times that RC2 trims a core.
    """

    solver: str = "minisat22"
    stratification: str = "div"
    exhaust: bool = True
    minimize: bool = False
    adapt: bool = False
    trim: int = 0

    def __post_init__(self) -> None:
        check_choice("solver", self.solver, SOLVERS)
        check_choice("stratification", self.stratification, STRATEGIES)
        for name in ("exhaust", "minimize", "adapt"):
            check_flag(name, getattr(self, name))
        if self.adapt and SOLVERS[self.solver] == "cadical103":
            raise InputError("adapt=True needs a solver that propagates literals; cadical103 does not")
        check_count("trim", self.trim, 0)


Options = TypeVar("Options", bound="DataclassInstance")


def parse(kind: type[Options], engine: str, options: Mapping[str, Any] | None) -> Options:
    """Check the caller's options and return them as the engine's options dataclass."""
    known = [f.name for f in fields(kind)]
    for name in options or {}:
        if name not in known:
            raise InputError(f"engine {engine!r} has no option {name!r}; choose from: {', '.join(known)}")
    return kind(**(options or {}))


def check_choice(name: str, value: object, choices: Mapping[str, object] | tuple[str, ...]) -> None:
    """Raise `InputError` if the value is not one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"option {name} cannot be {value!r}; choose one of: {', '.join(choices)}")


def check_flag(name: str, value: object) -> None:
    """Raise `InputError` unless the value is True or False."""
    if not isinstance(value, bool):
        raise InputError(f"option {name} must be True or False, not {value!r}")


def check_count(name: str, value: object, low: int) -> None:
    """Raise `InputError` unless the value is an integer of at least ``low``."""
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise InputError(f"option {name} must be a whole number of at least {low}, not {value!r}")
