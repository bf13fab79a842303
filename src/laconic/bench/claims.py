"""What the paper reports in its Section 4, number by number, and where to find ours.

The methods of a claim are alternatives: the first is the paper's own model, the others reach the same optima
by other means, so that a slow model run on a sample stands beside a fast one run on everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from laconic.bench.table import common

SP3 = ("sp-l3", "exact-sp-l3")
RULES3 = ("mds2-star-r3", "exact-mds2-star-r3")
PERFECT = ("opt", "exact")


@dataclass(frozen=True, slots=True)
class Claim:
    """One number of the paper.

    Attributes
    ----------
    topic : str
        Heading of the group.
    tool : str
        The paper's name of the method.
    methods : tuple of str
    measure : str
        A key of `MEASURES`.
    paper : str
        As printed.
    """

    topic: str
    tool: str
    methods: tuple[str, ...]
    measure: str
    paper: str


_SOLVED = "Training sets solved of 1065 (paper: 1800 s, 16 GB)"
_COMMON = "Mean strict test accuracy on the training sets that all tools solved, %"
_ALL = "Mean strict test accuracy on all training sets, unsolved = 0, %"
_SIZE = "Mean size on solved training sets"
_SMALL = "How small sp[λ3] gets"

CLAIMS: tuple[Claim, ...] = (
    Claim(_SOLVED, "ripper", ("ripper",), "solved", "1048"),
    Claim(_SOLVED, "sp[λ3]", SP3, "solved", "1024"),
    Claim(_SOLVED, "mds2*[ρ3]", RULES3, "solved", "1000"),
    Claim(_SOLVED, "cn2", ("cn2",), "solved", "975"),
    Claim(_SOLVED, "imli1", ("imli1",), "solved", "802"),
    Claim(_SOLVED, "imli16", ("imli16",), "solved", "620"),
    Claim(_SOLVED, "opt∪", ("opt-union", "exact"), "solved", "196"),
    Claim(_COMMON, "perfect", PERFECT, "strict_common", "85.89"),
    Claim(_COMMON, "ripper", ("ripper",), "strict_common", "80.50"),
    Claim(_COMMON, "imli16", ("imli16",), "strict_common", "77.42"),
    Claim(_COMMON, "imli1", ("imli1",), "strict_common", "76.06"),
    Claim(_COMMON, "sp[λ3]", SP3, "strict_common", "67.42"),
    Claim(_COMMON, "mds2*[ρ3]", RULES3, "strict_common", "61.71"),
    Claim(_COMMON, "cn2", ("cn2",), "strict_common", "43.73"),
    Claim(_ALL, "ripper", ("ripper",), "strict_all", "68.13"),
    Claim(_ALL, "mds2*[ρ3]", RULES3, "strict_all", "61.23"),
    Claim(_ALL, "sp[λ3]", SP3, "strict_all", "60.91"),
    Claim(_ALL, "imli1", ("imli1",), "strict_all", "50.66"),
    Claim(_ALL, "cn2", ("cn2",), "strict_all", "47.49"),
    Claim(_ALL, "imli16", ("imli16",), "strict_all", "28.26"),
    Claim(_SIZE, "sp[λ3]", SP3, "mean_size", "4.18"),
    Claim(_SIZE, "imli1", ("imli1",), "mean_size", "5.57"),
    Claim(_SIZE, "mds2*[ρ3]", RULES3, "mean_size", "14.52"),
    Claim(_SIZE, "ripper", ("ripper",), "mean_size", "35.14"),
    Claim(_SIZE, "mds2*", ("mds2-star", "exact-mds2-star"), "mean_size", "40.70"),
    Claim(_SIZE, "imli16", ("imli16",), "mean_size", "46.29"),
    Claim(_SIZE, "cn2", ("cn2",), "mean_size", "598.05"),
    Claim(_SMALL, "sets of size 1", SP3, "size_1", "more than 400"),
    Claim(_SMALL, "sets of size 3", SP3, "size_3", "almost 400"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """Our number for a claim.

    Attributes
    ----------
    method : str
    value : float
        NaN if there is nothing to average.
    n : int
        Training sets it was run on or, for a mean, averaged over.
    """

    method: str
    value: float
    n: int


def findings(claim: Claim, table: pd.DataFrame) -> list[Finding]:
    """Return our numbers for a claim, one per method that has records.

    "All tools" are the methods of the paper's own list, whatever else the records hold.
    """
    found = []
    present = {str(name) for name in table["method"].cat.categories}
    compared = {method for one in CLAIMS if one.measure == "strict_common" for method in one.methods}
    shared = common(table[table["method"].isin(compared)]) if claim.measure == "strict_common" else None
    for method in claim.methods:
        if method in present:
            part = table[table["method"] == method]
            found.append(Finding(method, *_measure(claim.measure, part, shared, method)))
    return found


def _measure(measure: str, part: pd.DataFrame, shared: pd.DataFrame | None, method: str) -> tuple[float, int]:
    solved = part[part["solved"]]
    n_tasks = len(part)
    match measure:
        case "solved":
            return float(len(solved)), n_tasks
        case "strict_all":
            return 100 * float(solved["strict"].sum()) / n_tasks if len(solved) else 0.0, n_tasks
        case "strict_common":
            assert shared is not None
            mine = shared[shared["method"] == method]
            return (100 * float(mine["strict"].mean()) if len(mine) else float("nan")), len(mine)
        case "mean_size":
            return (float(solved["size"].mean()) if len(solved) else float("nan")), len(solved)
        case "size_1" | "size_3":
            wanted = int(measure[-1])
            return (float((solved["size"] == wanted).sum()) if len(solved) else 0.0), n_tasks
    raise ValueError(f"unknown measure {measure!r}")


def topics() -> Sequence[str]:
    """Return the headings, in the paper's order."""
    return list(dict.fromkeys(claim.topic for claim in CLAIMS))
