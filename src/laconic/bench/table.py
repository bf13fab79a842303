"""Tables from records alone: what was solved, how large the rules are, and how accurate.

"Solved" means that the method finished within its limit, with a proof if it is a method that proves. A method
that stops itself in time with its best answer counts as timed out, but as answered. As in the paper, accuracy
"on all" counts an unsolved training set as 0, and accuracy "on common" is the mean over the training sets
that every method in the table solved.

Methods may have been run on different training sets: a slow one on a sample, a fast one on all. Their numbers
may be compared only on sets that both were run on, see `comparable_groups`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from laconic.bench import methods
from laconic.bench.records import Exit, Record
from laconic.runtime.errors import InputError

INSTANCE = ["suite", "dataset", "quantisation", "fold"]

COLUMNS = {
    "tasks": "training sets",
    "solved": "solved",
    "answered": "answered",
    "timeouts": "time-outs",
    "cpuouts": "CPU-outs",
    "memouts": "memory-outs",
    "failed": "failed",
    "median_s": "median s",
    "mean_size": "mean size",
    "median_size": "median size",
    "mean_rules": "mean rules",
    "strict_all": "strict acc. on all %",
    "strict_solved": "strict acc. on solved %",
    "strict_common": "strict acc. on common %",
    "plain_solved": "plain acc. on solved %",
    "plain_common": "plain acc. on common %",
    "described": "classes described %",
}
"""Columns of a summary and their headings."""


def frame(records: Iterable[Record], names: Sequence[str] | None = None) -> pd.DataFrame:
    """Return one row per method and training set.

    Parameters
    ----------
    records : iterable of Record
        The records. If a method has several records on one training set, with different limits or seeds, the
        one with the highest limits counts, and of these the one written last. The columns ``limit_s`` and
        ``time_s`` are processor time if its limit is the lower one, and wall time otherwise.
    names : sequence of str, optional
        Methods to keep, in this order; by default all, in the order of the registry.
    """
    names = list(dict.fromkeys(names or ()))
    rows = [_row(record) for record in records]
    if not rows:
        raise InputError("there are no records; create some with: laconic bench run")
    table = pd.DataFrame(rows)
    present = set(table["method"])
    for name in names:
        if name not in present:
            known = ", ".join(sorted(present))
            raise InputError(f"the records contain no task of method {name!r}; they contain:  {known}")
    rank = {name: i for i, name in enumerate(methods.METHODS)}
    wanted = list(names or sorted(present, key=lambda name: (rank.get(name, len(rank)), name)))
    table = table[table["method"].isin(wanted)]
    table = table.sort_values(["limit_s", "memory_mb"], kind="stable")
    table = table.drop_duplicates([*INSTANCE, "method"], keep="last")
    table["method"] = pd.Categorical(table["method"], categories=wanted, ordered=True)
    return table.sort_values([*INSTANCE, "method"]).reset_index(drop=True)


def _row(record: Record) -> dict[str, Any]:
    task, score = record.task, record.score
    by_cpu = task.cpu_limit_s is not None and task.cpu_limit_s < task.limit_s
    row: dict[str, Any] = {
        "suite": task.suite,
        "dataset": task.dataset,
        "quantisation": task.quantisation,
        "fold": task.fold,
        "method": task.method,
        "limit_s": task.cpu_limit_s if by_cpu else task.limit_s,
        "by_cpu": by_cpu,
        "memory_mb": task.memory_mb,
        "exit": record.exit.value,
        "solved": record.solved,
        "answered": score is not None,
        "time_s": record.cpu_s if by_cpu else record.wall_s,
        "wall_s": record.wall_s,
        "cpu_s": record.cpu_s,
        "peak_mb": record.peak_mb,
    }
    if score is not None:
        test, train = score["test"], score["train"]
        row |= {
            "size": score["size"],
            "n_rules": score["n_rules"],
            "described": score["classes_described"] / score["n_classes"],
            "all_described": score["classes_described"] == score["n_classes"],
            "n_described": score["classes_described"],
            "n_features": score.get("n_features"),
            "rows": test["rows"] + train["rows"],
            "train_share": train["rows"] / (test["rows"] + train["rows"]),
            "strict": 1 - test["strict_errors"] / test["rows"],
            "plain": 1 - test["plain_errors"] / test["rows"],
            "strict_train": 1 - train["strict_errors"] / train["rows"],
            "plain_train": 1 - train["plain_errors"] / train["rows"],
        }
    return row


@dataclass(frozen=True, slots=True)
class ComparableGroup:
    """Methods and training sets such that each of the methods was run on each of the sets.

    Attributes
    ----------
    table : DataFrame
        The rows of these methods and training sets.
    name : str
        Name of the training sets in tables and captions.
    key : str
        Name of the group in file names; empty for the group of all methods.
    comparable : bool
        False for a group of methods that were run on different sets.
    """

    table: pd.DataFrame
    name: str
    key: str = ""
    comparable: bool = True


def comparable_groups(table: pd.DataFrame) -> list[ComparableGroup]:
    """Partition the methods into comparable groups: one group if all were run on the same training sets.

    Otherwise there is a group of all methods on the sets that they share, and a group of those methods that
    were run on all sets. If both are empty, the one group contains everything, and its name is a warning.
    """
    n_sets = len(table.drop_duplicates(INSTANCE))
    n_run = table.groupby("method", observed=True)["fold"].transform("size")
    whole = table[n_run == n_sets]
    n_methods = table.groupby(INSTANCE, observed=True)["method"].transform("nunique")
    shared = table[n_methods == table["method"].nunique()]
    everything = f"all {n_sets} training sets"
    if len(whole) == len(table):
        return [ComparableGroup(table, everything)]
    found = []
    if len(shared):
        n_shared = len(shared.drop_duplicates(INSTANCE))
        found.append(ComparableGroup(_used(shared), f"the same {n_shared} training sets"))
    if len(whole):
        found.append(ComparableGroup(_used(whole), everything, "whole"))
    warning = "each method's own training sets, which differ and must not be compared"
    return found or [ComparableGroup(table, warning, comparable=False)]


def on_same_sets(table: pd.DataFrame) -> ComparableGroup:
    """Return all methods on the training sets on which every one of them was run."""
    part = comparable_groups(table)[0]
    if part.key or not part.comparable:
        raise InputError("no training set was run by every method; choose methods with --method")
    return part


def _used(table: pd.DataFrame) -> pd.DataFrame:
    """Drop the methods without a row."""
    return table.assign(method=table["method"].cat.remove_unused_categories())


def common(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the training sets that every method solved."""
    n_methods = table["method"].nunique()
    solved = table[table["solved"]]
    counts = solved.groupby(INSTANCE, observed=True)["method"].transform("nunique")
    return solved[counts == n_methods]


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row per method with the columns `COLUMNS`; accuracies in per cent."""
    shared = common(table)
    rows = {}
    for method, part in table.groupby("method", observed=True):
        solved = part[part["solved"]]
        mine = shared[shared["method"] == method]
        rows[method] = {
            "tasks": len(part),
            "solved": len(solved),
            "answered": int(part["answered"].sum()),
            "timeouts": int(
                (part["exit"] == Exit.TIMEOUT.value).sum() + (part["answered"] & ~part["solved"]).sum()
            ),
            "cpuouts": int((part["exit"] == Exit.CPUOUT.value).sum()),
            "memouts": int((part["exit"] == Exit.MEMOUT.value).sum()),
            "failed": int(part["exit"].isin([Exit.CRASH.value, Exit.ERROR.value, Exit.MISSING.value]).sum()),
            "median_s": solved["time_s"].median(),
            "mean_size": _column(solved, "size").mean(),
            "median_size": _column(solved, "size").median(),
            "mean_rules": _column(solved, "n_rules").mean(),
            "strict_all": 100 * _column(solved, "strict").sum() / len(part),
            "strict_solved": 100 * _column(solved, "strict").mean(),
            "strict_common": 100 * _column(mine, "strict").mean(),
            "plain_solved": 100 * _column(solved, "plain").mean(),
            "plain_common": 100 * _column(mine, "plain").mean(),
            "described": 100 * _column(solved, "described").mean(),
        }
    result = pd.DataFrame.from_dict(rows, orient="index", columns=list(COLUMNS))
    result.index.name = "method"
    return result


def n_common(table: pd.DataFrame) -> int:
    """Return the number of training sets that every method solved."""
    return len(common(table).drop_duplicates(INSTANCE))


def _column(table: pd.DataFrame, name: str) -> pd.Series[float]:
    """Return a column, which is empty if no record has an answer."""
    return pd.Series(table[name].to_numpy(dtype=float) if name in table else [], dtype=float)


def as_text(result: pd.DataFrame) -> list[list[str]]:
    """Return a summary as cells of text, with the heading first; a missing number is a dash."""
    names = methods.labels(map(str, result.index))
    # Few runs limit the processor time, so the column is often empty.
    shown = [name for name in COLUMNS if name != "cpuouts" or result[name].any()]
    heading = ["method", *(COLUMNS[name] for name in shown)]
    body = []
    for method, row in result.iterrows():
        cells = [_cell(name, row[name]) for name in shown]
        body.append([names[str(method)], *cells])
    return [heading, *body]


def to_markdown(cells: list[list[str]], *, numbers: bool = True) -> str:
    """Return cells of text as a Markdown table; numbers are right-aligned."""
    heading, *body = cells
    rule = ["---", *["---:" if numbers else "---"] * (len(heading) - 1)]
    return "\n".join("| " + " | ".join(row) + " |" for row in [heading, rule, *body]) + "\n"


def _cell(name: str, value: float) -> str:
    if math.isnan(value):
        return "–"
    if name in {"tasks", "solved", "answered", "timeouts", "cpuouts", "memouts", "failed"}:
        return f"{value:.0f}"
    return f"{value:.3g}" if name == "median_s" else f"{value:.2f}"
