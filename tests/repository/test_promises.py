"""The table of promises names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "promises.md").read_text()
NAMED = re.findall(r"`(tests/[\w/]+\.py(?:::\w+)?)`", TABLE)


def names_in(path):
    tree = ast.parse((ROOT / path).read_text())
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name.lower().startswith("test")
    }


@pytest.mark.parametrize("named", NAMED)
def test_a_named_test_exists(named):
    path, _, name = named.partition("::")
    assert names_in(path)
    assert not name or name in names_in(path)


def test_every_promise_names_its_test():
    promises = TABLE.partition("## Counts")[0].splitlines()
    heads = ("| promise", "| **")
    rows = [line for line in promises if line.startswith("| ") and not line.startswith(heads)]
    assert len(rows) > 30
    assert [row for row in rows if not re.search(r"`tests/", row)] == []
