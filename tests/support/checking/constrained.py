"""Certificates of small tables with constraints, and what is true of these tables by trying everything."""

from __future__ import annotations

from dataclasses import replace

from tests.support.constraint_oracle import optimum
from tests.support.constraint_problems import constrained_problem

from laconic.checking.certify.certify import with_constraint_proofs
from laconic.checking.certify.stated import stated
from laconic.data.table import table_digest
from laconic.problem.objective import cost, otherwise_class
from laconic.runtime.budget import Budget


def demanding(seed, kind, objective=None):
    """A problem of a kind, its table, the best values by level and rules that attain them, or None."""
    problem = constrained_problem(seed, kind, objective)
    best = optimum(problem)
    if best is None:
        return None
    values, rules = best
    return problem, replace(problem.table, weights=problem.constraints.seen), values, tuple(sorted(rules))


def facts(problem, table, rules):
    """What a certificate says of a table under constraints, without the words of a data file."""
    otherwise = otherwise_class(problem, rules)
    return {
        "table_digest": table_digest(table),
        "objective": problem.objective.kind.value,
        "counting": problem.objective.counting.value,
        "every_class": problem.objective.every_class,
        **({} if otherwise is None else {"otherwise": otherwise}),
        "cost": cost(problem, rules),
        "rules": [[rule.target, *rule.literals] for rule in rules],
        "compiled_constraints": stated(problem),
    }


def certified(problem, table, rules):
    """A certificate for rules of a problem with constraints."""
    return with_constraint_proofs(facts(problem, table, rules), table, Budget(None))
