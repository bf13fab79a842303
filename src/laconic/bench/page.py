"""One self-contained HTML page with the table, the figures and the circumstances of the records."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from importlib import resources
from typing import Any

import pandas as pd

from laconic.bench import methods
from laconic.bench.figures import Drawing
from laconic.bench.progress import failures
from laconic.bench.records import Record
from laconic.bench.table import as_text, comparable_groups, n_common, summary


def render(table: pd.DataFrame, records: Sequence[Record], drawings: Sequence[Drawing], title: str) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    table : DataFrame
        The table from `laconic.bench.table.frame`.
    records : sequence of Record
        The records behind the table, for machines, versions, limits and failures.
    drawings : sequence of Drawing
    title : str
    """
    from jinja2 import Environment

    source = resources.files("laconic.bench").joinpath("templates/page.html").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)
    tables = [
        (group.name, n_common(group.table), as_text(summary(group.table)))
        for group in comparable_groups(table)
    ]
    present = [str(name) for name in table["method"].cat.categories]
    return template.render(
        title=title,
        tables=tables,
        figures=[
            {"title": d.title, "caption": d.caption, "svg": svg_text(d, f"f{i}")}
            for i, d in enumerate(drawings)
        ],
        methods=[
            (name, methods.METHODS[name].label, methods.METHODS[name].summary)
            for name in present
            if name in methods.METHODS
        ],
        circumstances=circumstances(records),
        failures=failures(records),
    )


def svg_text(drawing: Drawing, prefix: str) -> str:
    """Return a figure as SVG for use in HTML; ids get a prefix, because all figures share one page."""
    from matplotlib import rc_context

    out = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "laconic"}):
        drawing.figure.savefig(out, format="svg", metadata={"Date": None})
    svg = out.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    return re.sub(r'(href="#|url\(#)', rf"\g<1>{prefix}-", svg)


def circumstances(records: Sequence[Record]) -> list[tuple[str, str]]:
    """Return the circumstances of the records, the most frequent values first.

    A value that is not the same for all records is followed by its number of records; these add up to all
    records.
    """

    def as_words(values: list[str]) -> str:
        counts = Counter(values)
        lacking = counts.pop("", 0)
        if len(counts) == 1 and not lacking:
            return next(iter(counts))
        known = [f"{value} ({count})" for value, count in counts.most_common()]
        return "; ".join([*known, *([f"not recorded ({lacking})"] if lacking else [])])

    facts = {
        "records": [str(len(records))],
        "time limit": [f"{record.task.limit_s:g} s" for record in records],
        "CPU limit": [
            f"{record.task.cpu_limit_s:g} s" if record.task.cpu_limit_s is not None else ""
            for record in records
        ],
        "memory limit": [f"{record.task.memory_mb} MB" for record in records],
        "machine": [_machine_text(record.machine) for record in records],
        "finished on": [record.finished[:10] for record in records],
        "commit": [record.commit or "" for record in records],
    }
    packages = sorted({name for record in records for name in record.versions})
    for name in packages:
        facts[name] = [record.versions.get(name) or "" for record in records]
    return [(name, as_words(values)) for name, values in facts.items() if any(values)]


def _machine_text(machine: dict[str, Any]) -> str:
    if not machine:
        return ""
    memory = f", {machine['memory_mb'] / 1024:.0f} GB" if machine.get("memory_mb") else ""
    return f"{machine.get('cpu')}, {machine.get('cores')} cores{memory}, {machine.get('os')}"
