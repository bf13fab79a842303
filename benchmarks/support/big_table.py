"""A generated table of loans with 30 columns and any number of rows, written by DuckDB as Parquet files.

A row depends only on its number, so any part can be generated again. As in real tables, columns depend on
each other: some 500 kinds of customers each have their own income, age, region and so on, with some spread,
and a few columns are independent. Two rules determine the label, and 2 % of the labels are wrong.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

N_COLUMNS = 30
CHUNK = 5_000_000

U = "((hash(i * 64 + {k}) % 1000003) / 1000003.0)"
"""A pseudo-random number from 0 to 1, the {k}-th of row i, in SQL."""


def u(k: int) -> str:
    return U.format(k=k)


def by_kind(low: float, high: float, k: int, spread: float) -> str:
    """Return SQL for a number that depends on the kind of customer, with a relative spread."""
    base = f"({low} + {high - low} * ((hash(kind * 97 + {k}) % 1009) / 1009.0))"
    return f"{base} * (1 + {spread} * ({u(k)} - 0.5))"


def choice(k: int, *words: str) -> str:
    """Return SQL for a word that depends on the kind of customer."""
    listed = ", ".join(f"'{word}'" for word in words)
    return f"[{listed}][1 + (hash(kind * 89 + {k}) % {len(words)})::INT]"


MONEY = ["income", "balance", "limit_used", "rent", "savings", "debt", "premium", "salary"]
COUNTS = ["age", "children", "accounts", "loans", "visits", "years_employed", "years_here"]


def columns() -> dict[str, str]:
    found = {}
    # Amounts of money have as many different values as rows, and no two kinds of customers are equal.
    for k, name in enumerate(MONEY):
        found[name] = f"round({by_kind(500, 90_000, k, 0.01)}, 2)"
    for k, name in enumerate(COUNTS):
        found[name] = f"floor({by_kind(1, 90, 20 + k, 0.0)})::INTEGER"
    found["arrears"] = f"floor(6 * {u(30)} * {u(31)})::INTEGER"
    found["region"] = choice(40, "north", "south", "east", "west")
    found["product"] = choice(41, "car", "house", "card")
    found["branch"] = choice(42, "Oslo", "Malmö", "Århus", "Turku", "Gdańsk", "Tallinn")
    found["education"] = choice(43, "school", "college", "university")
    job = choice(44, "clerk", "driver", "nurse", "none")
    found["job"] = f"CASE WHEN kind % 23 = 0 THEN NULL ELSE {job} END"
    found["contact"] = f"['mail', 'phone'][1 + ({u(32)} < 0.1)::INT]"
    for k, name in enumerate(["owner", "married", "insured", "remote_searches"]):
        found[name] = f"hash(kind * 83 + {50 + k}) % 3 = 0"
    found["online"] = f"{u(33)} < 0.5"
    score = f"floor({by_kind(300, 850, 60, 0.0)})::INTEGER"
    found["score"] = f"CASE WHEN kind % 11 = 3 THEN NULL ELSE {score} END"
    found["distance"] = f"CASE WHEN kind % 7 = 2 THEN 'NaN'::DOUBLE ELSE {by_kind(1, 300, 61, 0.01)} END"
    found["tenure"] = f"floor({by_kind(1, 400, 62, 0.0)})::SMALLINT"
    assert len(found) == N_COLUMNS
    return found


def write(place: Path, n_rows: int, chunk: int = CHUNK, threads: int = 1, memory: str = "2GiB") -> list[Path]:
    """Write the missing files, and return all files."""
    place.mkdir(parents=True, exist_ok=True)
    listed = ", ".join(f"{expression} AS {name}" for name, expression in columns().items())
    risky = "(income <= 24000 AND NOT owner) OR (arrears >= 2 AND region = 'north')"
    label = f"CASE WHEN ({risky}) != ({u(34)} < 0.02) THEN 'bad' ELSE 'good' END AS class"
    files = []
    with duckdb.connect(config={"threads": threads, "memory_limit": memory}) as connection:
        for start in range(0, n_rows, chunk):
            stop = min(n_rows, start + chunk)
            file = place / f"loans-{start:012d}-{stop:012d}.parquet"
            files.append(file)
            if file.exists():
                continue
            kinds = f"SELECT i, (499 * {u(63)} * {u(62)})::INT AS kind FROM range({start}, {stop}) t(i)"
            query = f"SELECT *, {label} FROM (SELECT {listed}, i FROM ({kinds}))"
            unfinished = file.with_suffix(".part")
            connection.execute(
                f"COPY (SELECT * EXCLUDE (i) FROM ({query})) TO '{unfinished}' (FORMAT parquet)"
            ).fetchall()
            unfinished.rename(file)
    return files
