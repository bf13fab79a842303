"""The demo runs, and calls nothing proven that is not."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"


@pytest.fixture
def demo(monkeypatch):
    spec = importlib.util.spec_from_file_location("demo", DEMO)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "demo", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "TIME_LIMIT", 0.5)
    return module


def test_demo_prints_rules_bounds_and_times(demo, capsys):
    demo.main()
    out = capsys.readouterr().out
    assert "THEN setosa" in out
    assert "THEN malignant" in out
    assert out.count("proven optimal") == len(demo.TABLES) * len(demo.QUESTIONS)
    stopped = out.count("not proven optimal")
    assert out.count("gap") == 2 * stopped
    assert ("All of them are proven" in out) == (stopped == 0)
