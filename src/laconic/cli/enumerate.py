"""``laconic enumerate``: the optimal and near-optimal decision sets."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import exits, output
from laconic.cli.constraints import constraints_file, constraints_of, directed
from laconic.cli.grouped import options_of
from laconic.cli.learning import asked_of
from laconic.cli.options import (
    Jobs,
    Json,
    Seed,
)
from laconic.cli.spreadsheet import SafeCells, csv_text
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.cli.learning import Asked, Opened
    from laconic.learning.near import NearOptimalSets
    from laconic.problem.constraints.constraints import Constraints

SHOWN_SETS = 10
SHOWN_CONDITIONS = 15


@options_of({"asked": asked_of, "constraints": constraints_of})
def enumerate_command(
    asked: Asked,
    constraints: Constraints | None,
    context: typer.Context,
    objective: Annotated[
        str, typer.Option(help="sparse, perfect, min_rules or min_rules_then_literals.")
    ] = "sparse",
    regularization: Annotated[
        float | None,
        typer.Option(
            "--lambda", "-l", metavar="λ", help="Sparse: a unit of size costs this share of all rows. [0.05]"
        ),
    ] = None,
    best: Annotated[int | None, typer.Option(metavar="K", help="The K best sets.")] = None,
    within: Annotated[
        float | None,
        typer.Option(
            metavar="COST", help="All sets that cost at most this more than the optimum. [0: all optima]"
        ),
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Maximum number of listed sets.")] = 1000,
    models: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save the listed sets here, as set-1.json.")
    ] = None,
    importance: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Save how many of the sets use each condition.")
    ] = None,
    safe_cells: SafeCells = None,
    show: Annotated[int, typer.Option(metavar="N", help="Number of sets printed in words.")] = SHOWN_SETS,
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Then what is known, marked as incomplete.")
    ] = None,
    require_proof: Annotated[
        bool, typer.Option("--require-proof", help="End with exit code 1 if sets may be missing.")
    ] = False,
    seed: Seed = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """List all optimal decision sets, the best few, or all that are nearly optimal.

    Counted are sets from which no rule and no condition can be left out without more errors.
    """
    constraints = directed(constraints, asked)
    from laconic.cli.fit import objective_of_words, search_settings
    from laconic.learning.near import enumerate_sets

    if best is not None and within is not None:
        raise InputError("--best and --within exclude each other; leave one of them out")
    if best is not None and best < 1:
        raise InputError(f"--best must be a whole number of at least 1, not {best}")
    if within is not None and not 0 <= within < math.inf:
        raise InputError(f"--within must be a number of at least 0, not {within:g}")
    if limit < 1:
        raise InputError(f"--limit must be a whole number of at least 1, not {limit}")
    if show < 0:
        raise InputError(f"--show must be a whole number of at least 0, not {show}")
    goal = objective_of_words(
        objective,
        0.05 if regularization is None and objective == "sparse" else regularization,
        None,
        every_class=False,
    )
    search = search_settings(None, {}, time_limit, asked.memory_limit, seed, jobs)
    inputs = [*asked.inputs, *constraints_file(context)]
    output.check_places({"--importance": importance}, inputs, models, "set-*.json")
    made = asked.open(search.n_jobs)
    found = enumerate_sets(
        made.training(),
        goal,
        within=within or 0.0,
        best=best,
        limit=limit,
        budget=search.budget,
        seed=search.seed,
        n_jobs=search.n_jobs,
        constraints=constraints,
    )
    try:
        _save(found, made, importance, models, safe=safe_cells is not False)
    finally:
        # Results are shown even if they cannot be saved, and saved even if the terminal is gone.
        if as_json:
            output.write_json(_plain(found, made.label, made.notes))
        else:
            output.write(_text(found, show, best))
    if require_proof and not found.complete:
        output.remark("sets may be missing, although --require-proof was given; try a longer --time-limit")
        raise typer.Exit(exits.FAILED)


def _save(
    found: NearOptimalSets, made: Opened, importance: Path | None, models: Path | None, *, safe: bool
) -> None:
    if importance is not None:
        output.save(importance, csv_text(found.importance(), safe=safe).encode(), "--importance")
        output.remark(f"conditions in {importance}")
    if models is not None:
        from laconic.data.write import make_folder

        make_folder(models, "--models")
        for k in range(len(found)):
            output.save(models / f"set-{k + 1}.json", made.remember(found[k]).to_json().encode(), "--models")
        output.remark(f"{len(found)} models in {models}")


def _text(found: NearOptimalSets, show: int, best: int | None) -> str:
    from fractions import Fraction

    from laconic.data.words import number_text
    from laconic.model.render import count
    from laconic.runtime.texts import visible

    lines: list[str] = []
    for k in range(min(show, len(found))):
        model = found[k]
        lines.append(f"{k + 1}. cost {number_text(Fraction(found.costs[k]))}, size {model.size}")
        lines += [f"   {line}" for line in str(model).splitlines() if line.startswith("IF ")] or [
            "   no rules"
        ]
    if len(found) > show:
        lines.append(f"… and {len(found) - show} more (--show, --json or --models)")
    used = found.importance()
    lines += ["", "share of these sets that use a condition"]
    lines += [
        f"{100 * share:5.0f} %  {visible(condition)}"
        for share, condition in zip(used["share"][:SHOWN_CONDITIONS], used["condition"], strict=False)
    ]
    if len(used) > SHOWN_CONDITIONS:
        lines.append(f"         … and {len(used) - SHOWN_CONDITIONS} conditions more")
    lines.append("")
    if not found.complete:
        lines.append(f"(stopped after {count(found.n_sets, 'set')}: others may exist)")
    elif best is not None and found.n_sets >= best:
        lines.append(f"(the best {count(len(found), 'set')}, proven by the engine)")
    elif found.n_sets > len(found):
        lines.append(f"(the best {len(found)} of all {found.n_sets} sets, proven by the engine)")
    else:
        lines.append(f"(all {count(found.n_sets, 'set')}, proven by the engine)")
    return "\n".join(lines) + "\n"


def _plain(found: NearOptimalSets, label: str, notes: list[str]) -> dict[str, Any]:
    from laconic.cli.summary import plain_number, summary

    sets = []
    for k, cost in enumerate(found.costs):
        data = summary(found[k])
        sets.append(
            {"cost": plain_number(cost), **{name: data[name] for name in ("size", "errors", "rules", "else")}}
        )
    return {
        "target": label,
        "complete": found.complete,
        "n_sets": found.n_sets,
        "sets": sets,
        "importance": found.importance().to_dict("records"),
        "notes": notes,
    }
