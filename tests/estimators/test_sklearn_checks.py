"""scikit-learn's own conformance checks, on the classifier with its default settings."""

from __future__ import annotations

from sklearn.utils.estimator_checks import parametrize_with_checks

from laconic import DecisionSetClassifier


@parametrize_with_checks([DecisionSetClassifier()])
def test_classifier_passes_every_check_of_scikit_learn(estimator, check):
    check(estimator)
