"""From a part of a problem to its node sequence and soft clauses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from laconic.engines.paper.sat.encoding import NodeSequence
from laconic.engines.paper.sat.options import IterativeOptions, MaxSatOptions
from laconic.engines.paper.satkit.part import Part
from laconic.engines.paper.satkit.rc2 import Soft


def node_sequence(
    part: Part,
    options: IterativeOptions | MaxSatOptions,
    *,
    with_unused: bool,
    anchors: tuple[int, ...] = (),
) -> tuple[NodeSequence, list[Soft]]:
    """Return the empty sequence and the soft clauses of the rows (none for a perfect problem)."""
    view, problem = part.view, part.problem
    single = len(view.targets) == 1
    want = view.weights > 0
    # A row of several classes (joint model only) is claimed wrongly by each of them.
    shun = view.weights < 0 if single else ~want | (want.sum(axis=1, keepdims=True) > 1)
    pays = np.zeros(want.shape, np.int64)
    soft: list[Soft] = []
    if not problem.hard:
        owing = (want | shun) if single else want
        pays[owing] = np.arange(1, int(owing.sum()) + 1)
        soft = list(_row_clauses(np.abs(view.weights), pays, problem.error_cost))
    symmetry = options.symmetry
    if symmetry == "anchored" and not anchors:
        symmetry = "paper"
    sequence = NodeSequence(
        view=view,
        shun=shun,
        want=want,
        pays=pays,
        with_unused=with_unused,
        cardinality=options.cardinality,
        symmetry=symmetry,
        anchors=anchors if symmetry == "anchored" else (),
        top=int(pays.max(initial=0)),
    )
    return sequence, soft


def _row_clauses(weights: NDArray[np.int64], pays: NDArray[np.int64], error_cost: int) -> Iterator[Soft]:
    """Yield the soft clauses that make rows pay.

    A row with labels of weights w₁ ≥ w₂ ≥ … in the joint model can be right for one of them only. Its cost
    beyond the unavoidable is w₁ - w_t if it is right for label t, w₁ if for none: for each t, weight
    w_t - w_(t+1) is paid unless it is right for one of the first t. In a search for one class a row has one
    weight, and this is the soft clause of the paper.
    """
    for row_weights, row_pays in zip(weights.tolist(), pays.tolist(), strict=True):
        labels = sorted(((w, pay) for w, pay in zip(row_weights, row_pays, strict=True) if w), reverse=True)
        steps = [w for w, _ in labels] + [0]
        for t in range(1, len(labels) + 1):
            if steps[t - 1] > steps[t]:
                yield [-pay for _, pay in labels[:t]], error_cost * (steps[t - 1] - steps[t])
