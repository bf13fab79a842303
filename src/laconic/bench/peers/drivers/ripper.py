"""RIPPER by wittgenstein: rules for the class ``options["target"]`` against all others."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
import wittgenstein


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Fit with the package's defaults: two optimisation rounds, a third of the rows for pruning."""
    warnings.simplefilter("ignore")  # e.g. about a rule set that covers all rows
    target = job["options"]["target"]
    model = wittgenstein.RIPPER(random_state=job["seed"])
    model.fit(pd.DataFrame(rows.astype(int)), y=pd.Series(labels == target, name="target"), pos_class=True)
    rules = [
        {"if": [[int(cond.feature), int(cond.val)] for cond in rule.conds], "then": target}
        for rule in model.ruleset_.rules
    ]
    return {"rules": rules, "default": None}
