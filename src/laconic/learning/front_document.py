"""A front as a JSON file: its points with their models, checked when it is read."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

from laconic import __version__
from laconic.data.documents import damaged, entry, file_text, fraction_of_text, integer, parsed
from laconic.data.words import plain
from laconic.data.write import write_whole
from laconic.learning.front import EVERY, Front, FrontPoint
from laconic.model.document import from_document, to_document
from laconic.model.proof import Proof
from laconic.problem.parts import taken_apart
from laconic.runtime.errors import ModelFileError

FORMAT = "laconic front"
SCHEMA_VERSION = 1


def dumps(front: Front) -> str:
    """Write a front as JSON text; numbers are exact, as fractions in text where they are not whole."""
    points = [
        {
            "size": point.size,
            "errors": str(point.errors),
            "lower_bound": str(point.lower_bound),
            "proved": point.proved,
            "breakpoint": point.breakpoint,
            "lambdas": None
            if point.lambdas is None
            else [None if end is None else str(end) for end in point.lambdas],
            "model": to_document(model),
        }
        for point, model in zip(front.points, front.models, strict=True)
    ]
    document = {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "laconic_version": __version__,
        "every": front.every,
        "complete": front.complete,
        "max_size": front.max_size,
        "total_weight": str(front.total_weight),
        "points": points,
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def save_front(front: Any, path: str | os.PathLike[str]) -> None:
    """Write a front to a JSON file, whole or not at all.

    Parameters
    ----------
    front : Front or fitted DecisionSetPath
    path : str or path-like
    """
    try:
        write_whole(path, dumps(getattr(front, "front_", front)).encode())
    except OSError as error:
        raise ModelFileError(
            f"cannot write front {os.fspath(path)!r}: {error.strerror}; choose another place"
        ) from error


def load_front(path: str | os.PathLike[str]) -> Front:
    """Read a front from a file that `save_front` or ``laconic path -o`` wrote.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    Front
    """
    source = Path(path)
    text = file_text(source, "front", ModelFileError)
    try:
        return _from_document(parsed(text))
    except json.JSONDecodeError:
        raise ModelFileError(
            f"{str(source)!r} is not a laconic front: it is not JSON; check the path"
        ) from None
    except ModelFileError as error:
        raise ModelFileError(f"{str(source)!r}: {error}") from None
    except ValueError as error:
        raise ModelFileError(
            f"{str(source)!r} is damaged: {error}; write it again with: laconic path -o"
        ) from None


def _from_document(document: Any) -> Front:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError("this is not a laconic front; write one with: laconic path -o")
    if integer(document, "schema_version") > SCHEMA_VERSION:
        raise ModelFileError("the front was written by a newer version of laconic; update laconic")
    every = entry(document, "every", str)
    if every not in EVERY:
        raise damaged("its kind of points is unknown")
    points, models = [], []
    for data in entry(document, "points", list):
        if not isinstance(data, dict):
            raise damaged("a point is not an object")
        points.append(_point(data))
        models.append(from_document(entry(data, "model", dict)))
        proof = models[-1].proof
        if proof is None or _size(proof) != points[-1].size:
            raise damaged("a point's model has another size")
        if _errors(proof) != points[-1].errors or (points[-1].proved and not proof.optimal):
            raise damaged("a point's model does not have its errors or its proof")
    return Front(
        tuple(points),
        tuple(models),
        every,
        entry(document, "complete", bool),
        entry(document, "max_size", int | None),
        total_weight=_positive(entry(document, "total_weight", str)),
    )


def _size(proof: Proof) -> Fraction:
    """Return the size as it was counted: under constraints, the second part of the cost."""
    if not proof.parts:
        return Fraction(proof.size)
    sizes = [one.value for one in taken_apart(proof.parts, proof.cost, 0) if one.name == "size"]
    if len(sizes) != 1:
        raise damaged("a point's cost does not hold its size")
    return sizes[0]


def _errors(proof: Proof) -> Fraction:
    if not proof.parts:
        return proof.errors / proof.weight_scale
    return Fraction(proof.in_user_units(proof.cost))


def _positive(text: str) -> Fraction:
    try:
        value = fraction_of_text(text)
    except ValueError:
        raise damaged("'total_weight' is not a number") from None
    if value <= 0:
        raise damaged("'total_weight' is not positive")
    return value


def _point(data: dict[str, Any]) -> FrontPoint:
    ends = entry(data, "lambdas", list | None)
    try:
        errors, bound = (
            plain(fraction_of_text(entry(data, name, str))) for name in ("errors", "lower_bound")
        )
        lambdas = (
            None if ends is None else tuple(None if end is None else fraction_of_text(end) for end in ends)
        )
    except ValueError:
        raise damaged("a point's numbers cannot be read") from None
    if lambdas is not None and (len(lambdas) != 2 or lambdas[0] is None):
        raise damaged("a point's range of λ cannot be read")
    return FrontPoint(
        integer(data, "size"),
        errors,
        bound,
        entry(data, "proved", bool),
        entry(data, "breakpoint", bool),
        lambdas,  # type: ignore[arg-type]
    )
