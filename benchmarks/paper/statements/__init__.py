"""The sentences of the paper's Section 4 and of its conclusion, compared with the records.

Each sentence has a function that computes our numbers and whether they agree. A module contains the sentences
of one part of the paper.
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
"""All sentences in the paper's order."""
