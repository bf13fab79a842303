from tests.support.cluster import cluster, mortal_cluster  # noqa: F401
