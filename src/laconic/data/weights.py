"""Sample weights as integers, on the finest grid that exact arithmetic can use.

Weights with a small common denominator are scaled exactly: decimals as they are written (0.25, 0.1), and
fractions such as those of ``compute_sample_weight("balanced")``, of which each double is the nearest one to
a fraction. All others are rounded to multiples of a power of ten. Everything that is proved is stated over
the scaled weights, so a model says how far they are from the user's.

The scale depends on the distinct weights and their counts alone, and the integer of a weight on the scale
alone. So memory, files and clusters give the same integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.data.foreign import refuse_masked
from laconic.data.notes import lost_note, rounding_note
from laconic.runtime.errors import InputError

LARGEST_TOTAL = 2**53
"""Largest total of integer weights in any table: sums stay exact in int64 and in a double alike."""

MAX_EXACT_TOTAL = 2**40
"""Largest total of weights that are scaled exactly."""

MAX_ROUNDED_TOTAL = 2**36
"""Largest total of weights that are rounded. Costs must stay below 2⁵⁰: this leaves a factor of 2¹⁴ for
weights of classes, and for λ times the number of conditions."""

MIN_STATED_TOTAL = 2**30
"""Smallest total of rounded weights on a scale that a model states: a coarser one is not accepted."""

PARTS_OF_A_ROW = 8
"""Where a chosen λ prices a unit of size below one row, the price is rounded up to such parts of a row."""

MAX_WEIGHTS = 2**23
"""Largest number of different weights in rows that are not in memory: all of them are held at once."""

MAX_DENOMINATOR = 10**6
"""Largest denominator of a fraction that is looked for behind a double."""

_DOUBLE_NOISE = 2.0**-50
"""Relative distance within which a double counts as the fraction that was meant."""

_MOST_DIGITS = 15
"""Number of decimal places up to which decimals are recognised."""

_NEGLIGIBLE = 1e-12
"""Relative rounding error that is not worth a note."""

_LARGEST_POWER = 10**22
"""The largest power of ten that is a double."""


@dataclass(frozen=True, eq=False)
class ScaledWeights:
    """The scale of some weights, and what it does to them.

    Attributes
    ----------
    scale : Fraction
        Integer weight per unit of the user's weight.
    notes : tuple of str
        The rounding, if there is any beyond that of doubles.
    """

    scale: Fraction
    notes: tuple[str, ...] = ()

    def units(self, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the integers of weights.

        Parameters
        ----------
        weights : ndarray of float
        """
        return units_of(weights, self.scale)


def integer_weights(sample_weight: ArrayLike | None, n_samples: int) -> tuple[NDArray[np.int64], Fraction]:
    """Scale the user's weights to integers, see `scaling`.

    Returns
    -------
    weights : ndarray of int64
    scale : Fraction
        Integer weight per unit of the user's weight.
    """
    if sample_weight is None:
        return np.ones(n_samples, np.int64), Fraction(1)
    weight = checked_weights(sample_weight, n_samples)
    scaled = scaling(*np.unique(weight, return_counts=True))
    return scaled.units(weight), scaled.scale


def checked_weights(sample_weight: ArrayLike, n_samples: int) -> NDArray[np.float64]:
    """Return weights as doubles; refuse missing, infinite and negative ones."""
    refuse_masked(sample_weight, "sample_weight")
    weight = np.asarray(sample_weight, dtype=float)
    if weight.shape != (n_samples,):
        raise InputError(f"sample_weight has shape {weight.shape}, but there are {n_samples} rows")
    if not np.isfinite(weight).all():
        row = int(np.flatnonzero(~np.isfinite(weight))[0])
        raise InputError(f"sample_weight of row {row} is {weight[row]}; weights must be finite")
    if (weight < 0).any():
        row = int(np.flatnonzero(weight < 0)[0])
        raise InputError(
            f"sample_weight of row {row} is negative ({weight[row]}); weights must be at least 0"
        )
    return weight


def scaling(distinct: NDArray[np.float64], counts: NDArray[np.int64]) -> ScaledWeights:
    """Return the scale of weights, and the largest rounding error in words.

    Weights that the grid rounds to zero count as zero, and the scale is chosen again without them.

    Parameters
    ----------
    distinct : ndarray of float
        The different weights.
    counts : ndarray of int
        Rows of each.

    Examples
    --------
    >>> scaling(np.array([0.1, 0.25]), np.array([1, 1]))
    ScaledWeights(scale=Fraction(20, 1), notes=())
    >>> scaling(np.array([1 / 3, 2 / 3]), np.array([1, 1])).scale
    Fraction(3, 1)
    >>> scaling(np.array([math.pi, math.e]), np.array([500, 500])).notes
    ('sample weights are rounded to multiples of 1e-07, each by at most ... of itself, all together by ...',)
    """
    scale = _scale(distinct, counts)
    kept = units_of(distinct, scale) > 0
    if not kept.all():
        scale = _scale(distinct[kept], counts[kept])
    return ScaledWeights(scale, _notes(distinct, counts, scale))


def added_scaling(
    old: Fraction, old_total: int, distinct: NDArray[np.float64], counts: NDArray[np.int64]
) -> ScaledWeights:
    """Return the scale on which rows are added to others: a multiple of the scale of these.

    Parameters
    ----------
    old : Fraction
        The scale of the rows so far.
    old_total : int
        Their integer weight.
    distinct, counts : ndarray
        The weights of the new rows, as for `scaling`.
    """
    own = _scale(distinct, counts)
    common = Fraction(math.lcm(old.numerator, own.numerator), math.gcd(old.denominator, own.denominator))
    total = old_total / old + _total(distinct, counts)
    notes = _notes(distinct, counts, common)
    if total * common > (MAX_ROUNDED_TOTAL if notes else MAX_EXACT_TOTAL):
        common = old
        while total * common * 10 <= MAX_ROUNDED_TOTAL:
            common *= 10
    return ScaledWeights(common, _notes(distinct, counts, common))


def stated_scaling(weights: NDArray[np.float64], stated: Fraction | None) -> ScaledWeights:
    """Return the scale to check a model with.

    Rounded weights that were added to others may have another scale than all weights together. Where a unit
    of size costs less than one row, the weights are on a scale `PARTS_OF_A_ROW` times as fine.

    Parameters
    ----------
    weights : ndarray of float
    stated : Fraction or None
        The scale that the model states.
    """
    distinct, counts = np.unique(weights, return_counts=True)
    together = scaling(distinct, counts)
    if stated is not None and not together.notes and stated == together.scale * PARTS_OF_A_ROW:
        return ScaledWeights(stated)
    if stated is None or stated == together.scale or not together.notes:
        return together
    if not MIN_STATED_TOTAL <= _total(distinct, counts) * stated <= LARGEST_TOTAL:
        return together
    return ScaledWeights(stated, _notes(distinct, counts, stated))


def units_of(weights: NDArray[np.float64], scale: Fraction) -> NDArray[np.int64]:
    """Return the integers of weights on a scale.

    Parameters
    ----------
    weights : ndarray of float
    scale : Fraction
    """
    return np.rint(_scaled(weights, scale)).astype(np.int64)


def _scaled(weights: NDArray[np.float64], scale: Fraction) -> NDArray[np.float64]:
    """Return weights times the scale; below 2⁵⁰, these doubles round to the right integers."""
    top, bottom = scale.numerator, scale.denominator
    if max(top, bottom) <= _LARGEST_POWER:
        scaled = weights * float(top)
        return scaled / float(bottom) if bottom > 1 else scaled
    distinct, place = np.unique(weights, return_inverse=True)
    return np.array([float(Fraction(weight) * scale) for weight in distinct.tolist()])[place]


def _notes(distinct: NDArray[np.float64], counts: NDArray[np.int64], scale: Fraction) -> tuple[str, ...]:
    """Return what a scale does to weights, in words; nothing if it is exact but for the noise of doubles."""
    scaled = _scaled(distinct, scale)
    units = np.rint(scaled)
    total = float(scaled @ counts)
    lost = (units == 0) & (scaled > 0)
    notes = []
    kept = units > 0
    worst = float(np.abs(units[kept] / scaled[kept] - 1).max(initial=0.0))
    if worst > _NEGLIGIBLE:
        share = float(np.abs(units - scaled) @ counts) / total
        notes.append(rounding_note(scale, Fraction(worst), Fraction(share)))
    if lost.any():
        notes.append(lost_note(int(counts[lost].sum()), Fraction(float(scaled[lost] @ counts[lost]) / total)))
    return tuple(notes)


def _scale(distinct: NDArray[np.float64], counts: NDArray[np.int64]) -> Fraction:
    total = _total(distinct, counts)
    if total == 0:
        raise InputError("all sample weights are zero; give some row a positive weight")
    exact = _decimal_scale(distinct, total) or _fraction_scale(distinct[distinct > 0], total)
    if exact is not None:
        return exact
    power = math.floor(math.log10(MAX_ROUNDED_TOTAL) - _log10(total))
    while total * _power_of_ten(power + 1) <= MAX_ROUNDED_TOTAL:
        power += 1
    while total * _power_of_ten(power) > MAX_ROUNDED_TOTAL:
        power -= 1
    return _power_of_ten(power)


def _total(distinct: NDArray[np.float64], counts: NDArray[np.int64]) -> Fraction:
    """Return the exact sum of all weights, whatever their order."""
    mantissas, exponents = np.frexp(distinct)
    whole = (mantissas * 2.0**53).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        here = exponents == exponent
        high, low = whole[here] >> 26, whole[here] & (2**26 - 1)
        rows = counts[here].astype(np.int64)
        part = (int((high * rows).sum()) << 26) + int((low * rows).sum())
        total += Fraction(part) * Fraction(2) ** (exponent - 53)
    return total


def _decimal_scale(distinct: NDArray[np.float64], total: Fraction) -> Fraction | None:
    """Return the least common denominator of decimals as they are written, if it is small enough."""
    if total > LARGEST_TOTAL:
        return None
    for places in range(_MOST_DIGITS + 1):
        power = 10**places
        if float(distinct.max()) * power > LARGEST_TOTAL:
            return None
        whole = np.rint(distinct * float(power))
        if (whole / float(power) == distinct).all():
            common = math.gcd(power, int(np.gcd.reduce(whole.astype(np.int64))))
            scale = Fraction(power, common)
            return scale if total * scale <= MAX_EXACT_TOTAL else None
    return None


def _fraction_scale(distinct: NDArray[np.float64], total: Fraction) -> Fraction | None:
    """Return the least common denominator of the fractions that weights are the nearest doubles to."""
    if total > MAX_EXACT_TOTAL:
        return None
    denominator = 1
    for weight in distinct.tolist():
        exact = Fraction(weight)
        near = exact.limit_denominator(MAX_DENOMINATOR)
        if abs(near - exact) > exact * Fraction(_DOUBLE_NOISE):
            return None
        denominator = math.lcm(denominator, near.denominator)
        if denominator * total > MAX_EXACT_TOTAL:
            return None
    return Fraction(denominator)


def _log10(value: Fraction) -> float:
    return math.log10(value.numerator) - math.log10(value.denominator)


def _power_of_ten(power: int) -> Fraction:
    return Fraction(10) ** power
