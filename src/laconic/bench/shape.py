"""Validation of plain data as a record, before anything is computed from it.

Only the fields used by tables, figures and pages are checked, so that records with additional fields remain
readable.
"""

from __future__ import annotations

from typing import Any, NoReturn

from laconic.runtime.errors import InputError

_MAX_COUNT = 2.0**53
"""Largest count: beyond it floats are not exact, and no valid record comes near."""

_TEXTS = ("message", "finished")
_TASK: dict[str, type | tuple[type, ...]] = {
    "suite": str,
    "dataset": str,
    "quantisation": int,
    "fold": int,
    "method": str,
    "limit_s": (int, float),
    "memory_mb": int,
    "seed": int,
    "data": str,
}


def check(data: Any) -> None:
    """Refuse data that is not a record, naming the wrong field.

    Parameters
    ----------
    data : object
        One parsed line of a record file.

    Raises
    ------
    InputError
    """
    _dict(data, "the line")
    _task(_dict(data.get("task"), "task"))
    for name in ("wall_s", "cpu_s", "peak_mb"):
        _number(data, name, name)
    for name in _TEXTS:
        if not isinstance(data.get(name, ""), str):
            _refuse(name, "a text", data[name])
    if not isinstance(data.get("commit"), str | None):
        _refuse("commit", "a text", data["commit"])
    for name, value in _dict(data.get("versions", {}), "versions").items():
        if not isinstance(value, str | None):
            _refuse(f"versions.{name}", "a text", value)
    if _dict(data.get("machine", {}), "machine").get("memory_mb") is not None:
        _number(data["machine"], "memory_mb", "machine.memory_mb")
    finished = data.get("exit") == "ok"
    if finished or data.get("answer") is not None:
        _answer(_dict(data.get("answer"), "answer"))
    if finished or data.get("score") is not None:
        _score(_dict(data.get("score"), "score"))


def _task(task: dict[str, Any]) -> None:
    for name, kind in _TASK.items():
        if not isinstance(task.get(name), kind):
            _refuse(f"task.{name}", "a text" if kind is str else "a number", task.get(name))
    if "cpu_limit_s" in task:
        _number(task, "cpu_limit_s", "task.cpu_limit_s")


def _answer(answer: dict[str, Any]) -> None:
    if not isinstance(answer.get("optimal", ""), bool | None):
        _refuse("answer.optimal", "true, false or null", answer.get("optimal"))


def _score(score: dict[str, Any]) -> None:
    for name in ("size", "n_rules"):
        _number(score, name, f"score.{name}")
    n_classes = _number(score, "n_classes", "score.n_classes", least=1)
    _number(score, "classes_described", "score.classes_described", most=n_classes)
    if score.get("n_features") is not None:
        _number(score, "n_features", "score.n_features")
    for part in ("train", "test"):
        where = f"score.{part}"
        counts = _dict(score.get(part), where)
        rows = _number(counts, "rows", f"{where}.rows", least=1)
        for name in ("strict_errors", "plain_errors"):
            _number(counts, name, f"{where}.{name}", most=rows)


def _dict(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _refuse(where, "an object", value)
    return value


def _number(data: dict[str, Any], name: str, where: str, least: float = 0, most: float = _MAX_COUNT) -> float:
    value = data.get(name)
    # A comparison with NaN is false, so NaN is refused as well.
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        _refuse(where, f"a number from {least:g} to {most:g}", value)
    return value


def _refuse(where: str, wanted: str, value: Any) -> NoReturn:
    found = " but is missing" if value is None else f", not {value!r:.40}"
    raise InputError(f"{where} should be {wanted}{found}; restore the file or delete the line")
