"""The stub of the compiled kernels names what is there, and all of it."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import laconic
from laconic.runtime.native import kernels

STUB = ast.parse((Path(laconic.__file__).parent / "runtime" / "_native.pyi").read_text())


def members(cls: ast.ClassDef) -> set[str]:
    """Return the public names of a class of the stub, with those of its bases."""
    own = {
        item.target.id if isinstance(item, ast.AnnAssign) else item.name
        for item in cls.body
        if isinstance(item, ast.FunctionDef | ast.AnnAssign)
    }
    bases = {base.id for base in cls.bases if isinstance(base, ast.Name)}
    inherited = [members(c) for c in STUB.body if isinstance(c, ast.ClassDef) and c.name in bases]
    return {name for name in own.union(*inherited) if not name.startswith("__")}


@pytest.mark.parametrize("module", sorted({"laconic.runtime._native", kernels.__name__}))
def test_the_stub_says_what_the_kernels_offer(module: str) -> None:
    native = importlib.import_module(module)
    classes = {item.name: members(item) for item in STUB.body if isinstance(item, ast.ClassDef)}
    functions = {item.name for item in STUB.body if isinstance(item, ast.FunctionDef)}
    numbers = {item.target.id for item in STUB.body if isinstance(item, ast.AnnAssign)}
    offered = {name for name in vars(native) if not name.startswith("_")}
    assert {*classes, *functions, *numbers} == offered
    for name, stated in classes.items():
        there = {attribute for attribute in vars(getattr(native, name)) if not attribute.startswith("_")}
        assert stated == there, name
