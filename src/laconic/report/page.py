"""One self-contained HTML page: rules, proof, tables, charts and a what-if panel.

The page fetches nothing, and no foreign script can run: a content security policy names the page's own style
and script by their hashes, names from the data are escaped by the template or, inside the script's data, by
JSON escapes without ``<``, and the script only sets text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from laconic import __version__
from laconic.checking.recheck import recheck
from laconic.data.write import write_whole
from laconic.model.decision_set import DecisionSet
from laconic.model.render import count
from laconic.report import charts, numbers
from laconic.report.fields import fields_and_presets
from laconic.report.measures import measure
from laconic.report.program import program
from laconic.report.sections import Overlaps, cards, field_data, standing
from laconic.report.trade_off import TradeOffPoint, error_costs, own_point, trade_off
from laconic.report.words import claim
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from jinja2 import Environment

N_COLOURS = 12
"""Classes beyond these share a colour with an earlier one; their dots are rings."""


def write_report(
    model: Any,
    X: Any,
    y: Any,
    path: str | os.PathLike[str],
    *,
    sample_weight: ArrayLike | None = None,
    title: str | None = None,
    points: Sequence[TradeOffPoint] | None = None,
    seconds: float = 5.0,
) -> None:
    """Write a report as one HTML file that needs nothing else, see `render_report`.

    The file is written whole or not at all.

    Examples
    --------
    >>> import pandas as pd, tempfile, pathlib
    >>> from laconic import DecisionSetClassifier
    >>> X = pd.DataFrame({"age": [21, 35, 54, 70], "colour": ["red", "blue", "red", "blue"]})
    >>> y = ["no", "yes", "no", "yes"]
    >>> clf = DecisionSetClassifier(objective="perfect").fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(clf, X, y, pathlib.Path(folder) / "report.html", seconds=0)
    """
    page = render_report(
        model, X, y, sample_weight=sample_weight, title=title, points=points, seconds=seconds
    )
    try:
        write_whole(path, page.encode(errors="replace"))
    except OSError as error:
        raise InputError(
            f"cannot write report {os.fspath(path)!r}: {error.strerror}; choose another place"
        ) from error


def render_report(
    model: Any,
    X: Any,
    y: Any,
    *,
    sample_weight: ArrayLike | None = None,
    title: str | None = None,
    points: Sequence[TradeOffPoint] | None = None,
    seconds: float = 5.0,
) -> str:
    """Return a report as HTML.

    Parameters
    ----------
    model : DecisionSet or fitted DecisionSetClassifier
        A saved model shows how its search went if that was saved with it, see `laconic.save_model`.
    X, y : table and labels
        Rows to measure the rules on: the training data, or rows that were held out.
    sample_weight : array-like of shape (n_rows,), optional
    title : str, optional
        By default it names the label column, where that has a name.
    points : sequence of TradeOffPoint, optional
        The trade-off of size and errors; by default a few points are computed.
    seconds : float, default=5.0
        Time for computing them; 0 leaves the curve out.
    """
    decision_set: DecisionSet = getattr(model, "decision_set_", model)
    if not isinstance(decision_set, DecisionSet):
        raise InputError(
            f"a report needs a fitted DecisionSetClassifier or a DecisionSet, not a {type(model).__name__}; "
            f"fit the classifier first, or load a model with load_model"
        )
    history = decision_set.history
    measures = measure(decision_set, X, y, sample_weight)
    fields, presets = fields_and_presets(decision_set, X, y)
    curve: Sequence[TradeOffPoint] | str = "The trade-off of size and errors was not asked for."
    if points is not None:
        curve = points or "No points of the trade-off were given."
    elif seconds > 0:
        curve = trade_off(decision_set, X, y, sample_weight, seconds)
    own = None if isinstance(curve, str) else own_point(decision_set, X, y, sample_weight)
    has_proof = decision_set.proof is not None
    style, script = _source("report.css"), _source("report.js")
    return (
        _environment()
        .get_template("report.html")
        .render(
            title=title or _title(y),
            model=decision_set,
            claim=claim(decision_set),
            standing=standing(recheck(decision_set, X, y, sample_weight) if has_proof else None),
            measures=measures,
            cards=cards(decision_set, measures),
            overlaps=Overlaps.of(decision_set, measures),
            fields=fields,
            presets=presets,
            curve=curve,
            curve_chart=None
            if isinstance(curve, str)
            else charts.trade_off_chart(curve, own, measures.total),
            choice_chart=charts.choice_chart(decision_set.choice)
            if decision_set.choice is not None and decision_set.choice.is_measured
            else None,
            history=history,
            history_chart=charts.history_chart(history, decision_set.proof)
            if history and decision_set.proof is not None
            else None,
            errors_cost=error_costs(decision_set) is not None,
            geometry=charts,
            data=_script_data({**program(decision_set), **field_data(fields, presets)}),
            style=style,
            script=script,
            policy=f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
            f"base-uri 'none'; form-action 'none'",
            version=__version__,
        )
    )


def _title(y: Any) -> str:
    name = getattr(y, "name", None)
    return f"Rules for {name}" if isinstance(name, str) and name else "Decision set report"


def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(_source),
    )
    environment.filters |= {
        "percent": numbers.percent,
        "amount": numbers.amount,
        "seconds": numbers.seconds,
        "colour": lambda target: f"c{target % N_COLOURS}{' ring' if target >= N_COLOURS else ''}",
    }
    environment.globals["count"] = count
    return environment


def _visible(value: Any) -> Any:
    """Return the form of a value on the page: texts with all characters visible."""
    return visible(value) if type(value) is str else value  # what the templates made is Markup


def _source(name: str) -> str:
    return resources.files("laconic.report").joinpath("templates", name).read_text(encoding="utf-8")


def _script_data(data: dict[str, Any]) -> str:
    """Write JSON that may stand inside a script element: no name can end the element or open another."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))  # ASCII only: no line separators either
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
