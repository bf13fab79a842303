"""What one leaves with: model, report, SQL, certificate, constraints, the session, and the decision log."""

from __future__ import annotations

import html
import json
import shlex
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from laconic.data.reading.detect import detected
from laconic.problem.constraints.constraints import Constraints
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown, visible
from laconic.studio.history import SessionStep, StepState
from laconic.studio.opinions import constraints_of
from laconic.studio.session import Session
from laconic.studio.views import opinion_view

CERTIFICATE_SECONDS = 60.0

KINDS: Mapping[str, tuple[str, str]] = {
    "model": ("model.json", "application/json"),
    "report": ("report.html", "text/html"),
    "sql": ("rules.sql", "text/plain"),
    "certificate": ("certificate.json", "application/json"),
    "constraints": ("constraints.json", "application/json"),
    "session": ("session.json", "application/json"),
    "decisions": ("decisions.html", "text/html"),
}
"""What can be taken along: the name and the type of its file."""


def made(session: Session, number: int, kind: str) -> bytes:
    """Return one of the files of `KINDS` for a step.

    Parameters
    ----------
    session : Session
    number : int
        The step.
    kind : str
    """
    if kind not in KINDS:
        raise InputError(f"there is no {shown(kind)} to take along; choose one of: {', '.join(KINDS)}")
    if kind == "session":
        return _json(session.history.to_document())
    if kind == "constraints":
        found = stated(session, number)
        return _json({} if found is None else found.to_document())
    if kind == "decisions":
        return decisions(session, number).encode(errors="replace")
    model = session.model(number)
    if kind == "model":
        return model.to_json().encode()
    if kind == "sql":
        return model.to_sql().encode(errors="replace")
    if kind == "certificate":
        from laconic.checking.certify.certify import certify

        table = session.solver(number).training.table
        return certify(model, table, Budget(CERTIFICATE_SECONDS)).to_json().encode()
    from laconic.report import render_report

    X, y = session.rows(number)
    title = f"Rules for {visible(session.history.step(number).state.settings.target)}"
    return render_report(model, X, y, title=title, seconds=2.0).encode(errors="replace")


def stated(session: Session, number: int) -> Constraints | None:
    """Return the opinions of a step as constraints.

    Parameters
    ----------
    session : Session
    number : int
    """
    return constraints_of(session.history.step(number).state.opinions, session.solver(number).labels)


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, indent=1).encode(errors="replace")


def path_to(session: Session, number: int) -> list[SessionStep]:
    """Return the steps from the beginning to a step.

    Parameters
    ----------
    session : Session
    number : int
    """
    found = [session.history.step(number)]
    while found[0].parent is not None:
        found.insert(0, session.history.step(found[0].parent))
    return found


def commands(session: Session, number: int) -> list[str]:
    """Return the command lines that repeat a step without the page.

    Parameters
    ----------
    session : Session
    number : int
    """
    path = "TABLE.csv" if session.opened.path is None else str(session.opened.path)
    place = session.history.place
    file = "session.json" if place is None else str(place)
    table = [] if session.opened.path is None else [path]
    found = [shlex.join(["laconic", "studio", "--replay", file, *table])]
    fit = fit_command(session.history.step(number), session, path)
    return found if fit is None else [*found, shlex.join(fit)]


def fit_command(step: SessionStep, session: Session, path: str) -> list[str] | None:
    """Return the ``laconic fit`` that gives the same cost, if its options can say what the step says."""
    state, number = step.state, step.number
    own = [one for one in state.settings.columns.values() if one.cuts is not None]
    on_offer = session.opened.training(state.settings) is session.solver(number).training
    regularization = _lambda_of(session, step)
    if own or not on_offer or regularization is None or _is_read_otherwise(session, number):
        return None
    kinds = {one.name: one.kind for one in session.solver(number).training.columns}
    found = ["laconic", "fit", path, "--target", state.settings.target, "--lambda", repr(regularization)]
    found += ["--bins", str(state.settings.bins)]
    for name in session.opened.columns:
        column = state.settings.of(name)
        if name != state.settings.target and (not column.use or session.opened.is_empty(name)):
            found += ["--drop", name]
        elif name != state.settings.target:
            found += ["--type", f"{name}={kinds[name]}"]
    return [*found, "--constraints", "constraints.json"] if state.opinions else found


def _is_read_otherwise(session: Session, number: int) -> bool:
    """Whether ``laconic fit`` would read cells of the table as dates or numbers that are texts here."""
    X, _ = session.rows(number)
    return any(detected(X[name]).reading is not None for name in X.columns)


def _lambda_of(session: Session, step: SessionStep) -> float | None:
    known = step.state.regularization
    if known is None:
        known = (step.result or {}).get("regularization")
    return None if known is None else float(known)


def decisions(session: Session, number: int) -> str:
    """Return the decision log as a page: what was decided, for which reason, at which price.

    Parameters
    ----------
    session : Session
    number : int
    """
    model = session.model(number)
    steps = path_to(session, number)
    style = resources.files("laconic.studio").joinpath("web", "decisions.css").read_text(encoding="utf-8")
    parts = [
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width'>",
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>Decisions about {_safe(session.opened.name)}</title><style>{style}</style>",
        f"<main><h1>Decisions about {_safe(session.opened.name)}</h1>",
        f"<p>Labels: <b>{_safe(steps[-1].state.settings.target)}</b>. {len(steps)} steps, the last one at "
        f"{_safe(steps[-1].at)}.</p><ol>",
        *(_step_html(step, before) for before, step in zip([None, *steps], steps, strict=False)),
        "</ol><h2>The rules signed off</h2><ul class=rules>",
        *(f"<li>{_safe(rule)}</li>" for rule in model.rules),
        f"<li>OTHERWISE {_safe(model.default_class)}</li></ul>",
        f"<p>{_safe(_proof_text(session, number))}</p><h2>To repeat it without the page</h2><pre>",
        _safe("\n".join(commands(session, number)), lines=True),
        "</pre></main></html>\n",
    ]
    return "\n".join(parts)


def _step_html(step: SessionStep, before: SessionStep | None) -> str:
    result = step.result or {}
    price = result.get("price")
    said = [f"<li><h3>{_safe(move_text(step, before))}</h3>"]
    said.append(f"<p class=reason>{_safe(step.reason)}</p>" if step.reason else "")
    if result.get("error"):
        said.append(f"<p>{_safe(result['error'])}</p>")
    elif price is not None and step.state.opinions:
        said.append(f"<p class=price>All opinions held after this step: {_safe(price_text(price))}</p>")
        priced = [one for one in result.get("opinions", []) if one.get("price")]
        said.extend(
            f"<p class=part>{_safe(opinion_text(one['opinion']))}: {_safe(price_text(one['price']))}</p>"
            for one in priced
            if len(priced) > 1
        )
    said.append(f"<p class=at>{_safe(step.at)}</p></li>")
    return "".join(said)


def move_text(step: SessionStep, before: SessionStep | None) -> str:
    """Write what a step did, for people.

    Parameters
    ----------
    step : SessionStep
    before : SessionStep or None
        The step that it follows.
    """
    match step.move.get("kind"):
        case "learn":
            return f"Learn {step.state.settings.target}" + ("" if before is None else " with other columns")
        case "lambda":
            return f"Another price of size: λ = {step.state.regularization:g}"
        case "withdraw":
            held = {one.key for one in step.state.opinions}
            gone = [] if before is None else [one for one in before.state.opinions if one.key not in held]
            return "Take back: " + "; ".join(opinion_text(opinion_view(one)) for one in gone)
    held = set() if before is None else {one.key for one in before.state.opinions}
    new = [one for one in step.state.opinions if one.key not in held]
    return "; ".join(opinion_text(opinion_view(one)) for one in new) or "Nothing new"


def opinion_text(view: Mapping[str, Any]) -> str:
    """Write an opinion for people.

    Parameters
    ----------
    view : mapping
        From `laconic.studio.views.opinion_view`.
    """
    rules = [f"IF {t} THEN {label}" for t, label in zip(view["texts"], view["labels"], strict=True)]
    match view["kind"]:
        case "keep":
            return f"Keep the rule: {rules[0]}"
        case "own":
            return f"A rule of our own: {rules[0]}"
        case "never":
            return f"Never this rule: {rules[0]}"
        case "edit":
            return f"Change a rule: IF {view['wasText']} becomes {rules[0]}"
        case "forbid":
            return f"Never use the column {view['column']}"
        case "direction":
            speaks = "for" if view["towards"] == "increasing" else "against"
            return f"More of {view['column']} speaks only {speaks} {view['label']}"
        case "max_rules":
            return f"At most {view['most']} rules"
        case "prefer":
            return f"Exactly these rules: {'; '.join(rules) or 'none'}"
    return f"Given: {json.dumps(view['constraints'], ensure_ascii=False)}"


def price_text(price: Mapping[str, Any]) -> str:
    """Write a price for people.

    Parameters
    ----------
    price : mapping
        From `laconic.studio.prices.Price.to_document`.
    """
    parts = [
        _signed(price["wrong"], "wrong rows"),
        _signed(price["conditions"], "conditions"),
        _signed(price["rules"], "rules"),
    ]
    said = ", ".join(part for part in parts if part) or "no wrong rows, conditions or rules more"
    if price["proved"]:
        return f"{said}. Cost +{price['exact']}, proven: no set that respects this does better."
    return f"{said}. Cost between +{price['least']:g} and +{price['most']:g}: not proven exactly."


def _signed(value: float, noun: str) -> str:
    return "" if not value else f"{value:+g} {noun if abs(value) != 1 else noun[:-1]}".replace("-", "−")


def _proof_text(session: Session, number: int) -> str:
    answer = session.answer(number)
    if answer.proved:
        return f"Cost {float(answer.cost):g}: proven, no set that respects these opinions is cheaper."
    bound = f"no set that respects these opinions costs less than {float(answer.lower_bound):g}"
    return f"Cost {float(answer.cost):g}; {bound}."


def _safe(value: object, *, lines: bool = False) -> str:
    text = "\n".join(map(visible, str(value).split("\n"))) if lines else visible(value)
    return html.escape(text)


def replay(
    session: Session, document: Mapping[str, Any], columns: list[str]
) -> Iterator[tuple[SessionStep, dict[str, Any]]]:
    """Do all steps of a session file again, without the page, and yield each with its result.

    λ is taken from the file where it was chosen, so that a search that was stopped is repeated as well.

    Parameters
    ----------
    session : Session
        Of the same table, without steps.
    document : mapping
        From `laconic.studio.history.document`.
    columns : list of str
    """
    for one in document["steps"]:
        state = StepState.from_document(one["state"], columns)
        if state.regularization is None:
            known = (one.get("result") or {}).get("regularization")
            state = StepState(state.settings, known, state.opinions)
        step = session.take(
            one.get("parent"), one["move"], str(one.get("reason", "")), str(one["key"]), state
        )
        yield step, session.wait(step.number)
