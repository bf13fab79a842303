"""Boolean rules by column generation, AIX360's beam-search version: one class against all others."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
import pandas as pd
from aix360.algorithms.rbm.boolean_rule_cg import BooleanRuleCG

MAX_SECONDS = 100
"""The package's own default limit on column generation, in seconds."""


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Fit with the package's defaults on the features and their negations.

    Column generation gets half of the time: rounding the result to rules takes time as well, and the limit is
    checked only between iterations.
    """
    warnings.simplefilter("ignore")  # CVXPY warns once per product about the syntax that AIX360 uses
    target = job["options"]["target"]
    literals = [(k, value) for k in range(rows.shape[1]) for value in (0, 1)]
    matrix = pd.DataFrame(
        np.stack([rows[:, k] == value for k, value in literals], axis=1).astype(int),
        columns=pd.MultiIndex.from_tuples([(f"f{k}", "==", str(value)) for k, value in literals]),
    )
    limit = min(MAX_SECONDS, job["seconds"] / 2)
    model = BooleanRuleCG(timeMax=limit, silent=True)
    begun = time.monotonic()
    model.fit(matrix, (labels == target).astype(int))
    late = model.it < model.iterMax and time.monotonic() - begun > limit
    chosen = model.z.loc[:, model.w > 0.5].to_numpy().T
    rules = [{"if": [literals[i] for i in np.flatnonzero(column)], "then": target} for column in chosen]
    return {
        "rules": rules,
        "default": None,
        "optimal": False if late else None,
        "counts": {"iterations": int(model.it)},
    }
