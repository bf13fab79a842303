"""Reading of plain data from untrusted sources."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from laconic.checking.checker import Malformed

LARGEST = 2**200
"""Largest integer: weights of levels are products of sums, so they exceed 64 bits, but no valid one exceeds
this."""


def entry(data: Any, key: str, kind: type) -> Any:
    """Return one entry of a mapping, of exactly this type."""
    if not isinstance(data, dict) or type(data.get(key)) is not kind:
        raise Malformed(f"{key!r} is missing, or not what it should be")
    return data[key]


def whole(value: Any, what: str) -> int:
    """Return a whole number of at least 0."""
    if type(value) is not int or not 0 <= value < LARGEST:
        raise Malformed(f"{what} is not a whole number of at least 0, or out of range")
    return value


def whole_or_none(data: Any, key: str) -> int | None:
    """Return an entry that is null or a whole number of at least 0."""
    if not isinstance(data, dict) or key not in data:
        raise Malformed(f"{key!r} is missing")
    return None if data[key] is None else whole(data[key], repr(key))


def wholes(data: Any, what: str, n: int | None = None) -> list[int]:
    """Return a list of whole numbers of at least 0."""
    if not isinstance(data, list) or n not in (None, len(data)):
        raise Malformed(f"{what} is not a list of as many numbers as there should be")
    return [whole(value, f"a number of {what}") for value in data]


def codes(data: Any, what: str, n_features: int) -> list[int]:
    """Return literals: numbers below twice the number of features, in increasing order."""
    found = wholes(data, what)
    if any(a >= b for a, b in pairwise(found)) or any(c >= 2 * n_features for c in found):
        raise Malformed(f"{what} has a literal that is unknown, or out of order")
    return found


def lists(data: Any, key: str) -> list[Any]:
    """Return an entry that is a list of lists."""
    found = entry(data, key, list)
    if not all(isinstance(one, list) for one in found):
        raise Malformed(f"{key!r} is not a list of lists")
    return list(found)


def rule(data: Any, what: str, n_classes: int, n_features: int) -> tuple[int, ...]:
    """Return a rule, its class and then its literals."""
    if not isinstance(data, list) or not data:
        raise Malformed(f"{what} is not a rule")
    target = whole(data[0], what)
    body = codes(data[1:], what, n_features)
    if target >= n_classes or len({code // 2 for code in body}) < len(body):
        raise Malformed(f"{what} has a class that there is not, or contradicts itself")
    return (target, *body)
