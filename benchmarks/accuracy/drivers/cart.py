"""scikit-learn's decision trees: with a fixed number of leaves, or pruned by cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

MAX_CANDIDATES = 50


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Grow a tree with the number of leaves in ``options``, or prune it by cross-validation without it."""
    leaves = job["options"].get("leaves")
    if leaves is None:
        model = pruned(rows, labels, job["seed"])
    else:
        model = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=job["seed"]).fit(rows, labels)
    tree = model.tree_
    return model.predict, {"trees": [(tree, 0)]}


def children(node: Any) -> tuple[Any, ...]:
    """Return the two children of a node, or an empty tuple for a leaf."""
    tree, number = node
    left, right = int(tree.children_left[number]), int(tree.children_right[number])
    return () if left < 0 else ((tree, left), (tree, right))


def pruned(rows: Any, labels: Any, seed: int) -> DecisionTreeClassifier:
    """Return the tree of cost-complexity pruning with the best strength in 5-fold cross-validation.

    The candidates lie between the strengths at which the tree of all rows changes (Breiman's geometric
    means); of equally good ones the strongest is taken. If there are very many, an evenly spaced subset is
    tried.
    """
    tree = DecisionTreeClassifier(random_state=seed)
    steps = np.maximum(tree.cost_complexity_pruning_path(rows, labels).ccp_alphas, 0)
    strengths = np.unique(np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1]))[::-1]
    if len(strengths) > MAX_CANDIDATES:
        strengths = strengths[np.linspace(0, len(strengths) - 1, MAX_CANDIDATES).round().astype(int)]
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    search = GridSearchCV(tree, {"ccp_alpha": strengths.tolist()}, cv=folds)
    return search.fit(rows, labels).best_estimator_
