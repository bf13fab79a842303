"""RIPPER by wittgenstein, one class after another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import wittgenstein

FRAME = True


def learn_class(rows: Any, positive: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Fit with the package's defaults: ten bins per column of numbers, two optimisation rounds."""
    model = wittgenstein.RIPPER(random_state=job["seed"])
    model.fit(rows.reset_index(drop=True), y=pd.Series(positive, name="target"), pos_class=True)

    def holds(new: Any) -> Any:
        return np.asarray(model.predict(new), dtype=bool)

    return holds, {"lengths": [len(rule.conds) for rule in model.ruleset_.rules]}
