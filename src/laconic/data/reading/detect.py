"""Find out how the texts of a column are to be read: as numbers, with codes for "no value", without blanks.

What is found depends on the different texts and on how often each occurs, not on the order of the rows, so it
is the same for a table in memory and for one that is read in parts.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells, text_of
from laconic.data.dates import DAY, ORDERS, seconds_of
from laconic.data.reading.column_reading import WRITTEN, ColumnReading
from laconic.data.reading.date_cells import holds_dates, seconds_of_dates
from laconic.data.reading.number_texts import BLANKS, number_pattern
from laconic.runtime.texts import shown

STANDARD_MISSING = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A",
    "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
)  # fmt: skip
"""Cells of a file that mean "no value": those of `pandas.read_csv`."""

MISSING_CODES = frozenset(
    [
        *STANDARD_MISSING, "?", "??", "-", "--", "---", ".", "..", "*", "na", "n.a.", "N.A.", "n. a.", "k.A.",
        "k. A.",
    ]
)  # fmt: skip
"""Texts that mean "no value" in a column whose other cells look different."""

MOSTLY = 0.8
"""Minimum share of numbers in a column whose other texts are taken for "no value"."""

MOST_ODD = 3
"""Maximum number of such texts."""

FEWEST_NUMBERS = 5
"""Minimum number of different numbers beside such texts."""

_MARKS = re.compile(r"[^\w]*")
_NUMBER_LIKE = re.compile(r"[-+0-9.,'\sEe]*")
_DATE_LIKE = re.compile(r"\d{1,4}[-/.]\s?\d{1,2}[-/.]\s?\d{1,4}(?:[T ].{0,35})?")
_LEADING_ZERO = re.compile(r"[+-]?0\d+")
_FORMATS = (
    (".", ""), (",", ""), (".", ","), (",", "."), (".", " "), (",", " "), (".", "\u00a0"), (",", "\u00a0"),
    (".", "\u202f"), (",", "\u202f"), (".", "'"), (",", "'"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """What was found about a column.

    Attributes
    ----------
    reading : ColumnReading or None
        None stands for cells as they are.
    said : str or None
        What to tell the user.
    """

    reading: ColumnReading | None
    said: str | None = None


def detected(
    values: pd.Series[Any],
    kind: str | None = None,
    base: ColumnReading | None = None,
    weights: NDArray[np.int64] | None = None,
) -> Found:
    """Return how a column is to be read.

    Parameters
    ----------
    values : Series
    kind : {"numeric", "category", "binary"}, optional
        What the user has said that the column is.
    base : ColumnReading, optional
        What the user has said about the whole file or about the column; it is kept, and more may be found.
    weights : ndarray, optional
        How often each cell counts.
    """
    if pd.api.types.is_bool_dtype(values.dtype):
        return Found(None)
    if pd.api.types.is_numeric_dtype(values.dtype):
        return Found(None if base is None else _of_numbers(base))
    if isinstance(values.dtype, pd.CategoricalDtype):
        return Found(base)
    if holds_dates(values):
        return Found(_of_dates(values, base))
    codes, distinct = Cells(values).coded
    if not any(isinstance(one, str) for one in distinct):
        return Found(base)
    counts = pd.Series(1 if weights is None else weights, index=values.index).groupby(codes).sum()
    texts: dict[str, int] = {}
    for k, one in enumerate(distinct):
        text = one if isinstance(one, str) else text_of(one)
        texts[text] = texts.get(text, 0) + int(counts.get(k, 0))
    return Found(base) if not texts else _of_texts(str(values.name), texts, kind, base or ColumnReading())


def _of_texts(name: str, texts: Mapping[str, int], kind: str | None, base: ColumnReading) -> Found:
    strip = base.strip or any(text != text.strip(BLANKS) for text in texts)
    around = {text.strip(BLANKS) for text in texts if text != text.strip(BLANKS)}
    spelled: dict[str, int] = {}
    for text, count in texts.items():
        plain = text.strip(BLANKS)
        spelled[plain] = spelled.get(plain, 0) + count
    present = {text: count for text, count in spelled.items() if text not in base.missing}
    if kind in {None, "date"}:
        dates = _dates(name, present, base, surely=kind == "date")
        if dates is not None:
            return dates
    if kind != "category":
        numbers = _numbers(name, present, base, surely=kind == "numeric")
        if numbers is not None:
            return numbers
    found = [text for text in present if kind is None and _means_missing(text, present, around)]
    added = tuple(sorted(found))
    reading = replace(base, strip=strip, missing=(*base.missing, *added))
    said = []
    if strip and not base.strip:
        said.append("blanks around its texts are left out")
    if added:
        said.append(f"{_listed(added)} {_means(added)} 'no value' ({_kept_as_text(name)})")
    return Found(
        None if reading == ColumnReading() else reading,
        f"column {name!r}: {'; '.join(said)}" if said else None,
    )


def _of_dates(values: pd.Series[Any], base: ColumnReading | None) -> ColumnReading:
    seconds = seconds_of_dates(values)
    whole = bool((seconds[~np.isnan(seconds)] % DAY == 0).all())
    return replace(base or ColumnReading(), dates="ymd", unit="day" if whole else "second")


def _dates(name: str, present: Mapping[str, int], base: ColumnReading, *, surely: bool) -> Found | None:
    """Return the reading of a column of dates, None if it does not look like one."""
    plain = [text for text in present if text not in MISSING_CODES]
    odd = [text for text in plain if not _DATE_LIKE.fullmatch(text)]
    dates = [text for text in plain if text not in odd]
    if not dates or len(odd) > MOST_ODD or any(map(_has_digit, odd)):
        return None
    if sum(present[text] for text in dates) < MOSTLY * sum(present[text] for text in plain):
        return None
    orders = [base.dates] if base.dates else [*ORDERS]
    fitting = [order for order in orders if all(seconds_of(text, order) is not None for text in dates)]
    if not fitting:
        return None
    words = [text for text in present if text in MISSING_CODES or text in odd]
    added = tuple(sorted(set(words) - set(base.missing)))
    whole = all((seconds_of(text, fitting[0]) or 0.0) % DAY == 0 for text in dates)
    reading = replace(
        base,
        strip=False,
        missing=(*base.missing, *added),
        numbers=False,
        decimal=".",
        thousands="",
        dates=fitting[0],
        unit="day" if whole else "second",
    )
    said = [f"its texts are read as dates ({WRITTEN[fitting[0]]})"]
    if len(fitting) > 1:
        other = shlex.quote(f"{name}:dates={fitting[1]}")
        said.append(f"which could be {WRITTEN[fitting[1]]} as well (--column {other})")
    if added:
        said.append(f"{_listed(added)} {_means(added)} 'no value'")
    return Found(reading, f"column {name!r}: {', '.join(said)} ({_kept_as_text(name)})")


def _of_numbers(base: ColumnReading) -> ColumnReading | None:
    """Return the reading of a column of numbers: how texts in its place would be read, if not plainly."""
    if base.decimal == "." and not base.thousands and not base.missing and not base.codes:
        return None
    return replace(base, strip=False, numbers=True)


def _numbers(name: str, present: Mapping[str, int], base: ColumnReading, *, surely: bool) -> Found | None:
    """Return the reading of a column of numbers, None if it does not look like one."""
    plain = {text: count for text, count in present.items() if text not in MISSING_CODES}
    if not plain:
        return None
    formats = [one for one in _FORMATS if base.decimal in {".", one[0]}]
    if base.numbers:
        formats = [(base.decimal, base.thousands)]
    total = sum(plain.values())
    if (
        not surely
        and sum(n for text, n in plain.items() if _has_digit(text) and _NUMBER_LIKE.fullmatch(text))
        < MOSTLY * total
    ):
        return None
    best, share = formats[0], -1.0
    for one in formats:
        pattern = number_pattern(*one)
        fitting = sum(count for text, count in plain.items() if pattern.fullmatch(text))
        if fitting / max(1, total) > share:
            best, share = one, fitting / max(1, total)
    pattern = number_pattern(*best)
    odd = [text for text in plain if not pattern.fullmatch(text)]
    few = share < MOSTLY or len(plain) - len(odd) < FEWEST_NUMBERS
    if odd and not surely and (few or len(odd) > MOST_ODD or any(map(_has_digit, odd))):
        return None
    if odd and surely:
        return None  # refused where the cells are read, with the row
    if not surely and any(_LEADING_ZERO.fullmatch(text) for text in plain):
        return None  # such as 01067: a code of digits
    best = _thousands_or_decimal(best, plain) if not base.numbers else best
    words = [text for text in present if text in MISSING_CODES or text in odd]
    added = tuple(sorted(set(words) - set(base.missing)))
    reading = replace(
        base,
        strip=False,
        missing=(*base.missing, *added),
        numbers=True,
        decimal=best[0],
        thousands=best[1],
    )
    if reading == ColumnReading(numbers=True) and not surely:
        return None  # plain numbers that are texts: the user's choice
    said = []
    if (reading.decimal, reading.thousands) != (base.decimal, base.thousands) or not base.numbers:
        said.append(f"its texts are read as numbers{reading.how}")
    if added:
        said.append(f"{_listed(added)} {_means(added)} 'no value'")
    text = f"column {name!r}: {', '.join(said)} ({_kept_as_text(name)})"
    return Found(reading, text if reading.how or added else None)


def _thousands_or_decimal(marks: tuple[str, str], plain: Iterable[str]) -> tuple[str, str]:
    """Tell 1,234 (thousands) from 1,5 (decimals), where every number has at most one such mark."""
    mark = marks[0] if not marks[1] else None
    if mark is None or mark == ".":
        return marks
    with_mark = [text for text in plain if mark in text]
    grouped = re.compile(rf"[+-]?[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+")
    if with_mark and all(grouped.fullmatch(text) for text in with_mark):
        return ".", mark
    return marks


def _means_missing(text: str, present: Mapping[str, int], around: Iterable[str]) -> bool:
    if text not in MISSING_CODES:
        return False
    if text in STANDARD_MISSING:
        return text in {"", "n/a"} or text in around  # others are read as missing from files already
    others = [one for one in present if one not in MISSING_CODES]
    # Where the other values are marks as well, such as + and -, it is one of them.
    return bool(others) and not any(_MARKS.fullmatch(one) for one in others)


def _kept_as_text(name: str) -> str:
    return f"--type {shlex.quote(name + '=category')} keeps the texts"


def _has_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _means(words: tuple[str, ...]) -> str:
    return "means" if len(words) == 1 else "mean"


def _listed(words: Iterable[str]) -> str:
    return " and ".join(shown(word) for word in words)
