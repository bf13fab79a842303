from dataclasses import replace

import pytest

from laconic.engines.exact import local


@pytest.fixture(params=["listed", "generated"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give both ways to perfect sets: all rules listed at once (small tables), and column generation."""
    if request.param == "generated":
        made = local.search_for

        def without_list(task, *args):
            return made(replace(task, tuning={**task.tuning, "cover_words_listed": 0}), *args)

        monkeypatch.setattr(local, "search_for", without_list)
    return request.param
