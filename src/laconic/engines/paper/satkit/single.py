"""The best single rule of a class, for classes that must have a rule (``every_class``).

Without ``every_class`` no optimal set has a rule that does not pay, and `laconic.engines.paper.satkit.view`
drops the literals that only such rules use. With it, an optimal set may be a single rule that does not pay,
as long as it covers a row of the class. If an optimal set had two or more rules and one of them did not
pay, that rule could be dropped. So the answer is the better of the best set of paying rules and the best
single rule.
(It would not be enough to look for single rules only when the unconstrained optimum is empty: two rules that
share false positives can beat every single rule.)

The order of the literals of one rule does not matter, so the formula has no nodes: x_ℓ chooses a literal
(soft, Λ), a row of the class pays if a chosen literal excludes it, and any other row pays unless a chosen
literal excludes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from laconic.engines.paper.satkit.clauses import Clauses, batches
from laconic.engines.paper.satkit.minimum import SetFormula, lower_bound
from laconic.engines.paper.satkit.options import Rc2Options
from laconic.engines.paper.satkit.part import ProblemPart
from laconic.engines.paper.satkit.rc2 import Soft
from laconic.engines.paper.satkit.view import SearchView, complete_view
from laconic.engines.paper.satkit.work import Work
from laconic.problem.coded import CodedRule
from laconic.runtime.budget import Budget


def offer_single_rule(part: ProblemPart, options: Rc2Options, budget: Budget, work: Work) -> int:
    """Offer the best single rule to the part; return a lower bound on the cost of every single rule."""
    (target,) = part.targets
    view = complete_view(part.problem, target)

    def decode(model: list[int]) -> list[CodedRule]:
        chosen = [int(code) for k, code in enumerate(view.codes) if model[k] > 0]
        return [CodedRule.of(target, chosen)]

    soft: list[Soft] = [([-(k + 1)], part.problem.literal_cost) for k in range(view.n_literals)]
    soft += [
        ([-(view.n_literals + 1 + i)], part.problem.error_cost * int(w))
        for i, w in enumerate(np.abs(view.weights[:, 0]))
    ]
    top = view.n_literals + view.n_rows
    formula = SetFormula(
        _hard(view), lambda: soft, lambda: top, decode, part.base + part.problem.rule_price(0)
    )
    return lower_bound(part, formula, options, budget, work, stop_early=True)


def _hard(view: SearchView) -> Iterator[Clauses]:
    first_row = view.n_literals + 1
    choose = np.arange(1, first_row)
    own = np.flatnonzero(view.weights[:, 0] > 0)
    if own.size:
        yield [[-(first_row + i) for i in own.tolist()]]
    yield [[-a, -b] for a, b in pairwise(choose.tolist()) if view.groups[a - 1] == view.groups[b - 1]]
    for rows in batches(np.arange(view.n_rows)):
        batch: Clauses = []
        for i in rows:
            excluding = choose[~view.holds[i]].tolist()
            if view.weights[i, 0] > 0:
                batch += [[-x, first_row + i] for x in excluding]
            else:
                batch.append([first_row + i, *excluding])
        yield batch
