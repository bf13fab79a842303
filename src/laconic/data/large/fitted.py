"""A fitted binarizer made from conditions that were found outside of memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from laconic.data.binarize import Binarizer
from laconic.data.column_settings import ColumnSettings, settings_of
from laconic.data.columns import ColumnFeatures, Cutting
from laconic.data.finest import MAX_CONDITIONS
from laconic.data.literals import feature_to_dict
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.scikit import check_parameters
from laconic.runtime.errors import InputError


def checked_parameters(binarizer: Any, names: Sequence[str]) -> tuple[Cutting, dict[str, ColumnSettings]]:
    """Return how to cut numbers, and what the user says about columns."""
    if not isinstance(binarizer, Binarizer):
        raise InputError("tables that are not in memory need a laconic.Binarizer, not another transformer")
    check_parameters(binarizer)
    said = settings_of(binarizer.columns)
    for name in said:
        if name not in names:
            shown = ", ".join(names[:10]) + (", …" if len(names) > 10 else "")
            raise InputError(f"columns names {name!r}, which the table lacks; its columns are: {shown}")
    cutting = Cutting(
        binarizer.thresholds,
        binarizer.bins,
        binarizer.max_thresholds,
        binarizer.max_categories,
        binarizer.max_members,
    )
    if cutting.method == "all":
        most = max(1, MAX_CONDITIONS // (2 * len(names)))
        cutting = replace(cutting, method="midpoints", max_thresholds=most)
    for name, one in said.items():
        if one.parts or one.since is not None:
            raise InputError(
                f"column {name!r}: parts of dates and days between them are computed in memory only; read "
                f"the table into memory, or add such columns to the files"
            )
    return cutting, said


def fitted_binarizer(
    binarizer: Binarizer,
    found: Mapping[str, ColumnFeatures],
    readings: Mapping[str, ColumnReading | None],
) -> Binarizer:
    """Return a fitted binarizer with these parameters and these conditions by column.

    Parameters
    ----------
    binarizer : Binarizer
        The parameters; the object is not changed.
    found : mapping of str to ColumnFeatures
        The conditions of each column, in the order of the columns.
    readings : mapping of str to ColumnReading
        How the cells of a column are read; None, or none at all, where they are taken as they are.
    """
    features = [feature for one in found.values() for feature in one.features]
    ignored = {name: one.ignored for name, one in found.items() if one.ignored is not None}
    return type(binarizer).from_dict(
        {
            "params": binarizer.get_params(),
            "columns_in": list(found),
            "named": True,
            "features": [feature_to_dict(feature) for feature in features],
            "ignored_columns": ignored,
            "readings": {name: one.to_document() for name, one in readings.items() if one is not None},
        }
    )
