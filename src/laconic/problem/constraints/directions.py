"""Directions of columns, given with the columns, as constraints."""

from __future__ import annotations

from collections.abc import Mapping

from laconic.data.column_settings import Said, monotone_of, settings_of
from laconic.problem.constraints.constraints import Constraints, combined
from laconic.runtime.errors import InputError


def with_directions(
    constraints: Constraints | None, columns: Mapping[str, Said] | None
) -> Constraints | None:
    """Return the constraints, with the directions that the settings of columns name.

    Parameters
    ----------
    constraints : Constraints or None
    columns : mapping, optional
        As ``columns`` of `laconic.Binarizer`.

    Examples
    --------
    >>> with_directions(None, {"age": {"increasing": "yes"}}).monotone
    {'age': {'yes': 'increasing'}}
    """
    found = monotone_of(settings_of(columns))
    if not found:
        return constraints
    said = {} if constraints is None else constraints.to_document()
    known = said.pop("monotone", {})
    twice = sorted(found.keys() & known.keys())
    if twice:
        raise InputError(
            f"the direction of column {twice[0]!r} is given twice, with the column and among the "
            f"constraints; leave one out"
        )
    return combined(said, monotone={**known, **found})
