"""``laconic path``: every trade-off of size and errors of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import exits, output
from laconic.cli.constraints import constraints_file, constraints_of, directed
from laconic.cli.grouped import options_of
from laconic.cli.learning import asked_of
from laconic.cli.options import DefaultWay, Jobs, Json, Seed, default_of_words
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.cli.learning import Asked
    from laconic.data.table import Table
    from laconic.learning.front import Front, FrontPoint
    from laconic.problem.constraints.constraints import Constraints
    from laconic.runtime.budget import Budget

MOST_SHOWN = 60
"""Maximum number of points in the list on a terminal."""

PICTURES = (".svg", ".png", ".pdf")


@options_of({"asked": asked_of, "constraints": constraints_of}, without=("max_size", "measure"))
def path(
    asked: Asked,
    constraints: Constraints | None,
    context: typer.Context,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Save points and models here, as JSON."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="PICTURE", help="Draw size against errors: .svg, .png or .pdf.")
    ] = None,
    models: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Save each point's model here, as size-7.json.")
    ] = None,
    certificates: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Save a proof of each point here, as size-7.certificate.json."),
    ] = None,
    every: Annotated[
        str,
        typer.Option(help="breakpoint: the best sets of all λ; size: the fewest errors for every size."),
    ] = "breakpoint",
    max_size: Annotated[
        int, typer.Option(metavar="N", help="Larger sets are not looked for; 0 for no limit.")
    ] = 20,
    default: DefaultWay = "explained",
    time_limit: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Then what is known, each point with its gap.")
    ] = None,
    require_proof: Annotated[
        bool,
        typer.Option("--require-proof", help="End with exit code 1 if a point is missing or not proven."),
    ] = False,
    seed: Seed = None,
    jobs: Jobs = 1,
    as_json: Json = False,
) -> None:
    """Find every trade-off of size and errors, each with its proof.

    Errors are counted per class. Ctrl-C and SIGTERM end the search with the points found so far.
    """
    constraints = directed(constraints, asked)
    from laconic.cli.fit import search_settings
    from laconic.cli.progress import progress_line
    from laconic.learning.front import EVERY, find_front
    from laconic.learning.learn import CERTIFICATE_SHARE, certificate_budget

    if every not in EVERY:
        raise InputError(f"unknown --every {every!r}; choose one of: {', '.join(EVERY)}")
    if max_size < 0:
        raise InputError(f"--max-size must be a whole number of at least 0, not {max_size}")
    way = default_of_words(default)
    if plot is not None and plot.suffix.lower() not in PICTURES:
        raise InputError(f"--plot {plot} should end with one of: {', '.join(PICTURES)}")
    search = search_settings(None, {}, time_limit, asked.memory_limit, seed, jobs)
    inputs = [*asked.inputs, *constraints_file(context)]
    output.check_places({"--output": out, "--plot": plot}, inputs, models, "size-*.json")
    output.check_places({"--output": out, "--plot": plot}, inputs, certificates, "size-*.certificate.json")
    made = asked.open(search.n_jobs)
    training = made.training()
    with progress_line() as line:
        front = find_front(
            training,
            every=every,
            max_size=max_size or None,
            budget=search.budget if certificates is None else search.budget.part(1 - CERTIFICATE_SHARE),
            seed=search.seed,
            n_jobs=search.n_jobs,
            constraints=constraints,
            default=way,
            on_progress=None if line is None else lambda state: line.say(state.note),
        )
    front = made.with_origin(front)
    try:
        _save(front, out, plot, models)
        if certificates is not None:
            _certify(front, training.table, certificate_budget(search), certificates)
    finally:
        # Results are shown even if they cannot be saved, and saved even if the terminal is gone.
        if as_json:
            output.write_json(_plain(front, made.label, made.notes))
        else:
            output.write(_text(front))
    if front.interrupted:
        output.remark("this is what is known so far")
        raise typer.Exit(exits.INTERRUPTED)
    if require_proof and not front.complete:
        output.remark(
            "not all is proven, as --require-proof asks; try a longer --time-limit or a smaller --max-size"
        )
        raise typer.Exit(exits.FAILED)


def _save(front: Front, out: Path | None, plot: Path | None, models: Path | None) -> None:
    if out is not None:
        from laconic.learning.front_document import dumps

        output.save(out, dumps(front).encode())
        output.remark(f"saved in {out}")
    if models is not None:
        from laconic.data.write import make_folder

        make_folder(models, "--models")
        for point, model in zip(front.points, front.models, strict=True):
            output.save(models / f"size-{point.size}.json", model.to_json().encode(), "--models")
        output.remark(f"{len(front.points)} models in {models}")
    if plot is not None:
        import io

        import matplotlib as mpl

        mpl.use("Agg")
        from laconic.learning.front_plot import plot_front

        picture = io.BytesIO()
        drawn = plot_front(front).get_figure(root=True)
        assert drawn is not None  # the axes were made with it
        drawn.savefig(picture, format=plot.suffix[1:].lower())
        output.save(plot, picture.getvalue(), "--plot")
        output.remark(f"drawn in {plot}")


def _certify(front: Front, table: Table, budget: Budget, folder: Path) -> None:
    """Save a certificate of each point: no set of its size makes fewer errors, no smaller one as few."""
    from laconic.checking.certify.certify import certify
    from laconic.data.write import make_folder

    make_folder(folder, "--certificates")
    n_proved = 0
    for point, model, part in zip(front.points, front.models, budget.shares(len(front.points)), strict=True):
        made = certify(model, table, part)
        n_proved += made.optimal
        output.save(folder / f"size-{point.size}.certificate.json", made.to_json().encode(), "--certificates")
    short = len(front.points) - n_proved
    known = f"; {short} of them prove a bound only" if short else ""
    output.remark(f"{len(front.points)} certificates in {folder}{known}")


def _text(front: Front) -> str:
    from laconic.model.statistics import listed_rules

    lines = [f"{'size':>5}  {'errors':>8}  {'rules':>5}  {'λ':<19}  proof"]
    for point, model in list(zip(front.points, front.models, strict=True))[:MOST_SHOWN]:
        lines.append(
            f"{point.size:>5}  {_number(point.errors):>8}  {len(listed_rules(model)):>5}  "
            f"{_range(point):<19}  {_state(point)}"
        )
    if len(front.points) > MOST_SHOWN:
        lines.append(f"  … and {len(front.points) - MOST_SHOWN} more, see --json or --output")
    which = "best sets of all λ" if front.every == "breakpoint" else "points of the front"
    n_proved = sum(point.proved for point in front.points)
    up_to = "" if front.max_size is None else f" up to size {front.max_size}"
    if front.complete:
        lines.append(f"(all {len(front.points)} {which}{up_to}, proven by the engine)")
    else:
        lines.append(f"({len(front.points)} {which}{up_to} found, {n_proved} proven; others may exist)")
    return "\n".join(lines) + "\n"


def _range(point: FrontPoint) -> str:
    if point.lambdas is None:
        return ""
    low, high = point.lambdas
    if high is None:
        return f"above {float(low):.4g}"
    return f"{float(low):.4g} to {float(high):.4g}"


def _state(point: FrontPoint) -> str:
    if point.proved:
        return "proven"
    if point.errors == point.lower_bound:
        return "no fewer errors at this size, but a smaller set may do"
    return f"not proven: at least {_number(point.lower_bound)}"


def _number(value: Any) -> str:
    from fractions import Fraction

    from laconic.data.words import number_text

    return number_text(Fraction(value))


def _plain(front: Front, label: str, notes: list[str]) -> dict[str, Any]:
    from laconic.cli.summary import plain_number, summary

    points = []
    for point, model in zip(front.points, front.models, strict=True):
        ends = (None, None) if point.lambdas is None else point.lambdas
        points.append(
            {
                "size": point.size,
                "errors": plain_number(point.errors),
                "lower_bound": plain_number(point.lower_bound),
                "proved": point.proved,
                "breakpoint": point.breakpoint,
                "lambda_low": None if ends[0] is None else float(ends[0]),
                "lambda_high": None if ends[1] is None else float(ends[1]),
                **{name: summary(model)[name] for name in ("rules", "else")},
            }
        )
    return {
        "target": label,
        "every": front.every,
        "max_size": front.max_size,
        "complete": front.complete,
        "points": points,
        "counts": dict(front.counts),
        "notes": notes,
    }
