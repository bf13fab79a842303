"""scikit-learn's random forest with its default settings."""

from __future__ import annotations

from typing import Any

from sklearn.ensemble import RandomForestClassifier


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Grow a hundred trees."""
    model = RandomForestClassifier(random_state=job["seed"]).fit(rows, labels)
    return model.predict, {}
