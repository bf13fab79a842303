"""How a model's training file was read, so that later files are read the same way.

Only the user's options are kept, not what was detected: a file with another delimiter is still recognised.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from laconic.data.documents import damaged


@dataclass(frozen=True, slots=True)
class Origin:
    """The options that a training file was read with; ``None`` where none was given.

    Attributes
    ----------
    target, weight_column : str or None
        The columns that held the labels and the weights.
    delimiter, encoding, decimal : str or None
        Of a CSV file.
    missing : tuple of str or None
        Cells that mean "no value", besides the usual ones.
    """

    target: str | None = None
    weight_column: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    missing: tuple[str, ...] | None = None


def origin_to_document(origin: Origin) -> dict[str, Any]:
    """Return the options that were given as plain data."""
    known = {name: value for name, value in asdict(origin).items() if value is not None}
    return known if origin.missing is None else {**known, "missing": list(origin.missing)}


def origin_from_document(data: Any) -> Origin:
    """Check plain data and build the origin it describes."""
    if not isinstance(data, dict):
        raise damaged("its origin is not an object")
    texts = {name: data.get(name) for name in ("target", "weight_column", "delimiter", "encoding", "decimal")}
    missing = data.get("missing")
    if not all(isinstance(value, str | None) for value in texts.values()) or not (
        missing is None or (isinstance(missing, list) and all(isinstance(one, str) for one in missing))
    ):
        raise damaged("its origin has an entry of the wrong type")
    delimiter = texts["delimiter"]
    if texts["decimal"] not in {None, ".", ","} or (delimiter is not None and len(delimiter) != 1):
        raise damaged("its origin names no decimal mark or delimiter")
    return Origin(**texts, missing=None if missing is None else tuple(missing))
