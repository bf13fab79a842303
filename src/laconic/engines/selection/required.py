"""First sets with required conditions: the best set without them, changed in one place per condition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem, cost

Rules = tuple[CodedRule, ...]

MOST_TRIED = 300
"""Maximum number of changes that are tried for a required group."""


def with_required(problem: Problem, rules: Sequence[CodedRule]) -> Iterator[Rules]:
    """Yield the set with each required group that it lacks added in turn, at the least cost first found.

    A required literal joins a rule, or a copy of one, or is a rule by itself.
    """
    constraints = problem.constraints
    if not constraints.required:
        return
    chosen: Rules = tuple(sorted({*rules, *constraints.rules_in}))
    # A set in the making lacks other groups that are required.
    loose = replace(problem, constraints=replace(constraints, required=()))
    for group in constraints.required:
        if any(group & set(rule.literals) for rule in chosen):
            continue
        best: tuple[int, Rules] | None = None
        for number, changed in enumerate(_changes(problem, chosen, group)):
            if number == MOST_TRIED:
                break
            value = cost(loose, changed)
            if value is not None and (best is None or value < best[0]):
                best = value, changed
        if best is None:
            return
        chosen = best[1]
    yield chosen


def _changes(problem: Problem, rules: Rules, group: frozenset[int]) -> Iterator[Rules]:
    usable = problem.constraints.usable
    for literal in sorted(group):
        alone = [CodedRule.of(c, (literal,)) for c in problem.classes if usable[c, literal >> 1, literal & 1]]
        for one in alone:
            yield tuple(sorted({*rules, one}))
        for rule in rules:
            if not usable[rule.target, literal >> 1, literal & 1]:
                continue
            if literal >> 1 in {code >> 1 for code in rule.literals}:
                continue
            longer = CodedRule.of(rule.target, (*rule.literals, literal))
            yield tuple(sorted({*rules, longer}))
            if rule not in problem.constraints.rules_in:
                yield tuple(sorted({*rules, longer} - {rule}))
