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

from laconic.data.table import Table
from laconic.problem.coded import CodedRule
from laconic.problem.parts import Part

_CAPS = ("max_rules", "max_rule_length", "max_literals", "max_size")


@dataclass(frozen=True, eq=False)
class CompiledConstraints:
    """The constraints on decision sets for one table, as numbers.

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
        At least 1 if there are constraints: a rule that covers no row explains nothing. `rules_in` are
        exempt.
    words : tuple of str
        The constraints in short, for messages.
    any_set : bool
        Whether there are no constraints, so that every decision set is admissible.
    notes : tuple of str
        What the user should know of how words became numbers: class weights that are rounded.
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
    any_set: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def nothing(cls, table: Table, measure: tuple[str, ...] = ("size",)) -> CompiledConstraints:
        """Return compiled constraints that every decision set meets."""
        one, zero = (Fraction(1),), (Fraction(0),)
        ones = one * table.n_classes
        return cls(
            usable=np.broadcast_to(table.allowed, (table.n_classes, *table.allowed.shape)),
            column_of=np.zeros(table.n_features, np.int64),
            n_columns=1,
            measure=measure,
            literal_factor=one,
            column_cost=zero,
            class_factor=ones,
            miss_factor=ones,
            claim_factor=ones,
            seen=table.weights,
            min_support=0,
            any_set=True,
        )

    @property
    def by_class(self) -> bool:
        """Whether only usable literals and costs of errors are constrained: then classes are independent."""
        return not self.ties

    @property
    def ties(self) -> tuple[str, ...]:
        """The constraints that tie rules or classes together, or count size in another way, by name."""
        named = {
            **{name: getattr(self, name) is not None for name in _CAPS},
            "required": self.required,
            "rules_in": self.rules_in,
            "rules_out": self.rules_out,
            "disjoint": self.disjoint,
            f"measure={self.measure[0]!r}": self.measure != ("size",),
            "feature_costs": any(self.column_cost),
            "literal_costs": any(factor != 1 for factor in self.literal_factor),
            "min_precision": self.min_precision,
            "min_support": self.min_support > 1,
        }
        return tuple(name for name, present in named.items() if present)

    def without_ties(self) -> CompiledConstraints:
        """Return only the constraints on usable literals and costs of errors."""
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
    claimed, claiming : ndarray of int64, shape (n_classes,)
        A rule of class c that covers a row of another class k costs ``claiming[c] * claimed[k]`` per weight
        of the row. When errors are counted per row, an error on a row costs ``missed`` of its class.
    rule : int
    literal : ndarray of int64, shape (n_features,)
    column : ndarray of int64, shape (n_columns,)
        Once for each column that any rule uses.
    longest : int
        Per literal of the longest rule.
    explained : int
        Per weight of a row and per literal of the shortest rule of its class that covers it.
    plain_literal : int
        Price of a literal whose column costs nothing special; known for a table without features too.
    """

    weight: int
    missed: NDArray[np.int64]
    claimed: NDArray[np.int64]
    claiming: NDArray[np.int64]
    rule: int
    literal: NDArray[np.int64]
    column: NDArray[np.int64]
    longest: int = 0
    explained: int = 0
    plain_literal: int = 0

    def of_rule(self, rule: CodedRule) -> int:
        """Return the price of the rule."""
        return self.rule + sum(int(self.literal[code >> 1]) for code in rule.literals)

    @property
    def counts_errors(self) -> bool:
        """Whether errors have a cost at this level."""
        return bool(self.missed.any() or (self.claimed.any() and self.claiming.any()))

    @property
    def dearest_error(self) -> int:
        """Maximum cost of one fault per weight of the row."""
        claim = int(self.claimed.max(initial=0)) * int(self.claiming.max(initial=0))
        return max(int(self.missed.max(initial=0)), claim)

    def of_claims(self, weights: NDArray[np.int64], target: int) -> NDArray[np.int64]:
        """Return the cost, for each row, of being covered by a rule of a class.

        Parameters
        ----------
        weights : ndarray of int64, shape (n_rows, n_classes)
        target : int
            The class.
        """
        others = weights @ self.claimed - weights[:, target] * self.claimed[target]
        costs: NDArray[np.int64] = others * self.claiming[target]
        return costs

    def of_all_claims(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the cost of each row being covered by a rule of each class: rows by classes."""
        own = weights * self.claimed
        costs: NDArray[np.int64] = (own.sum(axis=1, keepdims=True) - own) * self.claiming
        return costs

    def with_errors(self, factor: int) -> Prices:
        """Return the same prices with the costs of errors multiplied by a factor."""
        return replace(self, missed=factor * self.missed, claimed=factor * self.claimed)


@dataclass(frozen=True, eq=False)
class Pricing:
    """The levels, their meaning, and the limits at some of them.

    Attributes
    ----------
    levels : tuple of Prices
    parts : tuple of Part
        What each level is called, and its units.
    error_cost, literal_cost, rule_cost : int
        Of all levels together, for a plain error, literal and rule; 0 where none counts them.
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
    error_cost: int = 0
    literal_cost: int = 0
    rule_cost: int = 0
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
