"""Optimal trees by STreeD; the path to each leaf is a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pystreed import STreeDClassifier


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Minimise errors plus a cost per branch, up to a depth."""
    options = job["options"]
    present, codes = np.unique(labels, return_inverse=True)
    model = STreeDClassifier(
        "cost-complex-accuracy",
        max_depth=options["max_depth"],
        cost_complexity=options["cost_complexity"],
        time_limit=0.9 * job["seconds"],
        random_seed=job["seed"],
    )
    model.fit(rows.astype(int), codes)
    if not model.is_fitted():
        raise TimeoutError("STreeD found no tree in its time")
    return {
        "rules": [{"if": path, "then": int(present[leaf])} for path, leaf in leaves(model.get_tree(), [])],
        "default": None,
        "optimal": bool(model.fit_result.is_optimal()),
    }


def leaves(node: Any, path: list[list[int]]) -> Iterator[tuple[list[list[int]], int]]:
    """Yield the literals on the path to each leaf, and its class."""
    if node.is_leaf_node():
        yield path, int(node.label)
        return
    yield from leaves(node.left_child, [*path, [int(node.feature), 0]])
    yield from leaves(node.right_child, [*path, [int(node.feature), 1]])
