"""The page ``docs/accuracy.md``: the template beside this file, filled in with the results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

import pandas as pd

from benchmarks.accuracy import goals
from benchmarks.accuracy.measure import PROCESSOR_SECONDS
from benchmarks.accuracy.methods import METHODS
from benchmarks.accuracy.scores import STOPPED, Difference, Scores
from benchmarks.accuracy.tables import MAX_ROWS
from benchmarks.support.halves import HALVES

PAGE = Path(__file__).parents[2] / "docs" / "accuracy.md"
TEMPLATE = Path(__file__).with_name("page_template.md")
RIVAL = "cart-cv"
"""The method with which each table is compared in the lists of losses and wins."""

_NONE = "–"


def text(scores: Scores) -> str:
    """Return the page as Markdown."""
    ours = reference(scores)
    failed = scores.fits["exit"] != "ok"
    stopped = scores.fits["exit"].isin(STOPPED)
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        tables=len(scores.names),
        fits=len(scores.fits),
        absent=_absent(scores),
        most_rows=f"{MAX_ROWS:,}",
        processor_seconds=f"{PROCESSOR_SECONDS:.0f}",
        means_all=means(scores, scores.names),
        means_development=means(scores, scores.group("development")),
        means_held_out=means(scores, scores.group("held-out")),
        ours=METHODS[ours].label,
        pairs=_pairs(scores, ours),
        goals=_goals(scores),
        losses=_losses(scores, ours),
        settings=_settings(scores),
        stopped=int(stopped.sum()),
        failed=int((failed & ~stopped).sum()),
    )


def reference(scores: Scores) -> str:
    """Return our method with which the others are compared: ``auto`` if it has been measured."""
    seen = set(scores.fits["method"])
    ours = [method.name for method in METHODS.values() if method.family == "ours"]
    return next((name for name in ours if name in seen), ours[0])


def means(scores: Scores, names: Sequence[str]) -> str:
    """Return the table of means; an incomplete method has its number of tables instead."""
    lines = []
    for method in METHODS.values():
        mine = scores.of(method.name, names)
        if len(mine) < len(names):
            if len(mine):
                lines.append([method.label, f"{len(mine)} of {len(names)} tables measured", *[""] * 7])
            continue
        fits = scores.fits_of(method.name, names)
        known = fits["proven"].dropna()
        lines.append(
            [
                method.label,
                *(_number(mine[measure].mean()) for measure in ("accuracy", "balanced", "size", "rules")),
                str(int(fits["trivial"].sum())),
                str(int((fits["exit"] != "ok").sum())),
                f"{100 * known.mean():.0f} %" if len(known) else _NONE,
                f"{fits['cpu_s'].median():.2f} / {fits['cpu_s'].max():.1f}",
            ]
        )
    head = [f"{len(names)} tables", "accuracy, %", "balanced, %", "size", "rules", "trivial", "stopped"]
    return _table([*head, "proven", "processor seconds, median / most"], lines)


def _absent(scores: Scores) -> str:
    """Return a sentence on the methods without any result."""
    seen = set(scores.fits["method"])
    absent = [method.label for method in METHODS.values() if method.name not in seen]
    if not absent:
        return ""
    return f"No results yet: {', '.join(absent)}. A run names the methods that are not available, and why."


def _pairs(scores: Scores, ours: str) -> str:
    lines = []
    for group in HALVES:
        names = scores.group(group)
        for method in METHODS.values():
            pair = scores.difference("accuracy", ours, method.name, names)
            if method.name == ours or pair is None:
                continue
            balanced = scores.difference("balanced", ours, method.name, names)
            ended = scores.difference("accuracy", ours, method.name, names, ended=True)
            lines.append(
                [
                    group,
                    method.label,
                    _difference(pair),
                    _difference(balanced),
                    f"{pair.better} / {pair.worse} of {pair.tables}",
                    f"{_difference(ended)} ({ended.tables} tables)" if ended else _NONE,
                ]
            )
    head = ["half", "method", "accuracy", "balanced", "better / worse", "accuracy, none stopped"]
    return _table(head, lines)


def _goals(scores: Scores) -> str:
    lines = [
        [group, goal.what, goal.found, goal.verdict]
        for group in ("all", *HALVES)
        if scores.has(goals.OURS, scores.group(group))
        for goal in goals.judged(scores, scores.group(group))
    ]
    return _table(["tables", "goal", "found", ""], lines) if lines else "Not measured yet."


def _losses(scores: Scores, ours: str) -> str:
    parts = []
    for group in HALVES:
        names = scores.group(group)
        both = scores.of(ours, names).index.intersection(scores.of(RIVAL, names).index)
        if both.empty:
            continue
        found = scores.losses(ours, RIVAL, names)
        head = ["table", "accuracy", "CART", "difference", "size", "CART's size", "best of all"]
        lines = [
            _loss(scores, str(table), ours, f"{line['gap']:+.1f} ± {line['error']:.1f}")
            for table, line in found.iterrows()
        ]
        said = f"{group.capitalize()} half: {len(found)} of {len(both)} tables."
        parts.append(f"{said}\n\n{_table(head, lines)}" if lines else said)
    return "\n\n".join(parts) or "Not measured yet."


def _loss(scores: Scores, table: str, ours: str, gap: str) -> list[str]:
    here = {name: scores.of(name, [table]).iloc[0] for name in METHODS if scores.has(name, [table])}
    mine, theirs = here[ours], here[RIVAL]
    best = max(here, key=lambda name: float(here[name]["accuracy"]))
    return [
        table,
        _number(mine["accuracy"]),
        _number(theirs["accuracy"]),
        gap,
        _number(mine["size"]),
        _number(theirs["size"]),
        f"{METHODS[best].label}: {_number(here[best]['accuracy'])}",
    ]


def _settings(scores: Scores) -> str:
    versions = scores.fits.groupby("method")["version"].agg(lambda all_: ", ".join(sorted({*all_} - {""})))
    lines = [
        [f"`{method.name}`", method.label, method.note, versions.get(method.name, "") or _NONE]
        for method in METHODS.values()
    ]
    return _table(["name", "method", "what is run", "version or commit"], lines)


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *lines))


def _difference(found: Difference | None) -> str:
    return _NONE if found is None else f"{found.mean:+.1f} ± {found.error:.1f}"


def _number(value: float) -> str:
    return _NONE if pd.isna(value) else f"{value:.1f}"
