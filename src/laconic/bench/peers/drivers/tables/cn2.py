"""Unordered CN2 by Orange, on numbers and categories as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from Orange.classification.rules import CN2UnorderedLearner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Fit with the package's defaults, and predict as its classifier does: by a vote of the rules."""
    np.random.seed(job["seed"])  # noqa: NPY002 - Orange breaks ties with it
    features = [
        DiscreteVariable(f"f{k}", values=tuple(f"v{v}" for v in range(kind)))
        if kind
        else ContinuousVariable(f"f{k}")
        for k, kind in enumerate(job["categories"])
    ]
    target = DiscreteVariable("class", values=tuple(f"c{c}" for c in range(int(labels.max()) + 1)))
    model = CN2UnorderedLearner()(Table.from_numpy(Domain(features, target), rows, labels.astype(float)))
    domain = Domain(features)
    lengths = [len(rule.selectors) for rule in model.rule_list]  # the last one is the default rule
    return lambda new: model(Table.from_numpy(domain, new)), {"lengths": lengths}
