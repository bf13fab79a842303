"""The compiled kernels: the AVX2 build if the processor supports it, otherwise the portable build."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from laconic.runtime import _native

if TYPE_CHECKING:
    kernels = _native
else:
    # LACONIC_PORTABLE=1 selects the portable build, so that tests can compare the two.
    _wanted = (
        "_native_avx2" if _native.cpu_has_avx2() and not os.environ.get("LACONIC_PORTABLE") else "_native"
    )
    kernels = importlib.import_module(f"laconic.runtime.{_wanted}")

MAX_COST = 2**50
"""Largest cost in the kernels and in problems with constraints: sums of a few costs are exact in 64 bits."""

__all__ = ["MAX_COST", "kernels"]
