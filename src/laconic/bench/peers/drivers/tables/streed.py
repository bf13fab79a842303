"""Optimal trees of STreeD, on the thresholds and categories that the package chooses."""

from __future__ import annotations

from typing import Any

from pystreed import STreeDClassifier

FRAME = True


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Find the tree with the fewest errors up to a depth; all other settings are the package's defaults."""
    model = STreeDClassifier(
        max_depth=job["options"]["max_depth"], time_limit=0.9 * job["seconds"], random_seed=job["seed"]
    )
    model.fit(rows, labels)
    if not model.is_fitted():
        raise TimeoutError("STreeD found no tree in its time")
    return model.predict, {"trees": [model.get_tree()], "optimal": bool(model.fit_result.is_optimal())}


def children(node: Any) -> tuple[Any, ...]:
    """Return the two children of a node, or an empty tuple for a leaf."""
    return () if node.is_leaf_node() else (node.left_child, node.right_child)
