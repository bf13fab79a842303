"""Constraints as engines see them: literals, classes and columns are numbers, costs are integers.

All costs of all measures are one shape, `Prices`; the cost of a decision set is the sum over the levels,
each times its `weight`, which is large enough that an earlier level always decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.model.coded import CodedRule
from laconic.model.parts import Part


@dataclass(frozen=True, eq=False)
class Demands:
    """What a decision set for one table has to respect.

    Attributes
    ----------
    usable : ndarray of bool, shape (n_classes, n_features, 2)
        Whether a rule of the class may ask for the feature to be false or true.
    column_of : ndarray of int64, shape (n_features,)
        The number of the user's column that a feature is a condition on.
    n_columns : int
    measure : tuple of str
        What is kept small, the tie-breaking size included.
    literal_factor, column_cost : tuple of Fraction
        By column: what a literal counts in the size, and what using the column costs, in units of size.
    class_factor : tuple of Fraction
        What an error on a row of the class costs.
    miss_factor, claim_factor : tuple of Fraction
        By class: factors of a row of the class that it does not cover, and of a row of another class that
        it does.
    seen : ndarray of int64, shape (n_rows, n_classes)
        Weights of the table as the user gave it, for precision.
    max_rules, max_rule_length, max_literals, max_size : int or None
    required : tuple of frozenset of int
        Literals of which at least one must be used by some rule.
    rules_in, rules_out : frozenset of CodedRule
    disjoint : bool
    min_precision : Fraction
    min_support : int
        At least 1: a rule that covers no row explains nothing. `rules_in` are exempt.
    words : tuple of str
        The demands in short, for messages.
    """

    usable: NDArray[np.bool_]
    column_of: NDArray[np.int64]
    n_columns: int
    measure: tuple[str, ...]
    literal_factor: tuple[Fraction, ...]
    column_cost: tuple[Fraction, ...]
    class_factor: tuple[Fraction, ...]
    miss_factor: tuple[Fraction, ...]
    claim_factor: tuple[Fraction, ...]
    seen: NDArray[np.int64]
    max_rules: int | None = None
    max_rule_length: int | None = None
    max_literals: int | None = None
    max_size: int | None = None
    required: tuple[frozenset[int], ...] = ()
    rules_in: frozenset[CodedRule] = frozenset()
    rules_out: frozenset[CodedRule] = frozenset()
    disjoint: bool = False
    min_precision: Fraction = Fraction(0)
    min_support: int = 1
    words: tuple[str, ...] = ()

    @property
    def by_class(self) -> bool:
        """Whether it is only about usable literals and costs of errors: then classes have no ties."""
        caps = (self.max_rules, self.max_rule_length, self.max_literals, self.max_size)
        tied = self.required or self.rules_in or self.rules_out or self.disjoint
        plain = self.measure == ("size",) and not any(self.column_cost)
        return (
            all(cap is None for cap in caps)
            and not tied
            and plain
            and all(factor == 1 for factor in self.literal_factor)
            and not self.min_precision
            and self.min_support <= 1
        )

    def without_ties(self) -> Demands:
        """Return only what is about usable literals and costs of errors."""
        return replace(
            self,
            measure=("size",),
            literal_factor=(Fraction(1),) * self.n_columns,
            column_cost=(Fraction(0),) * self.n_columns,
            max_rules=None,
            max_rule_length=None,
            max_literals=None,
            max_size=None,
            required=(),
            rules_in=frozenset(),
            rules_out=frozenset(),
            disjoint=False,
            min_precision=Fraction(0),
            min_support=1,
        )


@dataclass(frozen=True, eq=False)
class Prices:
    """One level of the cost, in integers.

    Attributes
    ----------
    weight : int
        What one unit of this level adds to the whole cost.
    missed : ndarray of int64, shape (n_classes,)
        Per weight of a row of the class that no rule of the class covers.
    claimed : ndarray of int64, shape (n_classes, n_classes)
        Per weight of a row of the first class that a rule of the second covers. When errors are counted per
        row, an error on a row costs ``missed`` of its class.
    rule : int
    literal : ndarray of int64, shape (n_features,)
    column : ndarray of int64, shape (n_columns,)
        Once for each column that any rule uses.
    longest : int
        Per literal of the longest rule.
    explained : int
        Per weight of a row and per literal of the shortest rule of its class that covers it.
    """

    weight: int
    missed: NDArray[np.int64]
    claimed: NDArray[np.int64]
    rule: int
    literal: NDArray[np.int64]
    column: NDArray[np.int64]
    longest: int = 0
    explained: int = 0

    def of_rule(self, rule: CodedRule) -> int:
        """Return what the rule itself costs, whatever it covers."""
        return self.rule + sum(int(self.literal[code >> 1]) for code in rule.literals)


@dataclass(frozen=True, eq=False)
class Pricing:
    """The levels, what they are about, and what must not be exceeded at some of them.

    Attributes
    ----------
    levels : tuple of Prices
    parts : tuple of Part
        What each level is called, and its units.
    error_cost, literal_cost, rule_cost : int
        Of the first level, for a plain error, literal and rule; 0 where it does not count them.
    measure_cost : int
        Of the first level, for a unit of its measure.
    faults : int
        The level that errors are counted at.
    limits : tuple of (int or None)
        The most that each level may come to; empty if none is limited.
    all_rows : int
        What errors on all rows would cost at that level, each row once, whatever kind of error.
    """

    levels: tuple[Prices, ...]
    parts: tuple[Part, ...]
    error_cost: int
    literal_cost: int
    rule_cost: int
    measure_cost: int = 0
    faults: int = 0
    limits: tuple[int | None, ...] = ()
    all_rows: int = 0

    @property
    def unit(self) -> Fraction:
        """Integers of the first level per unit of the user's objective."""
        return self.parts[0].unit

    def exceeded(self, values: Sequence[int]) -> str | None:
        """Return the first limit that the values of the levels exceed, by name."""
        for part, limit, value in zip(self.parts, self.limits, values, strict=False):
            if limit is not None and value > limit:
                return part.name
        return None
