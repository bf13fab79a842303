"""Options that several commands share as one parameter: the training table, the constraints.

A command has one parameter, such as ``asked``; the command line has the options of the function that makes
its value.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from types import SimpleNamespace
from typing import Any, get_type_hints


def options_of(
    makers: Mapping[str, Callable[..., Any]], without: Collection[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Replace parameters of a command by the options of the functions that make their values.

    Parameters
    ----------
    makers : mapping of str to callable
        The command's parameters, and what makes their values.
    without : collection of str
        Parameters of the makers that keep their defaults; the command may have options of these names.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        made = {name: _parameters(make, without) for name, make in makers.items()}
        parameters = [
            *_parameters(command, makers),
            *(one for group in made.values() for one in group),
        ]

        @wraps(command)
        def run(**given: Any) -> None:
            values = {
                name: makers[name](**{one.name: given.pop(one.name) for one in group})
                for name, group in made.items()
            }
            command(**values, **given)

        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        del run.__wrapped__
        return run

    return decorate


def _parameters(function: Callable[..., Any], without: Collection[str]) -> list[inspect.Parameter]:
    """Return the parameters with their annotations as objects, except those in ``without``."""
    kept = [one for one in inspect.signature(function).parameters.values() if one.name not in without]
    texts = {one.name: one.annotation for one in kept}
    # Annotations of the parameters left out may name what is imported for type checkers only.
    hints = get_type_hints(
        SimpleNamespace(__annotations__=texts), vars(inspect.getmodule(function)), include_extras=True
    )
    return [one.replace(annotation=hints[one.name], kind=inspect.Parameter.KEYWORD_ONLY) for one in kept]
