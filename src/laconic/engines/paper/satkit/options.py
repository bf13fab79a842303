"""What every engine on PySAT can be told, checked in one place.

Each engine has one frozen dataclass. `parse` turns the caller's mapping into it and refuses what it does
not know, naming the valid choices, before any work is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from pysat.solvers import SolverNames

from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

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

STRATEGIES = ("none", "basic", "div", "cluster", "full")
"""RC2's stratification strategies, by PySAT's names."""


@dataclass(frozen=True, slots=True)
class Rc2Options:
    """How RC2 solves a formula.

    Attributes
    ----------
    solver : str
        Any PySAT solver that can be stopped. The Glucose family looks at its budget only when it restarts, so
        it may overrun a time limit.
    stratification : str
        RC2's strategy; "none" solves all weights at once.
    exhaust, minimize, adapt : bool
        RC2's core exhaustion, core reduction and detection of intrinsic at-most-one constraints.
    trim : int
        How often RC2 trims a core.
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
    """Check the caller's options and return them as the engine's dataclass."""
    known = [f.name for f in fields(kind)]
    for name in options or {}:
        if name not in known:
            raise InputError(f"engine {engine!r} has no option {name!r}; choose from: {', '.join(known)}")
    return kind(**(options or {}))


def check_choice(name: str, value: object, choices: Mapping[str, object] | tuple[str, ...]) -> None:
    """Refuse a value that is not among the choices."""
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"option {name} cannot be {value!r}; choose one of: {', '.join(choices)}")


def check_flag(name: str, value: object) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        raise InputError(f"option {name} must be True or False, not {value!r}")


def check_count(name: str, value: object, low: int) -> None:
    """Refuse anything but a whole number from ``low`` up."""
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise InputError(f"option {name} must be a whole number of at least {low}, not {value!r}")
