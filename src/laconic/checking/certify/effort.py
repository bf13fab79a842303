"""How long a check may go on."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Effort:
    """A limit in seconds, or in rules and sets looked at, for `laconic.checking.checker`.

    Counted work makes the same certificate on every machine; seconds keep a promise to a user.
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
        """Count work; raise `TimeoutError` when it was enough."""
        self.nodes -= nodes
        if self.nodes < 0 or self.clock() > self.deadline:
            raise TimeoutError
