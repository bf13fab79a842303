"""Two charts as numbers: the positions of lines, marks and labels. The template makes SVG of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from laconic.engines.api import Progress
from laconic.model.choice import Choice
from laconic.model.proof import Proof
from laconic.report.numbers import amount, percent, seconds, ticks
from laconic.report.trade_off import TradeOffPoint

WIDTH, HEIGHT = 720.0, 340.0
LEFT, RIGHT, TOP, BOTTOM = 76.0, 26.0, 42.0, 62.0


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on an axis and its label."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A point with its tooltip; ``kind`` is ``proved``, ``open`` or ``own``."""

    x: float
    y: float
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class CurveLine:
    """A path and its name."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The data of a chart for the template."""

    x_title: str
    y_title: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[CurveLine, ...]
    marks: tuple[Mark, ...]
    area: str = ""


class _Plane:
    """Maps numbers to positions; both axes start at or below their smallest tick."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.xs, self.ys = xs, ys

    def x(self, value: float) -> float:
        return round(LEFT + (value - self.xs[0]) / (self.xs[-1] - self.xs[0]) * (WIDTH - LEFT - RIGHT), 2)

    def y(self, value: float) -> float:
        share = (value - self.ys[0]) / (self.ys[-1] - self.ys[0])
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 2)

    def axes(
        self, x_text: Callable[[float], str], y_text: Callable[[float], str]
    ) -> tuple[tuple[Tick, ...], tuple[Tick, ...]]:
        across = tuple(Tick(self.x(value), x_text(value)) for value in self.xs)
        return across, tuple(Tick(self.y(value), y_text(value)) for value in self.ys)


def trade_off_chart(points: Sequence[TradeOffPoint], own: TradeOffPoint | None, total: float) -> Chart:
    """Draw errors over size: the frontier as steps, each set as a mark."""
    shown = [*points, *([own] if own is not None else [])]
    sizes = ticks(0, max(max(point.size for point in shown), 4), 6)
    whole = [size for size in sizes if float(size).is_integer()]
    plane = _Plane(whole, ticks(0, max(max(point.errors for point in shown), 1.0) / total, 5))
    across, up = plane.axes(amount, percent)

    def described(point: TradeOffPoint) -> str:
        text = f"size {point.size}, errors {amount(point.errors)} ({percent(point.errors / total)})"
        if point.regularization is None:
            return f"this model: {text}"
        return f"λ = {point.regularization:g}: {text}{'' if point.proved else ', not proven best'}"

    def mark(point: TradeOffPoint, kind: str) -> Mark:
        return Mark(plane.x(point.size), plane.y(point.errors / total), kind, described(point))

    marks = [mark(point, "proved" if point.proved else "open") for point in points]
    if own is not None:
        marks.append(mark(own, "own"))
    frontier = [
        point
        for point in sorted(shown, key=lambda point: (point.size, point.errors))
        if not any(o.size <= point.size and o.errors < point.errors for o in shown)
    ]
    corners = [(plane.x(point.size), plane.y(point.errors / total)) for point in frontier]
    lines = (CurveLine(_steps(corners), "frontier"),)
    return Chart("size: conditions + rules", "errors", across, up, lines, tuple(marks))


def choice_chart(choice: Choice) -> Chart:
    """Draw the accuracy on rows not learned from over size, with standard errors, as λ was chosen by."""
    rungs = choice.rungs
    low = min(choice.majority, *(rung.accuracy - rung.standard_error for rung in rungs))
    high = max(choice.majority, *(rung.accuracy + rung.standard_error for rung in rungs))
    sizes = ticks(0, max(max(rung.size for rung in rungs), 4), 6)
    whole = [size for size in sizes if float(size).is_integer()]
    plane = _Plane(whole, ticks(low, min(1.0, high), 5))
    across, up = plane.axes(amount, percent)
    lines = [
        CurveLine(
            f"M{plane.x(rung.size):g},{plane.y(rung.accuracy - rung.standard_error):g}"
            f"V{plane.y(rung.accuracy + rung.standard_error):g}",
            "spread",
        )
        for rung in rungs
    ]
    base = plane.y(choice.majority)
    lines.append(CurveLine(f"M{plane.x(whole[0]):g},{base:g}H{plane.x(whole[-1]):g}", "majority"))
    marks = [
        Mark(
            plane.x(rung.size),
            plane.y(rung.accuracy),
            "own" if kind else "proved",
            f"λ = {rung.regularization:g}: size {rung.size}, {percent(rung.accuracy)} ± "
            f"{percent(rung.standard_error)} right on rows not learned from{', chosen' if kind else ''}",
        )
        for kind in (False, True)
        for k, rung in enumerate(rungs)
        if not kind or k == choice.chosen
    ]
    return Chart("size: conditions + rules", "right on new rows", across, up, tuple(lines), tuple(marks))


def history_chart(history: Sequence[Progress], proof: Proof) -> Chart:
    """Draw cost and bound over time, in the user's units."""

    def value(cost: int) -> float:
        return float(Fraction(proof.in_user_units(cost)))

    end = max(state.seconds for state in history) or 0.001
    bounds = [(state.seconds, value(state.lower_bound)) for state in history]
    costs = [(state.seconds, value(state.cost)) for state in history if state.cost is not None]
    highest = max([y for _, y in (*bounds, *costs)] or [1.0])
    plane = _Plane(ticks(0, end, 6), ticks(0, highest or 1.0, 5))
    across, up = plane.axes(seconds, amount)

    def drawn(values: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        held = [*values, (end, values[-1][1])]
        return [(plane.x(x), plane.y(y)) for x, y in held]

    lines = [CurveLine(_steps(drawn(bounds)), "bound")]
    marks = [Mark(*drawn(bounds)[-1], "bound", f"proved: no set costs less than {amount(bounds[-1][1])}")]
    if costs:
        lines.append(CurveLine(_steps(drawn(costs)), "cost"))
        marks += [
            Mark(plane.x(x), plane.y(y), "cost", f"after {seconds(x)}: a set of cost {amount(y)}")
            for k, (x, y) in enumerate(costs)
            if k == 0 or y < costs[k - 1][1]
        ]
    area = ""
    if costs:
        start = costs[0][0]
        under = [(x, y) for x, y in bounds if x >= start]
        before = [y for x, y in bounds if x <= start]
        under = [(start, before[-1]), *under] if before else under
        area = _steps(drawn(costs)) + _steps(drawn(under), back=True) + "Z"
    return Chart("time", "cost", across, up, tuple(lines), tuple(marks), area)


def _steps(corners: Sequence[tuple[float, float]], *, back: bool = False) -> str:
    """Write a path that holds each height until the next corner; ``back`` retraces it from its end."""
    places = [corners[0]]
    for x, y in corners[1:]:
        places += [(x, places[-1][1]), (x, y)]
    if back:
        places.reverse()
    start = "L" if back else "M"
    return start + "L".join(f"{x:g},{y:g}" for x, y in places)
