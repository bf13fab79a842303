"""Validation of a driver's reply: the output of a peer is not trusted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from laconic.bench.methods.api import MethodAnswer, PeerError, Training
from laconic.bench.rules import RuleSet, binary_rule
from laconic.runtime.errors import InputError

FeatureValue = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class Reply:
    """A well-formed reply of a driver; ``drivers/serve.py`` documents the format.

    Attributes
    ----------
    rules : tuple of (literals, class number)
        The rules as the peer stated them; a literal is a feature number and the required value.
    default : int or None
    optimal : bool or None
    cost, lower_bound : int or None
    seconds, counts, versions : mapping
    """

    rules: tuple[tuple[tuple[FeatureValue, ...], int], ...]
    default: int | None = None
    optimal: bool | None = None
    cost: int | None = None
    lower_bound: int | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    def answer(self, training: Training, default: int | None = None) -> MethodAnswer:
        """Return the answer for the harness.

        A contradictory rule covers nothing; it is left out and counted.

        Parameters
        ----------
        training : Training
        default : int, optional
            Class of the rows that no rule covers, for learners that do not state one themselves.
        """
        possible = [rule for rule in self.rules if not contradicts_itself(rule[0])]
        stated = tuple(
            binary_rule(training.names, literals, training.classes, target) for literals, target in possible
        )
        default = self.default if default is None else default
        silent = len(self.rules) - len(possible)
        return MethodAnswer(
            rules=RuleSet(stated, None if default is None else training.classes[default]),
            optimal=self.optimal,
            cost=self.cost,
            lower_bound=self.lower_bound,
            seconds=self.seconds,
            counts={**self.counts, **({"contradictory_rules": silent} if silent else {})},
            versions=self.versions,
        )


def read_reply(path: Path, peer: str, n_features: int, n_classes: int) -> Reply:
    """Read ``answer.json``.

    Raises
    ------
    InputError
        If the peer refused the rows.
    PeerError
        If the file does not have the format of a reply.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise PeerError(f"{peer} did not write JSON: {error}") from None
    try:
        if isinstance(data.get("refused"), str):
            raise InputError(f"{peer} refused the rows: {data['refused']}")
        return Reply(
            rules=tuple(
                (
                    tuple((_number(k, n_features), bool(_number(value, 2))) for k, value in rule["if"]),
                    _number(rule["then"], n_classes),
                )
                for rule in data["rules"]
            ),
            default=None if data.get("default") is None else _number(data["default"], n_classes),
            optimal=_of(data.get("optimal"), bool),
            cost=_of(data.get("cost"), int),
            lower_bound=_of(data.get("lower_bound"), int),
            seconds=_values(data.get("seconds"), float, int),
            counts=_values(data.get("counts"), int),
            versions=_values(data.get("versions"), str),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise PeerError(f"{peer} wrote no proper answer ({type(error).__name__}: {error})") from None


def contradicts_itself(literals: tuple[FeatureValue, ...]) -> bool:
    """Return whether a rule requires both values of a feature, so that it covers nothing."""
    return any((feature, not value) in literals for feature, value in literals)


def _number(value: Any, below: int) -> int:
    if type(value) is not int or not 0 <= value < below:
        raise ValueError(f"{value!r} is not a whole number from 0 to {below - 1}")
    return value


def _of(value: Any, kind: type) -> Any:
    if value is not None and type(value) is not kind:
        raise TypeError(f"{value!r} is not {kind.__name__}")
    return value


def _values(data: Any, *kinds: type) -> dict[str, Any]:
    found = {} if data is None else dict(data)
    for name, value in found.items():
        if type(value) not in kinds:
            raise TypeError(f"{name} is {value!r}")
    return found
