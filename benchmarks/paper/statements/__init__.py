"""What the paper says in words in its Section 4 (and sums up in its conclusion), judged by the records.

Each sentence has a function that computes what the records say and whether that agrees. A module holds the
sentences of one part of the paper.
"""

from __future__ import annotations

from benchmarks.paper.statements import accuracy, conclusion, details, methodology, scalability, size
from benchmarks.paper.statements.api import Statement

STATEMENTS: tuple[Statement, ...] = (
    *methodology.STATEMENTS,
    *scalability.STATEMENTS,
    *accuracy.STATEMENTS,
    *size.STATEMENTS,
    *details.STATEMENTS,
    *conclusion.STATEMENTS,
)
"""In the paper's order."""
