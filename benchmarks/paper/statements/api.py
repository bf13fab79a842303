"""A sentence of the paper, and what the records say about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from benchmarks.paper.evidence import Evidence, NotMeasuredError, out_of_order
from laconic.bench import methods

RIVALS = ("ripper", "sp-l3", "mds2-star-r3", "cn2", "imli1", "imli16")
"""The six tools that the paper gives all its figures for, most solved first."""

PERFECT_SAT = ("opt", "mopt", "opt-union")
"""Its own models of perfect sets."""

CLOSE_POINTS = 2.0
CLOSE_FACTOR = 1.5
"""What is comparable: mean accuracies and mean sizes that differ by no more."""


class Judgement(Enum):
    """Whether the records say what the paper says."""

    HOLDS = "holds"
    PARTLY = "holds in part"
    CONTRADICTED = "**contradicted**"
    OPEN = "not measured"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the records say about a sentence.

    Attributes
    ----------
    judgement : Judgement
    ours : str
        The numbers, in words.
    n : int
        Training sets behind them.
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
        What it says, shortened.
    judge : callable
    """

    topic: str
    paper: str
    judge: Callable[[Evidence], Verdict]


def verdict(statement: Statement, evidence: Evidence) -> Verdict:
    """Judge a statement; one about methods without records is left open."""
    try:
        return statement.judge(evidence)
    except NotMeasuredError as lacking:
        return Verdict(Judgement.OPEN, f"no records of {lacking}", 0)


def judged(*facts: bool | None) -> Judgement:
    """Return what facts make of a sentence that says all of them; ``None`` is neither true nor false."""
    if all(fact is not None and fact for fact in facts):
        return Judgement.HOLDS
    if all(fact is not None and not fact for fact in facts):
        return Judgement.CONTRADICTED
    return Judgement.PARTLY


def more(count: float, other: float) -> bool | None:
    """Return whether a number is higher than another; equal ones say nothing either way."""
    return None if count == other else count > other


def in_order(values: dict[str, float], falling: Sequence[str]) -> tuple[Judgement, str]:
    """Judge an order, most first: in part if fewer than half of the pairs are the other way round."""
    wrong = out_of_order(values, falling)
    n_pairs = len(falling) * (len(falling) - 1) // 2
    name = methods.labels(falling)
    turned = ", ".join(f"{name[low]} before {name[high]}" for high, low in wrong)
    judgement = judged(not wrong, 2 * len(wrong) < n_pairs)
    return judgement, f"; other than in the paper: {turned}" if wrong else ""
