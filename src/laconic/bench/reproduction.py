"""The paper's claims beside ours, as one Markdown document made from records.

Only the section on differences is written by hand; it is passed in as text, so that the numbers can be made
anew at any time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from laconic.bench import methods
from laconic.bench.claims import CLAIMS, Claim, Finding, findings, topics
from laconic.bench.figures import Drawing
from laconic.bench.page import circumstances, failures
from laconic.bench.records import Record
from laconic.bench.table import INSTANCE, as_text, n_common, summary, to_markdown
from laconic.data.write import make_folder, save

N_PAPER = 1065

_OPENING = """\
# The paper's experiments, run again

*Made by `laconic bench report` from the records named below; do not edit by hand.*

Left, what "Computing Optimal Decision Sets with SAT" (CP 2020, Section 4) reports; right, what we measured on
the authors' own quantised files and folds, scored by the same rule: a row is wrong if a rule of a wrong class
covers it, or none of its own class does. Size is literals plus rules. "Solved" means finished within our
limits, which are stated below, with a proof where the method proves. *On n* is the number of training sets
behind a number: below 1065, the method was run on a stratified sample, or it is a mean over fewer.
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
    """Return the document.

    Parameters
    ----------
    table : DataFrame
        From `laconic.bench.table.frame`.
    records : sequence of Record
    drawings : sequence of Drawing
        Shown as links to SVG files.
    sources : sequence of str
        The record files, as the reader will find them.
    figures : str
        Where the SVG files are, seen from the document.
    differences : str
        Markdown: where and why our numbers differ from the paper's.
    """
    parts = [_OPENING, "Records: " + ", ".join(f"`{source}`" for source in sources) + ".\n"]
    parts.append("## The paper's numbers and ours\n")
    parts += [_claims(topic, table) for topic in topics()]
    if differences.strip():
        parts.append("## Where they differ, and why\n\n" + differences.strip() + "\n")
    parts.append("## All methods\n")
    parts.append(
        f"*On common* is the mean over the {n_common(table)} training sets that all these methods solved.\n"
    )
    parts.append(to_markdown(as_text(summary(table))))
    if drawings:
        parts.append("## Figures\n")
        parts += [
            f"**{one.title}.** {one.caption}\n\n![{one.title}]({figures}/{one.name}.svg)\n"
            for one in drawings
        ]
    parts.append(_coverage(table))
    failed = failures(records)
    if failed:
        cells = [["method", "exit", "message", "tasks"], *[[*map(_escaped, row)] for row in failed]]
        parts.append("## Failures\n\n" + to_markdown(cells))
    facts = [["", ""], *[[name, _escaped(value)] for name, value in circumstances(records)]]
    parts.append("## How it was made\n\n" + to_markdown(facts))
    return "\n".join(parts)


def write(path: Path, text: str) -> None:
    """Write the document."""
    make_folder(path.parent, "--out")
    save(path, text.encode())


def _claims(topic: str, table: pd.DataFrame) -> str:
    cells = [["tool", "paper", "ours", "by", "on n"]]
    for claim in (one for one in CLAIMS if one.topic == topic):
        found: list[Finding | None] = [*findings(claim, table)] or [None]
        for i, one in enumerate(found):
            lead = [claim.tool, claim.paper] if i == 0 else ["", ""]
            cells.append([*lead, *_finding(claim, one)])
    return f"### {topic}\n\n" + to_markdown(cells)


def _finding(claim: Claim, found: Finding | None) -> list[str]:
    if found is None:
        return ["not run", "", ""]
    whole = claim.measure in {"solved", "size_1", "size_3"}
    if math.isnan(found.value):
        value = "–"
    else:
        value = f"{found.value:.0f}" if whole else f"{found.value:.2f}"
        if whole and found.n < N_PAPER:
            value += f" ({100 * found.value / found.n:.1f} %)"
    return [value, methods.labels([found.method])[found.method], str(found.n)]


def _coverage(table: pd.DataFrame) -> str:
    """Say what each method was run on, and under which limits."""
    cells = [["method", "training sets", "tables", "time limit s", "memory MB"]]
    for method, part in table.groupby("method", observed=True):
        name = methods.labels([str(method)])[str(method)]
        limits = [", ".join(f"{v:g}" for v in sorted(part[key].unique())) for key in ("limit_s", "memory_mb")]
        n_sets = len(part.drop_duplicates(INSTANCE))
        cells.append([name, str(n_sets), str(part["dataset"].nunique()), *limits])
    return "## What was run\n\n" + to_markdown(cells)


def _escaped(value: object) -> str:
    return str(value).replace("|", "\\|")
