"""Engines by name; an engine's module is imported when the engine is first used.

A new engine needs one module and one line here; the agreement tests find it through `available`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laconic.engines.api import Engine
from laconic.problem.objective import Counting, Kind, Problem
from laconic.runtime.errors import InputError


@dataclass(frozen=True, slots=True)
class Entry:
    """The module of an engine and the problems it solves."""

    module: str
    kinds: frozenset[Kind]
    countings: frozenset[Counting]
    summary: str
    budgets: bool = False
    constraints: bool = False
    otherwise: bool = False

    def supports(self, problem: Problem) -> bool:
        """Whether the engine can solve this problem."""
        objective = problem.objective
        if (objective.has_budget and not self.budgets) or (problem.otherwise and not self.otherwise):
            return False
        if not problem.constraints.any_set and not self.constraints:
            return False
        return objective.kind in self.kinds and (problem.hard or objective.counting in self.countings)


_ALL_KINDS = frozenset(Kind)
_BOTH = frozenset(Counting)

_ENGINES: dict[str, Entry] = {
    "exact": Entry(
        "laconic.engines.exact.engine",
        _ALL_KINDS,
        _BOTH,
        "column generation with a proof (the default)",
        budgets=True,
        constraints=True,
        otherwise=True,
    ),
    "sat": Entry(
        "laconic.engines.paper.sat.iterative", frozenset({Kind.PERFECT}), _BOTH, "iterative SAT (opt, opt∪)"
    ),
    "maxsat": Entry(
        "laconic.engines.paper.sat.maxsat",
        frozenset({Kind.PERFECT, Kind.SPARSE}),
        _BOTH,
        "MaxSAT (mopt, mopt∪, sp[λ])",
    ),
    "minrules": Entry(
        "laconic.engines.paper.minrules.engine",
        frozenset({Kind.SPARSE, Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS}),
        frozenset({Counting.PER_CLASS}),
        "SAT and MaxSAT by number of rules (mds2, mds2*, mds2*[ρ])",
    ),
    "brute": Entry(
        "laconic.engines.brute",
        _ALL_KINDS,
        _BOTH,
        "exhaustive oracle for tables of a dozen rows",
        otherwise=True,
    ),
}


def available() -> tuple[str, ...]:
    """Return the names of all engines."""
    return tuple(_ENGINES)


def entry(name: str) -> Entry:
    """Return the entry of an engine; the error for an unknown name lists the known ones."""
    try:
        return _ENGINES[name]
    except KeyError:
        known = ", ".join(_ENGINES)
        raise InputError(f"unknown engine {name!r}; choose one of: {known}") from None


def get(name: str) -> Engine:
    """Import an engine and return its ``solve`` function."""
    module = importlib.import_module(entry(name).module)
    engine: Engine = module.solve
    return engine


def check_options(name: str, options: Mapping[str, Any] | None) -> None:
    """Raise `InputError` for options that an engine would refuse, where work comes before the engine."""
    if name == "exact":
        from laconic.engines.tuning import tuning_of

        tuning_of(options)


def require_support(name: str, problem: Problem) -> Engine:
    """Return the engine; if it cannot solve the problem, `InputError` names the engines that can."""
    if entry(name).supports(problem):
        return get(name)
    able = ", ".join(other for other, known in _ENGINES.items() if known.supports(problem))
    if not problem.constraints.any_set:
        raise InputError(f"engine {name!r} does not support constraints; use engine {able!r}")
    objective = problem.objective
    what = f"objective={objective.kind.value!r}"
    if not problem.hard:
        what += f" with counting={objective.counting.value!r}"
    if objective.has_budget:
        what += f" and {'size_budget' if objective.max_errors is None else 'max_errors'}"
    if problem.otherwise:
        what += " and default='otherwise'"
    raise InputError(f"engine {name!r} does not solve {what}; use one of: {able}")
