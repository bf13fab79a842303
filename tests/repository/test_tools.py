"""The tools of the repository run: the check of a wheel, the count of calls, the draw of comments."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("tool", "arguments", "last"),
    [
        ("check_wheel", ["--development"], "the wheel works"),
        ("call_counts", [], "lines of Python"),
        ("draw_comments", ["--count", "5"], "texts, seed 2026"),
        ("draw_comments", ["--count", "5", "--native"], "texts, seed 2026"),
    ],
)
def test_the_tool_runs(tool, arguments, last):
    command = [sys.executable, ROOT / "tools" / f"{tool}.py", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith(last)
