"""Unordered CN2 by Orange: rules for every class, and its own default rule."""

from __future__ import annotations

from typing import Any

import numpy as np
from Orange.classification.rules import CN2UnorderedLearner
from Orange.data import DiscreteVariable, Domain, Table


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Fit with the package's defaults: Laplace precision, a beam of 10, up to 5 conditions per rule."""
    np.random.seed(job["seed"])  # noqa: NPY002 - Orange breaks ties with it
    features = [DiscreteVariable(f"f{k}", values=("0", "1")) for k in range(rows.shape[1])]
    target = DiscreteVariable("class", values=tuple(f"c{c}" for c in range(job["n_classes"])))
    data = Table.from_numpy(Domain(features, target), rows.astype(float), labels.astype(float))
    *found, default = CN2UnorderedLearner()(data).rule_list
    rules = [
        {"if": [_literal(selector) for selector in rule.selectors], "then": int(rule.prediction)}
        for rule in found
        if rule.selectors  # Orange's classifier ignores all bare rules but the last
    ]
    return {"rules": rules, "default": int(default.prediction)}


def _literal(selector: Any) -> list[int]:
    value = int(selector.value)
    return [int(selector.column), value if selector.op == "==" else 1 - value]
