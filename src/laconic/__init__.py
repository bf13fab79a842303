"""Laconic: the smallest decision set that explains your data, with a proof that it is the smallest."""

from __future__ import annotations

import importlib
import logging
from typing import Any

__version__ = "0.1.0"

logging.getLogger(__name__).addHandler(logging.NullHandler())

# Public names and where they live; imported on first use, so that the command line starts fast.
_PUBLIC = {
    "Binarizer": "laconic.data.binarize",
    "Certificate": "laconic.checking.certify.certificate",
    "Constraints": "laconic.problem.constraints.constraints",
    "DecisionSet": "laconic.model.decision_set",
    "DecisionSetClassifier": "laconic.estimators.classifier",
    "DecisionSetPath": "laconic.estimators.path",
    "InputError": "laconic.runtime.errors",
    "Rule": "laconic.model.rule",
    "Table": "laconic.data.table",
    "TrainingTable": "laconic.data.training",
    "export_text": "laconic.export.text",
    "load_certificate": "laconic.checking.certify.certificate",
    "load_front": "laconic.learning.front_document",
    "load_model": "laconic.model.store",
    "save_front": "laconic.learning.front_document",
    "save_model": "laconic.model.store",
    "studio": "laconic.studio",
    "verify_certificate": "laconic.checking.certify.certify",
}

__all__ = [
    "Binarizer",
    "Certificate",
    "Constraints",
    "DecisionSet",
    "DecisionSetClassifier",
    "DecisionSetPath",
    "InputError",
    "Rule",
    "Table",
    "TrainingTable",
    "__version__",
    "export_text",
    "load_certificate",
    "load_front",
    "load_model",
    "save_front",
    "save_model",
    "studio",
    "verify_certificate",
]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'laconic' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})
