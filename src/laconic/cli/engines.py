"""``laconic engines``: the engines, what each one solves, and the options of the default engine."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli import output
from laconic.cli.options import Json

Options = Annotated[
    bool, typer.Option("--options", help="List the options of the exact engine instead, with their ranges.")
]


def engines(options: Options = False, as_json: Json = False) -> None:
    """List the engines and the objectives each one solves."""
    from laconic.engines import registry
    from laconic.learning.learn import DEFAULT_ENGINE

    if options:
        _list_options(as_json)
        return
    known = {name: registry.entry(name) for name in registry.available()}
    found = {
        name: {
            "summary": entry.summary,
            "objectives": sorted(kind.value for kind in entry.kinds),
            "countings": sorted(counting.value for counting in entry.countings),
            "default": name == DEFAULT_ENGINE,
        }
        for name, entry in known.items()
    }
    if as_json:
        output.write_json(found)
        return
    width = max(map(len, found))
    for name, facts in found.items():
        mark = " (default)" if facts["default"] else ""
        kinds = ", ".join(sorted(kind.value for kind in known[name].kinds))
        output.write(f"{name:<{width}}  {facts['summary']}{mark}\n{'':<{width}}  objectives: {kinds}\n")


def _list_options(as_json: bool) -> None:
    """List the options of the exact engine."""
    from laconic.engines import tuning

    known = tuning.options().values()
    if as_json:
        output.write_json(
            {
                one.name: {
                    "default": one.number(one.default),
                    "low": one.number(one.low),
                    "high": one.number(one.high),
                    "help": one.help,
                }
                for one in known
            }
        )
        return
    output.write("Options of engine exact: --engine-option NAME=VALUE, or engine_options in Python.\n")
    for one in known:
        output.write(f"{one.name}={one.text(one.default)}  ({one.range})\n    {one.help}\n")
