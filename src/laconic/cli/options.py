"""The options that several commands share, and the reading of ``name=value`` pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.data.column_settings import ColumnSettings
    from laconic.problem.objective import Default

Data = Annotated[Path, typer.Argument(metavar="DATA", help="A table: .csv, .tsv, .csv.gz or .parquet.")]
Tables = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="DATA",
        help="A table: .csv, .tsv, .csv.gz or .parquet; or several files, or a pattern in quotes.",
        show_default=False,
    ),
]
Sql = Annotated[str | None, typer.Option("--sql", metavar="QUERY", help="A query instead of a file.")]
Database = Annotated[Path | None, typer.Option(metavar="FILE", help="The DuckDB database that --sql asks.")]
OutOfCore = Annotated[
    str, typer.Option(metavar="MODE", help="Read with DuckDB, not into memory: auto, yes or no.")
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file, from: laconic fit -o")]
Json = Annotated[bool, typer.Option("--json", help="Write JSON on standard output, and nothing else.")]

Delimiter = Annotated[
    str | None, typer.Option(metavar="CHAR", help="Between the fields of a CSV file; else guessed.")
]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="Of a CSV file. [utf-8]")]
Decimal = Annotated[
    str | None, typer.Option(metavar="CHAR", help="Decimal mark of a CSV file: '.' or ','. [.]")
]
MissingText = Annotated[
    list[str] | None,
    typer.Option(metavar="TEXT", help="A cell that means 'no value', such as '?'; repeat for more."),
]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The label column; else guessed if it is obvious."),
]
WeightColumn = Annotated[
    str | None, typer.Option("--weight-column", metavar="COLUMN", help="How much each row counts.")
]
SaveRows = Annotated[
    Path | None,
    typer.Option("--save-rows", metavar="ROWS", help="Save what was learned from, for: laconic update"),
]
ColumnTypes = Annotated[
    list[str] | None,
    typer.Option("--type", metavar="COLUMN=KIND", help="numeric, category or binary, instead of the guess."),
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="COLUMN:SETTING=VALUE",
        help="What you know about a column, such as age:cuts=18,65; repeat for more. See the docs.",
    ),
]
ColumnsFile = Annotated[
    Path | None, typer.Option("--columns", metavar="FILE", help="The same for many columns, as TOML or JSON.")
]
Drop = Annotated[
    list[str] | None, typer.Option(metavar="COLUMN", help="Leave this column out; repeat for more.")
]
Thresholds = Annotated[
    str,
    typer.Option(
        help="Where numbers are cut: quantile, all (between all values), midpoints, entropy or paper."
    ),
]
Bins = Annotated[
    int | None,
    typer.Option(
        help="Bins per column of numbers, for quantile and paper; by default 6, or 15 where λ is chosen and "
        "finer rules do better on rows not learned from."
    ),
]
MaxMembers = Annotated[
    int,
    typer.Option(help="Categories that one condition may name together, as in: job in {clerk, nurse}"),
]
EngineName = Annotated[
    str | None, typer.Option(help="Who searches; see: laconic engines", show_default=False)
]
EngineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--engine-option",
        metavar="NAME=VALUE",
        help="Of the engine; repeat for more. The exact engine's: laconic engines --options.",
    ),
]
DefaultWay = Annotated[
    str,
    typer.Option(
        metavar="WAY",
        help="What decides where no rule covers. explained: no part of the set, every class has rules of its "
        "own; otherwise: a rule of the set, for a class that needs no other.",
    ),
]
TimeLimit = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Then the best set so far, with its gap.")
]
MemoryLimit = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Of the whole process, such as 4GiB: what does not fit is read out of core, and a search that "
        "needs more ends with the best set so far.",
    ),
]
Seed = Annotated[int | None, typer.Option(help="The same seed, the same rules.", show_default="0")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Threads; -1 for all.")]
RequireProof = Annotated[
    bool, typer.Option("--require-proof", help="End with exit code 1 if the set is not proven optimal.")
]


def default_of_words(default: str) -> Default:
    """Return the treatment of rows that no rule covers, or refuse the option."""
    from laconic.model.proof import DEFAULTS
    from laconic.problem.objective import Default

    if default not in DEFAULTS:
        raise InputError(f"unknown default {default!r}; choose one of: {', '.join(DEFAULTS)}")
    return Default(default)


def column_types(pairs: Sequence[str]) -> dict[str, str]:
    """Read ``column=kind`` pairs; the column's name may hold ``=`` itself.

    >>> column_types(["zip=category", "a=b=numeric"])
    {'zip': 'category', 'a=b': 'numeric'}
    """
    found = {}
    for pair in pairs:
        column, equals, kind = pair.rpartition("=")
        if not equals or not column:
            raise InputError(f"--type {pair!r} should read column=kind, such as zip=category")
        found[column] = kind
    return found


def column_settings(
    file: Path | None, words: Sequence[str], kinds: Mapping[str, str]
) -> dict[str, ColumnSettings]:
    """Return what is known about columns: from a file, overridden by options."""
    from laconic.data.column_settings import settings_of, settings_of_words

    content = "columns with settings, such as [age] and cuts = [18, 65]"
    in_file = {} if file is None else settings_file(file, "columns file", content)
    said: dict[str, Any] = {name: {"kind": x} if isinstance(x, str) else x for name, x in in_file.items()}
    more = [*settings_of_words(words).items(), *((name, {"kind": kind}) for name, kind in kinds.items())]
    for name, one in more:
        if not isinstance(said.get(name, {}), dict):
            raise InputError(f"{file}: column {name!r} must hold settings, such as cuts = [18, 65]")
        said[name] = {**said.get(name, {}), **one}
    return settings_of(said)


def settings_file(
    path: Path, what: str, content: str = "names with values, such as max_rules = 3"
) -> dict[str, Any]:
    """Read a TOML or JSON file of names with values."""
    import tomllib

    from laconic.data.documents import file_text, parsed

    text = file_text(path, what, InputError)
    is_json = path.suffix.lower() == ".json"
    try:
        data = parsed(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # of the text, of a number too long, of depth
        raise InputError(f"{path} is not {'JSON' if is_json else 'TOML'}: {error}") from None
    if not isinstance(data, dict):
        raise InputError(f"{path} must hold {content}")
    return data


def engine_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs: true and false, numbers, and anything else as text.

    >>> engine_options(["solver=cadical195", "trim=3", "exhaust=true"])
    {'solver': 'cadical195', 'trim': 3, 'exhaust': True}
    """
    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise InputError(f"--engine-option {pair!r} should read name=value, such as solver=cadical195")
        found[name] = _value(value)
    return found


def _value(text: str) -> Any:
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
