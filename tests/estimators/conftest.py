"""The cluster of the tests of large tables."""

from tests.data.large.conftest import cluster

__all__ = ["cluster"]
