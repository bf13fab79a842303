"""Every way to change one thing in a certificate: each number, text, list and entry in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Path = tuple[Any, ...]


def mutations(document: Any) -> Iterator[tuple[Path, Any]]:
    """Yield (where, changed document); everything but the changed part is shared with the original."""
    for path, value in _places(document, ()):
        for other in _others(value):
            if type(other) is not type(value) or other != value:
                yield path, _changed(document, path, other)


def _places(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _places(item, (*path, place))


def _others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value, int(value), None, "true"]
    if isinstance(value, int | float):
        return [value + 1, value - 1, -value, 0, 2 * value + 3, 10**30, 0.5, str(value), None, [value]]
    if isinstance(value, str):
        return [value + " ", "", value[::-1], 0, None, "\ud800"]
    if isinstance(value, list):
        return [value[1:], value[:-1], value + value[-1:], value[::-1], [], [*value, 0], None, {}]
    if isinstance(value, dict):
        less = [{k: v for k, v in value.items() if k != key} for key in value]
        return [*less, {}, None, [], {**value, "": 0}]
    return [0, [1, 20], "none"]


def _changed(document: Any, path: Path, other: Any) -> Any:
    if not path:
        return other
    copy = document.copy()
    copy[path[0]] = _changed(document[path[0]], path[1:], other)
    return copy
