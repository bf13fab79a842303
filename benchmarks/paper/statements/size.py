"""Sentences on the sizes of decision sets."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from benchmarks.paper.claims import SP3
from benchmarks.paper.evidence import Evidence, NotMeasuredError, ranked
from benchmarks.paper.statements.api import CLOSE_FACTOR, RIVALS, Statement, Verdict, in_order, judged
from laconic.bench import methods

_SIZE = "Size"


def _mean_sizes(evidence: Evidence, names: Sequence[str]) -> tuple[dict[str, float], int]:
    rows = evidence.same_sets(names)
    sizes = {name: float(part.loc[part["solved"], "size"].mean()) for name, part in rows.items()}
    for name, size in sizes.items():
        if pd.isna(size):
            raise NotMeasuredError(f"a training set that {name} solved")
    return sizes, len(next(iter(rows.values())))


def _smallest_is_sp3(evidence: Evidence) -> Verdict:
    sizes, n = _mean_sizes(evidence, RIVALS)
    others = {name: size for name, size in sizes.items() if name != "sp-l3"}
    second = min(others, key=lambda name: others[name])
    ours = f"sp[λ3] {sizes['sp-l3']:.2f}, next {methods.labels([second])[second]} {others[second]:.2f}"
    return Verdict(judged(sizes["sp-l3"] < others[second]), ours, n)


def _order_of_sizes(evidence: Evidence) -> Verdict:
    rising = ("sp-l3", "imli1", "mds2-star-r3", "ripper", "mds2-star", "imli16", "cn2")
    sizes, n = _mean_sizes(evidence, rising)
    judgement, turned = in_order(sizes, rising[::-1])
    return Verdict(judgement, ranked(sizes) + turned, n)


def _imli1_has_one_rule(evidence: Evidence) -> Verdict:
    rows = evidence.of("imli1")
    solved = rows[rows["solved"]]
    both = evidence.both(SP3, "imli1")
    mine, other = both.means("size")
    most = int(solved["n_rules"].max())
    ours = (
        f"at most {most} rules, the default rule counted; on the {both.n} sets that both solve "
        f"{other:.2f}, sp[λ3] {mine:.2f}"
    )
    return Verdict(judged(most <= 2, other <= CLOSE_FACTOR * mine), ours, both.n)


def _perfect_sets_are_larger(evidence: Evidence) -> Verdict:
    facts, phrases, n = [], [], 0
    for name in ("sp-l3", "mds2-star-r3", "imli1", "ripper", "imli16", "cn2"):
        both = evidence.both(["exact", "opt"], SP3[1] if name == "sp-l3" and evidence.has(SP3[1]) else name)
        mine, other = both.means("size")
        facts.append(mine > other)
        larger, _ = both.n_higher("size")
        phrases.append(
            f"{methods.labels([name])[name]} {other:.2f} against {mine:.2f} (larger on {larger} of {both.n})"
        )
        n = max(n, both.n)
    return Verdict(judged(*facts), "on the sets that both solve: " + "; ".join(phrases), n)


def _sparse_mds2_is_smaller(evidence: Evidence) -> Verdict:
    both = evidence.both("mds2-star-r3", "mds2-star")
    sparse, perfect = both.means("size")
    ours = f"on the {both.n} sets that both solve {sparse:.2f} and {perfect:.2f}"
    return Verdict(judged(sparse < perfect), ours, both.n)


STATEMENTS = (
    Statement(_SIZE, "sp[λ3] is the clear winner in size", _smallest_is_sp3),
    Statement(_SIZE, "imli1 gets close to sp[λ3], but always computes one rule only", _imli1_has_one_rule),
    Statement(
        _SIZE,
        "mean sizes: cn2, imli16, mds2*, ripper, mds2*[ρ3], imli1, sp[λ3], largest first",
        _order_of_sizes,
    ),
    Statement(_SIZE, "perfect sets in general tend to be larger", _perfect_sets_are_larger),
    Statement(_SIZE, "mds2*[ρ3] is smaller than mds2*", _sparse_mds2_is_smaller),
)
