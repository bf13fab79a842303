"""How λ was chosen, and the accuracy of sets at each λ on rows that they were not learned from."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

import pandas as pd

from laconic.data.documents import damaged, entry, integer

SEES_CLASSES = 0.55
"""Balanced accuracy above which a set is better than a constant: one class for all rows has at most 0.5."""


@dataclass(frozen=True)
class Rung:
    """One λ, the set found at it, and the accuracy of such sets on new rows.

    Attributes
    ----------
    regularization : float
        λ.
    size : int
        Size of the set of all rows.
    errors : int or Fraction
        Weight of its training errors, in the user's units.
    accuracy, balanced_accuracy : float
        Of the sets of the folds, on the rows that they were not learned from.
    standard_error : float
        Of the accuracy, from its spread over the folds.
    """

    regularization: float
    size: int
    errors: Fraction
    accuracy: float
    balanced_accuracy: float
    standard_error: float


@dataclass(frozen=True)
class Choice:
    """How λ was chosen.

    Attributes
    ----------
    rungs : tuple of Rung
        From the highest λ to the lowest.
    chosen : int
        The number of the chosen one.
    n_folds : int
        Folds that were done; fewer than five if the time was over, 0 if there was none.
    max_size : int
        Larger sets were not considered.
    majority : float
        The accuracy of predicting the most frequent class for every row.
    interrupted : bool
        Whether Ctrl-C ended the choice.
    """

    rungs: tuple[Rung, ...]
    chosen: int
    n_folds: int
    max_size: int
    majority: float
    interrupted: bool = False

    @property
    def best(self) -> Rung:
        """The chosen rung."""
        return self.rungs[self.chosen]

    def with_set(self, size: int, errors: Fraction) -> Choice:
        """Return the choice with the size and the errors of the set that was found last at the chosen λ."""
        best = replace(self.best, size=size, errors=errors)
        rungs = tuple(best if k == self.chosen else rung for k, rung in enumerate(self.rungs))
        return replace(self, rungs=rungs)

    @property
    def is_measured(self) -> bool:
        """Whether the sets were scored on rows that they were not learned from."""
        return self.n_folds > 0

    @property
    def accuracy_text(self) -> str:
        """The accuracy of the chosen sets on new rows, as text."""
        best = self.best
        return (
            f"right on {_percent(best.accuracy)} ± {_percent(best.standard_error)} of rows not learned from "
            f"(cross-validation, {self.n_folds} folds; the most frequent class alone: "
            f"{_percent(self.majority)})"
        )

    @property
    def text(self) -> str:
        """The choice in a sentence."""
        best = self.best
        if len(self.rungs) == 1:
            return f"λ = {best.regularization:g}: the table is too small to compare several"
        if not self.is_measured:
            return f"λ = {best.regularization:g} gives the largest readable set; there was no time to compare"
        said = f"λ = {best.regularization:g} does best of {len(self.rungs)} on rows not learned from"
        if best.accuracy <= self.majority and best.balanced_accuracy > SEES_CLASSES:
            said += (
                "; it is right on no more rows than the most frequent class alone, but on "
                f"{_percent(best.balanced_accuracy)} of a class on average"
            )
        elif best.accuracy <= self.majority:
            said += "; no set of rules is clearly better than the most frequent class alone"
        return said

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as plain data."""
        candidates = [
            {**{name: _known(value) for name, value in asdict(rung).items()}, "chosen": k == self.chosen}
            for k, rung in enumerate(self.rungs)
        ]
        return {
            "folds": self.n_folds,
            "max_size": self.max_size,
            "majority": _known(self.majority),
            "interrupted": self.interrupted,
            "candidates": candidates,
        }

    def to_frame(self) -> pd.DataFrame:
        """Return the rungs as a table."""
        names = ("regularization", "size", "errors", "accuracy", "standard_error", "balanced_accuracy")
        rows = [{name: float(getattr(rung, name)) for name in names} for rung in self.rungs]
        return pd.DataFrame(rows).assign(chosen=[k == self.chosen for k in range(len(rows))])


def choice_from_document(data: Any) -> Choice:
    """Check plain data and build the choice it describes."""
    if not isinstance(data, dict):
        raise damaged("its choice of λ is not an object")
    candidates = entry(data, "candidates", list)
    rungs = tuple(_rung_from_document(one) for one in candidates)
    chosen = [k for k, one in enumerate(candidates) if one.get("chosen") is True]
    if len(chosen) != 1:
        raise damaged("its choice of λ does not name the chosen one")
    choice = Choice(
        rungs,
        chosen[0],
        integer(data, "folds"),
        integer(data, "max_size"),
        _share(data, "majority"),
        entry(data, "interrupted", bool),
    )
    if choice.is_measured and any(math.isnan(rung.accuracy) for rung in rungs):
        raise damaged("its choice of λ lacks an accuracy")
    return choice


def _rung_from_document(data: Any) -> Rung:
    if not isinstance(data, dict):
        raise damaged("a candidate of its choice of λ is not an object")
    price, errors = _number(data, "regularization"), _number(data, "errors")
    if not price > 0 or not errors >= 0:
        raise damaged("a candidate of its choice of λ has a number out of range")
    return Rung(
        price,
        integer(data, "size"),
        Fraction(repr(errors)),
        _share(data, "accuracy"),
        _share(data, "balanced_accuracy"),
        _share(data, "standard_error"),
    )


def _number(data: dict[str, Any], name: str) -> float:
    value = entry(data, name, int | float | None)
    return math.nan if value is None else float(value)


def _share(data: dict[str, Any], name: str) -> float:
    value = _number(data, name)
    if not (math.isnan(value) or 0 <= value <= 1):
        raise damaged(f"{name!r} of its choice of λ is not between 0 and 1")
    return value


def _known(value: Any) -> Any:
    """Return a value for JSON: None if it is not known."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    return None if isinstance(value, float) and math.isnan(value) else value


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
