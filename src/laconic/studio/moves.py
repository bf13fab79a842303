"""Moves: from the state of a step and what a person does to the state of the next step.

=============  ==============================================================
kind           beside it
=============  ==============================================================
``learn``      ``settings``: take the table up in this way, and learn
``lambda``     ``value``: another price of size
``opine``      ``opinion``: hold it, beside those held
``withdraw``   ``opinion``: take it back
=============  ==============================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown
from laconic.studio.history import StepState
from laconic.studio.opinions import Opinion, RuleData
from laconic.studio.settings import Settings

KINDS = ("learn", "lambda", "opine", "withdraw")


def after(before: StepState | None, move: Any, columns: list[str]) -> StepState:
    """Return the state after a move; a move that is none is refused.

    Parameters
    ----------
    before : StepState or None
        None at the beginning, where only ``learn`` can be done.
    move : mapping
    columns : list of str
        Of the table.
    """
    match move:
        case {"kind": "learn", "settings": settings}:
            known = Settings.from_document(settings, columns)
            opinions = tuple(map(Opinion.from_document, _list(move.get("opinions", []))))
            regularization = move.get("regularization")
            if before is not None and not opinions:
                opinions = before.opinions
            return StepState.from_document(
                {**StepState(known, None, opinions).to_document(), "regularization": regularization}, columns
            )
        case {"kind": kind} if before is None:
            raise InputError(f"a session begins with learning, not with {shown(kind)}")
        case {"kind": "lambda", "value": value}:
            assert before is not None
            return StepState.from_document({**before.to_document(), "regularization": value}, columns)
        case {"kind": "opine", "opinion": opinion}:
            assert before is not None
            return replace(before, opinions=_held(before.opinions, Opinion.from_document(opinion)))
        case {"kind": "withdraw", "opinion": opinion}:
            assert before is not None
            gone = Opinion.from_document(opinion).key
            left = tuple(one for one in before.opinions if one.key != gone)
            if len(left) == len(before.opinions):
                raise InputError("this opinion is not held here, so it cannot be taken back")
            return replace(before, opinions=left)
    raise InputError(f"a move must be one of: {', '.join(KINDS)}; not {shown(_kind(move))}")


def _kind(move: Any) -> Any:
    return move.get("kind") if isinstance(move, Mapping) else move


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"opinions must be a list, not {shown(value)}")
    return value


def _held(opinions: Iterable[Opinion], new: Opinion) -> tuple[Opinion, ...]:
    """Return the opinions with a new one; what it contradicts is given up for it."""
    found: list[Opinion] = []
    banned = {new.rules[0]} if new.kind == "never" else {new.was} if new.was is not None else set()
    wanted = set() if new.kind == "never" else set(new.rules)
    for one in opinions:
        if one.key == new.key:
            continue
        if one.kind == new.kind and one.kind in {"max_rules", "prefer"}:
            continue
        if one.kind == "direction" and (one.column, one.label) == (new.column, new.label):
            continue
        kept: Opinion | None = one
        if one.kind in {"keep", "own", "edit", "prefer"} and _same(one.rules, banned):
            # An edited rule that is edited again, or banned: the first rule stays out.
            kept = Opinion("never", (one.was,)) if one.was is not None and one.was not in wanted else None
        elif one.kind == "never" and _same(one.rules, wanted):
            kept = None
        elif one.kind == "edit" and one.was is not None and _same([one.was], wanted):
            kept = Opinion("own", one.rules)
        if kept is not None and kept.key not in {other.key for other in found}:
            found.append(kept)
    return (*found, new)


def _same(rules: Iterable[RuleData], others: Iterable[RuleData | None]) -> bool:
    asked = {(one.label, frozenset(one.literals)) for one in others if one is not None}
    return any((rule.label, frozenset(rule.literals)) in asked for rule in rules)
