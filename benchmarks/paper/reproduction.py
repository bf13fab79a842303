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

from benchmarks.paper.claims import (
    CLAIMS,
    N_PAPER,
    PAPER_TOOLS,
    Claim,
    Finding,
    agreement,
    findings,
    topics,
)
from benchmarks.paper.evidence import Evidence
from benchmarks.paper.optima import compared_optima
from benchmarks.paper.statements import STATEMENTS
from benchmarks.paper.statements.api import CLOSE_FACTOR, CLOSE_POINTS, Judgement, Verdict, verdict
from laconic.bench import methods
from laconic.bench.figures import Drawing
from laconic.bench.page import circumstances
from laconic.bench.progress import failures
from laconic.bench.records import Record
from laconic.bench.table import (
    COLUMNS,
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
    finished = run_to_the_end(table)
    groups = comparable_groups(finished)
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
    text.append(_numbers(finished, groups))
    text.append(_sentences(table))
    if differences.strip():
        text.append("## Where they differ, and why\n\n" + differences.strip() + "\n")
    text.append("## All methods\n")
    text += [_all_methods(scope) for scope in groups]
    text += _not_run_to_the_end(table, finished)
    text.append(_optima(records))
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


def run_to_the_end(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the methods that were run on all training sets that the paper's tools share."""
    n_shared, on_shared = _on_shared(table)
    ended = [name for name, count in on_shared.items() if count == n_shared]
    rows = table[table["method"].isin(ended)]
    return rows.assign(method=rows["method"].cat.remove_unused_categories())


def _on_shared(table: pd.DataFrame) -> tuple[int, dict[str, int]]:
    """Return the number of sets on which all of the paper's tools were run, and how many each method has."""
    tools = table[table["method"].isin(PAPER_TOOLS)]
    n_tools = tools.groupby(INSTANCE, observed=True)["method"].transform("nunique")
    shared = tools[n_tools == tools["method"].nunique()][INSTANCE].drop_duplicates()
    counts = shared.merge(table, on=INSTANCE)["method"].value_counts()
    present = [str(name) for name in table["method"].cat.categories]
    return len(shared), {name: int(counts.get(name, 0)) for name in present}


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


def _not_run_to_the_end(table: pd.DataFrame, finished: pd.DataFrame) -> list[str]:
    """Return the section on methods that were run on some of the shared training sets only."""
    n_shared, on_shared = _on_shared(table)
    rest = table[~table["method"].isin(finished["method"].cat.categories)]
    if not len(rest):
        return []
    rest = rest.assign(method=rest["method"].cat.remove_unused_categories())
    heading, *body = as_text(summary(rest))
    names = [str(name) for name in rest["method"].cat.categories]
    left_out = {COLUMNS["strict_common"], COLUMNS["plain_common"]}
    kept = [k for k, title in enumerate(heading) if title not in left_out]
    cells = [["method", f"run of the same {n_shared}", *(heading[k] for k in kept[1:])]]
    cells += [
        [row[0], f"{on_shared[name]} of {n_shared}", *(row[k] for k in kept[1:])]
        for name, row in zip(names, body, strict=True)
    ]
    return [
        "### Not run to the end\n\nThese methods were run on a part of the training sets, in slices that "
        "hold small and large tables alike. Each line is of the training sets of its own method, so two "
        f"lines must not be compared, nor a line with the tables above.\n\n{to_markdown(cells)}"
    ]


def _optima(records: Sequence[Record]) -> str:
    """Return the section that compares the optima of the models with those of the exact engine."""
    found = [one for one in compared_optima(records) if one.n]
    total, n_different = sum(one.n for one in found), sum(len(one.differences) for one in found)
    names = methods.labels(name for one in found for name in (one.method, one.exact))
    cells = [["model", "beside", "both proved an optimum", "different"]]
    cells += [[names[one.method], names[one.exact], str(one.n), str(len(one.differences))] for one in found]
    return (
        "## Optima of the models and of the exact engine\n\n"
        f"{total} times a SAT or MaxSAT model and the exact engine both proved an optimum of the same "
        f"problem; {n_different or 'none'} of these pairs differ (`python -m benchmarks.paper optima "
        f"RECORDS`).\n\n"
        f"{to_markdown(cells)}"
    )


def _coverage(table: pd.DataFrame) -> str:
    """Return a table of the training sets and the limits of each method."""
    cells = [["method", "training sets", "tables", "time limit s", "memory MB"]]
    for method, part in table.groupby("method", observed=True):
        name = methods.labels([str(method)])[str(method)]
        limits = [", ".join(f"{v:g}" for v in sorted(part[key].unique())) for key in ("limit_s", "memory_mb")]
        limits[0] += ", processor time" if part["by_cpu"].any() else ""
        n_sets = len(part.drop_duplicates(INSTANCE))
        cells.append([name, str(n_sets), str(part["dataset"].nunique()), *limits])
    return "## What was run\n\n" + to_markdown(cells)


def _escaped(value: object) -> str:
    return str(value).replace("|", "\\|")


def _starred(text: str) -> str:
    """Escape the star of mds2*, which would open italics."""
    return _escaped(text).replace("*", "\\*")
