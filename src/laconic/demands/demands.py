"""Constraints as engines see them: literals, classes and columns are numbers, costs are integers.

All costs of all measures are one shape, `Prices`; the cost of a decision set is the sum over the levels,
each times its `weight`, which is large enough that an earlier level always decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.model.coded import CodedRule


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
    def symmetric(self) -> bool:
        """Whether both kinds of error cost the same."""
        return all(factor == 1 for factor in (*self.miss_factor, *self.claim_factor))


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
    """The levels, and what one of the user's units is in integers of the first.

    Attributes
    ----------
    levels : tuple of Prices
    unit : Fraction
        Integers of the first level per unit of the user's objective.
    error_cost, literal_cost, rule_cost : int
        Of the first level, for a plain error, literal and rule; 0 where the measure does not count them.
    """

    levels: tuple[Prices, ...]
    unit: Fraction
    error_cost: int
    literal_cost: int
    rule_cost: int
