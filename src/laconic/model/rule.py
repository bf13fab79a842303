"""One rule, in the user's words, with its figures on the training data."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from laconic.data.labels import Label, label_text
from laconic.data.literals import Literal
from laconic.model.render import conditions_text
from laconic.runtime.texts import visible


@dataclass(frozen=True)
class Rule:
    """``IF conditions THEN label``.

    Attributes
    ----------
    literals : tuple of Literal
        All must hold; none at all means "always".
    label : str, int, float or bool
        The class it predicts.
    target : int
        The position of that class among the classes.
    rows : int
        Training rows it covers.
    class_weights : tuple of Fraction
        Weight of those rows in each class, in the user's units, exact.
    alone : Fraction or None
        Weight of the rows of its class that it covers and no other rule of that class does;
        ``None`` if unknown.
    """

    literals: tuple[Literal, ...]
    label: Label
    target: int
    rows: int
    class_weights: tuple[Fraction, ...]
    alone: Fraction | None = None

    @property
    def size(self) -> int:
        """Literals plus one for the class."""
        return len(self.literals) + 1

    @property
    def right(self) -> Fraction:
        """Weight of the covered training rows of the rule's class."""
        return self.class_weights[self.target]

    @property
    def wrong(self) -> Fraction:
        """Weight of the covered training rows of other classes."""
        return sum(self.class_weights, Fraction(0)) - self.right

    @property
    def precision(self) -> float:
        """Share of the covered training weight that is right; 0 when nothing is covered."""
        total = sum(self.class_weights)
        return float(self.right / total) if total else 0.0

    @cached_property
    def laplace(self) -> Fraction:
        """Laplace precision, exact: (right + 1) / (right + wrong + number of classes)."""
        return (self.right + 1) / (sum(self.class_weights) + len(self.class_weights))

    @property
    def laplace_precision(self) -> float:
        """Laplace precision: what decides between rules that disagree."""
        return float(self.laplace)

    @property
    def conditions(self) -> str:
        """The conditions as text: ``age > 54 AND colour is red``."""
        return conditions_text(self.literals)

    @property
    def text(self) -> str:
        """The rule as text, with names as they are; `str` makes control characters visible."""
        return f"IF {self.conditions} THEN {label_text(self.label)}"

    def __str__(self) -> str:
        return visible(self.text)
