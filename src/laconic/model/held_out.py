"""How a decision set does on rows that were held out of its training."""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.data.documents import damaged, entry, integer
from laconic.data.foreign import refuse_masked
from laconic.data.words import number_text
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How a decision set does on rows that were held out of its training.

    Attributes
    ----------
    source : str
        Where the rows are from.
    rows : int
    wrong, weight : float
        Weight of the rows predicted wrongly, and of all of them.
    balanced_accuracy : float
        Mean over the classes of the share predicted right.
    share : float or None
        If the rows are a random part of the training file: the share that was held out of each class.
    seed : int or None
        The seed of that draw.
    of_rows : int or None
        Rows of that file.
    """

    source: str
    rows: int
    wrong: float
    weight: float
    balanced_accuracy: float
    share: float | None = None
    seed: int | None = None
    of_rows: int | None = None

    @property
    def accuracy(self) -> float:
        """Share of the weight predicted right."""
        return 1 - self.wrong / self.weight

    @property
    def standard_error(self) -> float:
        """The standard error of the accuracy, for this number of independent rows."""
        return math.sqrt(self.accuracy * (1 - self.accuracy) / self.rows)

    @property
    def name(self) -> str:
        """The source for people: in quotes where it could be read as a fact, since it may be any text."""
        if self.source == drawn_source(self.share) or _PLAIN.fullmatch(self.source):
            return self.source
        return shown(self.source)

    @property
    def text(self) -> str:
        """The numbers in a line, for people."""
        wrong, of = (number_text(Fraction(weight)) for weight in (self.wrong, self.weight))
        return (
            f"wrong on {wrong} of {of} {'rows' if self.weight == self.rows else 'by weight'} "
            f"held out ({self.name}): {100 * self.accuracy:.1f} % ± {100 * self.standard_error:.1f} % right"
        )

    def differences(self, said: HeldOut) -> list[str]:
        """Return the differences to another account of the same rows, in words.

        Parameters
        ----------
        said : HeldOut
        """
        if (self.wrong, self.weight, self.rows) != (said.wrong, said.weight, said.rows):
            return [f"on the rows held out it is {self.text}, not {said.text}"]
        if not math.isclose(self.balanced_accuracy, said.balanced_accuracy, rel_tol=1e-9):
            mine, other = (f"{100 * one.balanced_accuracy:.1f} %" for one in (self, said))
            return [f"its balanced accuracy on the rows held out is {mine}, not {other}"]
        return []

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        known = {name: value for name, value in asdict(self).items() if value is not None}
        return {**known, "accuracy": self.accuracy, "standard_error": self.standard_error}


_PLAIN = re.compile(r"[\w.+-]{1,60}")
"""Maximum number of file names in a source."""


def drawn_source(share: float | None) -> str:
    """Return the source of rows that were drawn from the training file."""
    return f"{100 * (share or 0):g} % of the table"


def measured_on(
    model: DecisionSet, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, source: str, **drawn: Any
) -> HeldOut:
    """Predict rows that were held out and compare with their labels; unknown labels are always wrong."""
    refuse_masked(y, "the label")
    labels, predicted = np.asarray(y), model.predict(X)
    if labels.shape != predicted.shape:
        raise InputError(f"y has shape {labels.shape}, but X has {len(predicted)} rows")
    if not labels.size:
        raise InputError(f"there are no rows held out ({source}); hold out more")
    weights = np.ones(labels.size) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weights.shape != labels.shape or not (np.isfinite(weights) & (weights >= 0)).all():
        raise InputError("sample_weight must be one finite number of at least 0 for each row held out")
    if not weights.any():
        raise InputError(f"all rows held out ({source}) weigh 0; hold out others")
    right = np.asarray(labels == predicted, dtype=bool)
    return HeldOut(
        source,
        int(labels.size),
        math.fsum(weights[~right]),
        math.fsum(weights),
        _balanced(labels, right, weights),
        **drawn,
    )


def _balanced(labels: NDArray[Any], right: NDArray[np.bool_], weights: NDArray[np.float64]) -> float:
    shares = []
    for label in dict.fromkeys(labels.tolist()):
        own = np.asarray(labels == label, dtype=bool)
        if weights[own].any():
            shares.append(float(np.average(right[own], weights=weights[own])))
    return float(np.mean(shares))


def held_out_from_document(data: Any) -> HeldOut:
    """Return the results on held-out rows from plain data; damaged data are refused."""
    if not isinstance(data, dict):
        raise damaged("what it says of rows held out is not an object")
    wrong, weight, balanced = (
        float(entry(data, name, int | float)) for name in ("wrong", "weight", "balanced_accuracy")
    )
    if not 0 <= wrong <= weight or not weight > 0 or not 0 <= balanced <= 1:
        raise damaged("what it says of rows held out has a number out of range")
    rows = integer(data, "rows", 1)
    source = entry(data, "source", str)
    if "share" not in data:
        return HeldOut(source, rows, wrong, weight, balanced)
    share = float(entry(data, "share", float))
    if not 0 < share < 1:
        raise damaged("the share of rows held out is not between 0 and 1")
    of_rows = integer(data, "of_rows", rows + 1)
    if source != drawn_source(share):
        raise damaged("what it calls the rows held out is not what it says of their share")
    return HeldOut(source, rows, wrong, weight, balanced, share, integer(data, "seed"), of_rows)
