"""A sentence of the paper, and the judgement that follows from the records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from benchmarks.paper.evidence import Evidence, NotMeasuredError, out_of_order
from laconic.bench import methods

RIVALS = ("ripper", "sp-l3", "mds2-star-r3", "cn2", "imli1", "imli16")
"""The six tools for which the paper gives all numbers, most solved first."""

PERFECT_SAT = ("opt", "mopt", "opt-union")
"""The paper's own models of perfect sets."""

CLOSE_POINTS = 2.0
CLOSE_FACTOR = 1.5
"""Largest differences of mean accuracies (points) and mean sizes (factor) that count as comparable."""


class Judgement(Enum):
    """Whether the records agree with the paper."""

    HOLDS = "holds"
    PARTLY = "holds in part"
    CONTRADICTED = "**contradicted**"
    OPEN = "not measured"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a sentence by the records.

    Attributes
    ----------
    judgement : Judgement
    ours : str
        Our numbers in words.
    n : int
        Number of training sets behind them.
    """

    judgement: Judgement
    ours: str
    n: int


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the paper.

    Attributes
    ----------
    topic : str
    paper : str
        The sentence, shortened.
    judge : callable
    """

    topic: str
    paper: str
    judge: Callable[[Evidence], Verdict]


def verdict(statement: Statement, evidence: Evidence) -> Verdict:
    """Judge a statement; a statement about methods without records is left open."""
    try:
        return statement.judge(evidence)
    except NotMeasuredError as lacking:
        return Verdict(Judgement.OPEN, f"no records of {lacking}", 0)


def judged(*facts: bool | None) -> Judgement:
    """Return the judgement of a sentence that claims all facts; ``None`` is neither true nor false."""
    if all(fact is not None and fact for fact in facts):
        return Judgement.HOLDS
    if all(fact is not None and not fact for fact in facts):
        return Judgement.CONTRADICTED
    return Judgement.PARTLY


def more(count: float, other: float) -> bool | None:
    """Return whether a number is higher than another, or None if they are equal."""
    return None if count == other else count > other


def in_order(values: dict[str, float], falling: Sequence[str]) -> tuple[Judgement, str]:
    """Judge an order, most first: it holds in part if fewer than half of the pairs are reversed."""
    wrong = out_of_order(values, falling)
    n_pairs = len(falling) * (len(falling) - 1) // 2
    name = methods.labels(falling)
    turned = ", ".join(f"{name[low]} before {name[high]}" for high, low in wrong)
    judgement = judged(not wrong, 2 * len(wrong) < n_pairs)
    return judgement, f"; other than in the paper: {turned}" if wrong else ""
