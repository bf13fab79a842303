"""``laconic choose``: the trade-off of size and errors that does best on rows not learned from."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import output
from laconic.cli.options import (
    Bins,
    ColumnTypes,
    Data,
    Decimal,
    Delimiter,
    Drop,
    Encoding,
    Jobs,
    Json,
    Missing,
    Seed,
    Target,
    Thresholds,
    WeightColumn,
    column_types,
)
from laconic.errors import InputError

if TYPE_CHECKING:
    from laconic.path.cross_validation import DecisionSetClassifierCV

CHOICES = {"one-standard-error": "one_standard_error", "best": "best"}


def choose(
    data: Data,
    target: Target = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="MODEL", help="Save the chosen model here.")
    ] = None,
    folds: Annotated[int, typer.Option(metavar="N", help="Parts of the rows, each left out once.")] = 5,
    choice: Annotated[
        str,
        typer.Option(
            help="one-standard-error: the smallest set that near the best mean; best: the best mean."
        ),
    ] = "one-standard-error",
    scoring: Annotated[
        str, typer.Option(metavar="NAME", help="A score of scikit-learn, such as balanced_accuracy.")
    ] = "accuracy",
    max_size: Annotated[
        int, typer.Option(metavar="N", help="Larger sets are not considered; 0 for no limit.")
    ] = 10,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For everything, shared by the folds.")
    ] = None,
    kind: ColumnTypes = None,
    drop: Drop = None,
    weight_column: WeightColumn = None,
    thresholds: Thresholds = "quantile",
    bins: Bins = 6,
    seed: Seed = None,
    jobs: Jobs = 1,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: Missing = None,
    as_json: Json = False,
) -> None:
    """Choose size against errors by cross-validation, among the sets that are best for some λ.

    In every fold conditions and sets are found anew from the other rows.
    """
    from sklearn.metrics import get_scorer_names

    from laconic.cli.fit import cutting_of, search_settings
    from laconic.cli.inputs import Source, training_data
    from laconic.cli.target import misread_columns
    from laconic.data.binarize import Binarizer
    from laconic.path.cross_validation import DecisionSetClassifierCV

    if folds < 2:
        raise InputError(f"--folds must be a whole number of at least 2, not {folds}")
    if choice not in CHOICES:
        raise InputError(f"unknown --choice {choice!r}; choose one of: {', '.join(CHOICES)}")
    if scoring not in get_scorer_names():
        raise InputError(
            f"unknown --scoring {scoring!r}; scikit-learn lists its scores as get_scorer_names()"
        )
    if max_size < 0:
        raise InputError(f"--max-size must be a whole number of at least 0, not {max_size}")
    search = search_settings(None, {}, time_limit, None, seed, jobs)
    cutting_of(thresholds, bins)
    output.check_place(out, [data])
    source = Source.of(data, delimiter, encoding, decimal, missing)
    types = column_types(kind or ())
    table = training_data(source, target, weight_column, list(drop or ()), types)
    if len(table.y) < folds:
        raise InputError(f"{len(table.y)} rows cannot be split into {folds} folds; take fewer with --folds")
    if target is None:
        output.remark(f"note: the labels are in column {table.target!r} (choose another with --target)")
    columns = {name: one for name, one in types.items() if name in table.X.columns}
    settings = DecisionSetClassifierCV(
        max_size=max_size or None,
        cv=folds,
        scoring=scoring,
        choice=CHOICES[choice],
        binarizer=Binarizer(thresholds, bins=bins, columns=columns or None),
        time_limit=time_limit,
        n_jobs=search.n_jobs,
        random_state=seed,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the columns that are not used are named below
        try:
            chosen = settings.fit(table.X, table.y, table.weights)
        except InputError:
            raise
        except ValueError as error:  # of scikit-learn, about the score or the folds
            raise InputError(f"scikit-learn refuses: {' '.join(str(error).split())[:300]}") from error
    ignored = chosen.binarizer_.ignored_columns_
    notes = misread_columns(table.X, types, source.decimal)
    notes += [f"column {name!r} is not used: {reason}" for name, reason in ignored.items()]
    output.remarks(notes)
    origin = replace(source.said, target=table.target, weight_column=weight_column)
    model = replace(chosen.decision_set_, origin=origin)
    if as_json:
        from laconic.cli.summary import summary

        found = {"target": table.target, "chosen": chosen.best_index_, "candidates": _plain(chosen)}
        output.write_json({**found, **summary(model), "notes": notes})
    else:
        output.write(f"{_text(chosen, folds, scoring)}\n{model}\n")
    if out is not None:
        output.save(out, model.to_json().encode())
        output.remark(f"saved in {out}")


def _plain(chosen: DecisionSetClassifierCV) -> list[dict[str, Any]]:
    results = chosen.cv_results_
    names = ("size", "errors", "lambda", "mean_score", "standard_error")
    proved = [point.proved for point in chosen.front_.points]
    return [
        {**{name: results[name][k].item() for name in names}, "proved": proved[k]} for k in range(len(proved))
    ]


def _text(chosen: DecisionSetClassifierCV, folds: int, scoring: str) -> str:
    lines = [f"{'size':>5}  {'errors':>8}  {'λ':<9}  {scoring} of {folds} folds"]
    for k, one in enumerate(_plain(chosen)):
        mark = "  <- chosen" if k == chosen.best_index_ else ""
        lines.append(
            f"{one['size']:>5}  {one['errors']:>8g}  {one['lambda']:<9.4g}  "
            f"{one['mean_score']:.3f} ± {one['standard_error']:.3f}{mark}"
        )
    return "\n".join(lines) + "\n"
