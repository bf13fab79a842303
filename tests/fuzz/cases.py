"""One random trial: broken files and a command line that reads them. The same number, the same trial."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.fuzz import mutate
from tests.fuzz.seeds import FIT, Seeds

GOOD = {
    "table.csv": "csv",
    "model.json": "model",
    "hard.json": "hard_model",
    "proof.cert": "certificate",
    "hard.cert": "hard_certificate",
    "rows.npz": "rows",
}
"""The valid files that stand beside the broken one."""

TABLES = ("bad.csv", "bad.csv.gz", "bad.parquet")


@dataclass(frozen=True)
class Case:
    """A broken file, and what is asked about it."""

    number: int
    name: str
    content: bytes
    arguments: tuple[str, ...]

    def write(self, place: Path) -> None:
        """Put the broken file in a directory, and take away what the trial before has left."""
        for old in [*place.glob("bad.*"), *place.glob("out.*")]:
            old.unlink()
        (place / self.name).write_bytes(self.content)


def write_good(seeds: Seeds, place: Path) -> None:
    """Put the valid files in a directory."""
    for name, field in GOOD.items():
        (place / name).write_bytes(getattr(seeds, field))


def case(number: int, seeds: Seeds) -> Case:
    """Return the trial of this number."""
    rng = random.Random(number)
    kind = KINDS[number % len(KINDS)]
    name, content, commands = kind(rng, seeds)
    return Case(number, name, content, tuple(rng.choice(commands)))


_OTHER_COLUMN = '"missing", "column": "x", "missing": false'


def found_by_hand(seeds: Seeds) -> list[Case]:
    """Return the files that people, not the fuzzer, have found to break a promise, each with its command."""
    endless, digits = '"1e999999999"', "9" * 400
    files: list[tuple[str, bytes, list[str]]] = []
    for data in (
        _with(seeds.model, rb'"weight_scale": "\d+"', f'"weight_scale": {endless}'),
        _with(seeds.model, rb'"value": [-0-9.]+', f'"value": {digits}'),
        _with(seeds.model, rb'"regularization": [0-9.]+', f'"regularization": {digits}'),
        _with(seeds.model, rb'"weight_unit": 1', f'"weight_unit": {"9" * 5000}'),
        _with(seeds.model, rb'"max_errors": null', f'"max_errors": {digits}'),
        _with(seeds.model, rb'"size_budget": null', f'"size_budget": {digits}'),
        _with(seeds.model, rb'"max_errors": null', '"max_errors": 1e999'),
        _with(seeds.model, rb'"named": true', '"named": false, "named": true'),
    ):
        files += [("bad.json", data, [command, "bad.json"]) for command in ("show",)]
        files += [("bad.json", data, [command, "bad.json", "table.csv"]) for command in ("predict", "verify")]
    for data in (
        _with(seeds.certificate, rb'"cost":', '"cost":1,"cost":'),
        _with(seeds.certificate, rb'"cost":[0-9]+', f'"cost":{digits}'),
        _with(seeds.certificate, rb'"regularization":\[[0-9]+', f'"regularization":[{digits}'),
    ):
        files.append(("bad.cert", data, ["verify", "--certificate", "bad.cert", "table.csv"]))
    for scale in ('["1e999999999"]', f"[{digits}, 1]", '["1/3", "5"]'):
        meaning = _with(_meaning(seeds.rows), rb'"scale": \[1, 1\]', f'"scale": {scale}')
        command = ["update", "model.json", "bad.npz", "table.csv", "--time-limit", "5"]
        files.append(("bad.npz", _rows_that_mean(seeds.rows, meaning), command))
    elsewhere = _with(_meaning(seeds.rows), rb'"missing", "column": "age", "missing": false', _OTHER_COLUMN)
    command = ["update", "model.json", "bad.npz", "table.csv", "--time-limit", "5"]
    files.append(("bad.npz", _rows_that_mean(seeds.rows, elsewhere), command))
    files.append(("bad.npz", _rows_that_claim(seeds.rows, "weights", (10**12,)), command))
    fit = ["fit", "table.csv", "-t", "class", "--constraints"]
    for name, text in (
        ("bad.toml", f"min_precision = {digits}"),
        ("bad.toml", f"max_rules = {digits}"),
        ("bad.toml", f"[literal_costs]\nage = {digits}"),
        ("bad.toml", "min_precision = 1e999"),
        ("bad.json", f'{{"min_support": {digits}}}'),
        ("bad.json", '{"max_rules": 1, "max_rules": 9}'),
    ):
        files.append((name, text.encode(), [*fit, name]))
    return [Case(-k, name, data, tuple(line)) for k, (name, data, line) in enumerate(files, 1)]


def _with(data: bytes, old: bytes, new: str) -> bytes:
    changed, n = re.subn(old, lambda _: new.encode(), data, count=1)
    assert n == 1, f"{old!r} is not in the file"
    return changed


def _meaning(rows: bytes) -> bytes:
    with np.load(io.BytesIO(rows)) as arrays:
        return arrays["meaning"].tobytes()


def _rows_that_mean(rows: bytes, meaning: bytes) -> bytes:
    out = io.BytesIO()
    with np.load(io.BytesIO(rows)) as arrays:
        np.savez_compressed(out, **{**arrays, "meaning": np.frombuffer(meaning, np.uint8)})
    return out.getvalue()


def _rows_that_claim(rows: bytes, name: str, shape: tuple[int, ...]) -> bytes:
    """Return training rows with an array whose head claims a shape that its numbers do not fill."""
    head, out = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<i8", "fortran_order": False, "shape": shape})
    with zipfile.ZipFile(io.BytesIO(rows)) as old, zipfile.ZipFile(out, "w") as new:
        for one in old.namelist():
            new.writestr(one, head.getvalue() if one == f"{name}.npy" else old.read(one))
    return out.getvalue()


def _table_commands(rng: random.Random, name: str) -> list[list[str]]:
    target = rng.choice(
        [
            ["-t", "class"],
            ["-t", "class"],
            ["-t", "class"],
            [],
            ["-t", "job"],
            ["-t", rng.choice(mutate.HOSTILE)],
        ]
    )
    options = rng.choice(
        [
            [],
            [],
            ["--objective", "perfect"],
            ["--objective", "min_rules", "--engine", "minrules"],
            ["--counting", "per_row"],
            ["--every-class"],
            ["--certificate", "out.cert"],
            ["--engine", "maxsat", "--lambda", "0.2"],
            ["--thresholds", "entropy"],
            ["--thresholds", "midpoints"],
            ["--thresholds", "paper"],
            ["--weight-column", "income"],
            ["--type", "age=category"],
            ["--decimal", ","],
            ["--missing", "clerk"],
            ["--drop", "job"],
            ["--encoding", rng.choice(mutate.ENCODINGS)],
            ["--delimiter", rng.choice([";", "\t", "|", "a", '"', "\\", "é", "\n"])],
            ["--save-rows", "out.npz"],
            ["--report", "out.html"],
            ["--json"],
        ]
    )
    fit = ["fit", name, *target, *FIT, "-o", "out.json", *options]
    return [
        fit,
        fit,
        fit,
        ["fit", name, *target, *FIT, "--out-of-core", "yes"],
        ["predict", "model.json", name, "--probabilities"],
        [
            "predict",
            "hard.json",
            name,
            "--with-data",
            "-o",
            rng.choice(["out.csv", "out.parquet", "out.json"]),
        ],
        ["explain", "hard.json", name, *rng.choice([[], ["--json"], ["--row", "0"]])],
        ["report", "model.json", name, "-o", "out.html", "--trade-off-time", "0"],
        ["verify", "model.json", name],
        ["verify", "--certificate", "hard.cert", name, "--time-limit", "5"],
        ["update", "model.json", "rows.npz", name, "-o", "out.json", "--time-limit", "5"],
    ]


def _csv(rng: random.Random, seeds: Seeds) -> tuple[str, bytes, list[list[str]]]:
    broken = mutate.broken_csv if rng.random() < 0.7 else mutate.broken_bytes
    return "bad.csv", broken(rng, seeds.csv), _table_commands(rng, "bad.csv")


def _gzip(rng: random.Random, seeds: Seeds) -> tuple[str, bytes, list[list[str]]]:
    return "bad.csv.gz", mutate.broken_gzip(rng, seeds.packed_csv), _table_commands(rng, "bad.csv.gz")


def _parquet(rng: random.Random, seeds: Seeds) -> tuple[str, bytes, list[list[str]]]:
    return "bad.parquet", mutate.broken_parquet(rng, seeds.parquet), _table_commands(rng, "bad.parquet")


def _model(rng: random.Random, seeds: Seeds) -> tuple[str, bytes, list[list[str]]]:
    data = mutate.broken_json(rng, rng.choice([seeds.model, seeds.hard_model]))
    commands = [
        ["show", "bad.json"],
        ["show", "bad.json", "--json"],
        ["predict", "bad.json", "table.csv"],
        ["predict", "bad.json", "table.csv", "--probabilities", "--json"],
        ["explain", "bad.json", "table.csv"],
        ["report", "bad.json", "table.csv", "-o", "out.html", "--trade-off-time", "0"],
        ["verify", "bad.json", "table.csv"],
        ["update", "bad.json", "rows.npz", "table.csv", "--time-limit", "5"],
        *(["export", "bad.json", "-o", f"out.{one}"] for one in ("sql", "py", "json", "onnx")),
        *(
            ["export", "bad.json", "--to", "sql", "--dialect", one, "--table", "t"]
            for one in ("duckdb", "sqlite")
        ),
    ]
    return "bad.json", data, commands


def _certificate(rng: random.Random, seeds: Seeds) -> tuple[str, bytes, list[list[str]]]:
    data = mutate.broken_json(rng, rng.choice([seeds.certificate, seeds.hard_certificate]))
    commands = [
        ["verify", "--certificate", "bad.cert", "table.csv", "--time-limit", "5"],
        ["verify", "--certificate", "bad.cert", "model.json", "table.csv", "--time-limit", "5", "--json"],
    ]
    return "bad.cert", data, commands


def _rows(rng: random.Random, seeds: Seeds) -> tuple[str, bytes, list[list[str]]]:
    command = ["update", rng.choice(["model.json", "hard.json"]), "bad.npz", "table.csv", "--time-limit", "5"]
    return "bad.npz", mutate.broken_rows(rng, seeds.rows), [command]


def _arrow(rng: random.Random, seeds: Seeds) -> tuple[str, bytes, list[list[str]]]:
    name = rng.choice(["bad.arrow", "bad.xlsx", "bad.json", "bad.csv.zip"])
    return name, mutate.broken_bytes(rng, seeds.parquet), _table_commands(rng, name)


KINDS: list[Callable[[random.Random, Seeds], tuple[str, bytes, list[list[str]]]]] = [
    _csv,
    _model,
    _csv,
    _certificate,
    _parquet,
    _model,
    _gzip,
    _rows,
    _csv,
    _arrow,
]
