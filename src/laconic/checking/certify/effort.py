"""The limit of a check."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Effort:
    """A limit in seconds, or in visited rules and sets, for `laconic.checking.checker`.

    Counted work gives the same certificate on every machine; seconds keep a user's time limit.
    """

    def __init__(
        self,
        seconds: float = math.inf,
        nodes: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.clock, self.deadline = clock, clock() + seconds
        self.nodes = nodes

    def __call__(self, nodes: int) -> None:
        """Count work; raise `TimeoutError` once it exceeds the limit."""
        self.nodes -= nodes
        if self.nodes < 0 or self.clock() > self.deadline:
            raise TimeoutError
