"""``laconic engines``: the engines and the objectives they solve."""

from __future__ import annotations

from laconic.cli import output
from laconic.cli.options import Json


def engines(as_json: Json = False) -> None:
    """List the engines and the objectives each one solves."""
    from laconic.engines import registry
    from laconic.learning.learn import DEFAULT_ENGINE

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
