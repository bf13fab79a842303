from tests.scale.conftest import cluster

__all__ = ["cluster"]
