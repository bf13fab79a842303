"""The shelf: decision sets that are as good as the best under the opinions held, or nearly."""

from __future__ import annotations

from collections import Counter
from typing import Any

from laconic.learning.near import NearOptimalSets, enumerate_sets
from laconic.problem.objective import Objective
from laconic.runtime.budget import Budget
from laconic.studio.opinions import Opinion, RuleData, constraints_of
from laconic.studio.solver import BestSet, Solver
from laconic.studio.views import rule_view

MOST_SETS = 40
SECONDS = 20.0


def shelf(
    solver: Solver,
    regularization: float,
    opinions: tuple[Opinion, ...],
    best: BestSet,
    within: float,
    budget: Budget,
) -> dict[str, Any]:
    """Return the sets within a distance of the best, what they share, and what each has that the best lacks.

    Parameters
    ----------
    solver : Solver
    regularization : float
    opinions : tuple of Opinion
    best : BestSet
        Under these opinions.
    within : float
        In units of size: how much more a set may cost.
    budget : Budget
    """
    unit = best.learned.problem.in_user_units(best.learned.problem.literal_cost)
    found = enumerate_sets(
        solver.training,
        Objective(regularization=regularization),
        within=float(within * unit),
        limit=MOST_SETS,
        budget=budget,
        constraints=constraints_of(opinions, solver.labels),
    )
    return _view(found, best)


def _view(found: NearOptimalSets, best: BestSet) -> dict[str, Any]:
    own = {RuleData.of(rule) for rule in best.learned.model.rules}
    sets = []
    used: Counter[str] = Counter()
    for place in range(len(found)):
        model = found.model(place)
        rules = [RuleData.of(rule) for rule in model.rules]
        used.update({literal.text for rule in rules for literal in rule.literals})
        sets.append(
            {
                "more": float(found.costs[place] - best.cost),
                "size": model.size,
                "errors": float(model.facts.errors / model.facts.weight_scale),
                "rules": [
                    {**rule_view(rule), "new": data not in own}
                    for rule, data in zip(model.rules, rules, strict=True)
                ],
                "gone": [rule.words() for rule in sorted(own - set(rules), key=RuleData.words)],
                "opinion": {"kind": "prefer", "rules": [rule.to_document() for rule in rules]},
                "same": set(rules) == own,
            }
        )
    shares = [{"condition": text, "sets": times} for text, times in used.most_common()]
    return {"sets": sets, "total": found.n_sets, "complete": found.complete, "shares": shares}
