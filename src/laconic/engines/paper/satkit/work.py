"""The work that the MaxSAT formulas of a search took."""

from __future__ import annotations

from collections import Counter

from laconic.engines.paper.satkit.rc2 import MaxSat


class Work:
    """Sums of conflicts, clauses, variables and formulas."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter(conflicts=0, clauses=0, variables=0, formulas=0)

    def add(self, maxsat: MaxSat | None, n_variables: int) -> None:
        """Count a formula and free its solver; ``None`` if it was not completed in time."""
        self.counts["formulas"] += 1
        self.counts["variables"] += n_variables
        if maxsat is not None:
            self.counts["conflicts"] += maxsat.conflicts
            self.counts["clauses"] += maxsat.n_clauses
            maxsat.delete()
