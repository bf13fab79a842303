"""The oracle for problems with constraints: every rule and every set of rules.

A set of rules is described by what costs and constraints look at: the union of covers per class, the shortest
explanation of each row, the columns used, the longest rule, the counts that are capped, the required groups.
Adding every admissible rule in turn to every description reaches every set; of sets with equal descriptions
the cheapest is kept. It shares nothing with the engine but the definition of the data.
"""

from __future__ import annotations

import itertools

from laconic.problem.coded import CodedRule


def optimum(problem):
    """Return the least cost by level and rules that attain it, or None if no set meets the constraints."""
    constraints, levels, table = problem.constraints, problem.pricing.levels, problem.table
    matrix = table.matrix.tolist()
    weights = table.weights.tolist()
    n_classes = table.n_classes
    explained = any(level.explained for level in levels)
    priced_columns = any(level.column.any() for level in levels)
    priced_longest = any(level.longest for level in levels)
    limits = problem.pricing.limits or (None,) * len(levels)
    # A limit on what rules cost at a level tells sets apart that a cheaper one would otherwise stand for.
    limited = [k for k, limit in enumerate(limits) if limit is not None and k != problem.pricing.faults]

    def cover_of(literals):
        return frozenset(i for i, row in enumerate(matrix) if all(row[c // 2] == c % 2 for c in literals))

    def admissible(rule, cover):
        if rule in constraints.rules_out:
            return False
        if any(not constraints.usable[rule.target, c // 2, c % 2] for c in rule.literals):
            return False
        if constraints.max_rule_length is not None and len(rule.literals) > constraints.max_rule_length:
            return False
        if problem.hard and any(sum(weights[i]) > weights[i][rule.target] for i in cover):
            return False  # an error that a perfect set avoids
        if rule in constraints.rules_in:
            return True
        if rule.target not in problem.classes:
            return False
        if not any(weights[i][rule.target] for i in cover):
            return False
        if sum(int(table.samples[i]) for i in cover) < constraints.min_support:
            return False
        right = sum(int(constraints.seen[i, rule.target]) for i in cover)
        total = sum(int(w) for i in cover for w in constraints.seen[i])
        return right >= constraints.min_precision * total

    rules = {}
    choices = [[None, 2 * f, 2 * f + 1] for f in range(table.n_features)]
    for picked in itertools.product(*choices):
        literals = tuple(c for c in picked if c is not None)
        cover = cover_of(literals)
        for target in range(n_classes):
            rule = CodedRule(target, literals)
            if admissible(rule, cover):
                rules[rule] = cover
    if not constraints.rules_in <= set(rules):
        return None

    def described(state, rule):
        covers, shortest, columns, longest, counts, groups = state
        cover, length = rules[rule], len(rule.literals)
        covers = tuple(one | cover if c == rule.target else one for c, one in enumerate(covers))
        if explained:
            shortest = dict(shortest)
            for i in cover:
                key = (i, rule.target)
                shortest[key] = min(length, shortest.get(key, length))
            shortest = frozenset(shortest.items())
        if priced_columns:
            columns = columns | {int(constraints.column_of[c // 2]) for c in rule.literals}
        if priced_longest:
            longest = max(longest, length)
        added = (
            constraints.max_rules is not None,
            length * (constraints.max_literals is not None),
            (length + 1) * (constraints.max_size is not None),
            *(prices(rule)[k] for k in limited),
        )
        counts = tuple(a + b for a, b in zip(counts, added, strict=True))
        caps = (
            constraints.max_rules,
            constraints.max_literals,
            constraints.max_size,
            *(limits[k] for k in limited),
        )
        if any(cap is not None and n > cap for n, cap in zip(counts, caps, strict=True)):
            return None
        hit = {k for k, group in enumerate(constraints.required) if group & set(rule.literals)}
        return covers, shortest, columns, longest, counts, groups | hit

    def prices(rule):
        return tuple(level.rule + sum(int(level.literal[c // 2]) for c in rule.literals) for level in levels)

    start = (
        (frozenset(),) * n_classes,
        frozenset(),
        frozenset(),
        0,
        (0, 0, 0, *(0 for _ in limited)),
        frozenset(),
    )
    states = {start: ((0,) * len(levels), ())}
    for rule in sorted(rules, key=lambda one: one not in constraints.rules_in):
        forced = rule in constraints.rules_in
        found = {} if forced else dict(states)
        for state, (paid, chosen) in states.items():
            after = described(state, rule)
            if after is None:
                continue
            total = tuple(a + b for a, b in zip(paid, prices(rule), strict=True))
            if after not in found or total < found[after][0]:
                found[after] = (total, (*chosen, rule))
        states = found

    best = None
    for (covers, shortest, columns, longest, _, groups), (paid, chosen) in states.items():
        if len(groups) < len(constraints.required):
            continue
        claiming = [{c for c in range(n_classes) if i in covers[c]} for i in range(table.n_rows)]
        if constraints.disjoint and any(len(one) > 1 for one in claiming):
            continue
        if problem.objective.every_class and not set(problem.classes) <= {rule.target for rule in chosen}:
            continue
        wrong = False
        value = list(paid)
        for i, own_weights in enumerate(weights):
            for own, weight in enumerate(own_weights):
                faults = (own not in claiming[i]) + len(claiming[i] - {own})
                if not weight or not faults:
                    continue
                wrong = True
                for k, level in enumerate(levels):
                    if not problem.separable:
                        value[k] += weight * int(level.missed[own])
                        continue
                    if own not in claiming[i]:
                        value[k] += weight * int(level.missed[own])
                    value[k] += weight * sum(
                        int(level.claimed[own] * level.claiming[c]) for c in claiming[i] - {own}
                    )
        if problem.hard and wrong:
            continue
        for k, level in enumerate(levels):
            value[k] += sum(int(level.column[c]) for c in columns) + level.longest * longest
            value[k] += level.explained * sum(n * weights[i][c] for (i, c), n in shortest)
        if any(limit is not None and one > limit for one, limit in zip(value, limits, strict=True)):
            continue
        if best is None or tuple(value) < best[0]:
            best = (tuple(value), chosen)
    return best
