"""``laconic update``: new rows for a saved model, which stays if it is still the best."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import exits, output
from laconic.cli.options import (
    Decimal,
    Delimiter,
    Encoding,
    EngineName,
    EngineOption,
    Jobs,
    Json,
    MemoryLimit,
    MissingText,
    Model,
    RequireProof,
    SaveRows,
    Seed,
    Target,
    TimeLimit,
    WeightColumn,
    engine_options,
)

if TYPE_CHECKING:
    from laconic.learning.learn import Learned
    from laconic.model.decision_set import DecisionSet


def update(
    model: Model,
    rows: Annotated[
        Path, typer.Argument(metavar="ROWS", help="What it was learned from: laconic fit --save-rows")
    ],
    data: Annotated[
        list[Path],
        typer.Argument(metavar="DATA...", help="The new rows: files, or a pattern in quotes."),
    ],
    target: Target = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="MODEL", help="Save the new model here, as JSON.")
    ] = None,
    save_rows: SaveRows = None,
    weight_column: WeightColumn = None,
    engine: EngineName = None,
    option: EngineOption = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    require_proof: RequireProof = False,
    seed: Seed = None,
    jobs: Jobs = 1,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: MissingText = None,
    as_json: Json = False,
) -> None:
    """Add rows to those a model was learned from, and find the best decision set for all of them.

    The objective and the conditions are the model's. Its rules stay if nothing better exists.
    """
    from laconic.checking.recheck import objective_of
    from laconic.cli.fit import search_settings
    from laconic.cli.inputs import Source, labelled_rows_for, named_files
    from laconic.data.large.store import dumps, load
    from laconic.learning.learn import learn
    from laconic.learning.start import start_from
    from laconic.model.store import load_model

    search = search_settings(engine, engine_options(option or ()), time_limit, memory_limit, seed, jobs)
    # The new model and rows may replace the old ones, but not each other.
    output.check_places({"--output": out}, [rows, *named_files(data)])
    output.check_places({"--output": out, "--save-rows": save_rows}, named_files(data))
    output.check_places({"--save-rows": save_rows}, [model])
    before = load_model(model)
    old = load(rows)
    source = Source.of(data[0], delimiter, encoding, decimal, missing, data[1:])
    new, n_added, label = old, 0, target
    for file in source.files():  # one at a time: together they need not fit in memory
        table = labelled_rows_for(before, file, label, weight_column)
        new = new.extended(table.X, table.y, table.weights)
        n_added, label = n_added + len(table.X), table.target
    assert label is not None  # there is a file, or it was refused
    objective = objective_of(before.facts)
    start = start_from(before, old, new, objective)
    learned = learn(new, objective, search, start, before.facts.constraints)
    try:
        if save_rows is not None:
            output.save(save_rows, dumps(new), "--save-rows")
        if out is not None:
            output.save(out, replace(learned.model, origin=before.origin).to_json().encode())
    finally:
        # Results are shown even if they cannot be saved.
        _show(learned, before, n_added, label, as_json=as_json)
    after = learned.model.facts
    if learned.interrupted:
        raise typer.Exit(exits.INTERRUPTED)
    if require_proof and not after.optimal:
        output.remark("not proven optimal, as --require-proof asks; try a longer --time-limit")
        raise typer.Exit(exits.FAILED)


def _show(learned: Learned, before: DecisionSet, n_rows: int, target: str, *, as_json: bool) -> None:
    after = learned.model.facts
    same = after.rules == before.facts.rules
    if as_json:
        from laconic.cli.summary import summary

        found = {"target": target, "rows_added": n_rows, "rules_changed": not same}
        output.write_json({**found, **summary(learned.model), "counts": dict(learned.solution.counts)})
        return
    output.write(f"{learned.model}\n")
    proved = "proved again" if after.optimal else "not proved yet"
    said = f"the rules stay as they were, {proved}" if same else "the rules have changed"
    output.remark(f"{n_rows} rows added: {said}")
