import pytest

from laconic.engines.exact import local
from laconic.runtime.native import kernels


@pytest.fixture(params=["listed", "generated"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give both ways to perfect sets: all rules listed at once (small tables), and column generation."""
    if request.param == "generated":
        made = local.search_for

        def without_list(*args):
            search = made(*args)
            if isinstance(search, kernels.CoverSolver):
                search.set_words_listed(0)
            return search

        monkeypatch.setattr(local, "search_for", without_list)
    return request.param
