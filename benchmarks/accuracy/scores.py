"""Statistics of the results: means over tables, paired differences, lists.

A table counts for a method if all five folds have been measured. Means over tables weigh all tables equally,
and a method has a mean over a group only if it has all tables of the group.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from benchmarks.accuracy.methods import METHODS
from benchmarks.support.halves import half
from benchmarks.support.study import Row
from laconic.bench.suites import FOLDS

STOPPED = ("timeout", "cpuout", "memout")
"""Exits of fits that reached a limit."""

MEASURES = ("accuracy", "balanced", "size", "rules")


def fits(rows: Iterable[Row]) -> pd.DataFrame:
    """Return one line per fit with numbers; accuracies are in per cent, and unknown values are NaN."""
    text = pd.DataFrame(list(rows), dtype=object)
    numbers = text.drop(columns=["dataset", "method", "exit", "version", "note"]).apply(pd.to_numeric)
    found = text[["dataset", "method", "exit", "version"]].join(numbers)
    found["accuracy"] = 100 * (1 - found["errors"] / found["rows"])
    found["balanced"] *= 100
    found["ended"] = found["exit"] == "ok"
    return found


@dataclass(frozen=True, slots=True)
class Difference:
    """A mean difference over tables in points, with its standard error and the numbers of tables."""

    mean: float
    error: float
    better: int
    worse: int
    tables: int


class Scores:
    """The results, table by table.

    Parameters
    ----------
    rows : iterable of dict
        Lines of the CSV, one per fit.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.fits = fits(rows)
        groups = self.fits.groupby(["dataset", "method"])
        whole = groups["fold"].nunique() == len(FOLDS)
        self.tables = groups[[*MEASURES, "cpu_s"]].mean()[whole]
        self.tables["ended"] = groups["ended"].all()[whole]
        self.names = sorted(set(self.fits["dataset"]))

    def group(self, which: str) -> list[str]:
        """Return the tables of "all", "development" or "held-out"."""
        return [name for name in self.names if which in ("all", half(name))]

    def of(self, method: str, names: Sequence[str]) -> pd.DataFrame:
        """Return a method's line for each of the tables for which it has results."""
        index = self.tables.index
        mine = (index.get_level_values("method") == method) & index.get_level_values("dataset").isin(names)
        return self.tables[mine].droplevel("method")

    def has(self, method: str, names: Sequence[str]) -> bool:
        """Return whether a method has been measured on all of the tables."""
        return len(self.of(method, names)) == len(names) > 0

    def measured(self, names: Sequence[str]) -> list[str]:
        """Return the methods that have been measured on all of the tables."""
        return [method for method in METHODS if self.has(method, names)]

    def fits_of(self, method: str, names: Sequence[str]) -> pd.DataFrame:
        """Return a method's fits on some tables."""
        return self.fits[(self.fits["method"] == method) & self.fits["dataset"].isin(names)]

    def difference(
        self, measure: str, first: str, second: str, names: Sequence[str], *, ended: bool = False
    ) -> Difference | None:
        """Return how much the first method exceeds the second, or ``None`` for fewer than two tables.

        Parameters
        ----------
        measure, first, second : str
        names : sequence of str
            The tables; only those count for which both methods have results.
        ended : bool
            Whether to use only tables on which every fit of both methods ended by itself.
        """
        mine, theirs = self.of(first, names), self.of(second, names)
        both = mine.index.intersection(theirs.index)
        if ended:
            both = both[(mine.loc[both, "ended"] & theirs.loc[both, "ended"]).to_numpy()]
        if len(both) < 2:
            return None
        gaps = mine.loc[both, measure] - theirs.loc[both, measure]
        return Difference(
            float(gaps.mean()),
            float(gaps.std(ddof=1)) / math.sqrt(len(gaps)),
            int((gaps > 0).sum()),
            int((gaps < 0).sum()),
            len(gaps),
        )

    def losses(self, first: str, second: str, names: Sequence[str]) -> pd.DataFrame:
        """Return the tables on which the first method is less accurate than the second, the worst first.

        The standard error is that of the mean difference over the five folds.
        """
        mine, theirs = (
            self.fits_of(method, names).set_index(["dataset", "fold"])["accuracy"]
            for method in (first, second)
        )
        gaps = (mine - theirs).dropna().groupby("dataset")
        found = pd.DataFrame({"gap": gaps.mean(), "error": gaps.std(ddof=1) / math.sqrt(len(FOLDS))})
        return found[(found["gap"] < 0) & (gaps.size() == len(FOLDS))].sort_values("gap", kind="stable")

    def needlessly_trivial(self, method: str, reference: str, names: Sequence[str]) -> list[tuple[str, int]]:
        """Return the (table, fold) pairs where a model is trivial although the reference is clearly better.

        A model is trivial if it predicts one class for all rows. The reference is clearly better if on the
        test rows it beats the most frequent class by more than two standard errors of the paired difference.
        """
        mine = self.fits_of(method, names).set_index(["dataset", "fold"])
        theirs = self.fits_of(reference, names).set_index(["dataset", "fold"])
        majority = self.fits_of("majority", names).set_index(["dataset", "fold"])["errors"]
        n, lost = theirs["rows"], theirs["lost"]
        won = majority - theirs["errors"] + lost
        gain = (won - lost) / n
        error = ((won + lost) / n - gain**2).clip(lower=0) ** 0.5 / n**0.5
        clear = (gain > 2 * error).reindex(mine.index, fill_value=False)
        return [(str(name), int(fold)) for name, fold in mine.index[(mine["trivial"] == 1) & clear]]
