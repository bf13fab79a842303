"""``laconic studio``: a page on this machine, to argue with a decision set at a proven price."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import exits, output
from laconic.runtime.errors import InputError


def studio(
    data: Annotated[
        Path | None, typer.Argument(metavar="[DATA]", help="A CSV or Parquet file; the page can open others.")
    ] = None,
    replay: Annotated[
        Path | None,
        typer.Option(metavar="SESSION", help="Repeat a session without the page, and compare every step."),
    ] = None,
    example: Annotated[
        str | None, typer.Option(metavar="NAME", help="A table that scikit-learn ships, such as iris.")
    ] = None,
    port: Annotated[int, typer.Option(help="Where to listen, on this machine only; 0 for any.")] = 0,
    folder: Annotated[Path, typer.Option(help="Keeps uploaded files, and the sessions of examples.")] = Path(
        "laconic-studio"
    ),
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="MODEL", help="With --replay: save the last step's model."),
    ] = None,
) -> None:
    """Open the studio: change a rule, and see what your opinion costs, proven.

    The page is served to this machine alone. Every step is saved beside the data at once. Ctrl-C ends it.
    """
    if data is not None and example is not None:
        raise InputError("DATA and --example both name a table; leave one of them out")
    if not 0 <= port < 2**16:
        raise InputError(f"--port must be a number from 0 to 65535, not {port}")
    if replay is not None:
        _replay(replay, data, example, out)
        return
    if out is not None:
        raise InputError("--output belongs to --replay; the page saves models by itself")
    try:
        from laconic.studio.serve import served
    except ImportError:
        raise InputError("the studio needs more packages: pip install 'laconic-rules[studio]'") from None
    from laconic.studio.desk import Desk

    desk = Desk(folder)
    table = None
    if data is not None:
        table = desk.open_path(str(data))
    elif example is not None:
        table = desk.open_example(example)
    server = served(desk, port)
    address = server.address + ("" if table is None else f"#table={table}")
    output.remark(f"the studio is at {address}")
    output.remark("Ctrl-C ends it; every step is saved")
    if browser:
        import webbrowser

        webbrowser.open(address)
    server.run()


def _replay(path: Path, data: Path | None, example: str | None, out: Path | None) -> None:
    """Repeat a session and say for each step whether it came out the same."""
    import tempfile
    from dataclasses import replace

    from laconic.studio.history import document
    from laconic.studio.leave import replay
    from laconic.studio.opened import EXAMPLES, open_example, open_file
    from laconic.studio.session import Session

    saved = document(path)
    name, digest = saved["table"]["name"], saved["table"]["digest"]
    if example is None and data is None and name in EXAMPLES:
        example = name
    beside = path.with_name(path.name.removesuffix(".studio.json"))
    if example is not None:
        opened = open_example(example, Path(tempfile.gettempdir()))
    else:
        opened = open_file(data if data is not None else beside)
    opened = replace(opened, place=None)
    if opened.digest != digest:
        raise InputError(f"{path} is about another table, or {name} has changed since; name the right file")
    session = Session(opened)
    same, last = True, None
    for step, found in replay(session, saved, opened.columns):
        last = step.number
        before = saved["steps"][last].get("result") or {}
        answer = found.get("answer")
        now = f"refused: {found['error']}" if answer is None else f"cost {answer['exactCost']}"
        agrees = answer is None or "exactCost" not in before or before["exactCost"] == answer["exactCost"]
        same = same and agrees
        proof = "" if answer is None else ", proven" if answer["proved"] else ", not proven"
        differs = "" if agrees else f" (the session says {before['exactCost']})"
        output.write(f"step {last}: {now}{proof}{differs}\n")
    if last is not None and out is not None:
        output.save(out, session.model(last).to_json().encode())
    if last is not None:
        output.write(f"{session.model(last)}\n")
    session.close()
    if not same:
        raise typer.Exit(exits.FAILED)
