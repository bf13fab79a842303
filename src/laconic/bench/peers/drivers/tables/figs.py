"""FIGS of imodels: a sum of trees with at most twelve splits in total, the package's default."""

from __future__ import annotations

from typing import Any

from imodels import FIGSClassifier


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Fit with the package's defaults."""
    model = FIGSClassifier(random_state=job["seed"])
    model.fit(rows, labels)
    return model.predict, {"trees": model.trees_}


def children(node: Any) -> tuple[Any, ...]:
    """Return the two children of a node, or an empty tuple for a leaf."""
    return () if node.left is None else (node.left, node.right)
