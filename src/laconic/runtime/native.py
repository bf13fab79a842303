"""The compiled kernels: the AVX2 build where the processor has it, else the portable one."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from laconic.runtime import _native

if TYPE_CHECKING:
    kernels = _native
else:
    # LACONIC_PORTABLE=1 forces the portable build, so that tests can compare the two.
    _wanted = (
        "_native_avx2" if _native.cpu_has_avx2() and not os.environ.get("LACONIC_PORTABLE") else "_native"
    )
    kernels = importlib.import_module(f"laconic.runtime.{_wanted}")

__all__ = ["kernels"]
