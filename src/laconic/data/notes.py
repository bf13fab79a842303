"""The notes of a model about how its training table was made.

Notes are shown as facts, so a model file may hold only those that are written here: any other sentence,
"proven optimal" for instance, is refused when the file is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from laconic.data.documents import damaged

_SUMMARY = (
    "the thresholds of column {name} come from a summary of its values in {ranges} ranges, because it has "
    "more than {values} different ones"
)


def summary_note(name: str, n_ranges: int, n_values: int) -> str:
    """Return what to say of a column whose thresholds do not come from each of its values."""
    return _SUMMARY.format(name=repr(name), ranges=n_ranges, values=n_values)


def notes_from_document(data: Any, columns: Sequence[str]) -> tuple[str, ...]:
    """Check plain data and return the notes of a model on these columns."""
    if not isinstance(data, list) or not all(isinstance(note, str) for note in data):
        raise damaged("the notes are not texts")
    before, _, after = _SUMMARY.partition("{name}")
    number = {"{ranges}": "[0-9]{1,9}", "{values}": "[0-9]{1,9}"}
    tail = "".join(number.get(part, re.escape(part)) for part in re.split(r"(\{\w+\})", after))
    known = re.compile(f"{re.escape(before)}(.+){tail}", re.DOTALL)
    names = {repr(name) for name in columns}
    for note in data:
        found = known.fullmatch(note)
        if found is None or found[1] not in names:
            raise damaged("it holds a note that laconic does not write")
    return tuple(data)
