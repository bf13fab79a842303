"""The examples of property tests: always the same, unless a seed is given, and then those of the seed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]

DRAWING = """
from hypothesis import given, settings, strategies as st

@settings(max_examples=5)
@given(number=st.integers(0, 10**9))
def test_draw(number):
    print("drawn", number)
"""


def test_a_seed_draws_its_examples_again_and_none_always_the_same(tmp_path):
    shutil.copy(TESTS / "conftest.py", tmp_path)
    tmp_path.joinpath("test_draw.py").write_text(DRAWING)

    def drawn(*options):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-s", *options, "test_draw.py"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        return re.findall(r"drawn \d+", done.stdout), done.stdout

    always, output = drawn()
    assert len(always) == 5
    assert "--hypothesis-seed" not in output
    assert drawn()[0] == always
    first, output = drawn("--hypothesis-seed=20261118")
    assert "random examples: --hypothesis-seed=20261118 draws them again" in output
    assert first != always
    assert drawn("--hypothesis-seed=20261118")[0] == first


def test_continuous_integration_takes_the_seed_from_the_commit_and_the_nightly_run_from_the_date():
    makefile = TESTS.parent.joinpath("Makefile").read_text(encoding="utf-8")
    assert "SEED ?= $(shell printf %d 0x0$$(git rev-parse HEAD" in makefile
    assert re.search(r"^unit:.*\n(\t.*\n)*\t.*--hypothesis-seed=\$\(SEED\)", makefile, re.MULTILINE)
    assert re.search(r"^test-nightly: SEED := \$\(shell date -u \+%Y%m%d\)$", makefile, re.MULTILINE)
