"""Random problems with demands, and their fronts and near-optimal sets by trying everything."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.demand_oracle import optimum
from tests.demand_problems import KINDS, demand_problem
from tests.front_oracle import every_rule

from laconic.demands.evaluate import admissible
from laconic.model.coded import CodedRule
from laconic.objective import Objective, Problem
from laconic.verify import violations
from laconic.verify_demands import recounted_cost

FRONT_KINDS = tuple(kind for kind in KINDS if not kind.startswith("measure") and kind != "lexicographic")
BY_CLASS = ("usable", "class_factor", "error_costs")


def front_problem(seed, kind, objective=None):
    """A problem that asks for a size, or another objective, and whose sizes are whole numbers."""
    problem = demand_problem(seed, kind, objective or Objective(max_size=0))
    demands = problem.demands
    whole = {
        name: tuple(Fraction(int(2 * value)) for value in getattr(demands, name))
        for name in ("literal_factor", "column_cost")
        if any(value.denominator > 1 for value in getattr(demands, name))
    }
    # Rules that must be in and break other demands are refused where words become demands.
    demanded = frozenset(rule for rule in demands.rules_in if admissible(problem.table, demands, rule))
    fitting = replace(demands, measure=("size",), rules_in=demanded, **whole)
    return Problem.of(problem.table, problem.objective, fitting)


def only_by_class(problem):
    """The same problem without what ties rules together."""
    loose = problem.demands.without_ties()
    assert loose.by_class
    return Problem.of(problem.table, problem.objective, loose)


def staircase(problem, max_size):
    """The fewest errors, in integers, of sets of size at most k; None where no set meets the demands."""
    best = [
        optimum(Problem.of(problem.table, Objective(max_size=k), problem.demands))
        for k in range(max_size + 1)
    ]
    return [None if one is None else one[0][0] for one in best]


def near_optimal(problem, excess):
    """All sets within a distance of the optimum from which nothing can be left out: (cost, rules), sorted."""
    level = problem.pricing.levels[0]
    table = problem.table
    every = [rule for target in problem.classes for rule in every_rule(table, target)]
    rules = [rule for rule in every if admissible(table, problem.demands, rule)]
    rules += sorted(problem.demands.rules_in - set(rules))
    best = optimum(problem)
    if best is None:
        return None
    limit = best[0][0] + excess

    def errors(chosen):
        """What errors cost, or None if the set is not allowed; counted by the checker."""
        if violations(problem, chosen):
            return None
        columns = {int(problem.demands.column_of[code // 2]) for rule in chosen for code in rule.literals}
        paid = sum(level.of_rule(rule) for rule in chosen) + sum(int(level.column[c]) for c in columns)
        return recounted_cost(problem, chosen) - paid

    def redundant(chosen):
        before = errors(chosen)
        for rule in chosen:
            rest = [other for other in chosen if other != rule]
            shorter = [
                CodedRule.of(rule.target, [one for one in rule.literals if one != code])
                for code in rule.literals
            ]
            for less in (rest, *(sorted({*rest, one}) for one in shorter)):
                after = errors(less)
                if after is not None and after <= before:
                    return True
        return False

    found = []

    def extend(start, chosen, paid):
        if not violations(problem, chosen):
            total = recounted_cost(problem, chosen)
            if total <= limit and not redundant(chosen):
                found.append((total, tuple(sorted(chosen))))
        for k in range(start, len(rules)):
            more = paid + level.of_rule(rules[k])
            if more <= limit:
                extend(k + 1, [*chosen, rules[k]], more)

    extend(0, [], 0)
    return sorted(found)
