"""Sentences of the paper's conclusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from benchmarks.paper.claims import SP3
from benchmarks.paper.evidence import Evidence, NotMeasuredError, ranked
from benchmarks.paper.statements.api import Statement, Verdict, in_order, judged, more
from laconic.bench.table import INSTANCE

_SUMMARY = "The paper's conclusion"


def _sparse_is_easier(evidence: Evidence) -> Verdict:
    counts, limit, n = evidence.solved(["opt", "sp-l1", "sp-l2", "sp-l3"])
    facts = [more(counts[name], counts["opt"]) for name in ("sp-l1", "sp-l2", "sp-l3")]
    return Verdict(
        judged(*facts), f"within {limit:g} s " + ranked({k: float(v) for k, v in counts.items()}, 0), n
    )


def _sparse_is_accurate(evidence: Evidence) -> Verdict:
    values, n = evidence.accuracy_on_all(["opt", "sp-l3"])
    facts = [values["sp-l3"] > values["opt"]]
    ours = f"by SAT, unsolved = 0: {ranked(values)}"
    if evidence.has("exact") and evidence.has("exact-sp-l3"):
        more, m = evidence.accuracy_on_all(["exact", "exact-sp-l3"])
        both = evidence.both("exact-sp-l3", "exact")
        sparse, perfect = both.means("strict")
        ours += (
            f"; by the exact engine on {m}: {ranked(more)}; on the {both.n} that it solves both ways "
            f"sparse {sparse:.2f}, perfect {perfect:.2f}"
        )
        facts.append(sparse > perfect)
        n = max(n, m)
    return Verdict(judged(*facts), ours, n)


def _smaller_is_harder(names: Sequence[str]) -> Callable[[Evidence], Verdict]:
    def judge(evidence: Evidence) -> Verdict:
        counts, limit, n = evidence.solved(names)
        values = {name: float(count) for name, count in counts.items()}
        judgement, turned = in_order(values, names[::-1])
        return Verdict(judgement, f"within {limit:g} s " + ranked(values, 0) + turned, n)

    return judge


def _smaller_is_more_accurate(names: Sequence[str]) -> Callable[[Evidence], Verdict]:
    def judge(evidence: Evidence) -> Verdict:
        rows = evidence.same_sets(names)
        solved = pd.concat([part[part["solved"]] for part in rows.values()])
        n_solvers = solved.groupby(INSTANCE, observed=True)["method"].transform("nunique")
        shared = solved[n_solvers == len(names)]
        if not len(shared):
            raise NotMeasuredError("a training set that all of them solved")
        values = {name: 100 * float(shared[shared["method"] == name]["strict"].mean()) for name in names}
        judgement, turned = in_order(values, names)
        n = len(shared) // len(names)
        return Verdict(judgement, f"on the {n} sets that all solve {ranked(values)}{turned}", n)

    return judge


def _heuristics_are_larger(evidence: Evidence) -> Verdict:
    phrases, facts, n = [], [], 0
    for name in ("ripper", "cn2"):
        both = evidence.both(SP3, name)
        mine, other = both.means("size")
        facts.append(other > 2 * mine)
        phrases.append(f"{name} {other:.2f}, sp[λ3] {mine:.2f} on {both.n}")
        n = max(n, both.n)
    return Verdict(judged(*facts), "; ".join(phrases), n)


STATEMENTS = (
    Statement(_SUMMARY, "sparse sets are much easier to compute than perfect ones", _sparse_is_easier),
    Statement(_SUMMARY, "sparse sets are preferable for their accuracy overall", _sparse_is_accurate),
    Statement(_SUMMARY, "the smaller λ, the harder", _smaller_is_harder(("sp-l1", "sp-l2", "sp-l3"))),
    Statement(
        _SUMMARY,
        "the smaller λ, the more accurate",
        _smaller_is_more_accurate(("exact-sp-l1", "exact-sp-l2", "exact-sp-l3")),
    ),
    Statement(
        _SUMMARY,
        "so for mds2*[ρ]: the smaller ρ, the harder",
        _smaller_is_harder(("mds2-star-r1", "mds2-star-r2", "mds2-star-r3")),
    ),
    Statement(
        _SUMMARY,
        "so for mds2*[ρ]: the smaller ρ, the more accurate",
        _smaller_is_more_accurate(("mds2-star-r1", "mds2-star-r2", "mds2-star-r3")),
    ),
    Statement(_SUMMARY, "heuristic sets are much larger than sparse ones", _heuristics_are_larger),
)
