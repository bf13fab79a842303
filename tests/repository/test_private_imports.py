"""Private parts of scikit-learn are used in one module only."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = ROOT / "src" / "laconic" / "data" / "scikit.py"
METHODS = re.compile(r"\._validate_params\b|\b_html_repr\b|\b_check_feature_names_in\b")


def private_names(source: str) -> list[str]:
    """Return what a module imports from scikit-learn under a name that begins with an underscore."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "sklearn":
            found += [f"{node.module}.{name.name}" for name in node.names]
        elif isinstance(node, ast.Import):
            found += [name.name for name in node.names if name.name.partition(".")[0] == "sklearn"]
    return [name for name in found if any(part.startswith("_") for part in name.split("."))]


def test_private_names_of_scikit_learn_are_imported_in_one_module():
    files = [
        path
        for folder in ("src", "benchmarks", "examples", "tools")
        for path in (ROOT / folder).rglob("*.py")
    ]
    using = {path for path in files if private_names(path.read_text()) or METHODS.search(path.read_text())}
    assert using == {FENCE}


def test_a_private_import_would_be_noticed():
    assert private_names(
        "from sklearn.utils._set_output import x\nfrom sklearn.base import _fit_context"
    ) == [
        "sklearn.utils._set_output.x",
        "sklearn.base._fit_context",
    ]
    assert private_names("from sklearn.base import clone\nimport sklearn.utils") == []
