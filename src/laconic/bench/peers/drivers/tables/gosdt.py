"""Optimal sparse trees of GOSDT, on the thresholds that the package selects."""

from __future__ import annotations

from typing import Any

from gosdt import GOSDTClassifier, Status, ThresholdGuessBinarizer


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Fit with the package's defaults: thresholds of boosted trees, 0.05 per leaf, any depth."""
    binarizer = ThresholdGuessBinarizer(random_state=job["seed"])
    binary = binarizer.fit_transform(rows, labels)
    model = GOSDTClassifier(time_limit=max(1, int(0.9 * job["seconds"])))
    model.fit(binary, labels)
    proved = model.result_.status == Status.CONVERGED
    return lambda new: model.predict(binarizer.transform(new)), {
        "trees": [model.trees_[0].tree],
        "optimal": proved,
    }


def children(node: Any) -> tuple[Any, ...]:
    """Return the two children of a node, or an empty tuple for a leaf."""
    return (node.left_child, node.right_child) if hasattr(node, "feature") else ()
