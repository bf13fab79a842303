"""Laconic's classifier, with the parameters in ``options`` and defaults for all others."""

from __future__ import annotations

from typing import Any

from laconic import DecisionSetClassifier

FRAME = True


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Fit a decision set; its size is that of the classifier."""
    model = DecisionSetClassifier(**job["options"]).fit(rows, labels)
    lengths = [rule.size - 1 for rule in model.rules_]
    return model.predict, {"lengths": lengths, "optimal": bool(model.optimal_)}
