"""Random problems with constraints, and their fronts and near-optimal sets by trying everything."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.support.constraint_oracle import optimum
from tests.support.constraint_problems import KINDS, constrained_problem
from tests.support.front_oracle import every_rule

from laconic.checking.verify import violations
from laconic.checking.verify_constraints import recounted_cost
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.evaluate import admissible
from laconic.problem.objective import Objective, Problem

FRONT_KINDS = tuple(kind for kind in KINDS if not kind.startswith("measure") and kind != "lexicographic")
BY_CLASS = ("usable", "class_factor", "error_costs")


def front_problem(seed, kind, objective=None):
    """A problem that asks for a size, or another objective, and whose sizes are whole numbers."""
    problem = constrained_problem(seed, kind, objective or Objective(size_budget=0))
    constraints = problem.constraints
    whole = {
        name: tuple(Fraction(int(2 * value)) for value in getattr(constraints, name))
        for name in ("literal_factor", "column_cost")
        if any(value.denominator > 1 for value in getattr(constraints, name))
    }
    # Rules that must be in and break other constraints are refused where words become constraints.
    demanded = frozenset(
        rule for rule in constraints.rules_in if admissible(problem.table, constraints, rule)
    )
    fitting = replace(constraints, measure=("size",), rules_in=demanded, **whole)
    return Problem.of(problem.table, problem.objective, fitting)


def only_by_class(problem):
    """The same problem without what ties rules together."""
    loose = problem.constraints.without_ties()
    assert loose.by_class
    return Problem.of(problem.table, problem.objective, loose)


def staircase(problem, max_size):
    """The fewest errors, in integers, of sets of size at most k; None where no set meets the constraints."""
    best = [
        optimum(Problem.of(problem.table, Objective(size_budget=k), problem.constraints))
        for k in range(max_size + 1)
    ]
    return [None if one is None else one[0][0] for one in best]


def near_optimal(problem, excess):
    """All sets within a distance of the optimum from which nothing can be left out: (cost, rules), sorted."""
    level = problem.pricing.levels[0]
    table = problem.table
    every = [rule for target in problem.classes for rule in every_rule(table, target)]
    rules = [rule for rule in every if admissible(table, problem.constraints, rule)]
    rules += sorted(problem.constraints.rules_in - set(rules))
    best = optimum(problem)
    if best is None:
        return None
    limit = best[0][0] + excess

    def errors(chosen):
        """What errors cost, or None if the set is not allowed; counted by the checker."""
        if violations(problem, chosen):
            return None
        columns = {int(problem.constraints.column_of[code // 2]) for rule in chosen for code in rule.literals}
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
