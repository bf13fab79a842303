"""The parts of the native searches that only tests look at, in the build that `kernels` is.

No wheel ships them: CMake builds them with ``-DLACONIC_TESTING=ON``, as ``make setup`` does.
"""

from __future__ import annotations

import importlib

from laconic.runtime.native import kernels

try:
    parts = importlib.import_module(kernels.__name__.replace("_native", "_native_testing"))
except ModuleNotFoundError as error:  # pragma: no cover
    raise ModuleNotFoundError(
        f"{error.name} is missing: the tests need a build with -DLACONIC_TESTING=ON; run: make setup"
    ) from error

__all__ = ["parts"]
