"""The goals of ``regularization="auto"``, and whether they are met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.accuracy.methods import METHODS
from benchmarks.accuracy.scores import Scores

OURS = "auto"
SMALL_ROWS, SMALL_COLUMNS = 1000, 50


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal, the result, and whether it is met; ``None`` if something has not been measured."""

    what: str
    found: str
    met: bool | None

    @property
    def verdict(self) -> str:
        """The last cell of a line."""
        return {True: "met", False: "**missed**", None: "open"}[self.met]


def judged(scores: Scores, names: Sequence[str]) -> list[Goal]:
    """Return the goals, judged on tables for which ``auto`` has results."""
    found = []
    for measure, word in (("accuracy", "accuracy"), ("balanced", "balanced accuracy")):
        found += [_at_least(scores, names, measure, word, "cart-cv", -0.5)]
        found += [_at_least(scores, names, measure, word, "ripper", 2.0)]
        found += [
            _at_least(scores, names, measure, word, other, 0.0) for other in ("figs", "brcg", "cn2", "cart-8")
        ]
    found += [_smaller(scores, names, "cart-cv", 0.25), _smaller(scores, names, "ripper", 0.5)]
    return [*found, _trivial(scores, names), *_in_time(scores, names)]


def _at_least(
    scores: Scores, names: Sequence[str], measure: str, word: str, other: str, margin: float
) -> Goal:
    label = METHODS[other].label
    than = {-0.5: f"that of {label} minus 0.5", 0.0: f"above that of {label}"}
    what = f"{word}: {than.get(margin, f'{margin:g} points above {label}')}"
    if not scores.has(other, names):
        return Goal(what, "", None)
    mine, theirs = (float(scores.of(method, names)[measure].mean()) for method in (OURS, other))
    met = mine > theirs if margin == 0 else mine >= theirs + margin
    return Goal(what, f"{mine:.1f} against {theirs:.1f}", met)


def _smaller(scores: Scores, names: Sequence[str], other: str, share: float) -> Goal:
    what = f"size: at most {share:g} times that of {METHODS[other].label}"
    if not scores.has(other, names):
        return Goal(what, "", None)
    mine, theirs = (float(scores.of(method, names)["size"].mean()) for method in (OURS, other))
    return Goal(what, f"{mine:.1f} against {theirs:.1f}", mine <= share * theirs)


def _trivial(scores: Scores, names: Sequence[str]) -> Goal:
    other = "cart-cv"
    what = (
        f"no trivial model where {METHODS[other].label} beats the most frequent class by two standard errors"
    )
    if not (scores.has(other, names) and scores.has("majority", names)):
        return Goal(what, "", None)
    folds = scores.needlessly_trivial(OURS, other, names)
    tables = ", ".join(sorted({name for name, _ in folds}))
    return Goal(what, f"{len(folds)} folds{f': {tables}' if tables else ''}", not folds)


def _in_time(scores: Scores, names: Sequence[str]) -> list[Goal]:
    mine = scores.fits_of(OURS, names)
    rows = mine.groupby("dataset")["rows"].transform("sum")
    small = mine[(rows <= SMALL_ROWS) & (mine["columns"] <= SMALL_COLUMNS)]
    whats = (
        (
            small,
            10,
            f"tables of at most {SMALL_ROWS} rows and {SMALL_COLUMNS} columns within 10 s of processor time",
        ),
        (mine, 60, "all tables within 60 s of processor time"),
    )
    return [
        Goal(what, f"{part['cpu_s'].max():.1f} s", bool(part["cpu_s"].max() <= limit))
        for part, limit, what in whats
        if len(part)
    ]
