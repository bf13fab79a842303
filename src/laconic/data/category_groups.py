"""Groups of categories as conditions: ``job in {clerk, nurse}`` and its opposite.

Every group with at most so many members is offered. A group with more than half of the categories is not: the
opposite of the rest holds for the same rows. Where a column has too many groups, only groups of its most
frequent categories are offered, and a warning says of how many.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.cells import Scalar
from laconic.data.literals import Among
from laconic.data.paper import BothSides

MAX_GROUPS = 1000
"""Maximum number of groups on one column."""


def group_pairs(
    name: str, values: Sequence[Scalar], counts: NDArray[np.int64], max_members: int, *, complete: bool
) -> tuple[list[BothSides], int]:
    """Return groups of categories, each with its opposite, and of how many categories all groups are there.

    Parameters
    ----------
    name : str
        Of the column.
    values : sequence
        Its categories, in their natural order.
    counts : ndarray of int64
        How much each weighs.
    max_members : int
        Maximum number of members of a group.
    complete : bool
        Whether these are all categories of the column.

    Examples
    --------
    >>> pairs, _ = group_pairs("job", ["clerk", "driver", "nurse", "smith"], np.ones(4), 2, complete=True)
    >>> print(*(str(group) for group, _ in pairs), sep="; ")
    job in {clerk, driver}; job in {clerk, nurse}; job in {clerk, smith}
    """
    if max_members < 2:
        return [], len(values)
    among = list(values)
    n = len(among)
    while _n_groups(n, max_members) > MAX_GROUPS:
        n -= 1
    if n < len(among):
        frequent = sorted(np.argsort(-counts, kind="stable")[:n].tolist())
        among = [values[k] for k in frequent]
        complete = False
    groups = []
    for size in range(2, max_members + 1):
        if complete and 2 * size > n:
            break
        members = itertools.combinations(among, size)
        groups += [one for one in members if not complete or 2 * size < n or one[0] == among[0]]
    return [(Among(name, group), Among(name, group, inside=False)) for group in groups], n


def _n_groups(n: int, max_members: int) -> int:
    return sum(math.comb(n, size) for size in range(2, max_members + 1))
