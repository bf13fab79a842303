"""A hundred million rows within 4 GiB: generate, fit, and compare with an in-memory fit of a part.

    python -m benchmarks.big_data --rows 100000000 --place build/big-data

`laconic fit` runs as its own process, so that the system reports its processor time and its peak memory. Each
step is a line of ``benchmarks/results/big_data.csv``. Wall time depends on the load of the machine, processor
time less so.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.support import big_table
from benchmarks.support.study import FOLDER, write

FIELDS = ["step", "rows", "columns", "megabytes", "memory_limit", "threads", "seconds", "processor_seconds"]
FIELDS += ["peak_mib", "unique_rows", "conditions", "size", "cost", "optimal", "same_model"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--part", type=int, default=1_000_000, help="rows of the comparison with memory")
    parser.add_argument("--place", type=Path, default=Path("build/big-data"))
    parser.add_argument("--memory-limit", default="4GiB")
    parser.add_argument("--lambda", dest="price", default="0.03")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--time-limit", type=int, default=1800)
    parser.add_argument("--generate-only", action="store_true")
    parser.add_argument("--results", type=Path, default=FOLDER / "big_data.csv")
    arguments = parser.parse_args()

    start = time.monotonic()
    # In a process of its own, because the peak memory of a child is at least that of its parent at the start.
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        files, work = pool.submit(
            prepare, arguments.place, arguments.rows, arguments.part, arguments.threads
        ).result()
    lines = [
        {
            "step": "generate (what was not there)",
            "rows": arguments.rows,
            "columns": big_table.N_COLUMNS,
            "megabytes": round(sum(file.stat().st_size for file in files) / 1e6),
            "threads": arguments.threads,
            "seconds": round(time.monotonic() - start, 1),
            "processor_seconds": round(work, 1),
        }
    ]
    if arguments.generate_only:
        return
    part = arguments.place / "part.parquet"
    memory, memory_model = fit(part, "no", arguments)
    outside, outside_model = fit(part, "yes", arguments)
    same = memory_model == outside_model
    lines += [
        memory | {"step": "part, in memory"},
        outside | {"step": "part, out of core", "same_model": same},
    ]
    whole, _ = fit(arguments.place / "loans-*.parquet", "yes", arguments)
    lines.append(whole | {"step": "all rows, out of core"})
    for line in lines:
        print(json.dumps(line))
    write(arguments.results, FIELDS, lines)
    sys.exit(not same)


def prepare(place: Path, rows: int, part: int, threads: int) -> tuple[list[Path], float]:
    """Write the missing files and a part of the rows; return the files and the processor time."""
    import duckdb

    work = time.process_time()
    files = big_table.write(place, rows, threads=threads)
    work = time.process_time() - work
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT * FROM '{files[0]}' LIMIT {part}) TO '{place / 'part.parquet'}' (FORMAT parquet)"
        ).fetchall()
    return files, work


def fit(data: Path, mode: str, arguments: argparse.Namespace) -> tuple[dict[str, object], bytes]:
    """Run `laconic fit`; return its measurements and the model file."""
    model = arguments.place / "model.json"
    command = [sys.executable, "-m", "laconic", "fit", str(data), "--target", "class", "--json"]
    command += ["--lambda", arguments.price, "--out-of-core", mode, "--jobs", str(arguments.threads)]
    command += ["--time-limit", str(arguments.time_limit), "--output", str(model)]
    if mode == "yes":
        command += ["--memory-limit", arguments.memory_limit]
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(arguments.place)}
    )
    assert process.stdout is not None
    answer = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"laconic fit ended with {process.returncode}")
    found = json.loads(answer)
    return {
        "rows": found["n_samples"],
        "columns": big_table.N_COLUMNS,
        "memory_limit": arguments.memory_limit if mode == "yes" else "",
        "threads": arguments.threads,
        "seconds": round(time.monotonic() - start, 1),
        "processor_seconds": round(used.ru_utime + used.ru_stime, 1),
        "peak_mib": round(used.ru_maxrss / 1024),
        "unique_rows": found["n_distinct_rows"],
        "conditions": found["n_conditions"],
        "size": found["size"],
        "cost": found["cost"],
        "optimal": found["optimal"],
    }, model.read_bytes()


if __name__ == "__main__":
    main()
