"""Run tests with a sanitized build of the native code.

    python tools/sanitized_tests.py BUILD [PYTEST ARGUMENTS]

The package's Python files and the modules in BUILD are put together in BUILD/site, which then comes before
the installed package, editable or not.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "laconic"


def main() -> None:
    """Assemble the package, forget the installed one, and hand over to pytest."""
    build = Path(sys.argv[1]).resolve()
    package = build / "site" / "laconic"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for module in build.glob("_native*.so"):
        shutil.copy2(module, package / "runtime")
    sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
    sys.path[0:1] = [str(package.parent), str(ROOT)]
    import pytest

    import laconic.runtime._native

    assert Path(laconic.runtime._native.__file__).is_relative_to(build)
    sys.exit(pytest.main(sys.argv[2:]))


if __name__ == "__main__":
    main()
