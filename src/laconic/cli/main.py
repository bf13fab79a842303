"""``laconic``: the entry point and its commands.

Nothing but typer is imported until a command runs, so that ``laconic --help`` stays quick; for the same
reason help is plain text, and the commands of ``laconic bench`` are loaded only when they are asked for.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from laconic import __version__
from laconic.cli import exits, signals
from laconic.cli.engines import engines
from laconic.cli.enumerate import enumerate_command
from laconic.cli.explain import explain
from laconic.cli.export import export
from laconic.cli.fit import fit
from laconic.cli.path import path
from laconic.cli.predict import predict
from laconic.cli.report import report
from laconic.cli.show import show
from laconic.cli.studio import studio
from laconic.cli.update import update
from laconic.cli.verify import verify

app = typer.Typer(
    name="laconic",
    help="The smallest decision set that explains your data, with a proof that it is the smallest.",
    epilog=exits.MEANING,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

for _command in (fit, update, path, predict, explain, show, report, export, verify, studio, engines):
    app.command()(_command)
app.command("enumerate")(enumerate_command)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"laconic {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _laconic(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(
    add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def bench(context: typer.Context) -> None:
    """Run the paper's experiments, or the like on your tables."""
    from laconic.bench.cli import app as commands

    code = commands(args=context.args or ["--help"], prog_name="laconic bench", standalone_mode=False)
    raise typer.Exit(code if isinstance(code, int) else exits.OK)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    return exits.run(app, arguments)


def main() -> None:
    """Run the command line of this process."""
    # Python has no stream for a descriptor that was closed (>&-); output to it is discarded.
    sys.stdout, sys.stderr = sys.stdout or io.StringIO(), sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show λ or a label gets an escape instead of a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    signals.end_like_ctrl_c()
    sys.exit(run())
