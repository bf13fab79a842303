"""Sentences on the datasets, and on the competitors before they are compared."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from benchmarks.paper.claims import N_PAPER
from benchmarks.paper.evidence import Evidence, NotMeasuredError
from benchmarks.paper.statements.api import Judgement, Statement, Verdict, judged, more
from laconic.bench.table import INSTANCE

_DATA = "Datasets and methodology"
_TOOLS = "Competitors"


def _suite(evidence: Evidence) -> Verdict:
    sets = evidence.table.drop_duplicates(INSTANCE)
    by_family = sets.groupby("quantisation").size()
    tables, folds = sets["dataset"].nunique(), sets["fold"].nunique()
    pairs = " to ".join(str(size) for size in sorted({by_family.min(), by_family.max()}))
    ours = (
        f"{tables} datasets, {len(by_family)} families of {pairs} pairs by {folds} folds, {len(sets)} in all"
    )
    if len(sets) < N_PAPER:
        return Verdict(Judgement.OPEN, f"only a part was run: {ours}", len(sets))
    as_stated = (tables, len(by_family), folds, len(sets)) == (71, 3, 5, N_PAPER)
    return Verdict(judged(as_stated and set(by_family) == {355}), ours, len(sets))


def _range(column: str, low: int, high: int, what: str) -> Callable[[Evidence], Verdict]:
    def judge(evidence: Evidence) -> Verdict:
        known = evidence.table.dropna(subset=[column]).drop_duplicates(INSTANCE)
        if not len(known):
            raise NotMeasuredError(what)
        least, most = int(known[column].min()), int(known[column].max())
        if len(known) < N_PAPER and low <= least <= most <= high:
            return Verdict(Judgement.OPEN, f"only a part was run: {least} to {most}", len(known))
        return Verdict(judged(least == low, most == high), f"{least} to {most}", len(known))

    return judge


def _share_of_training(evidence: Evidence) -> Verdict:
    known = evidence.table.dropna(subset=["train_share"]).drop_duplicates(INSTANCE)
    if not len(known):
        raise NotMeasuredError("rows")
    mean, least, most = (
        100 * value for value in (known.train_share.mean(), known.train_share.min(), known.train_share.max())
    )
    ours = f"{mean:.1f} % on average, {least:.1f} to {most:.1f} %, by how the rows divide by five"
    return Verdict(judged(abs(mean - 80) < 0.5), ours, len(known))


def _imli_speed(evidence: Evidence) -> Verdict:
    counts, limit, n = evidence.solved(["imli1", "imli16"])
    facts = [more(counts["imli1"], counts["imli16"])]
    ours = f"within {limit:g} s {counts['imli1']} with k = 1, {counts['imli16']} with k = 16"
    between = [f"imli{k}" for k in (2, 4, 8) if evidence.has(f"imli{k}")]
    if not between:
        return Verdict(judged(*facts), f"{ours}; no other k was run", n)
    falling = ["imli1", *between, "imli16"]
    counts, limit, m = evidence.solved(falling)
    facts.append(all(counts[one] >= counts[other] for one, other in pairwise(falling)))
    each = ", ".join(f"{counts[name]} with k = {name[4:]}" for name in falling)
    return Verdict(
        judged(*facts), f"{ours}; of the {m} on which other k were run, within {limit:g} s {each}", n
    )


def _imli_accuracy(evidence: Evidence) -> Verdict:
    everywhere, n = evidence.accuracy_on_all(["imli1", "imli16"])
    both = evidence.both("imli1", "imli16")
    one, sixteen = both.means("strict")
    ours = (
        f"unsolved = 0: {everywhere['imli1']:.2f} with k = 1, {everywhere['imli16']:.2f} with k = 16; on the "
        f"{both.n} sets that both solve {one:.2f} and {sixteen:.2f} "
        "(the paper, where all tools solve: 76.06 and 77.42)"
    )
    return Verdict(judged(everywhere["imli1"] > everywhere["imli16"], one > sixteen), ours, n)


def _separated(evidence: Evidence) -> Verdict:
    counts, limit, n = evidence.solved(["opt", "opt-union"])
    facts = [more(counts["opt"], counts["opt-union"])]
    ours = f"within {limit:g} s opt {counts['opt']}, opt∪ {counts['opt-union']}"
    if evidence.has("mopt") and evidence.has("mopt-union"):
        counts, limit, _ = evidence.solved(["mopt", "mopt-union"])
        facts.append(more(counts["mopt"], counts["mopt-union"]))
        ours += f"; within {limit:g} s mopt {counts['mopt']}, mopt∪ {counts['mopt-union']}"
    for k in (1, 2, 3):
        names = f"sp-l{k}", f"sp-l{k}-joint"
        if all(map(evidence.has, names)):
            counts, limit, m = evidence.solved(names)
            facts.append(more(*(counts[name] for name in names)))
            ours += f"; of {m}, within {limit:g} s sp[λ{k}] {counts[names[0]]}, sp∪[λ{k}] {counts[names[1]]}"
    return Verdict(judged(*facts), ours, n)


STATEMENTS = (
    Statement(_DATA, "71 datasets in 3 families of 355 pairs by 5 folds, 1065 in all", _suite),
    Statement(_DATA, "14 to 67557 rows", _range("rows", 14, 67557, "rows")),
    Statement(_DATA, "3 to 384 features", _range("n_features", 3, 384, "features")),
    Statement(_DATA, "80 % of the rows for training, 20 % for testing", _share_of_training),
    Statement(_TOOLS, "of k = 1 … 16, IMLI performs best with 1, worst with 16", _imli_speed),
    Statement(_TOOLS, "of k = 1 … 16, IMLI is most accurate with 1, least with 16", _imli_accuracy),
    Statement(_TOOLS, "a model per class beats one for all classes together", _separated),
)
