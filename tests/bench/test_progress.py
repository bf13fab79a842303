"""How long a run will still take, by a clock that stands still unless told otherwise."""

import io
from itertools import pairwise

import pytest

from laconic.bench.estimate import LATEST, Estimate
from laconic.bench.plan import BenchTask
from laconic.bench.progress import Bar, Lines
from laconic.bench.records import Exit, Record


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def task(method, fold, limit_s=60.0):
    return BenchTask("cp20", "iris", 2, fold, method, limit_s, 512, 0, "abc")


def tasks(method, n, limit_s=60.0):
    return [task(method, fold, limit_s) for fold in range(n)]


def ended(method, wall_s, limit_s=60.0):
    return Record(task(method, 1, limit_s), Exit.OK, wall_s, wall_s, 9.0)


@pytest.fixture
def clock():
    return Clock()


def test_nothing_is_known_before_the_first_task_has_ended(clock):
    estimate = Estimate(tasks("opt", 4), lambda: 2, clock)
    assert estimate.seconds() is None
    assert estimate.longest() == 4 * (60 + 3) / 2  # a method may take 5 % longer than its limit


def test_what_is_left_takes_as_long_as_what_has_ended_set_up_included(clock):
    estimate = Estimate(tasks("opt", 5), lambda: 1, clock)
    estimate.add(ended("opt", 2.0), elapsed_s=2.5)
    assert estimate.seconds() == pytest.approx(4 * 2.5)
    estimate.add(ended("opt", 4.0), elapsed_s=4.5)
    assert estimate.seconds() == pytest.approx(3 * 3.5)


def test_the_time_runs_between_two_tasks_and_not_below_zero(clock):
    estimate = Estimate(tasks("opt", 3), lambda: 1, clock)
    estimate.add(ended("opt", 5.0), elapsed_s=5.0)
    clock.now += 4
    assert estimate.seconds() == pytest.approx(6)
    clock.now += 400
    assert estimate.seconds() == 0


def test_methods_are_not_mixed(clock):
    estimate = Estimate([*tasks("opt", 3), *tasks("cart", 11)], lambda: 1, clock)
    estimate.add(ended("opt", 50.0), elapsed_s=50.0)
    estimate.add(ended("cart", 1.0), elapsed_s=1.0)
    assert estimate.seconds() == pytest.approx(2 * 50 + 10 * 1)


def test_a_method_of_which_nothing_has_ended_takes_no_longer_than_its_limit(clock):
    estimate = Estimate([*tasks("opt", 2), *tasks("cart", 3, limit_s=2.0)], lambda: 1, clock)
    estimate.add(ended("opt", 50.0), elapsed_s=50.5)
    # Its limit, the second of overtime, and the half second that setting up takes.
    assert estimate.seconds() == pytest.approx(50.5 + 3 * (2.0 + 1.0 + 0.5))


def test_the_latest_tasks_count_since_the_largest_tables_run_first(clock):
    estimate = Estimate(tasks("opt", LATEST + 11), lambda: 1, clock)
    estimate.add(ended("opt", 60.0), elapsed_s=60.0)
    for _ in range(LATEST):
        estimate.add(ended("opt", 1.0), elapsed_s=1.0)
    assert estimate.seconds() == pytest.approx(10 * 1.0)


def test_the_work_is_shared_by_those_who_are_there(clock):
    workers = [4]
    estimate = Estimate(tasks("opt", 14), lambda: workers[0], clock)
    estimate.add(ended("opt", 10.0), elapsed_s=10.0)
    assert estimate.seconds() == pytest.approx(13 * 10 / 4)
    workers[0] = 2  # half of the nodes have gone
    estimate.add(ended("opt", 10.0), elapsed_s=10.0)
    assert estimate.seconds() == pytest.approx(12 * 10 / 2)
    workers[0] = 0
    estimate.add(ended("opt", 10.0), elapsed_s=10.0)
    assert estimate.seconds() is None


def test_more_workers_than_tasks_do_not_make_the_last_task_shorter(clock):
    estimate = Estimate([*tasks("opt", 2), *tasks("cart", 2)], lambda: 8, clock)
    estimate.add(ended("opt", 40.0), elapsed_s=40.0)
    estimate.add(ended("cart", 1.0), elapsed_s=1.0)
    assert estimate.seconds() == pytest.approx(40)


def test_the_estimate_falls_to_nothing_as_tasks_end(clock):
    estimate = Estimate(tasks("opt", 8), lambda: 2, clock)
    seen = []
    for _ in range(8):
        clock.now += 3
        estimate.add(ended("opt", 6.0), elapsed_s=6.0)
        seen.append(estimate.seconds())
    assert all(later < earlier or later == 6 for earlier, later in pairwise(seen))
    assert seen[-1] == 0


def test_lines_say_the_most_at_first_and_then_what_is_expected():
    stream = io.StringIO()
    lines = Lines(lambda: 2, stream)
    todo = tasks("opt", 4)
    lines.start(6, todo)
    lines.finished(ended("opt", 10.0), 10.0)
    first, second = stream.getvalue().splitlines()
    assert first == "6 tasks, 2 of them done before, 4 to run: 2 min if every one uses its whole time limit"
    assert second.startswith("[1/4] opt on iris q2 fold 1: ok, 10.00 s; ")
    assert second.endswith("; 15 s left")


def test_the_bar_shows_the_time_that_is_left_now():
    bar = Bar(lambda: 1)
    bar.start(3, tasks("opt", 3))
    try:
        (row,) = bar._progress.tasks
        assert f"{row.fields['left']}" == "?"
        bar.finished(ended("opt", 10.0), 10.0)
        assert f"{row.fields['left']}" == "20 s"
    finally:
        bar.stop()
