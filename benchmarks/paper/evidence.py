"""Evidence on the paper's sentences: counts and means on the same training sets, from the records.

Two methods are compared on training sets that both were run on, and their times only up to the lower of their
limits: a task that was solved in 8 s would also have been solved with a limit of 10 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import pandas as pd

from laconic.bench import methods
from laconic.bench.table import INSTANCE

_OF_ANSWERS = (
    "size",
    "n_rules",
    "n_described",
    "all_described",
    "strict",
    "rows",
    "train_share",
    "n_features",
)


class NotMeasuredError(Exception):
    """The records lack a method that a sentence mentions; the message names it."""


@dataclass(frozen=True, slots=True)
class Both:
    """Two methods on the training sets that both solved.

    Attributes
    ----------
    left, right : DataFrame
        The rows of each method, in the same order of training sets.
    """

    left: pd.DataFrame
    right: pd.DataFrame

    @property
    def n(self) -> int:
        """Number of training sets."""
        return len(self.left)

    def means(self, column: str) -> tuple[float, float]:
        """Return the mean of a column for each method; accuracies in per cent."""
        scale = 100.0 if column in {"strict", "plain"} else 1.0
        return scale * float(self.left[column].mean()), scale * float(self.right[column].mean())

    def n_higher(self, column: str) -> tuple[int, int]:
        """Return the numbers of sets on which the left method and the right method is higher."""
        left, right = self.left[column].to_numpy(dtype=float), self.right[column].to_numpy(dtype=float)
        return int((left > right).sum()), int((right > left).sum())


class Evidence:
    """The records in a form that supports comparisons.

    Parameters
    ----------
    table : DataFrame
        The table from `laconic.bench.table.frame`.
    """

    def __init__(self, table: pd.DataFrame) -> None:
        # These columns are absent if the records contain no answer.
        absent = {name: float("nan") for name in _OF_ANSWERS if name not in table}
        self.table = table = table.assign(**absent)
        self._by_method = {str(name): part for name, part in table.groupby("method", observed=True)}

    @property
    def methods(self) -> list[str]:
        """Return the methods that have records."""
        return list(self._by_method)

    def has(self, method: str) -> bool:
        """Return whether a method has records."""
        return method in self._by_method

    def of(self, method: str) -> pd.DataFrame:
        """Return the rows of a method."""
        if method not in self._by_method:
            raise NotMeasuredError(method)
        return self._by_method[method]

    def same_sets(self, names: Sequence[str]) -> dict[str, pd.DataFrame]:
        """Return the rows of the methods on the training sets that all of them were run on."""
        rows = {name: self.of(name) for name in names}
        shared = None
        for part in rows.values():
            keys = part[INSTANCE]
            shared = keys if shared is None else shared.merge(keys, on=INSTANCE)
        if shared is None or not len(shared):
            raise NotMeasuredError(" and ".join(names) + " on the same training sets")
        return {name: shared.merge(part, on=INSTANCE) for name, part in rows.items()}

    def solved(self, names: Sequence[str]) -> tuple[dict[str, int], float, int]:
        """Return (counts, limit, n): the sets each solved within the lowest limit, of n common sets."""
        rows = self.same_sets(names)
        limit = min(float(part["limit_s"].min()) for part in rows.values())
        counts = {name: int((p["solved"] & (p["time_s"] <= limit)).sum()) for name, p in rows.items()}
        return counts, limit, len(next(iter(rows.values())))

    def accuracy_on_all(self, names: Sequence[str]) -> tuple[dict[str, float], int]:
        """Return mean strict accuracies on the common sets (unsolved = 0, in per cent), and their number."""
        rows = self.same_sets(names)
        values = {
            name: 100 * float(part.loc[part["solved"], "strict"].sum()) / len(part)
            if part["solved"].any()
            else 0.0
            for name, part in rows.items()
        }
        return values, len(next(iter(rows.values())))

    def both(self, left: str | Sequence[str], right: str) -> Both:
        """Return two methods on the sets that both solved; of several left ones, that with most such sets."""
        choices = [left] if isinstance(left, str) else list(left)
        found = [self._both(one, right) for one in choices if self.has(one)]
        best = max(found, key=lambda both: both.n, default=None)
        if best is None or not best.n:
            raise NotMeasuredError(f"{choices[0]} and {right} on the same training sets")
        return best

    def _both(self, left: str, right: str) -> Both:
        mine, other = (part[part["solved"]] for part in (self.of(left), self.of(right)))
        shared = mine[INSTANCE].merge(other[INSTANCE], on=INSTANCE)
        return Both(shared.merge(mine, on=INSTANCE), shared.merge(other, on=INSTANCE))


def ranked(values: dict[str, float], digits: int = 2) -> str:
    """Return labels and values as text, highest first."""
    names = methods.labels(values)
    ordered = sorted(values, key=lambda name: -values[name])
    return ", ".join(f"{names[name]} {values[name]:.{digits}f}" for name in ordered)


def out_of_order(values: dict[str, float], falling: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs in which the second is strictly higher here, contrary to the paper's order."""
    return [(high, low) for high, low in combinations(falling, 2) if values[low] > values[high]]
