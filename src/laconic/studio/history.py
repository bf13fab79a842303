"""The steps of a session: a tree, since one can go back and decide otherwise.

A step holds the whole state after it, so each can be computed alone. Steps are only added. The file of a
session is written whole or not at all, and a step is known to the page only after it is in the file, so a
killed server loses none; a step that is sent again, with the same key, is the step that is there already.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from laconic.data.documents import file_text, parsed
from laconic.data.write import save
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown
from laconic.studio.opinions import Opinion
from laconic.studio.settings import Settings

FORMAT = "laconic studio session 1"
MOST_REASON = 2000
MOST_STEPS = 100_000


@dataclass(frozen=True)
class StepState:
    """What decides about the rules: how the table is taken up, λ, and the opinions.

    Attributes
    ----------
    settings : Settings
    regularization : float or None
        λ; None if it is to be chosen.
    opinions : tuple of Opinion
    """

    settings: Settings
    regularization: float | None = None
    opinions: tuple[Opinion, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """Return plain data for the session file."""
        return {
            "settings": self.settings.to_document(),
            "regularization": self.regularization,
            "opinions": [one.to_document() for one in self.opinions],
        }

    @classmethod
    def from_document(cls, data: Any, columns: list[str]) -> StepState:
        """Return the state that `to_document` wrote; anything else is refused.

        Parameters
        ----------
        data : mapping
        columns : list of str
            Of the table.
        """
        match data:
            case {"settings": settings, "regularization": regularization, "opinions": [*opinions]}:
                pass
            case _:
                raise InputError("a step of the session file has no state; restore the file from a copy")
        if regularization is not None and (
            not isinstance(regularization, int | float)
            or isinstance(regularization, bool)
            or not 0 < regularization < 1e9
        ):
            raise InputError(f"λ must be a number above 0, not {shown(regularization)}")
        found = tuple(map(Opinion.from_document, opinions))
        known = Settings.from_document(settings, columns)
        return cls(known, None if regularization is None else float(regularization), found)


@dataclass(frozen=True)
class SessionStep:
    """One decision.

    Attributes
    ----------
    number : int
    parent : int or None
        The step that it follows.
    key : str
        Chosen by the sender; equal keys are the same step.
    move : mapping
        What was done, as it was sent.
    reason : str
    at : str
        When, in ISO format.
    state : StepState
        After it.
    result : mapping or None
        What came of it, as it was shown last; None while it is being computed.
    """

    number: int
    parent: int | None
    key: str
    move: Mapping[str, Any]
    reason: str
    at: str
    state: StepState
    result: Mapping[str, Any] | None = None

    def to_document(self) -> dict[str, Any]:
        """Return plain data for the session file and the page."""
        found = {name: getattr(self, name) for name in ("number", "parent", "key", "reason", "at")}
        result = None if self.result is None else dict(self.result)
        return {**found, "move": dict(self.move), "state": self.state.to_document(), "result": result}


@dataclass
class History:
    """All steps of a session, and the file that holds them.

    Attributes
    ----------
    table : mapping
        Name and fingerprint of the table.
    steps : list of SessionStep
    head : int or None
        The step that was looked at last.
    place : Path or None
        The file; None for a session that is kept in memory alone.
    """

    table: Mapping[str, str]
    steps: list[SessionStep] = field(default_factory=list)
    head: int | None = None
    place: Path | None = None

    def add(
        self, parent: int | None, key: str, move: Mapping[str, Any], reason: str, at: str, state: StepState
    ) -> SessionStep:
        """Add a step and save it; one with a known key is returned as it is."""
        for known in self.steps:
            if known.key == key:
                return known
        if len(reason) > MOST_REASON:
            raise InputError(f"a reason may have at most {MOST_REASON} characters; shorten it")
        if len(self.steps) >= MOST_STEPS:
            raise InputError(f"a session holds at most {MOST_STEPS} steps; begin another")
        step = SessionStep(len(self.steps), parent, key, dict(move), reason, at, state)
        before = self.steps, self.head
        self.steps, self.head = [*self.steps, step], step.number
        try:
            self.save()
        except BaseException:
            self.steps, self.head = before
            raise
        return step

    def step(self, number: object) -> SessionStep:
        """Return a step by its number.

        Parameters
        ----------
        number : int
        """
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(self.steps):
            raise InputError(f"there is no step {shown(number)} in this session")
        return self.steps[number]

    def look_at(self, number: int) -> None:
        """Remember which step is looked at.

        Parameters
        ----------
        number : int
        """
        self.head = self.step(number).number
        self.save()

    def set_reason(self, number: int, reason: str) -> None:
        """Change the reason of a step.

        Parameters
        ----------
        number : int
        reason : str
        """
        if len(reason) > MOST_REASON:
            raise InputError(f"a reason may have at most {MOST_REASON} characters; shorten it")
        self.steps[number] = replace(self.step(number), reason=reason)
        self.save()

    def set_result(self, number: int, result: Mapping[str, Any]) -> None:
        """Keep what came of a step.

        Parameters
        ----------
        number : int
        result : mapping
        """
        self.steps[number] = replace(self.step(number), result=dict(result))
        self.save()

    def save(self) -> None:
        """Write the file, whole or not at all."""
        if self.place is not None:
            text = json.dumps(self.to_document(), ensure_ascii=False, indent=1, allow_nan=False)
            save(self.place, text.encode(errors="replace"))

    def to_document(self) -> dict[str, Any]:
        """Return plain data."""
        steps = [step.to_document() for step in self.steps]
        return {"format": FORMAT, "table": dict(self.table), "head": self.head, "steps": steps}


def load(place: Path, columns: list[str]) -> History:
    """Read a session file; anything else is refused.

    Parameters
    ----------
    place : Path
    columns : list of str
        Of the table.
    """
    data = document(place)
    steps = []
    for number, one in enumerate(data["steps"]):
        match one:
            case {
                "number": int(known),
                "parent": None | int() as parent,
                "key": str(key),
                "move": dict(move),
                "reason": str(reason),
                "at": str(at),
                "state": state,
                "result": None | dict() as result,
            } if known == number and (parent is None or 0 <= parent < number):
                held = StepState.from_document(state, columns)
                steps.append(SessionStep(number, parent, key, move, reason, at, held, result))
            case _:
                raise InputError(f"step {number} of {place} is damaged; restore the file from a copy")
    head = data["head"] if isinstance(data.get("head"), int) and data["head"] < len(steps) else None
    return History(data["table"], steps, head, place)


def document(place: Path) -> dict[str, Any]:
    """Return the plain data of a session file, with its outer shape checked.

    Parameters
    ----------
    place : Path
    """
    text = file_text(place, "session file", InputError)
    try:
        data = parsed(text)
    except ValueError as error:
        raise InputError(f"{place} is not a session file: {error}; restore it from a copy") from None
    match data:
        case {"format": str(known), "table": {"name": str(), "digest": str()}, "steps": [*_]} if (
            known == FORMAT
        ):
            return dict(data)
    raise InputError(f"{place} is not a session of laconic studio; choose another file")
