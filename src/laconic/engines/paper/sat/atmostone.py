"""At most one of many variables, in clauses.

Equation (1) asks for exactly one choice per node. PySAT's cardinality encodings are offered by name;
``prefix`` is our own ladder: p_g = "the chosen group is at most g". It needs one variable per group of
features, and the same variables state the symmetry breaking of the paper in a linear number of clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from pysat.card import CardEnc

from laconic.engines.paper.satkit.clauses import Clauses


def by_cardinality(variables: Sequence[int], top: int, encoding: int) -> tuple[Clauses, int]:
    """Encode at most one with PySAT; return the clauses and the highest variable used."""
    if len(variables) < 2:
        return [], top
    encoded = CardEnc.atmost(lits=list(variables), bound=1, top_id=top, encoding=encoding)
    return encoded.clauses, max(top, encoded.nv)


def by_prefix(
    choices: NDArray[np.int64], groups: NDArray[np.int64], others: Sequence[int], prefix: Sequence[int]
) -> Clauses:
    """Encode at most one with the ladder of prefix variables.

    Parameters
    ----------
    choices, groups : ndarray of int
        Variables that choose a literal, and the group of each.
    others : sequence of int
        Variables outside every group: the leaf and "unused".
    prefix : sequence of int
        One variable per group, constrained by `ladder`.
    """
    clauses = [
        [-int(s), -prefix[g - 1]] for s, g in zip(choices.tolist(), groups.tolist(), strict=True) if g > 0
    ]
    by_group: dict[int, list[int]] = {}
    for s, g in zip(choices.tolist(), groups.tolist(), strict=True):
        by_group.setdefault(g, []).append(s)
    for members in by_group.values():
        clauses += _pairwise(members)
    if prefix:
        clauses += [[-other, -prefix[-1]] for other in others]
    return clauses + _pairwise(others)


def ladder(choices: NDArray[np.int64], groups: NDArray[np.int64], prefix: Sequence[int]) -> Clauses:
    """Make every prefix variable true from the chosen group onwards (one direction is all that is used)."""
    clauses = [[-int(s), prefix[g]] for s, g in zip(choices.tolist(), groups.tolist(), strict=True)]
    clauses += [[-a, b] for a, b in pairwise(prefix)]
    return clauses


def _pairwise(variables: Sequence[int]) -> Clauses:
    return [[-a, -b] for k, a in enumerate(variables) for b in variables[k + 1 :]]
