from tests.data.large.conftest import cluster

__all__ = ["cluster"]
