"""Sentences on the number of training sets that each tool solves."""

from __future__ import annotations

from benchmarks.paper.evidence import Evidence, NotMeasuredError, ranked
from benchmarks.paper.statements.api import PERFECT_SAT, RIVALS, Statement, Verdict, in_order, judged, more
from laconic.bench import methods

_SPEED = "Scalability"


def _ripper_solves_most(evidence: Evidence) -> Verdict:
    facts, phrases, n = [], [], 0
    for name in (*(one for one in RIVALS if one != "ripper"), "exact-sp-l3"):
        if evidence.has(name):
            counts, limit, n_sets = evidence.solved(["ripper", name])
            facts.append(more(counts["ripper"], counts[name]))
            label = methods.labels([name])[name]
            phrases.append(f"{counts['ripper']} and {label} {counts[name]} of {n_sets} within {limit:g} s")
            n = max(n, n_sets)
    if not facts:
        raise NotMeasuredError("a tool beside ripper")
    return Verdict(judged(*facts), "ripper " + "; ".join(phrases), n)


def _order_of_solved(evidence: Evidence) -> Verdict:
    counts, limit, n = evidence.solved(RIVALS)
    values = {name: float(count) for name, count in counts.items()}
    judgement, turned = in_order(values, RIVALS)
    return Verdict(judgement, f"within {limit:g} s " + ranked(values, 0) + turned, n)


def _perfect_is_hardest(evidence: Evidence) -> Verdict:
    counts, limit, n = evidence.solved([*PERFECT_SAT, *RIVALS])
    most = max(counts[name] for name in PERFECT_SAT)
    least = min(counts[name] for name in RIVALS)
    ours = f"within {limit:g} s opt, mopt and opt∪ at most {most}, the other tools at least {least}"
    if evidence.has("exact"):
        rows = evidence.of("exact")
        ours += (
            f". The exact engine's perfect sets: {int(rows['solved'].sum())} of {len(rows)} "
            f"within {rows['limit_s'].max():g} s"
        )
    return Verdict(judged(more(least, most)), ours, n)


def _low_prices_are_as_hard(evidence: Evidence) -> Verdict:
    low = ["sp-l1", "sp-l2"]
    counts, limit, n = evidence.solved([*PERFECT_SAT, *low, *RIVALS])
    perfect = max(counts[name] for name in PERFECT_SAT)
    others = min(counts[name] for name in RIVALS)
    facts = [counts[name] <= perfect and counts[name] < others for name in low]
    ours = (
        f"within {limit:g} s sp[λ1] {counts['sp-l1']}, sp[λ2] {counts['sp-l2']}; "
        f"perfect sets at most {perfect}, the other tools at least {others}"
    )
    divided = [name for name in ("sp-r1", "sp-r2") if evidence.has(name)]
    if divided:
        counts, limit, m = evidence.solved([*PERFECT_SAT, *divided, *RIVALS])
        perfect = max(counts[name] for name in PERFECT_SAT)
        others = min(counts[name] for name in RIVALS)
        facts += [counts[name] <= perfect and counts[name] < others for name in divided]
        each = ", ".join(f"{methods.labels([name])[name]} {counts[name]}" for name in divided)
        ours += (
            f"; of {m}, within {limit:g} s {each}, perfect sets at most {perfect}, others at least {others}"
        )
    else:
        ours += "; prices of λ / K (the paper's sp[ρ]) were not run"
    for name in ("exact-sp-l1", "exact-sp-l2", "exact-sp-r1", "exact-sp-r2"):
        if evidence.has(name):
            rows = evidence.of(name)
            label = methods.labels([name])[name]
            ours += f"; {label} {int(rows['solved'].sum())} of {len(rows)} within {rows['limit_s'].max():g} s"
    return Verdict(judged(*facts), ours, n)


STATEMENTS = (
    Statement(_SPEED, "ripper solves more than all other tools", _ripper_solves_most),
    Statement(
        _SPEED, "solved: ripper, then sp[λ3], mds2*[ρ3], cn2, imli1, imli16, in this order", _order_of_solved
    ),
    Statement(_SPEED, "opt, mopt and opt∪ solve fewest: perfect sets are harder", _perfect_is_hardest),
    Statement(_SPEED, "sparse sets at a low price are as hard as perfect ones", _low_prices_are_as_hard),
)
