"""How long a check may go on."""

from __future__ import annotations

import math
import time


class Effort:
    """A limit in seconds, or in rules and sets looked at, for `laconic.checking.checker`.

    Counted work makes the same certificate on every machine; seconds keep a promise to a user.
    """

    def __init__(self, seconds: float = math.inf, nodes: float = math.inf) -> None:
        self.deadline = time.monotonic() + seconds
        self.nodes = nodes

    def __call__(self, nodes: int) -> None:
        """Count work; raise `TimeoutError` when it was enough."""
        self.nodes -= nodes
        if self.nodes < 0 or time.monotonic() > self.deadline:
            raise TimeoutError
