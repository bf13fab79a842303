"""The paper's claims and our results, as one Markdown document made from records.

Only the section on differences is written by hand. It is passed in as text, so that the numbers can be
regenerated at any time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from benchmarks.paper.claims import CLAIMS, N_PAPER, Claim, Finding, agreement, findings, topics
from benchmarks.paper.evidence import Evidence
from benchmarks.paper.statements import STATEMENTS
from benchmarks.paper.statements.api import CLOSE_FACTOR, CLOSE_POINTS, Judgement, Verdict, verdict
from laconic.bench import methods
from laconic.bench.figures import Drawing
from laconic.bench.page import circumstances
from laconic.bench.progress import failures
from laconic.bench.records import Record
from laconic.bench.table import (
    INSTANCE,
    ComparableGroup,
    as_text,
    comparable_groups,
    n_common,
    summary,
    to_markdown,
)
from laconic.data.write import make_folder, save

_OPENING = """\
# The paper's experiments, run again

*Made by `python -m benchmarks.paper report` from the records named below; do not edit by hand.*

Left, what "Computing Optimal Decision Sets with SAT" (CP 2020, Section 4) reports; right, what we measured on
{tables}, scored by the same rule: a row is wrong if a rule of a wrong class
covers it, or none of its own class does. Size is literals plus rules. "Solved" means finished within our
limits, which stand beside each method, with a proof where the method proves.
"""

_OTHER_TABLES = """\
**These are not the paper's training sets**, and its numbers are shown for orientation only: agreement or
contradiction means nothing here.
"""

_MIXED = """\
**Not every method was run on every training set.** Numbers of one column, or of one table, are of the same
training sets and may be compared with each other; numbers of different columns may not.
"""


def render(
    table: pd.DataFrame,
    records: Sequence[Record],
    drawings: Sequence[Drawing] = (),
    *,
    sources: Sequence[str],
    figures: str = "figures",
    differences: str = "",
) -> str:
    """Return the document as Markdown.

    Parameters
    ----------
    table : DataFrame
        The table from `laconic.bench.table.frame`.
    records : sequence of Record
    drawings : sequence of Drawing
        The figures, included as links to SVG files.
    sources : sequence of str
        The record files, as the reader can find them.
    figures : str
        Directory of the SVG files, relative to the document.
    differences : str
        Markdown on where and why our numbers differ from the paper's.
    """
    groups = comparable_groups(table)
    suites = sorted(set(table["suite"]))
    papers = suites == ["cp20"]
    tables = "the authors' own quantised files and folds" if papers else f"other tables ({', '.join(suites)})"
    text = [
        _OPENING.format(tables=tables),
        "Records: " + ", ".join(f"`{source}`" for source in sources) + ".\n",
    ]
    if not papers:
        text.append(_OTHER_TABLES)
    if len(groups) != 1:
        text.append(_MIXED)
    text.append(_numbers(table, groups))
    text.append(_sentences(table))
    if differences.strip():
        text.append("## Where they differ, and why\n\n" + differences.strip() + "\n")
    text.append("## All methods\n")
    text += [_all_methods(scope) for scope in groups]
    if drawings:
        text.append("## Figures\n")
        text += [
            f"**{one.title}.** {one.caption}\n\n![{one.title}]({figures}/{one.name}.svg)\n"
            for one in drawings
        ]
    text.append(_coverage(table))
    failed = failures(records)
    if failed:
        cells = [["method", "exit", "message", "tasks"], *[[*map(_escaped, row)] for row in failed]]
        text.append("## Failures\n\n" + to_markdown(cells, numbers=False))
    facts = [["", ""], *[[name, _escaped(value)] for name, value in circumstances(records)]]
    text.append(
        "## How it was made\n\nIn brackets: the number of records. A rival's version is in the records of "
        f"what it answered.\n\n{to_markdown(facts, numbers=False)}"
    )
    return "\n".join(text)


def write(path: Path, text: str) -> None:
    """Write the document."""
    make_folder(path.parent, "--out")
    save(path, text.encode())


def _numbers(table: pd.DataFrame, groups: Sequence[ComparableGroup]) -> str:
    text = [
        "## The paper's numbers and ours\n",
        f"The paper's are of {N_PAPER} training sets. The last column sets our number with the most training "
        'sets beside it: "as in the paper" is what differs by at most 2 points (accuracies, and shares of '
        "the training sets) or 10 % (sizes).\n",
    ]
    for topic in topics():
        claims = [claim for claim in CLAIMS if claim.topic == topic]
        # The sets that all tools solved form one column, whatever other sets some of them were run on.
        on_common = claims[0].measure == "strict_common"
        within = {"ours": table} if on_common else {f"on {one.name}": one.table for one in groups}
        cells = [["tool", "paper", "ours by", *within, "against the paper"]]
        for claim in claims:
            cells += _claim(claim, list(within.values()))
        text.append(f"### {topic}\n\n" + to_markdown(cells))
    return "\n".join(text)


def _claim(claim: Claim, within: Sequence[pd.DataFrame]) -> list[list[str]]:
    columns = [findings(claim, table) for table in within]
    rows = []
    for method in claim.methods:
        found = [column.get(method) for column in columns]
        known = [one for one in found if one is not None]
        if known:
            best = max(known, key=lambda one: one.n)
            # The first column contains all methods on their common sets, a part of the paper's training sets.
            partly = len(found) > 1 and found[-1] is None
            against = agreement(claim, best) + (", on a part" if partly else "")
            rows.append([best.by, *(_number(claim, one) for one in found), against])
    rows = rows or [["not run", *[""] * len(columns), ""]]
    leads = [[claim.tool, claim.paper], *[["", ""]] * (len(rows) - 1)]
    return [[*lead, *row] for lead, row in zip(leads, rows, strict=True)]


def _number(claim: Claim, found: Finding | None) -> str:
    if found is None or math.isnan(found.value):
        return "–"
    if claim.counts:
        return f"{found.value:.0f} of {found.n}"
    return f"{found.value:.2f} on {found.n}"


def _sentences(table: pd.DataFrame) -> str:
    evidence = Evidence(table)
    verdicts = [(one, verdict(one, evidence)) for one in STATEMENTS]
    counts = Counter(found.judgement for _, found in verdicts)
    judgements = ", ".join(f"{counts[one]} {one.value.strip('*')}" for one in Judgement if counts[one])
    text = [
        "## The paper's sentences and our records\n",
        "Methods are compared on training sets that all of them were run on, and by what they solve within "
        "the lowest of their limits. *Comparable* means here: mean accuracies at most "
        f"{CLOSE_POINTS:g} points apart, mean sizes at most a factor of {CLOSE_FACTOR:g}. Of {len(verdicts)} "
        f"sentences: {judgements}.\n",
    ]
    for topic in dict.fromkeys(one.topic for one, _ in verdicts):
        cells = [["the paper", "", "our records", "training sets"]]
        cells += [_sentence(one.paper, found) for one, found in verdicts if one.topic == topic]
        text.append(f"### {topic}\n\n" + to_markdown(cells, numbers=False))
    return "\n".join(text)


def _sentence(paper: str, found: Verdict) -> list[str]:
    return [_starred(paper), found.judgement.value, _starred(found.ours), str(found.n) if found.n else ""]


def _all_methods(scope: ComparableGroup) -> str:
    return (
        f"### On {scope.name}\n\n"
        f"*On common* is the mean over the {n_common(scope.table)} training sets that all these methods "
        f"solved.\n\n{to_markdown(as_text(summary(scope.table)))}"
    )


def _coverage(table: pd.DataFrame) -> str:
    """Return a table of the training sets and the limits of each method."""
    cells = [["method", "training sets", "tables", "time limit s", "memory MB"]]
    for method, part in table.groupby("method", observed=True):
        name = methods.labels([str(method)])[str(method)]
        limits = [", ".join(f"{v:g}" for v in sorted(part[key].unique())) for key in ("limit_s", "memory_mb")]
        n_sets = len(part.drop_duplicates(INSTANCE))
        cells.append([name, str(n_sets), str(part["dataset"].nunique()), *limits])
    return "## What was run\n\n" + to_markdown(cells)


def _escaped(value: object) -> str:
    return str(value).replace("|", "\\|")


def _starred(text: str) -> str:
    """Escape the star of mds2*, which would open italics."""
    return _escaped(text).replace("*", "\\*")
