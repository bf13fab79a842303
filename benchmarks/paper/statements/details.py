"""Sentences on sp[λ3] against ripper and imli1, and on the classes that are explained."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.paper.claims import SP3
from benchmarks.paper.evidence import Evidence, NotMeasuredError
from benchmarks.paper.statements.api import CLOSE_FACTOR, CLOSE_POINTS, Statement, Verdict, judged, more
from laconic.bench import methods

_DETAILS = "sp[λ3] against ripper and imli1"
_CLASSES = "Explanations"


def _comparable_accuracy(rival: str) -> Callable[[Evidence], Verdict]:
    def judge(evidence: Evidence) -> Verdict:
        both = evidence.both(SP3, rival)
        mine, other = both.means("strict")
        higher, lower = both.n_higher("strict")
        ours = (
            f"means {mine:.2f} (sp[λ3]) and {other:.2f}; sp[λ3] is higher on {higher}, "
            f"lower on {lower} of {both.n}"
        )
        return Verdict(judged(abs(mine - other) <= CLOSE_POINTS), ours, both.n)

    return judge


def _comparable_size(evidence: Evidence) -> Verdict:
    both = evidence.both(SP3, "imli1")
    mine, other = both.means("size")
    larger, smaller = both.n_higher("size")
    ours = (
        f"means {mine:.2f} (sp[λ3]) and {other:.2f}; sp[λ3]'s are larger on {larger}, "
        f"smaller on {smaller} of {both.n}"
    )
    close = max(mine, other) <= CLOSE_FACTOR * min(mine, other)
    return Verdict(judged(close), ours, both.n)


def _sp3_outperforms_imli1(evidence: Evidence) -> Verdict:
    counts, limit, n = evidence.solved(["sp-l3", "imli1"])
    ours = f"within {limit:g} s sp[λ3] {counts['sp-l3']}, imli1 {counts['imli1']}"
    judgement = judged(more(counts["sp-l3"], counts["imli1"]))
    if evidence.has("exact-sp-l3"):
        counts, limit, _ = evidence.solved(["exact-sp-l3", "imli1"])
        ours += f"; within {limit:g} s exact sp[λ3] {counts['exact-sp-l3']}, imli1 {counts['imli1']}"
    return Verdict(judgement, ours, n)


def _orders_of_magnitude(evidence: Evidence) -> Verdict:
    both = evidence.both(SP3, "ripper")
    ratio = both.right["size"].to_numpy(dtype=float) / both.left["size"].to_numpy(dtype=float)
    counts = ", ".join(f"{times} times on {int((ratio >= times).sum())}" for times in (10, 100, 1000))
    ours = f"up to {ratio.max():.0f} times as large; at least {counts} of {both.n}"
    return Verdict(judged(ratio.max() >= 100, ratio.max() >= 1000), ours, both.n)


def _one_class_only(evidence: Evidence) -> Verdict:
    phrases, facts, n = [], [], 0
    for name in ("ripper", "imli1", "imli16"):
        rows = evidence.of(name)
        solved = rows[rows["solved"]]
        if not len(solved):
            raise NotMeasuredError(f"a training set that {name} solved")
        most = int(solved["n_described"].max())
        facts.append(most <= 1)
        share = 100 * float(solved["described"].mean())
        phrases.append(f"{name} at most {most} class of each set, {share:.1f} % of the classes")
        n = max(n, len(solved))
    return Verdict(judged(*facts), "; ".join(phrases), n)


def _every_class_is_described(evidence: Evidence) -> Verdict:
    phrases, facts, n = [], [], 0
    for name, other in (("sp-l1", "exact-sp-l1"), ("sp-l2", "exact-sp-l2"), SP3, ("opt", "exact")):
        method = other if evidence.has(other) else name
        rows = evidence.of(method)
        solved = rows[rows["solved"]]
        if not len(solved):
            continue
        share = 100 * float(solved["all_described"].astype(float).mean())
        facts.append(share >= 99)
        phrases.append(f"{methods.labels([method])[method]} {share:.1f} % of {len(solved)}")
        n = max(n, len(solved))
    if not facts:
        raise NotMeasuredError("a training set that was solved")
    return Verdict(judged(*facts), "sets with a rule for every class: " + ", ".join(phrases), n)


STATEMENTS = (
    Statement(_DETAILS, "sizes of sp[λ3] and imli1 are comparable", _comparable_size),
    Statement(_DETAILS, "accuracies of sp[λ3] and imli1 are comparable", _comparable_accuracy("imli1")),
    Statement(
        _DETAILS, "imli1 is significantly outperformed by sp[λ3] (sets solved)", _sp3_outperforms_imli1
    ),
    Statement(_DETAILS, "accuracies of sp[λ3] and ripper are comparable", _comparable_accuracy("ripper")),
    Statement(
        _DETAILS,
        "ripper's sets can be several orders of magnitude larger than sp[λ3]'s",
        _orders_of_magnitude,
    ),
    Statement(_CLASSES, "RIPPER and IMLI represent one class only", _one_class_only),
    Statement(
        _CLASSES,
        "the paper's own models give a succinct representation of every class",
        _every_class_is_described,
    ),
)
