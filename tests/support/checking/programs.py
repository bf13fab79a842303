"""The verified checker where it is built, and programs that stand in for it."""

from __future__ import annotations

import os
import shutil
import stat

import pytest

from laconic.checking.certify.verified import BUILT, PROGRAM, VARIABLE, find_program
from laconic.runtime.errors import InputError

REQUIRED = "LACONIC_REQUIRE_CHECK"
"""Set by ``make proofs``: tests that need the program fail, instead of being skipped, where it is missing."""


def the_program():
    """The verified checker; where there is none, the test is skipped with a loud word."""
    try:
        return find_program()
    except InputError as missing:
        if os.environ.get(REQUIRED):
            raise
        pytest.skip(f"*** NOT TESTED: {missing} ***")


def stand_in(path, script):
    """Write a shell script that takes the place of the verified checker."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def no_program(monkeypatch, tmp_path):
    """Nothing is installed: no variable, an empty path, no checkout."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("laconic.checking.certify.verified.BUILT", tmp_path / "nowhere" / PROGRAM)
    real = shutil.which
    hidden = {PROGRAM, str(BUILT)}
    monkeypatch.setattr(
        "shutil.which", lambda name, *a, **k: None if str(name) in hidden else real(name, *a, **k)
    )
