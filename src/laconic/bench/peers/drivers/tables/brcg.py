"""Boolean rules by column generation, AIX360's beam-search version, one class after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from aix360.algorithms.rbm.boolean_rule_cg import BooleanRuleCG

MAX_SECONDS = 100
"""The package's own default limit on column generation, in seconds."""

N_THRESHOLDS = 9
"""Number of thresholds per column of numbers, the default of the package's binarizer."""


def learn_class(rows: Any, positive: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Fit with the package's defaults on the conditions of its binarizer and their negations.

    Column generation gets half of the time: rounding the result to rules takes time as well.
    """
    binary = binarizer(rows, job["categories"])
    model = BooleanRuleCG(timeMax=min(MAX_SECONDS, job["seconds"] / 2), silent=True)
    model.fit(binary(rows), pd.Series(positive.astype(int)))
    chosen = model.z.loc[:, model.w > 0.5].to_numpy()

    def holds(new: Any) -> Any:
        return np.asarray(model.predict(binary(new))) > 0.5

    return holds, {"lengths": chosen.sum(axis=0).tolist()}


def binarizer(rows: Any, categories: list[int]) -> Callable[[Any], pd.DataFrame]:
    """Return a function that makes rows binary as the package's ``FeatureBinarizer(negations=True)`` does.

    It is reimplemented because that class uses a removed option of scikit-learn, and fails on new categories.
    """
    conditions: list[tuple[int, str, float]] = []
    for k, n_categories in enumerate(categories):
        values = np.unique(rows[:, k])
        if n_categories:
            conditions += [(k, "==", value) for value in values[len(values) == 2 :]]
            continue
        if len(values) > N_THRESHOLDS + 1:
            shares = np.linspace(1, N_THRESHOLDS, N_THRESHOLDS) / (N_THRESHOLDS + 1)
            cuts = np.unique(np.quantile(rows[:, k], shares))
        else:
            cuts = values[:-1]
        conditions += [(k, "<=", cut) for cut in cuts]
    opposite = {"==": "!=", "<=": ">"}
    names = [(f"f{k}", op, f"{value}") for k, op, value in conditions]
    names += [(f"f{k}", opposite[op], f"{value}") for k, op, value in conditions]

    def binary(new: Any) -> pd.DataFrame:
        held = [new[:, k] <= value if op == "<=" else new[:, k] == value for k, op, value in conditions]
        matrix = np.array(held, dtype=int).reshape(len(conditions), len(new)).T
        return pd.DataFrame(np.hstack([matrix, 1 - matrix]), columns=pd.MultiIndex.from_tuples(names))

    return binary
