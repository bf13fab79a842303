"""The explainable boosting machine of InterpretML: a sum of curves without rules."""

from __future__ import annotations

from typing import Any

from interpret.glassbox import ExplainableBoostingClassifier

FRAME = True


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Fit with the package's defaults, on one processor."""
    model = ExplainableBoostingClassifier(n_jobs=1, random_state=job["seed"])
    model.fit(rows, labels)
    return model.predict, {}
