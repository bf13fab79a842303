"""``laconic fit``: learn a decision set from a table and save it."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli import exits, output
from laconic.cli.constraints import constraints_file, constraints_of, directed
from laconic.cli.grouped import options_of
from laconic.cli.holdout import Holdout, HoldoutOption
from laconic.cli.learning import asked_of
from laconic.cli.options import (
    DefaultWay,
    EngineName,
    EngineOption,
    Jobs,
    Json,
    RequireProof,
    SaveRows,
    Seed,
    TimeLimit,
    default_of_words,
    engine_options,
)
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown, visible

if TYPE_CHECKING:
    from laconic.cli.learning import Asked, Opened
    from laconic.data.training import TrainingTable
    from laconic.learning.learn import Learned, SearchSettings
    from laconic.problem.constraints.constraints import Constraints
    from laconic.problem.objective import Objective


@options_of({"asked": asked_of, "constraints": constraints_of})
def fit(
    asked: Asked,
    constraints: Constraints | None,
    context: typer.Context,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="MODEL", help="Save the model here, as JSON.")
    ] = None,
    save_rows: SaveRows = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a proof here that others can check; see: laconic verify"),
    ] = None,
    certificate_time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="For the certificate alone, after the search."),
    ] = None,
    objective: Annotated[
        str, typer.Option(help="sparse, perfect, min_rules or min_rules_then_literals.")
    ] = "sparse",
    regularization: Annotated[
        str | None,
        typer.Option(
            "--lambda",
            "-l",
            metavar="λ",
            help="Sparse: a unit of size costs this share of all rows, or auto: what does best on new rows. "
            "[auto]",
        ),
    ] = None,
    counting: Annotated[
        str | None, typer.Option(help="Sparse: count errors per_class or per_row. [per_class]")
    ] = None,
    every_class: Annotated[
        bool, typer.Option("--every-class", help="Sparse, per class: at least one rule for each class.")
    ] = False,
    default: DefaultWay = "explained",
    size_budget: Annotated[
        int | None,
        typer.Option(metavar="N", help="Instead of λ: the fewest errors within this size."),
    ] = None,
    max_errors: Annotated[
        float | None,
        typer.Option(metavar="WEIGHT", help="Instead of λ: the smallest set within errors of this weight."),
    ] = None,
    engine: EngineName = None,
    option: EngineOption = None,
    time_limit: TimeLimit = None,
    require_proof: RequireProof = False,
    seed: Seed = None,
    jobs: Jobs = 1,
    holdout: HoldoutOption = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="HTML", help="Write a report too, as laconic report would."),
    ] = None,
    history: Annotated[
        bool,
        typer.Option("--history", help="Save how the search went, with its times, for laconic report."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Learn the smallest decision set for a table, and print it.

    Rows are counted from 0 in all messages. Ctrl-C ends the search with the best set so far, which is shown
    and saved; the exit code is then 130. SIGTERM and SIGHUP do the same, with exit codes 143 and 129.
    """
    constraints = directed(constraints, asked)
    options = engine_options(option or ())
    goal = objective_of_words(
        objective,
        lambda_of(regularization),
        counting,
        every_class=every_class,
        default=default,
        size_budget=size_budget,
        max_errors=max_errors,
    )
    if size_budget is not None and constraints is not None and constraints.max_size is not None:
        raise InputError("--size-budget and --max-size exclude each other; leave one of them out")
    search = search_settings(
        engine, options, time_limit, asked.memory_limit, seed, jobs, certificate=certificate is not None
    )
    if certificate_time_limit is not None:
        if certificate is None:
            raise InputError(
                "--certificate-time-limit is about a certificate; ask for one with --certificate"
            )
        if not 0 < certificate_time_limit < math.inf:
            raise InputError(
                "--certificate-time-limit must be a positive number of seconds, not "
                f"{certificate_time_limit:g}"
            )
        search = replace(search, certificate_seconds=certificate_time_limit)
    kept_out = Holdout.of(holdout, seed)
    if kept_out is not None:
        kept_out.refuse_training_file(asked.inputs)
        asked = replace(asked, holdout=kept_out)
    output.check_places(
        {"--output": out, "--save-rows": save_rows, "--certificate": certificate, "--report": report},
        [*asked.inputs, *constraints_file(context)],
    )
    if report is not None and asked.large is not None:
        raise InputError("--report needs a table in memory; save the model, then use: laconic report")
    opened = asked.open(search.n_jobs)
    label, notes = opened.label, opened.notes
    learned, rows, seconds, more = _learn(opened, goal, search, constraints)
    output.remarks(more)
    notes += more
    model = opened.tested(opened.remember(learned.model), asked)
    learned = replace(learned, model=model)
    proof = model.facts
    try:
        if out is not None:
            output.save(out, model.to_json(history=history).encode())
        if save_rows is not None:
            from laconic.data.large.store import dumps

            output.save(save_rows, dumps(rows), "--save-rows")
        if certificate is not None and learned.certificate is not None:
            output.save(certificate, learned.certificate.to_json().encode(), "--certificate")
    except InputError:
        # Rules are shown even if they cannot be saved.
        _show(learned, label, seconds, notes, None, as_json=as_json)
        raise
    try:
        _show(learned, label, seconds, notes, out, as_json=as_json)
        if certificate is not None:
            _show_certificate(learned, certificate)
    finally:
        # The report is written even if the terminal is gone.
        if report is not None and (table := opened.rows) is not None:
            from laconic.report import render_report

            page = render_report(model, table.X, table.y, sample_weight=table.weights)
            output.save(report, page.encode(errors="replace"), "--report")
            output.remark(f"report in {report}")
    if learned.interrupted:
        raise typer.Exit(exits.INTERRUPTED)
    if certificate is not None and learned.certificate is None:
        raise typer.Exit(exits.FAILED)  # the note says why
    if require_proof and not proof.optimal:
        output.remark("not proven optimal, as --require-proof asks; try a longer --time-limit")
        raise typer.Exit(exits.FAILED)


def objective_of_words(
    objective: str,
    regularization: float | None,
    counting: str | None,
    *,
    every_class: bool,
    default: str = "explained",
    size_budget: int | None = None,
    max_errors: float | None = None,
) -> Objective:
    """Return the objective that the options state, or refuse them."""
    from laconic.model.proof import COUNTINGS, OBJECTIVES
    from laconic.problem.objective import Counting, Default, Kind, Objective

    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective {objective!r}; choose one of: {', '.join(OBJECTIVES)}")
    if objective != "sparse":
        for name, given in (
            ("--lambda", regularization is not None),
            ("--counting", counting is not None),
            ("--every-class", every_class),
            ("--size-budget", size_budget is not None),
            ("--max-errors", max_errors is not None),
        ):
            if given:
                raise InputError(
                    f"{name} belongs to --objective sparse, not {objective}; leave one of them out"
                )
    if regularization is not None and not 0 < regularization < math.inf:
        raise InputError(f"--lambda must be a positive number, not {regularization:g}; try 0.05")
    if counting is not None and counting not in COUNTINGS:
        raise InputError(f"unknown counting {counting!r}; choose one of: {', '.join(COUNTINGS)}")
    way = default_of_words(default)
    if way is Default.OTHERWISE:
        for name, given in (
            ("--every-class", every_class),
            ("--counting per_row", counting == "per_row"),
            ("--size-budget 0", size_budget == 0),
        ):
            if given:
                raise InputError(f"--default otherwise and {name} exclude each other; leave one of them out")
    if every_class and counting not in {None, "per_class"}:
        raise InputError("--every-class needs --counting per_class; leave one of them out")
    for name, limit in (("--size-budget", size_budget), ("--max-errors", max_errors)):
        for other, also in (
            ("--lambda", regularization is not None),
            ("--every-class", every_class),
            ("--counting per_row", counting == "per_row"),
            ("--max-errors", name == "--size-budget" and max_errors is not None),
        ):
            if limit is not None and also:
                raise InputError(f"{name} and {other} exclude each other; leave one of them out")
    if size_budget is not None and size_budget < 0:
        raise InputError(f"--size-budget must be a whole number of at least 0, not {size_budget}")
    if max_errors is not None and not 0 <= max_errors < math.inf:
        raise InputError(f"--max-errors must be a number of at least 0, not {max_errors:g}")
    return Objective(
        Kind(objective),
        regularization,
        Counting(counting or "per_class"),
        every_class,
        size_budget,
        max_errors,
        way,
    )


def lambda_of(text: str | None) -> float | None:
    """Return the λ of an option; None if cross-validation chooses it."""
    if text is None or text == "auto":
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise InputError(f"--lambda must be a positive number or auto, not {shown(text)}; try 0.02")
    return value


def search_settings(
    engine: str | None,
    options: dict[str, Any],
    time_limit: float | None,
    memory_limit: str | None,
    seed: int | None,
    jobs: int,
    *,
    certificate: bool = False,
) -> SearchSettings:
    """Return the settings of the search, or refuse them; the clock starts here."""
    from laconic.engines import registry
    from laconic.learning.learn import DEFAULT_ENGINE, SearchSettings, engine_seed
    from laconic.runtime.budget import Budget
    from laconic.runtime.memory import memory_bytes
    from laconic.runtime.remote import MOST_JOBS

    registry.entry(engine or DEFAULT_ENGINE)
    if time_limit is not None and not 0 < time_limit < math.inf:
        raise InputError(f"--time-limit must be a positive number of seconds, not {time_limit:g}")
    if seed is not None and not 0 <= seed < 2**32:
        raise InputError(f"--seed must be a whole number from 0 to {2**32 - 1}, not {seed}")
    if jobs < 1 and jobs != -1:
        raise InputError(f"--jobs must be at least 1, or -1 for all processors, not {shown(jobs)}")
    if jobs > MOST_JOBS:
        raise InputError(f"--jobs must be at most {MOST_JOBS}, or -1 for all processors, not {shown(jobs)}")
    if jobs == -1:
        from joblib import effective_n_jobs

        jobs = effective_n_jobs(-1)
    memory = None if memory_limit is None else memory_bytes(memory_limit)
    return SearchSettings(
        Budget(time_limit, memory=memory),
        engine or DEFAULT_ENGINE,
        options,
        engine_seed(seed),
        n_jobs=jobs,
        certificate=certificate,
    )


def _learn(
    opened: Opened,
    objective: Objective,
    search: SearchSettings,
    constraints: Constraints | None,
) -> tuple[Learned, TrainingTable, float, list[str]]:
    """Fit, and return the result, the training table, the seconds and the remarks about columns."""
    import time
    import warnings

    from laconic.cli.progress import progress_line
    from laconic.data.columns import ColumnLeftOutWarning
    from laconic.data.leakage import leaks
    from laconic.learning.learn import learn

    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught, progress_line() as line:
        warnings.simplefilter("always")
        training = opened.table.training_table()
        watched = search if line is None else replace(search, watch=line.watch, report=line.say)
        finer = opened.finer_table if opened.chooses_bins else None
        learned = learn(training, objective, watched, constraints=constraints, finer=finer)
    seconds = time.perf_counter() - start
    ignored = training.binarizer.ignored_columns_
    remarks = [f"column {name!r} is not used: {reason}" for name, reason in ignored.items()]
    said = [str(one.message) for one in caught if not issubclass(one.category, ColumnLeftOutWarning)]
    shown_notes = [visible(note) for note in learned.model.notes]
    remarks += [*said, *(note for note in shown_notes if note not in said)]
    remarks += leaks(training)
    return learned, learned.training, seconds, remarks


def _show_certificate(learned: Learned, path: Path) -> None:
    from laconic.data.words import number_text

    if learned.certificate is None:
        if learned.interrupted:
            output.remark("no certificate was made: the search was interrupted")
    elif learned.certificate.optimal:
        output.remark(f"certificate in {path}: it proves that nothing is cheaper")
    elif (proof := learned.model.proof) is not None and len(proof.parts) > 1:
        from laconic.model.render import parts_text

        known = parts_text(proof.parts, proof.cost, learned.certificate.lower_bound)
        output.remark(f"certificate in {path}: it proves a bound: {known}")
    else:
        assert proof is not None
        known, claimed = (
            number_text(Fraction(proof.in_user_units(bound)))
            for bound in (learned.certificate.lower_bound, proof.lower_bound)
        )
        said = f"certificate in {path}: it proves that nothing costs less than {known}"
        if learned.certificate.lower_bound < proof.lower_bound:
            said += f"; that nothing costs less than {claimed} is known from the engine only"
        output.remark(said)


def _show(
    learned: Learned,
    label: str,
    seconds: float,
    notes: list[str],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    if as_json:
        from laconic.cli.summary import plain_number, summary

        found: dict[str, Any] = {
            "target": label,
            "model": None if out is None else str(out),
            "seconds": seconds,
        }
        counts = dict(learned.solution.counts)
        prices = [
            {
                "class": learned.model.classes[one.target],
                "weight": plain_number(one.weight),
                "price": None if one.price is None else float(one.price),
                "set_aside": one.set_aside,
            }
            for one in learned.unexplained
        ]
        found |= {**summary(learned.model), "classes_without_rules": prices}
        output.write_json({**found, "counts": counts, "notes": notes})
    else:
        output.write(f"{learned.model}\n")
        if learned.model.choice is not None:
            output.write(f"({learned.model.choice.text})\n")
        from laconic.cli.summary import MAX_NAMED

        for one in learned.unexplained[:MAX_NAMED]:
            output.write(f"{one.text(learned.model.classes[one.target])}\n")
        if len(learned.unexplained) > MAX_NAMED:
            output.write(f"and no rule explains {len(learned.unexplained) - MAX_NAMED} more classes\n")
    if learned.solution.stop_reason.value == "interrupt":
        output.remark("this is the best set so far")
    if out is not None:
        output.remark(f"saved in {out} after {seconds:.2f} s")
