from __future__ import annotations

import re
from fractions import Fraction

import pytest

from laconic.engines.api import Progress
from laconic.model.proof import Proof
from laconic.report.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, history_chart, trade_off_chart
from laconic.report.numbers import ticks
from laconic.report.trade_off import TradeOffPoint

PROOF = Proof(
    "sparse",
    "per_class",
    0.1,
    False,
    1,
    3,
    3,
    10,
    10,
    "proved",
    4,
    0,
    10,
    10,
    3,
    10,
    Fraction(2),
    "x",
    "0",
    "",
    (),
)


def inside(chart):
    places = [(mark.x, mark.y) for mark in chart.marks]
    places += [
        tuple(map(float, pair.split(",")))
        for line in chart.lines
        for pair in re.findall(r"[\d.]+,[\d.]+", line.path)
    ]
    return all(LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM for x, y in places)


def test_the_frontier_leaves_out_sets_that_are_beaten():
    points = [
        TradeOffPoint(0, 10.0, 0.3),
        TradeOffPoint(4, 5.0, 0.1),
        TradeOffPoint(6, 6.0, 0.05, proved=False),
    ]
    chart = trade_off_chart(points, TradeOffPoint(8, 1.0), 10.0)
    assert inside(chart)
    assert [mark.kind for mark in chart.marks] == ["proved", "proved", "open", "own"]
    beaten = next(mark for mark in chart.marks if mark.kind == "open")
    assert f",{beaten.y:g}" not in chart.lines[0].path
    assert chart.marks[0].y < chart.marks[1].y < chart.marks[3].y  # fewer errors lie lower on the screen


def test_the_history_is_drawn_in_the_users_units():
    history = [Progress(0.0, None, 0), Progress(0.5, 20, 2), Progress(1.0, 10, 6), Progress(2.0, 10, 10)]
    chart = history_chart(history, PROOF)
    assert inside(chart)
    said = [mark.text for mark in chart.marks]
    assert said == [
        "proved: no set costs less than 5",
        "after 500 ms: a set of cost 10",
        "after 1 s: a set of cost 5",
    ]
    assert {line.kind for line in chart.lines} == {"cost", "bound"}


def test_a_single_moment_is_a_history_too():
    assert inside(history_chart([Progress(0.0, 10, 10)], PROOF))
    assert inside(history_chart([Progress(0.0, None, 0)], PROOF))


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 0), (0, 0.003), (0, 1234567), (0, 7)])
def test_ticks_are_round_and_span_the_axis(low, high):
    found = ticks(low, high)
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 9
