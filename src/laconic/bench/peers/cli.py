"""``laconic bench peers``: list the peers that are installed, and install others."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from laconic.bench.console import say

app = typer.Typer(
    name="peers",
    help="List the rival packages, or install them, each in an environment of its own.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def peers(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False
) -> None:
    """List the rival packages, and how to install the missing ones."""
    if context.invoked_subcommand is not None:
        return
    from laconic.bench.console import show
    from laconic.bench.peers.catalogue import PEERS
    from laconic.bench.peers.environments import directory, missing

    states = {name: missing(peer) for name, peer in PEERS.items()}
    if as_json:
        listed = {
            name: {"summary": peer.summary, "packages": peer.packages, "missing": states[name]}
            for name, peer in PEERS.items()
        }
        typer.echo(json.dumps({"directory": str(directory()), "peers": listed}, indent=2))
        return
    rows = [[name, peer.summary, states[name] or "installed"] for name, peer in PEERS.items()]
    show([["name", "what", "here"], *rows], numbers=False)
    say(f"in {directory()} (set LACONIC_PEERS to keep them elsewhere)", err=True)


@app.command()
def install(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Peers to install, or: all")],
    again: Annotated[bool, typer.Option("--again", help="Reinstall those that are installed.")] = False,
) -> None:
    """Install rival packages; a failure does not prevent the installation of the others."""
    from laconic.bench.peers.catalogue import PEERS, peer
    from laconic.bench.peers.environments import InstallationError, missing
    from laconic.bench.peers.environments import install as make

    wanted = list(PEERS.values()) if names == ["all"] else [peer(name) for name in dict.fromkeys(names)]
    failed = []
    for one in wanted:
        if missing(one) is None and not again:
            typer.echo(f"{one.name}: installed already")
            continue
        try:
            make(one, lambda text: say(text, err=True))
        except InstallationError as error:
            failed.append(one.name)
            say(str(error), err=True)
        else:
            typer.echo(f"{one.name}: installed")
    if failed:
        typer.echo(f"missing: {', '.join(failed)}", err=True)
        raise typer.Exit(1)
