"""The stub of the compiled kernels names what is there, and all of it."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.support.native_testing import parts

import laconic
from laconic.runtime.native import kernels

STUB = ast.parse((Path(laconic.__file__).parent / "runtime" / "_native.pyi").read_text())
PARTS = ast.parse((Path(__file__).parents[1] / "support" / "_native_testing.pyi").read_text())
STUBS = {**dict.fromkeys(["laconic.runtime._native", kernels.__name__], STUB), parts.__name__: PARTS}


def members(cls: ast.ClassDef, stub: ast.Module) -> set[str]:
    """Return the public names of a class of the stub, with those of its bases."""
    own = {
        item.target.id if isinstance(item, ast.AnnAssign) else item.name
        for item in cls.body
        if isinstance(item, ast.FunctionDef | ast.AnnAssign)
    }
    bases = {base.id for base in cls.bases if isinstance(base, ast.Name)}
    inherited = [members(c, stub) for c in stub.body if isinstance(c, ast.ClassDef) and c.name in bases]
    return {name for name in own.union(*inherited) if not name.startswith("__")}


@pytest.mark.parametrize("module", sorted(STUBS))
def test_the_stub_says_what_the_kernels_offer(module: str) -> None:
    native, stub = importlib.import_module(module), STUBS[module]
    classes = {item.name: members(item, stub) for item in stub.body if isinstance(item, ast.ClassDef)}
    functions = {item.name for item in stub.body if isinstance(item, ast.FunctionDef)}
    numbers = {item.target.id for item in stub.body if isinstance(item, ast.AnnAssign)}
    offered = {name for name in vars(native) if not name.startswith("_")}
    assert {*classes, *functions, *numbers} == offered
    for name, stated in classes.items():
        there = {attribute for attribute in vars(getattr(native, name)) if not attribute.startswith("_")}
        assert stated == there, name


def test_wheels_do_not_ship_what_only_tests_look_at() -> None:
    root = Path(__file__).resolve().parents[2]
    cmake = (root / "native" / "CMakeLists.txt").read_text()
    assert re.search(r"^option\(LACONIC_TESTING .* OFF\)$", cmake, re.M)
    conditional = re.search(r"^  if\(LACONIC_TESTING\)$(.*?)^  endif\(\)$", cmake, re.M | re.S)
    assert conditional is not None
    assert "_native_testing" in conditional.group(1)
    others = cmake.replace(conditional.group(0), "")
    assert "laconic_module(_native_testing" not in others
    build = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    assert "LACONIC_TESTING" not in str(build["scikit-build"]) + str(build["cibuildwheel"])
    assert not list((root / "src").rglob("*native_testing*"))
    assert not any("native_testing" in path.read_text() for path in (root / "src").rglob("*.py"))


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
@pytest.mark.parametrize(("given", "built"), [([], False), (["-DLACONIC_TESTING=ON"], True)])
def test_a_build_has_the_module_for_tests_only_if_asked(tmp_path, given, built) -> None:
    native = Path(__file__).resolve().parents[2] / "native"
    configure = ["cmake", "-S", native, "-B", tmp_path, f"-DPython_EXECUTABLE={sys.executable}", *given]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    listed = subprocess.run(
        ["cmake", "--build", tmp_path, "--target", "help"], check=True, capture_output=True, text=True
    ).stdout
    assert "_native" in listed
    assert ("_native_testing" in listed) == built
