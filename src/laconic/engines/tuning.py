"""The options of the exact engine: the tuning constants of its native searches, checked by name and range.

The table is native (``native/src/base/options.hpp``): name, default, lowest and highest value, help. Options
say how a search is made. Bounds are proved in integers whatever the values are, so an option can change the
work, the set found within a limit, and which of several optimal sets is found, but not what is proved.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels
from laconic.runtime.texts import shown

Tuning = dict[str, float]
"""The values of the options that are not the defaults, as native searches take them."""

NativeSettings = tuple[int, Tuning]
"""The seed and the options of native searches."""


@dataclass(frozen=True, slots=True)
class Option:
    """One tuning constant.

    Attributes
    ----------
    name : str
    default, low, high : float
        The default, and the range of values.
    is_whole : bool
        Whether only whole numbers are values.
    help : str
    """

    name: str
    default: float
    low: float
    high: float
    is_whole: bool
    help: str

    @property
    def range(self) -> str:
        """The range in words."""
        kind = "a whole number" if self.is_whole else "a number"
        return f"{kind} from {self.text(self.low)} to {self.text(self.high)}"

    def text(self, value: float) -> str:
        """Return a value as a user would write it."""
        return f"{self.number(value):.12g}" if not self.is_whole else str(self.number(value))

    def number(self, value: float) -> float:
        """Return a value as an int if the option is whole."""
        return int(value) if self.is_whole else value

    def check(self, value: Any) -> float:
        """Return the value as a number; raise `InputError` if it is outside the range."""
        is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
        number = float(value) if is_number else math.nan
        if not self.low <= number <= self.high or (self.is_whole and not number.is_integer()):
            raise InputError(f"engine option {self.name} must be {self.range}, not {shown(value)}")
        return number


@cache
def options() -> Mapping[str, Option]:
    """Return all options by name, in the order of the table."""
    table = (Option(*row) for row in kernels.options())
    return {option.name: option for option in table}


def tuning_of(given: Mapping[str, Any] | None) -> Tuning:
    """Check the options that a caller gives to the exact engine; return those that differ from the defaults.

    >>> tuning_of({"sparse_steps": 400, "sparse_joining": 40})
    {'sparse_steps': 400.0}
    """
    known = options()
    found = {}
    for name, value in (given or {}).items():
        option = known.get(name)
        if option is None:
            near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.0)[0]
            raise InputError(
                f"engine 'exact' has no option {shown(name)}; the closest is {near} ({known[near].range}), "
                "and laconic engines --options lists all"
            )
        number = option.check(value)
        if number != option.default:
            found[name] = number
    return found
