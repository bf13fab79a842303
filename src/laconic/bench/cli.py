"""``laconic bench``: run plans, and make tables, figures and pages from their records.

Only typer is imported before a command runs, so that ``laconic --help`` is fast.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.bench.console import say
from laconic.bench.peers.cli import app as peers
from laconic.data.write import require_different, require_places, save
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.bench.plan import BenchTask
    from laconic.bench.records import Record
    from laconic.bench.run import Backend, RunSummary
    from laconic.bench.suites import SuiteSpec

app = typer.Typer(
    name="bench",
    help="Run the paper's experiments, or the same on your own tables, and show the results.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # rich doubles the time of --help
    pretty_exceptions_enable=False,
)

app.add_typer(peers)

Records = Annotated[list[Path], typer.Argument(help="Record files, .jsonl or .jsonl.gz.")]
Methods = Annotated[
    list[str] | None,
    typer.Option("--method", "-m", help="A method; repeat for more. See: laconic bench methods"),
]
TimeLimit = Annotated[float, typer.Option("--time-limit", help="Seconds per task, for the method alone.")]
CpuLimit = Annotated[
    float | None,
    typer.Option("--cpu-limit", help="Seconds of processor time per task, in all its processes and threads."),
]
Memory = Annotated[int, typer.Option("--memory", help="MB per task.")]
Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Tasks at a time on this machine.")]
Scheduler = Annotated[
    str | None, typer.Option("--scheduler", help="Run on the dask scheduler at this address instead.")
]
Retry = Annotated[
    list[str] | None,
    typer.Option(
        "--retry", help="Run again tasks that ended so: timeout, cpuout, memout, crash, error, missing-peer."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]

MAX_CAUSES = 10
"""Maximum number of causes of failed tasks that are printed after a run."""

_DIFFERENT = "not every method was run on every training set"


@app.command()
def run(
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            help="A method, or 'paper' for all of the paper's; repeat for more. See: laconic bench methods",
        ),
    ] = None,
    suite: Annotated[str, typer.Option(help="cp20, raw, csv or smoke.")] = "smoke",
    data: Annotated[Path | None, typer.Option(help="Directory of the tables, or one table.")] = None,
    target: Annotated[str | None, typer.Option(help="Label column; by default the last.")] = None,
    records: Annotated[Path, typer.Option("--records", "-o", help="File to append to.")] = Path(
        "records.jsonl"
    ),
    dataset: Annotated[list[str] | None, typer.Option(help="Only this table; repeat for more.")] = None,
    quantisation: Annotated[list[int] | None, typer.Option("--quantisation", "-q", help="Bins.")] = None,
    fold: Annotated[list[int] | None, typer.Option(help="Only this fold; repeat for more.")] = None,
    sample: Annotated[int | None, typer.Option(help="Number of training sets, of all sizes.")] = None,
    sample_seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    time_limit: TimeLimit = 60.0,
    cpu_limit: CpuLimit = None,
    memory: Memory = 4096,
    seed: Annotated[int, typer.Option(help="Seed for the methods.")] = 0,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    retry: Retry = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would run, and stop.")] = False,
) -> None:
    """Run methods on a suite; the same command again resumes the run."""
    from laconic.bench.methods import expanded
    from laconic.bench.methods.own import DEFAULT
    from laconic.bench.plan import SuitePart, make_plan
    from laconic.bench.suites import SuiteSpec

    own_bins = suite != "cp20" and bool(quantisation)
    spec = SuiteSpec(
        suite, None if data is None else str(data), target, tuple(quantisation or ()) if own_bins else None
    )
    choice = SuitePart(dataset, quantisation, fold, sample, sample_seed)
    opened = spec.open()
    names = expanded(methods or (DEFAULT, "exact"))
    tasks = make_plan(
        opened, names, choice=choice, limit_s=time_limit, memory_mb=memory, seed=seed, cpu_limit_s=cpu_limit
    )
    if dry_run:
        for task in tasks:
            say(f"{task.id}  {task.method}  {task.dataset}  q{task.quantisation}  fold {task.fold}")
        return
    done = _run(tasks, spec, records, jobs, scheduler, retry)
    say(f"{done.ran} tasks run, {done.kept} kept from before; records in {records}", err=True)
    _print_failures(records, tasks)
    if done.interrupted:
        typer.echo("interrupted; the same command resumes the run", err=True)
        raise typer.Exit(130)


@app.command()
def table(
    records: Records,
    methods: Methods = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV with all digits.")] = False,
    as_json: Json = False,
    same_sets: Annotated[
        bool, typer.Option("--same-sets", help="Only the training sets that every method was run on.")
    ] = False,
) -> None:
    """Show solved counts, sizes and accuracies by method."""
    from laconic.bench import table as tables
    from laconic.bench.console import show
    from laconic.bench.records import read_records

    rows = tables.frame(read_records(records), methods)
    found = [tables.on_same_sets(rows)] if same_sets else tables.comparable_groups(rows)
    if as_csv or as_json:
        result = tables.summary(found[0].table if same_sets else rows)
        if len(found) > 1:
            typer.echo(f"{_DIFFERENT}; give --same-sets for numbers that can be compared", err=True)
        typer.echo(result.to_csv() if as_csv else result.to_json(orient="index", indent=2) + "\n", nl=False)
        return
    if len(found) > 1:
        typer.echo(f"{_DIFFERENT}: numbers of one table may be compared, numbers of different ones may not\n")
    for part in found:
        cells = tables.as_text(tables.summary(part.table))
        n_common = tables.n_common(part.table)
        heading = f"On {part.name}, {n_common} of them solved by every method:"
        if markdown:
            say(f"{heading}\n\n{tables.to_markdown(cells)}")
        else:
            say(heading)
            show(cells)


@app.command()
def figures(
    records: Records,
    out: Annotated[Path, typer.Option("--out", "-o", help="Directory to write to.")] = Path("figures"),
    methods: Methods = None,
    ours: Annotated[
        str | None, typer.Option(help="Method of the scatter plots; by default Laconic's default.")
    ] = None,
    rival: Annotated[
        list[str] | None, typer.Option(help="Methods to compare with; by default all heuristics and trees.")
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the page.")] = "Decision sets compared",
) -> None:
    """Draw times, sizes and accuracies as PNG and SVG, and one HTML page that shows all of them."""
    from laconic.bench import figures as drawing
    from laconic.bench import page
    from laconic.bench.records import read_records
    from laconic.bench.table import frame

    found = read_records(records)
    rows = frame(found, methods)
    shown = {str(name) for name in rows["method"].cat.categories}
    found = [record for record in found if record.task.method in shown]
    drawings = drawing.draw(rows, ours=ours, rivals=rival)
    for path in drawing.save(drawings, out):
        say(str(path))
    index = out / "index.html"
    save(index, page.render(rows, found, drawings, title).encode())
    say(str(index))


@app.command()
def compare(
    data: Annotated[Path, typer.Argument(help="Your table, CSV or Parquet.")],
    target: Annotated[str | None, typer.Option(help="Label column; by default the last.")] = None,
    methods: Methods = None,
    bins: Annotated[int, typer.Option(help="Bins per numeric column.")] = 6,
    plot: Annotated[Path | None, typer.Option(help="Write the plot here, .png, .svg or .pdf.")] = None,
    records: Annotated[Path | None, typer.Option("--records", help="Keep the records here.")] = None,
    time_limit: TimeLimit = 60.0,
    cpu_limit: CpuLimit = None,
    memory: Memory = 4096,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    retry: Retry = None,
    as_json: Json = False,
) -> None:
    """Cross-validate Laconic and its rivals on your table: size, accuracy, time."""
    import tempfile

    from laconic.bench import compare as comparing
    from laconic.bench.console import show
    from laconic.bench.plan import make_plan
    from laconic.bench.records import read_records
    from laconic.bench.suites import SuiteSpec
    from laconic.bench.table import frame

    if plot is not None:
        _picture(plot)
        require_places({"--plot": plot}, [data])
    given = {"--plot": plot, "--records": records}
    require_different({option: place for option, place in given.items() if place is not None}, [data])
    if data.is_dir():
        raise InputError(
            f"{data} is a folder; give one table, or run: laconic bench run --suite csv --data {data}"
        )
    spec = SuiteSpec("csv", str(data), target, (bins,))
    suite = spec.open()
    suite.load(suite.datasets[0], bins, 1)  # refuses an unusable table before anything runs
    # By default, methods that cannot run here are left out; the nodes of a cluster may have what is missing
    # here.
    absent = comparing.absent(comparing.COMPARED) if not methods and scheduler is None else {}
    names = methods or [name for name in comparing.COMPARED if name not in absent]
    for name, reason in absent.items():
        say(f"not compared: {name}: {reason}", err=True)
    tasks = make_plan(suite, names, limit_s=time_limit, memory_mb=memory, cpu_limit_s=cpu_limit)
    with tempfile.TemporaryDirectory(prefix="laconic-compare-") as scratch:
        file = records or Path(scratch, "records.jsonl")
        done = _run(tasks, spec, file, jobs, scheduler, retry)
        wanted = {task.id for task in tasks}
        found = [record for record in read_records([file]) if record.task.id in wanted]
    if done.interrupted:
        typer.echo("interrupted; what follows is what was finished", err=True)
    result = comparing.comparison(
        frame(found, [name for name in names if any(record.task.method == name for record in found)])
    )
    if as_json:
        typer.echo(result.to_json(orient="index", indent=2))
    else:
        show(comparing.as_text(result))
        for name, message in _failure_messages(found).items():
            say(f"{name}: {message}", err=True)
    if plot is not None:
        drawn = io.BytesIO()
        comparing.drawing(result, data.name).figure.savefig(drawn, format=_picture(plot), dpi=160)
        save(plot, drawn.getvalue())
        say(f"plot in {plot}", err=True)
    if done.interrupted:
        raise typer.Exit(130)


@app.command(name="methods")
def list_methods(as_json: Json = False) -> None:
    """List the methods, with the reason if one cannot run here."""
    from laconic.bench import methods as known
    from laconic.bench.console import show

    lines = [(name, line, known.missing(name)) for name, line in known.METHODS.items()]
    if as_json:
        typer.echo(
            json.dumps(
                {
                    name: {
                        "label": line.label,
                        "family": line.family,
                        "summary": line.summary,
                        "missing": missing,
                    }
                    for name, line, missing in lines
                },
                ensure_ascii=False,
                indent=2,
            )
        )
        return
    body = [
        [name, line.label, line.family, line.summary, missing or "ready"] for name, line, missing in lines
    ]
    show([["name", "label", "family", "what", "here"], *body], numbers=False)


def _run(
    tasks: list[BenchTask],
    spec: SuiteSpec,
    records: Path,
    jobs: int,
    scheduler: str | None,
    retry: list[str] | None,
) -> RunSummary:
    from laconic.bench.progress import reporter
    from laconic.bench.records import Exit
    from laconic.bench.run import on_this_machine, run_plan

    if jobs < 1:
        raise InputError(f"--jobs must be at least 1, not {jobs}")
    known = [one.value for one in Exit]
    for one in retry or ():
        if one not in known:
            raise InputError(f"--retry does not know {one!r}; choose among: {', '.join(known)}")
    if scheduler is None:
        spec = spec.located()
        backend: Backend = on_this_machine(jobs)
        progress = reporter(lambda: jobs)
    else:
        from laconic.bench.cluster import Cluster

        spec = spec.located() if spec.root is not None else spec  # else each node locates the data
        backend = cluster = Cluster(scheduler)
        progress = reporter(cluster.n_workers)
    retried = [Exit(one) for one in retry or ()]
    return run_plan(tasks, spec, records, backend=backend, retry=retried, reporter=progress)


def _print_failures(records: Path, tasks: list[BenchTask]) -> None:
    """Print the failures of a run, since a progress bar shows no messages."""
    from laconic.bench.progress import failures
    from laconic.bench.records import read_records

    wanted = {task.id for task in tasks}
    failed = failures([record for record in read_records([records]) if record.task.id in wanted])
    by_cause: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for method, exit_, message, count in failed:
        by_cause.setdefault((exit_, message), []).append((method, count))
    for (exit_, message), methods in list(by_cause.items())[:MAX_CAUSES]:
        n_tasks = sum(count for _, count in methods)
        names = ", ".join(method for method, _ in methods)
        say(f"{n_tasks} of {names} ended with {exit_}: {message}", err=True)
    if len(by_cause) > MAX_CAUSES:
        typer.echo(f"and {len(by_cause) - MAX_CAUSES} other causes; see: laconic bench figures", err=True)


def _picture(plot: Path) -> str:
    """Return the format of a plot: PNG if the name has no ending."""
    ending = plot.suffix.lower()
    if ending not in ("", ".png", ".svg", ".pdf"):
        raise InputError(f"--plot {plot} should end with one of: .png, .svg, .pdf")
    return ending.removeprefix(".") or "png"


def _failure_messages(found: list[Record]) -> dict[str, str]:
    """Return one message per method that failed."""
    from laconic.bench.progress import first_line

    return {record.task.method: first_line(record.message) for record in found if record.message}
