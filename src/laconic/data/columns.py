"""From one column of a table to its binary features.

A column is numbers, a category or binary; the kind is guessed from its type and can be overridden. Each kind
gives pairs of opposite conditions. Where the column has missing values, "not (x <= 3)" would hold for them,
so both sides become features of their own of which only the true side may be used, and ``x is missing``
is added.
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.category_groups import group_pairs
from laconic.data.cells import Cells, CellTypeError, Scalar, text_of
from laconic.data.dates import date_text, roundest_between
from laconic.data.entropy import class_counts, entropy_gaps
from laconic.data.literals import Equals, Feature, Missing, Threshold
from laconic.data.paper import BothSides, paper_pairs
from laconic.data.reading.date_cells import DateCells
from laconic.data.thresholds import (
    boundary_gaps,
    distinct_values,
    midpoint_gaps,
    quantile_gaps,
    shortest_between,
)
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

KINDS = ("numeric", "category", "binary", "date")
"""What a column can be; the words of the ``columns`` parameter and of the command line."""

METHODS = ("quantile", "all", "midpoints", "entropy", "paper")
"""How a column of numbers can be cut."""


MOST_ALIKE = 2
"""Maximum number of rows of the most frequent value of a column that names the rows."""


class BinarizerWarning(UserWarning):
    """A column was left out or only partly turned into features."""


class ReadingWarning(BinarizerWarning):
    """The texts of a column are read as something else than they are."""


class ColumnLeftOutWarning(BinarizerWarning):
    """A column was left out; `laconic.Binarizer.ignored_columns_` says why."""


@dataclass(frozen=True, slots=True)
class Classes:
    """Class numbers of the training rows, for supervised thresholds."""

    codes: NDArray[np.int64]
    n_classes: int


@dataclass(frozen=True, slots=True)
class Cutting:
    """How numbers are cut and how many conditions a column may give.

    Besides the methods that users choose there is "boundaries", see `laconic.data.finest`.
    """

    method: str = "quantile"
    bins: int = 6
    max_thresholds: int = 1000
    max_categories: int = 50
    max_members: int = 1


@dataclass(frozen=True, slots=True)
class ColumnFeatures:
    """The features of a column, or the reason why it has none."""

    features: tuple[Feature, ...]
    ignored: str | None = None
    kind: str | None = None


def column_features(
    cells: Cells,
    cutting: Cutting,
    classes: Classes | None = None,
    kind: str | None = None,
    weights: NDArray[np.int64] | None = None,
) -> ColumnFeatures:
    """Return the binary features of a column.

    Parameters
    ----------
    cells : Cells
    cutting : Cutting
    classes : Classes, optional
        Needed by entropy thresholds only.
    kind : {"numeric", "category", "binary"}, optional
        By default guessed from the column.
    weights : ndarray of int64, optional
        How often each row counts; by default once.

    Examples
    --------
    >>> colours = Cells(pd.Series(["red", "blue", "green"], name="colour"))
    >>> found = column_features(colours, Cutting("quantile", 4, 1000, 50))
    >>> [str(feature.positive) for feature in found.features]
    ['colour is blue', 'colour is green', 'colour is red']
    """
    has_missing = bool(cells.missing.any())
    if bool(cells.missing.all()):
        return ColumnFeatures((), "it has no values, only missing ones", kind or guess_kind(cells))
    asked = kind is not None
    if kind is None:
        kind = guess_kind(cells)
    reason: str | None = None
    if kind == "date":
        pairs, reason = _date_pairs(cells, cutting, classes, weights)
    elif kind == "numeric":
        pairs, reason = _number_pairs(cells, cutting, classes, weights)
    else:
        pairs, reason = _category_pairs(cells, cutting, weights, kind, asked=asked)
    features = as_features(pairs, cells.name, has_missing=has_missing)
    return ColumnFeatures(features, reason if not features else None, kind)


def guess_kind(cells: Cells) -> str:
    """Return what the column is by its type: numbers, a category, or already binary.

    Booleans and numbers that are only 0 and 1 are binary; other numbers are numeric, however few
    they are; texts and pandas categoricals are categories.
    """
    if isinstance(cells, DateCells):
        return "date"
    dtype = cells.values.dtype
    if isinstance(dtype, pd.CategoricalDtype | pd.StringDtype):
        return "category"
    if pd.api.types.is_bool_dtype(dtype):
        return "binary"
    if not cells.is_numeric:
        found = pd.api.types.infer_dtype(cells.values, skipna=True)
        if found == "boolean":
            return "binary"
        if found not in {"integer", "floating", "mixed-integer-float", "decimal"}:
            return "category"
    numbers = cells.numbers
    # The first cells decide for almost every column of real numbers, without a pass over all of them.
    for part in (numbers[:1000], numbers):
        if not ((part == 0) | (part == 1) | np.isnan(part)).all():
            return "numeric"
    return "binary"


def as_features(pairs: Sequence[BothSides], column: str, *, has_missing: bool) -> tuple[Feature, ...]:
    """Return the features of pairs of opposite conditions on a column."""
    if not has_missing:
        return tuple(Feature(positive, negative) for positive, negative in pairs)
    # The two sides of different pairs can be the same condition: with two categories, "= a" and "= b".
    sides = dict.fromkeys(literal for pair in pairs for literal in pair)
    known = tuple(Feature(literal, None) for literal in sides)
    return (*known, Feature(Missing(column), Missing(column, missing=False)))


def _number_pairs(
    cells: Cells, cutting: Cutting, classes: Classes | None, weights: NDArray[np.int64] | None
) -> tuple[list[BothSides], str | None]:
    refuse_inexact(cells)
    numbers = cells.numbers
    distinct, counts = distinct_values(numbers, weights)
    by_class = None
    if cutting.method in {"entropy", "boundaries"}:
        by_class = _class_counts(numbers, distinct, classes, weights)
    return number_pairs(cells.name, distinct, distinct, counts, by_class, cutting)


def _date_pairs(
    cells: Cells, cutting: Cutting, classes: Classes | None, weights: NDArray[np.int64] | None
) -> tuple[list[BothSides], str | None]:
    """Return thresholds on dates: the roundest between the neighbouring dates of the table."""
    if not isinstance(cells, DateCells):
        raise InputError(
            f"column {cells.name!r} cannot be read as dates, such as 2024-05-31 or 31.5.2024; correct its "
            f"cells, or make it a category"
        )
    # The paper's bins have rounded ends, which would not be dates.
    method = "quantile" if cutting.method == "paper" else cutting.method
    pairs, reason = _number_pairs(cells, replace(cutting, method=method), classes, weights)
    present = np.unique(cells.numbers[~cells.missing])
    if present.size == 1:
        return [], f"every value is {date_text(float(present[0]), cells.unit)}"
    found: list[BothSides] = []
    for positive, _ in pairs:
        assert isinstance(positive, Threshold)
        k = int(np.searchsorted(present, positive.value, side="right"))
        cut = roundest_between(float(present[k - 1]), float(present[k]), cells.unit)
        below, above = (Threshold(cells.name, op, cut, cells.unit) for op in ("<=", ">"))
        found.append((below, above))
    return found, reason


def refuse_inexact(cells: Cells) -> None:
    """Refuse a column of numbers of which some are whole, but no doubles: thresholds would merge them."""
    if cells.inexact.any():
        row = int(np.flatnonzero(cells.inexact)[0])
        raise inexact_number(cells.name, cells.values.iloc[row], f"row {row}")


def inexact_number(name: str, value: Any, where: str) -> InputError:
    """Return the refusal of a whole number beyond 2**53 that is not a double."""
    return InputError(
        f"column {name!r}: {where} is {value}, a whole number beyond 2**53 that conditions on numbers cannot "
        f"tell from its neighbours; leave the column out, or make it a category"
    )


def number_pairs(
    name: str,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    counts: NDArray[np.int64],
    by_class: NDArray[np.int64] | None,
    cutting: Cutting,
) -> tuple[list[BothSides], str | None]:
    """Return the pairs of conditions that cut some numbers, or why there are none.

    Parameters
    ----------
    name : str
        Of the column.
    low, high : ndarray of float64, shape (n,)
        The distinct values, ascending; or ranges of values that are not to be cut inside, by their ends.
    counts : ndarray of int64, shape (n,)
        How much each weighs.
    by_class : ndarray of int64, shape (n, n_classes), optional
        The same by class, for entropy thresholds and boundaries.
    cutting : Cutting
    """
    if low.size == 1 and low[0] == high[0]:
        return [], f"every value is {text_of(float(low[0]))}"
    if cutting.method == "paper":
        return paper_pairs(name, high, cutting.bins), None
    if cutting.method == "all":
        gaps = np.arange(low.size - 1)
    elif cutting.method == "boundaries":
        assert by_class is not None
        gaps = boundary_gaps(by_class)
    elif cutting.method == "quantile":
        gaps = quantile_gaps(counts, min(cutting.bins, cutting.max_thresholds + 1))
    elif cutting.method == "midpoints":
        gaps = midpoint_gaps(counts, cutting.max_thresholds)
        if gaps.size < low.size - 1:
            warnings.warn(
                f"column {name!r} has {low.size} different values; only {gaps.size} of the "
                f"{low.size - 1} thresholds between them are used, raise max_thresholds to use more",
                BinarizerWarning,
                stacklevel=2,
            )
    else:
        assert by_class is not None
        gaps = entropy_gaps(by_class, cutting.max_thresholds)
    pairs: list[BothSides] = []
    for gap in gaps.tolist():
        value = shortest_between(float(high[gap]), float(low[gap + 1]))
        pairs.append((Threshold(name, "<=", value), Threshold(name, ">", value)))
    return pairs, None if pairs else "no threshold separates the classes well enough"


def _class_counts(
    numbers: NDArray[np.float64],
    distinct: NDArray[np.float64],
    classes: Classes | None,
    weights: NDArray[np.int64] | None,
) -> NDArray[np.int64]:
    if classes is None:
        raise InputError("entropy thresholds need the labels; pass y to fit, or choose thresholds='quantile'")
    present = ~np.isnan(numbers)
    value_of = np.searchsorted(distinct, numbers[present])
    weight = None if weights is None else weights[present]
    return class_counts(value_of, classes.codes[present], distinct.size, classes.n_classes, weight)


def _category_pairs(
    cells: Cells, cutting: Cutting, weights: NDArray[np.int64] | None, kind: str, *, asked: bool
) -> tuple[list[BothSides], str | None]:
    values, counts = _categories(cells, weights)
    name = cells.name
    if kind == "binary" and len(values) > 2:
        shown = ", ".join(text_of(value) for value in values[:3])
        raise InputError(
            f"column {name!r} is said to be binary, but it has {len(values)} different values ({shown}, …); "
            f"call it a category or numeric"
        )
    if len(values) == 1:
        return [], f"every value is {text_of(values[0])}"
    if len(values) == 2:
        return [(Equals(name, "=", values[1]), Equals(name, "=", values[0]))], None
    n_values = len(values)
    if n_values > cutting.max_categories:
        frequent = sorted(np.argsort(-counts, kind="stable")[: cutting.max_categories].tolist())
        values, counts = [values[i] for i in frequent], counts[frequent]
    return category_pairs(name, values, counts, n_values, cutting.max_members, asked=asked)


def category_pairs(
    name: str,
    values: Sequence[Scalar],
    counts: NDArray[np.int64],
    n_values: int,
    max_members: int = 1,
    *,
    asked: bool = False,
) -> tuple[list[BothSides], str | None]:
    """Return the pairs of conditions for the most frequent of at least three categories, or why none.

    Parameters
    ----------
    name : str
        Of the column.
    values : sequence
        The most frequent categories, in their natural order.
    counts : ndarray of int64
        How much each weighs.
    n_values : int
        Number of all categories.
    max_members : int
        Maximum number of members of a group of categories.
    asked : bool
        Whether the user has said that the column is a category: it is used even if no two rows are alike.
    """
    if n_values > len(values) and counts.max() <= MOST_ALIKE and not asked:
        share = "all" if counts.max() == 1 else "nearly all"
        option = shlex.quote(f"{name}=category")
        reason = (
            f"{share} of its {n_values} values are different, as in a name or a number of a row "
            f"(--type {option} uses the most frequent)"
        )
        warnings.warn(visible(f"column {name!r} is left out: {reason}"), ColumnLeftOutWarning, stacklevel=2)
        return [], reason
    if n_values > len(values):
        warnings.warn(
            f"column {name!r} has {n_values} categories; only the {len(values)} most frequent become "
            f"conditions (max_categories of the Binarizer)",
            BinarizerWarning,
            stacklevel=2,
        )
    pairs: list[BothSides] = [(Equals(name, "=", value), Equals(name, "!=", value)) for value in values]
    groups, n_grouped = group_pairs(name, values, counts, max_members, complete=n_values == len(values))
    if n_grouped < len(values):
        warnings.warn(
            f"column {name!r} has {n_values} categories; groups of up to {max_members} are offered of the "
            f"{n_grouped} most frequent only, a smaller max_members offers groups of more",
            BinarizerWarning,
            stacklevel=2,
        )
    return pairs + groups, None


def _categories(cells: Cells, weights: NDArray[np.int64] | None) -> tuple[list[Scalar], NDArray[np.int64]]:
    """Return the values that occur, in their natural order, and how often each does."""
    codes, distinct = cells.coded
    counts = np.zeros(len(distinct), np.int64)
    np.add.at(counts, codes[codes >= 0], 1 if weights is None else weights[codes >= 0])
    occurring = [(_plain(value, cells.name), int(n)) for value, n in zip(distinct, counts, strict=True) if n]
    if not isinstance(cells.values.dtype, pd.CategoricalDtype):
        occurring.sort(key=lambda pair: pair[0])
    return [value for value, _ in occurring], np.array([n for _, n in occurring], dtype=np.int64)


def _plain(value: Any, column: str) -> Scalar:
    """Return a category as a value that JSON can hold."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, str | int | float | bool):
        raise CellTypeError(
            f"column {column!r}: a category's argument must be a string or a number, "
            f"but {value!r} is a {type(value).__name__}; convert the column"
        )
    return value
