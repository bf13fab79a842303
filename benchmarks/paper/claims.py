"""The numbers in the paper's Section 4, and how to compute ours.

The methods of a claim are alternatives: the first is the paper's own model, the others find the same optima
by other means. So the results of a slow model on a sample are shown beside those of a fast method on all
training sets. The paper's sentences are in `statements`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from laconic.bench import methods
from laconic.bench.table import INSTANCE, common

N_PAPER = 1065
"""Number of training sets in the paper."""

PERFECT = "perfect"
"""The paper's virtual tool: all its methods for perfect sets taken together."""

PERFECT_TOOLS = ("opt", "mopt", "opt-union", "mds2", "mds2-star")
SP3 = ("sp-l3", "exact-sp-l3")
RULES3 = ("mds2-star-r3", "exact-mds2-star-r3")

PAPER_TOOLS = methods.GROUPS["paper"]
"""All tools that the paper compares; "solved by all tools" refers to these."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One number of the paper.

    Attributes
    ----------
    topic : str
        Heading of the group of claims.
    tool : str
        The paper's name of the method.
    methods : tuple of str
        Names of methods, or `PERFECT`.
    measure : str
        A measure of `findings`.
    value : float
        The paper's number.
    words : str
        The paper's words, if it does not print a number.
    """

    topic: str
    tool: str
    methods: tuple[str, ...]
    measure: str
    value: float
    words: str = ""

    @property
    def paper(self) -> str:
        """The number as printed."""
        return self.words or (f"{self.value:.0f}" if self.counts else f"{self.value:.2f}")

    @property
    def counts(self) -> bool:
        """Whether it is a number of training sets."""
        return self.measure in {"solved", "size_1", "size_3"}


_SOLVED = "Training sets solved of 1065 (paper: 1800 s, 16 GB)"
_COMMON = "Mean strict test accuracy on the training sets that all tools solved, %"
_ALL = "Mean strict test accuracy on all training sets, unsolved = 0, %"
_SIZE = "Mean size on solved training sets"
_SMALL = "How small sp[λ3] gets: number of sets of a size"

CLAIMS: tuple[Claim, ...] = (
    Claim(_SOLVED, "ripper", ("ripper",), "solved", 1048),
    Claim(_SOLVED, "sp[λ3]", SP3, "solved", 1024),
    Claim(_SOLVED, "mds2*[ρ3]", RULES3, "solved", 1000),
    Claim(_SOLVED, "cn2", ("cn2",), "solved", 975),
    Claim(_SOLVED, "imli1", ("imli1",), "solved", 802),
    Claim(_SOLVED, "imli16", ("imli16",), "solved", 620),
    Claim(_SOLVED, "opt∪", ("opt-union", "exact"), "solved", 196),
    Claim(_COMMON, "perfect", (PERFECT, "exact"), "strict_common", 85.89),
    Claim(_COMMON, "ripper", ("ripper",), "strict_common", 80.50),
    Claim(_COMMON, "imli16", ("imli16",), "strict_common", 77.42),
    Claim(_COMMON, "imli1", ("imli1",), "strict_common", 76.06),
    Claim(_COMMON, "sp[λ3]", SP3, "strict_common", 67.42),
    Claim(_COMMON, "mds2*[ρ3]", RULES3, "strict_common", 61.71),
    Claim(_COMMON, "cn2", ("cn2",), "strict_common", 43.73),
    Claim(_ALL, "ripper", ("ripper",), "strict_all", 68.13),
    Claim(_ALL, "mds2*[ρ3]", RULES3, "strict_all", 61.23),
    Claim(_ALL, "sp[λ3]", SP3, "strict_all", 60.91),
    Claim(_ALL, "imli1", ("imli1",), "strict_all", 50.66),
    Claim(_ALL, "cn2", ("cn2",), "strict_all", 47.49),
    Claim(_ALL, "imli16", ("imli16",), "strict_all", 28.26),
    Claim(_SIZE, "sp[λ3]", SP3, "mean_size", 4.18),
    Claim(_SIZE, "imli1", ("imli1",), "mean_size", 5.57),
    Claim(_SIZE, "mds2*[ρ3]", RULES3, "mean_size", 14.52),
    Claim(_SIZE, "ripper", ("ripper",), "mean_size", 35.14),
    Claim(_SIZE, "mds2*", ("mds2-star", "exact-mds2-star"), "mean_size", 40.70),
    Claim(_SIZE, "imli16", ("imli16",), "mean_size", 46.29),
    Claim(_SIZE, "cn2", ("cn2",), "mean_size", 598.05),
    Claim(_SMALL, "size 1", SP3, "size_1", 400, "more than 400"),
    Claim(_SMALL, "size 3", SP3, "size_3", 400, "almost 400"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Our number for a claim.

    Attributes
    ----------
    by : str
        The labels of the methods behind the number, with their time limits.
    value : float
        The number, or NaN if there is nothing to average.
    n : int
        Number of training sets that were run or, for a mean, averaged.
    """

    by: str
    value: float
    n: int


def findings(claim: Claim, table: pd.DataFrame) -> dict[str, Finding]:
    """Return our numbers for a claim by method; methods without records are left out."""
    present = set(table["method"].unique())
    found = {}
    for method in claim.methods:
        members = [one for one in PERFECT_TOOLS if one in present] if method == PERFECT else [method]
        if present.issuperset(members) and members:
            part = table[table["method"].isin(members)]
            if claim.measure == "strict_common":
                part = solved_by_all(table, members)
            found[method] = Finding(_by(table, members), *_measure(claim.measure, part))
    return found


def _by(table: pd.DataFrame, members: Sequence[str]) -> str:
    limits = table[table["method"].isin(members)]["limit_s"].unique()
    within = " or ".join(f"{limit:g}" for limit in sorted(limits))
    return f"{', '.join(methods.labels(members).values())} ({within} s)"


def solved_by_all(table: pd.DataFrame, members: Sequence[str]) -> pd.DataFrame:
    """Return the rows of these methods on the training sets that all the paper's tools solved.

    "All tools" are the tools of the paper's own list that have records; other methods in the records do not
    matter.
    """
    shared = common(table[table["method"].isin(PAPER_TOOLS)])[INSTANCE].drop_duplicates()
    solved = table[table["solved"] & table["method"].isin(members)]
    return solved.merge(shared, on=INSTANCE)


def agreement(claim: Claim, found: Finding) -> str:
    """Return in words how our number compares with the paper's.

    Numbers count as equal if they differ by at most 2 points (accuracies, shares of training sets) or 10 %
    (sizes).
    """
    if math.isnan(found.value):
        return "nothing to compare"
    if claim.measure == "mean_size":
        ratio = found.value / claim.value
        return "as in the paper" if 0.9 <= ratio <= 1.1 else f"{ratio:.2f} times the paper's"
    ours, paper = found.value, claim.value
    if claim.counts:
        ours, paper = 100 * ours / found.n, 100 * paper / N_PAPER
    if claim.words.startswith("more than") and ours > paper:
        return "as in the paper"
    if abs(ours - paper) <= 2:
        return "as in the paper"
    return f"{abs(ours - paper):.1f} points {'higher' if ours > paper else 'lower'}"


def _measure(measure: str, part: pd.DataFrame) -> tuple[float, int]:
    solved = part[part["solved"]]
    n_tasks = len(part)
    match measure:
        case "solved":
            return float(len(solved)), n_tasks
        case "strict_all":
            return 100 * float(solved["strict"].sum()) / n_tasks if len(solved) else 0.0, n_tasks
        case "strict_common":
            if not len(solved):
                return math.nan, 0
            by_set = solved.groupby(INSTANCE, observed=True)["strict"].mean()
            return 100 * float(by_set.mean()), len(by_set)
        case "mean_size":
            return (float(solved["size"].mean()) if len(solved) else math.nan), len(solved)
        case "size_1" | "size_3":
            wanted = int(measure[-1])
            return (float((solved["size"] == wanted).sum()) if len(solved) else 0.0), n_tasks
    raise ValueError(f"unknown measure {measure!r}")


def topics() -> Sequence[str]:
    """Return the headings in the paper's order."""
    return list(dict.fromkeys(claim.topic for claim in CLAIMS))
