"""Plots of decision sets and searches with matplotlib.

Every function draws on the axes it is given, or on new ones, and returns them; none calls ``show``. The
colours suit colour-blind readers, and no information is in the colour alone. Matplotlib is imported at the
first plot.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.literals import column_text
from laconic.model.decision_set import DecisionSet
from laconic.model.render import count, merged
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PALETTE = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#7A5195",
    "#444444",
    "#0B7C86",
    "#84492A",
    "#C2303F",
    "#9C9A3C",
)
"""One colour per class (Okabe and Ito's, reordered), again from the start after the last."""

_WRONG = "#8C8C8C"
_MAX_LABEL = 48


def plot_coverage(
    model: Any, X: Any, y: ArrayLike | None = None, *, ax: Axes | None = None, max_rows: int = 2000
) -> Axes:
    """Draw the rows that each rule covers.

    One line per rule, one column per row. Rows are sorted by class and then by the rules that cover
    them; where a rule covers a row of another class the mark is grey and half as high.

    Parameters
    ----------
    model : DecisionSet or fitted DecisionSetClassifier
    X : DataFrame or array-like
    y : array-like, optional
        Labels; without them no mark is grey and rows are sorted by prediction.
    ax : matplotlib Axes, optional
    max_rows : int
        Of longer tables, evenly spread rows are drawn.
    """
    decision_set = _decision_set(model)
    covered = decision_set.covers(X)
    n_rows = covered.shape[0]
    labels = decision_set.predict(X) if y is None else np.asarray(y)
    if labels.shape != (n_rows,):
        raise InputError(f"y has shape {labels.shape}, but X has {n_rows} rows")
    drawn = np.linspace(0, n_rows - 1, min(max_rows, n_rows)).astype(np.intp)
    covered, labels = covered[drawn], labels[drawn]
    order = _by_class(labels, covered, decision_set)
    covered, labels = covered[order], labels[order]
    ax = _axes(ax, height=1.2 + 0.35 * max(1, covered.shape[1]))
    for k, rule in enumerate(decision_set.rules):
        own = np.asarray(labels == rule.label, dtype=bool) if y is not None else np.ones(len(labels), bool)
        for mask, colour, height in (
            (covered[:, k] & own, _colour(rule.target), 0.8),
            (covered[:, k] & ~own, _WRONG, 0.4),
        ):
            ax.broken_barh(_runs(mask), (k - height / 2, height), facecolors=colour, linewidth=0)
    edges = [0, *(np.flatnonzero(labels[1:] != labels[:-1]) + 1).tolist(), len(labels)]
    for start, end in itertools.pairwise(edges):
        ax.axvline(start, color="0.4", linewidth=0.8, linestyle=":")
        # Over the axes, in the middle of the rows of this class.
        ax.annotate(
            _short(str(labels[start])),
            ((start + end) / 2, 1.01),
            xycoords=("data", "axes fraction"),
            ha="center",
            fontsize=9,
            parse_math=False,
        )
    _label_rules(ax, decision_set)
    ax.set_xlim(0, len(labels))
    shown = count(n_rows, "row") if len(labels) == n_rows else f"{len(labels)} of {n_rows} rows"
    ax.set_xlabel(f"{shown}, sorted by {'predicted ' if y is None else ''}class")
    return ax


def plot_rule_matrix(model: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the rules as a matrix: one line per rule, one column per column of the data that rules use.

    Parameters
    ----------
    model : DecisionSet or fitted DecisionSetClassifier
    ax : matplotlib Axes, optional
    """
    decision_set = _decision_set(model)
    columns = decision_set.used_columns
    ax = _axes(ax, height=1.2 + 0.4 * max(1, len(decision_set.rules)), width=3 + 1.6 * max(1, len(columns)))
    for k, rule in enumerate(decision_set.rules):
        by_column: dict[str, list[str]] = {}
        for literal in merged(rule.literals):
            shown = visible(_condition_text(literal.text, column_text(literal.column)))
            by_column.setdefault(literal.column, []).append(shown)
        for column, conditions in by_column.items():
            x = columns.index(column)
            ax.barh(k, 0.94, left=x - 0.47, height=0.8, color=_colour(rule.target), alpha=0.25)
            ax.text(x, k, "\n".join(conditions), ha="center", va="center", fontsize=9, parse_math=False)
    ax.set_xticks(range(len(columns)), [_short(name) for name in columns])
    ax.xaxis.tick_top()
    ax.set_yticks(
        range(len(decision_set.rules)),
        [f"{k + 1}: {rule.label}" for k, rule in enumerate(decision_set.rules)],
    )
    for texts in (ax.get_xticklabels(), ax.get_yticklabels()):
        for text in texts:
            text.set_parse_math(False)
    ax.set_xlim(-0.5, max(1, len(columns)) - 0.5)
    ax.set_ylim(max(1, len(decision_set.rules)) - 0.5, -0.5)
    ax.tick_params(length=0)
    for side in ("top", "right", "bottom", "left"):
        ax.spines[side].set_visible(False)
    return ax


def plot_trade_off(points: Any, *, ax: Axes | None = None) -> Axes:
    """Draw size against errors.

    Parameters
    ----------
    points : DataFrame, sequence of mappings, of objects, or of pairs
        Each with a ``size`` and ``errors``; pairs are in this order. A false ``proved`` leaves the
        mark hollow: a better set may exist.
    ax : matplotlib Axes, optional
    """
    known = sorted(_point(point) for point in _records(points))
    if not known:
        raise InputError("there are no points to draw; give pairs of size and errors")
    ax = _axes(ax)
    # A set is on the front if no smaller one, and none of its size, makes fewer errors.
    front: list[tuple[float, float]] = []
    for size, errors, _ in known:
        if not front or errors < front[-1][1]:
            front.append((size, errors))
    ax.step(*zip(*front, strict=True), where="post", color=PALETTE[0], linewidth=1.5)
    for proved, face, name in ((True, PALETTE[0], "proven best"), (False, "none", "not proven")):
        chosen = [(size, errors) for size, errors, flag in known if flag is proved]
        if chosen:
            ax.plot(
                *zip(*chosen, strict=True),
                linestyle="none",
                marker="o",
                markerfacecolor=face,
                markeredgecolor=PALETTE[0],
                label=name,
            )
    if not all(flag for _, _, flag in known):
        ax.legend(frameon=False)
    ax.set_xlabel("size (conditions and rules)")
    ax.set_ylabel("errors")
    _open_frame(ax)
    return ax


def plot_history(history: Any, *, ax: Axes | None = None) -> Axes:
    """Draw a search: the cost of the incumbent and the proved bound over time, with the gap between them.

    Parameters
    ----------
    history : fitted DecisionSetClassifier, or sequence
        A sequence has states with ``seconds``, ``cost`` and ``lower_bound``, or such triples; the cost
        is None while nothing is in hand. A classifier's costs are drawn in the user's units.
    ax : matplotlib Axes, optional
    """
    proof = getattr(getattr(history, "decision_set_", None), "proof", None)
    states = [_state(state) for state in getattr(history, "history_", history)]
    if not states:
        raise InputError("the search left no history to draw")

    def units(value: float | None) -> float:
        if value is None:
            return float("nan")
        return float(value if proof is None else Fraction(proof.in_user_units(int(value))))

    seconds = [state[0] for state in states]
    costs, bounds = ([units(state[k]) for state in states] for k in (1, 2))
    end = seconds[-1] + 0.04 * max(seconds[-1], 1e-3)
    times, costs, bounds = [*seconds, end], [*costs, costs[-1]], [*bounds, bounds[-1]]
    ax = _axes(ax)
    ax.fill_between(times, bounds, costs, step="post", color=PALETTE[0], alpha=0.12, linewidth=0)
    ax.step(times, costs, where="post", color=PALETTE[0], marker="o", markersize=4, label="best set so far")
    ax.step(
        times, bounds, where="post", color=PALETTE[1], linestyle="--", marker="^", markersize=4, label="bound"
    )
    ax.set_xlim(0, end)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("seconds")
    ax.set_ylabel("cost")
    ax.legend(frameon=False)
    _open_frame(ax)
    return ax


def _decision_set(model: Any) -> DecisionSet:
    found = getattr(model, "decision_set_", model)
    if not isinstance(found, DecisionSet):
        raise InputError(f"{type(model).__name__} has no rules to draw; give a fitted classifier or its set")
    return found


def _axes(ax: Axes | None, height: float = 4.0, width: float = 7.0) -> Axes:
    if ax is not None:
        return ax
    from matplotlib import pyplot

    _, made = pyplot.subplots(figsize=(min(width, 16.0), min(height, 12.0)), layout="constrained")
    return made


def _colour(target: int) -> str:
    return PALETTE[target % len(PALETTE)]


def _label_rules(ax: Axes, decision_set: DecisionSet) -> None:
    names = [_short(f"{rule.label}: {rule.conditions}") for rule in decision_set.rules]
    ax.set_yticks(range(len(names)), names)
    for text in ax.get_yticklabels():
        text.set_parse_math(False)  # a name with two dollar signs is not a formula
    ax.set_ylim(max(1, len(names)) - 0.5, -0.5)
    _open_frame(ax)


def _open_frame(ax: Axes) -> None:
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _by_class(labels: NDArray[Any], covered: NDArray[np.bool_], model: DecisionSet) -> NDArray[np.intp]:
    """Return an order of the rows: by class as the model sorts them, then by the rules that cover them."""
    place = {label: k for k, label in enumerate(model.classes)}
    classes = [place.get(label, len(place)) for label in labels.tolist()]
    return np.lexsort((*(~covered.T)[::-1], classes))


def _runs(mask: NDArray[np.bool_]) -> list[tuple[float, float]]:
    """Return where the true stretches of a mask begin and how long they are."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return [(float(start), float(end - start)) for start, end in edges.reshape(-1, 2)]


def _short(text: str) -> str:
    return text if len(text) <= _MAX_LABEL else text[: _MAX_LABEL - 1] + "…"


def _condition_text(text: str, column: str) -> str:
    """Write a condition without its column, which heads the matrix already, where it stands in front."""
    return _short(text.removeprefix(f"{column} ") if text.startswith(f"{column} ") else text)


def _records(points: Any) -> Iterable[Any]:
    if isinstance(points, pd.DataFrame):
        return points.to_dict("records")
    return list(points)


def _point(point: Any) -> tuple[float, float, bool]:
    if isinstance(point, Mapping):
        return float(point["size"]), float(point["errors"]), bool(point.get("proved", True))
    if isinstance(point, Sequence):
        return float(point[0]), float(point[1]), True
    return float(point.size), float(point.errors), bool(getattr(point, "proved", True))


def _state(state: Any) -> tuple[float, float | None, float]:
    if isinstance(state, Sequence):
        seconds, cost, bound = state
        return float(seconds), cost, bound
    return float(state.seconds), state.cost, state.lower_bound
