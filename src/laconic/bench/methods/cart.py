"""Decision trees of scikit-learn; the path to each leaf is a rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sklearn.tree import DecisionTreeClassifier

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.rules import RuleSet, binary_rule

_LEAF = -1


def run(training: Training, limits: Limits, *, max_depth: int | None = None) -> MethodAnswer:
    """Grow a tree with the package's default settings, and a depth limit if one is given."""
    model = DecisionTreeClassifier(max_depth=max_depth, random_state=limits.seed)
    model.fit(training.matrix, training.labels)
    rules = tuple(
        binary_rule(training.names, path, training.classes, int(model.classes_[leaf]))
        for path, leaf in _leaves(model.tree_, 0, [])
    )
    return MethodAnswer(RuleSet(rules))


def _leaves(
    tree: Any, node: int, path: list[tuple[int, bool]]
) -> Iterator[tuple[list[tuple[int, bool]], int]]:
    """Yield the literals on the path to each leaf, and the number of its class."""
    if tree.children_left[node] == _LEAF:
        yield path, int(tree.value[node][0].argmax())
        return
    feature = int(tree.feature[node])
    yield from _leaves(tree, int(tree.children_left[node]), [*path, (feature, False)])
    yield from _leaves(tree, int(tree.children_right[node]), [*path, (feature, True)])
