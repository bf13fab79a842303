"""Certificates of small tables with demands, and what is true of these tables by trying everything."""

from __future__ import annotations

from dataclasses import replace

from tests.demand_oracle import optimum
from tests.demand_problems import demand_problem

from laconic.budget import Budget
from laconic.certify.certify import with_demand_proofs
from laconic.certify.stated import stated
from laconic.model.proof import table_digest
from laconic.objective import cost


def demanding(seed, kind, objective=None):
    """A problem of a kind, its table, the best values by level and rules that attain them, or None."""
    problem = demand_problem(seed, kind, objective)
    best = optimum(problem)
    if best is None:
        return None
    values, rules = best
    return problem, replace(problem.table, weights=problem.demands.seen), values, tuple(sorted(rules))


def facts(problem, table, rules):
    """What a certificate says of a table under demands, without the words of a data file."""
    return {
        "table_digest": table_digest(table),
        "objective": problem.objective.kind.value,
        "counting": problem.objective.counting.value,
        "every_class": problem.objective.every_class,
        "cost": cost(problem, rules),
        "rules": [[rule.target, *rule.literals] for rule in rules],
        "demands": stated(problem),
    }


def certified(problem, table, rules):
    """A certificate for rules of a problem with demands."""
    return with_demand_proofs(facts(problem, table, rules), table, Budget(None))
