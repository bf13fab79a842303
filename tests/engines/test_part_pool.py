"""One job in parts on several threads: each part once, and an end whatever happens."""

from __future__ import annotations

import pytest
from tests.support.native_testing import parts

NEVER = 10**9


@pytest.mark.parametrize("threads", [0, 1, 2, 8])
@pytest.mark.parametrize("n_parts", [0, 1, 7, 5_000])
def test_every_part_is_done_once(n_parts, threads):
    assert parts.run_parts(n_parts, threads, NEVER, NEVER) == (True, [1] * n_parts)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_part_that_fails_ends_the_job(threads):
    complete, times = parts.run_parts(100_000, threads, 10, NEVER)
    assert not complete
    assert times[10] == 1
    assert max(times) == 1
    assert sum(times) < 100_000


@pytest.mark.parametrize("threads", [1, 4])
def test_what_a_part_throws_is_thrown_once_all_threads_have_ended(threads):
    with pytest.raises(RuntimeError, match="a part failed"):
        parts.run_parts(1_000, threads, NEVER, 10)
