"""Options that several commands share as one parameter: the table that is learned from, the constraints.

A command names a parameter, such as ``asked``; on the command line stand the options of the function that
makes its value.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any


def options_of(
    name: str, make: Callable[..., Any], without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a command have the parameters of ``make`` in place of one of its own.

    Parameters
    ----------
    name : str
        The command's parameter.
    make : callable
        Makes its value.
    without : collection of str
        Parameters of ``make`` that keep their defaults; the command may have options of these names.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own, more = _parameters(command, {name}), _parameters(make, without)
        names = {parameter.name for parameter in more}

        @wraps(command)
        def run(**given: Any) -> None:
            value = make(**{key: given.pop(key) for key in names})
            command(**{name: value}, **given)

        run.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in (*own, *more)}
        del run.__wrapped__
        return run

    return decorate


def _parameters(function: Callable[..., Any], without: Collection[str]) -> list[inspect.Parameter]:
    """Return the parameters with their annotations as objects, those left out excepted."""
    kept = [one for one in inspect.signature(function).parameters.values() if one.name not in without]
    return [
        one.replace(annotation=_object(one.annotation, function), kind=inspect.Parameter.KEYWORD_ONLY)
        for one in kept
    ]


def _object(annotation: Any, function: Callable[..., Any]) -> Any:
    """Return what an annotation means; that of a value which other options make is left as it is."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, getattr(function, "__globals__", {}))
    except NameError:
        return annotation
