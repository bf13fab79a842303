"""Every threshold of a table, as far as the table affords them.

Where the thresholds between all neighbouring values are too many for a search, those go first that no optimal
set needs: between two values whose rows all have one and the same class (`docs/every-threshold.md`). If there
are still too many, every column is cut at as many quantiles as fit, and a warning says so.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from laconic.data.columns import BinarizerWarning, Cutting
from laconic.data.conditions import Conditions
from laconic.data.literals import Threshold

MAX_CONDITIONS = 2**15 - 1
"""Maximum number of conditions of a search."""

MAX_CELLS = 2**28
"""Maximum number of rows times conditions of a table."""


def limit_of(n_rows: int) -> int:
    """Return the maximum number of conditions on a table."""
    return min(MAX_CONDITIONS, MAX_CELLS // max(1, n_rows))


def thinned(
    found: Conditions, n_rows: int, cutting: Cutting, again: Callable[[Cutting], Conditions], *, classes: bool
) -> Conditions:
    """Return the finest conditions that a table affords.

    Parameters
    ----------
    found : Conditions
        With all thresholds.
    n_rows : int
        Of the table.
    cutting : Cutting
    again : callable
        Returns the conditions of another way to cut.
    classes : bool
        Whether the classes of the rows are known.
    """
    limit = limit_of(n_rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinarizerWarning)  # they were given with all thresholds
        if classes:
            needed = again(replace(cutting, method="boundaries"))
            if len(needed.features) <= limit:
                return needed
        most = _most_per_column(found, limit)
        finest = again(replace(cutting, method="quantile", bins=most + 1, max_thresholds=most))
    n_all, n_kept = (_n_thresholds(conditions).total() for conditions in (found, finest))
    warnings.warn(
        f"{n_all} thresholds are too many for a search over {n_rows} rows; columns are cut at {most} "
        f"quantiles at most, {n_kept} thresholds in all, and the set is the best among these conditions; "
        f"leave out columns to have every threshold",
        BinarizerWarning,
        stacklevel=5,
    )
    return finest


def _n_thresholds(found: Conditions) -> Counter[str]:
    """Return how many conditions on each column are thresholds."""
    literals = (feature.positive for feature in found.features)
    return Counter(literal.column for literal in literals if isinstance(literal, Threshold))


def _most_per_column(found: Conditions, limit: int) -> int:
    """Return the largest number of thresholds per column with which all conditions are within a limit."""
    counts = _n_thresholds(found)
    # With missing values, both sides of a threshold are conditions of their own.
    sides = {
        feature.positive.column: 1 if feature.negative is not None else 2
        for feature in found.features
        if isinstance(feature.positive, Threshold)
    }
    others = len(found.features) - counts.total()
    most = 1
    while others + sum(min(n, (most + 1) * sides[name]) for name, n in counts.items()) <= limit:
        most += 1
    return most
