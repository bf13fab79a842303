"""``laconic choose``: the trade-off of size and errors that does best on rows not learned from."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import output
from laconic.cli.constraints import constraints_file, constraints_of
from laconic.cli.grouped import options_of
from laconic.cli.learning import asked_of
from laconic.cli.options import DefaultWay, Jobs, Json, Seed, default_of_words
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.cli.learning import Asked
    from laconic.estimators.cross_validation import DecisionSetClassifierCV
    from laconic.problem.constraints.constraints import Constraints

CHOICES = {"one-standard-error": "one_standard_error", "best": "best"}


@options_of("constraints", constraints_of, without=("max_size", "measure"))
@options_of("asked", asked_of)
def choose(
    asked: Asked,
    constraints: Constraints | None,
    context: typer.Context,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="MODEL", help="Save the chosen model here.")
    ] = None,
    folds: Annotated[int, typer.Option(metavar="N", help="Parts of the rows, each left out once.")] = 5,
    choice: Annotated[
        str,
        typer.Option(
            help="one-standard-error: the smallest set within it of the best mean; best: the best mean."
        ),
    ] = "one-standard-error",
    scoring: Annotated[
        str, typer.Option(metavar="NAME", help="A score of scikit-learn, such as balanced_accuracy.")
    ] = "accuracy",
    max_size: Annotated[
        int, typer.Option(metavar="N", help="Larger sets are not considered; 0 for no limit.")
    ] = 10,
    default: DefaultWay = "explained",
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="For everything, shared by the folds.")
    ] = None,
    seed: Seed = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Choose size against errors by cross-validation, among the sets that are best for some λ.

    In every fold conditions and sets are found anew from the other rows; of a table outside memory, the
    conditions of all rows serve in every fold.
    """
    from sklearn.metrics import get_scorer_names

    from laconic.cli.fit import search_settings
    from laconic.cli.progress import progress_line
    from laconic.data.binarize import Binarizer
    from laconic.estimators.cross_validation import DecisionSetClassifierCV

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
    default_of_words(default)
    search = search_settings(None, {}, time_limit, asked.memory_limit, seed, jobs)
    output.check_places({"--output": out}, [*asked.inputs, *constraints_file(context)])
    opened = asked.open(search.n_jobs)
    rows = opened.rows
    if rows is not None and len(rows.y) < folds:
        raise InputError(f"{len(rows.y)} rows cannot be split into {folds} folds; take fewer with --folds")
    kinds = {name: one for name, one in asked.types.items() if rows is not None and name in rows.X.columns}
    merged = opened.training() if rows is None else None
    with warnings.catch_warnings(), progress_line() as line:
        warnings.simplefilter("ignore")  # the columns that are not used are named below
        settings = DecisionSetClassifierCV(
            max_size=max_size or None,
            default=default,
            cv=folds,
            scoring=scoring,
            choice=CHOICES[choice],
            binarizer=Binarizer(asked.cutting.method, bins=asked.cutting.bins, columns=kinds or None),
            time_limit=time_limit,
            n_jobs=search.n_jobs,
            random_state=seed,
            constraints=constraints,
            report=None if line is None else line.say,
        )
        try:
            chosen = settings.fit(merged) if rows is None else settings.fit(rows.X, rows.y, rows.weights)
        except InputError:
            raise
        except ValueError as error:  # of scikit-learn, about the score or the folds
            raise InputError(f"scikit-learn refuses: {' '.join(str(error).split())[:300]}") from error
    if rows is not None:
        opened.remark_ignored(chosen.binarizer_.ignored_columns_)
    model = opened.remember(chosen.decision_set_)
    try:
        if out is not None:
            output.save(out, model.to_json().encode())
            output.remark(f"saved in {out}")
    finally:
        # What took hours is shown even if it cannot be saved, and saved even if the terminal is gone.
        if as_json:
            from laconic.cli.summary import summary

            found = {"target": opened.label, "chosen": chosen.best_index_, "candidates": _plain(chosen)}
            output.write_json({**found, **summary(model), "notes": opened.notes})
        else:
            output.write(f"{_text(chosen, folds, scoring)}\n{model}\n")


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
