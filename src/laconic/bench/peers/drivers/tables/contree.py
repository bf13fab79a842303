"""Optimal trees of ConTree, which splits numbers anywhere."""

from __future__ import annotations

from typing import Any

from pycontree import ConTree


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Find the tree with the fewest errors up to a depth; all other settings are the package's defaults."""
    model = ConTree(max_depth=job["options"]["max_depth"], time_limit=0.9 * job["seconds"])
    model.fit(rows, labels)
    return model.predict, {"trees": [model.tree_], "optimal": bool(model._config.is_within_time_limit())}


def children(node: Any) -> tuple[Any, ...]:
    """Return the two children of a node, or an empty tuple for a leaf."""
    return () if node.is_leaf_node() else (node.get_left(), node.get_right())
