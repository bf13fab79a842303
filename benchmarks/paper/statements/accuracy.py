"""Sentences on test accuracy, on training sets that all tools solve and on all sets."""

from __future__ import annotations

import pandas as pd

from benchmarks.paper.claims import PERFECT, PERFECT_TOOLS, solved_by_all
from benchmarks.paper.evidence import Evidence, NotMeasuredError, ranked
from benchmarks.paper.statements.api import PERFECT_SAT, RIVALS, Statement, Verdict, in_order, judged
from laconic.bench import methods
from laconic.bench.table import INSTANCE

_ACCURACY = "Accuracy"


def _accuracy_on_common(evidence: Evidence) -> tuple[dict[str, float], int]:
    """Return mean strict accuracies on the sets that all tools solved, with the perfect ones as one tool."""
    names = [*(one for one in PERFECT_TOOLS if evidence.has(one))]
    if not names:
        raise NotMeasuredError("perfect sets")
    for name in RIVALS:
        evidence.of(name)
    solved = solved_by_all(evidence.table, [*names, *RIVALS])
    if not len(solved):
        raise NotMeasuredError("a training set that all tools solved")
    values = {name: 100 * float(solved[solved["method"] == name]["strict"].mean()) for name in RIVALS}
    perfect = solved[solved["method"].isin(names)].groupby(INSTANCE, observed=True)["strict"].mean()
    return {PERFECT: 100 * float(perfect.mean()), **values}, len(perfect)


def _perfect_is_most_accurate(evidence: Evidence) -> Verdict:
    values, n = _accuracy_on_common(evidence)
    best = max((name for name in values if name != PERFECT), key=lambda name: values[name])
    ours = f"perfect {values[PERFECT]:.2f}, next {methods.labels([best])[best]} {values[best]:.2f}"
    return Verdict(judged(values[PERFECT] > values[best]), ours, n)


def _order_on_common(evidence: Evidence) -> Verdict:
    values, n = _accuracy_on_common(evidence)
    falling = (PERFECT, "ripper", "imli16", "imli1", "sp-l3", "mds2-star-r3", "cn2")
    judgement, turned = in_order(values, falling)
    return Verdict(judgement, ranked(values) + turned, n)


def _cn2_is_least_accurate(evidence: Evidence) -> Verdict:
    values, n = _accuracy_on_common(evidence)
    others = min(value for name, value in values.items() if name != "cn2")
    ours = f"cn2 {values['cn2']:.2f}, the next {others:.2f}"
    return Verdict(judged(values["cn2"] < others), ours, n)


def _nothing_is_more_accurate(evidence: Evidence) -> Verdict:
    """Compare perfect sets with all methods that have records: none is more accurate."""
    names = [one for one in PERFECT_TOOLS if evidence.has(one)]
    rest = [one for one in evidence.methods if one not in names and one not in {"exact", "mopt-union"}]
    perfect = solved_by_all(evidence.table, names).groupby(INSTANCE, observed=True)["strict"].max()
    others = solved_by_all(evidence.table, rest).groupby(INSTANCE, observed=True)["strict"].max()
    others = others.reindex(perfect.index).dropna()
    perfect = perfect.reindex(others.index)
    if not len(others):
        raise NotMeasuredError("a training set that all tools solved")
    higher = int((others > perfect).sum())
    best = 100 * float(pd.concat([others, perfect], axis=1).max(axis=1).mean())
    ours = (
        f"another method is more accurate than every perfect set on {higher} of {len(others)}; "
        f"the best method on each set has {best:.2f}, "
        f"the best perfect set {100 * float(perfect.mean()):.2f}"
    )
    for tree in ("streed", "cart-4"):
        if evidence.has(tree):
            both = evidence.both(["exact", *names], tree)
            mine, other = both.means("strict")
            label = methods.labels([tree])[tree]
            ours += f"; {label} {other:.2f}, perfect {mine:.2f} on the {both.n} sets that both solve"
    return Verdict(judged(not higher), ours, len(others))


def _picture_changes(evidence: Evidence) -> Verdict:
    values, n = evidence.accuracy_on_all([*PERFECT_SAT, *RIVALS])
    perfect = max(values[name] for name in PERFECT_SAT)
    best = max(RIVALS, key=lambda name: values[name])
    ahead = sum(values[name] > perfect for name in RIVALS)
    ours = (
        f"{methods.labels([best])[best]} {values[best]:.2f}, the best perfect sets by SAT {perfect:.2f}, "
        f"behind {ahead} of {len(RIVALS)} tools"
    )
    return Verdict(judged(values[best] > perfect), ours, n)


def _order_on_all(evidence: Evidence) -> Verdict:
    values, n = evidence.accuracy_on_all(RIVALS)
    falling = ("ripper", "mds2-star-r3", "sp-l3", "imli1", "cn2", "imli16")
    judgement, turned = in_order(values, falling)
    return Verdict(judgement, ranked(values) + turned, n)


STATEMENTS = (
    Statement(
        _ACCURACY, "where all tools solve, perfect sets are the most accurate", _perfect_is_most_accurate
    ),
    Statement(
        _ACCURACY,
        "where all tools solve: perfect, ripper, imli16, imli1, sp[λ3], mds2*[ρ3], cn2, in this order",
        _order_on_common,
    ),
    Statement(_ACCURACY, "where all tools solve, cn2 is the least accurate", _cn2_is_least_accurate),
    Statement(
        _ACCURACY,
        "where all tools solve, no model of any kind can be more accurate than perfect sets",
        _nothing_is_more_accurate,
    ),
    Statement(
        _ACCURACY,
        "on all sets, unsolved = 0, the picture changes: perfect sets fall behind",
        _picture_changes,
    ),
    Statement(
        _ACCURACY,
        "on all sets: ripper, mds2*[ρ3], sp[λ3], imli1, cn2, imli16, in this order",
        _order_on_all,
    ),
)
