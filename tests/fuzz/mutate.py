"""Breaking files: bytes that know nothing of a format, CSV cells, and JSON values of the wrong kind."""

from __future__ import annotations

import gzip
import io
import json
import random
from typing import Any

HOSTILE = [
    "<script>alert(1)</script>",
    "'; DROP TABLE t; --",
    '" OR ""="',
    "__import__('os').system('touch HACKED')",
    "{{7*7}}{% raw %}",
    "$(touch HACKED)`touch HACKED`",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "\x00",
    "a\x00b",
    "\ud800",
    "\ufeff",
    "\u202e\u2028\u2029",
    "naïve 日本 🦜",
    "\r",
    "a\nb",
    "\t",
    '"',
    "'",
    "\\",
    "%s%n{0}",
    "",
    " ",
    "nan",
    "NA",
    "inf",
    "-inf",
    "1e999",
    "-0",
    "0x10",
    "1_000",
    "١٢",
    "true",
    "None",
    "x" * 3000,
    "9" * 400,
    "9" * 5000,
]
"""Texts that break programs, each for another reason."""

NUMBERS = [
    0,
    -1,
    1,
    2**31,
    2**63,
    -(2**63) - 1,
    2**64,
    10**30,
    10**400,
    0.5,
    -0.0,
    1e308,
    5e-324,
    float("nan"),
    float("inf"),
    -float("inf"),
]

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7"]


def broken_bytes(rng: random.Random, data: bytes) -> bytes:
    """Cut, flip, repeat, insert or overwrite some bytes."""
    out = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at = rng.randrange(len(out) + 1)
        match rng.randrange(7):
            case 0:
                del out[at:]
            case 1 if out:
                out[at % len(out)] ^= 1 << rng.randrange(8)
            case 2:
                del out[at : at + rng.randrange(1, 40)]
            case 3:
                out[at:at] = rng.randbytes(rng.randrange(1, 20))
            case 4:
                out[at:at] = out[max(0, at - rng.randrange(1, 200)) : at]
            case 5 if out:
                out[at % len(out)] = rng.choice(b'\x00\xff\n\r",;\t{}[]:\\0-')
            case 6:
                out[at:at] = rng.choice(HOSTILE).encode("utf-8", "surrogatepass")
    return bytes(out)


def broken_csv(rng: random.Random, data: bytes) -> bytes:
    """Change cells, rows, columns, the delimiter, the line ends or the encoding of a CSV file."""
    rows = [line.split(",") for line in data.decode().splitlines()]
    for _ in range(rng.randrange(1, 5)):
        row = rng.choice(rows)
        match rng.randrange(10):
            case 0 | 1 | 2:
                row[rng.randrange(len(row))] = rng.choice(HOSTILE)
            case 3:
                row[rng.randrange(len(row))] = str(rng.choice(NUMBERS))
            case 4:
                row.insert(rng.randrange(len(row) + 1), rng.choice(HOSTILE))
            case 5:
                del row[rng.randrange(len(row))]
                row = row or rows.remove(row)  # an empty record is no record
            case 6:
                rows[0][rng.randrange(len(rows[0]))] = rng.choice(rows[0])
            case 7:
                rows *= rng.choice([2, 3])
            case 8:
                column = rng.randrange(len(rows[0]))
                value = rng.choice(HOSTILE)
                rows = [rows[0], *([*r[:column], value, *r[column + 1 :]] for r in rows[1:])]
            case 9:
                del rows[rng.randrange(1, len(rows) + 1) :]
        rows = [r for r in rows if r] or [["class"]]
    quoted = rng.random() < 0.3
    mark = rng.choice([",", ",", ",", ",", ";", "\t", "|", " ", "\x01"])
    end = rng.choice(["\n", "\n", "\r\n", "\r", "\n\n"])
    cells = [['"' + c.replace('"', '""') + '"' for c in r] if quoted else r for r in rows]
    text = end.join(mark.join(r) for r in cells) + end
    if rng.random() < 0.5:
        return text.encode("utf-8", "surrogatepass")
    return text.encode(rng.choice(ENCODINGS), "replace")


def broken_gzip(rng: random.Random, data: bytes) -> bytes:
    """Break what is packed, or the packing."""
    if rng.random() < 0.5:
        return gzip.compress(broken_csv(rng, gzip.decompress(data)), mtime=0)
    return broken_bytes(rng, data)


def broken_parquet(rng: random.Random, data: bytes) -> bytes:
    """Break the bytes, or write a table of columns that a CSV file cannot hold."""
    if rng.random() < 0.6:
        return broken_bytes(rng, data)
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = rng.choice([0, 1, 5, 8])
    names = [rng.choice(["age", "job", "class", "owner", *HOSTILE[:10]]) for _ in range(rng.randrange(1, 6))]
    columns = [_odd_column(rng, n) for _ in names]
    out = io.BytesIO()
    try:
        names = [name.encode("utf-8", "replace").decode() for name in names]
        pq.write_table(pa.table(columns, names=[*names[:-1], "class"]), out)
    except (pa.ArrowException, ValueError, TypeError):
        return broken_bytes(rng, data)
    return out.getvalue()


def _odd_column(rng: random.Random, n: int) -> Any:
    import datetime
    from decimal import Decimal

    import pyarrow as pa

    kinds = [
        lambda: pa.array([rng.choice(["a", "b", None, "\x00", ""]) for _ in range(n)], pa.string()),
        lambda: pa.array(
            [rng.choice([1.5, None, float("nan"), float("inf")]) for _ in range(n)], pa.float64()
        ),
        lambda: pa.array([rng.choice([0, 2**63, 2**64 - 1]) for _ in range(n)], pa.uint64()),
        lambda: pa.array([rng.choice([True, None]) for _ in range(n)], pa.bool_()),
        lambda: pa.array([rng.choice([[1], [], None]) for _ in range(n)], pa.list_(pa.int64())),
        lambda: pa.array([{"a": 1} for _ in range(n)]),
        lambda: pa.array([datetime.date(2026, 1, 1 + k) for k in range(n)]),
        lambda: pa.array([datetime.timedelta(k) for k in range(n)]),
        lambda: pa.array([rng.choice([b"\xff\x00", b"", None]) for _ in range(n)], pa.binary()),
        lambda: pa.array([Decimal(rng.choice(["1.5", "2.5"])) for _ in range(n)]),
        lambda: pa.array([rng.choice(["x", "y"]) for _ in range(n)]).dictionary_encode(),
        lambda: pa.nulls(n),
        lambda: pa.array([rng.choice([1.0, 2.0]) for _ in range(n)], pa.float16()) if n else pa.nulls(n),
    ]
    return rng.choice(kinds)()


def broken_json(rng: random.Random, data: bytes) -> bytes:
    """Change values anywhere in a document, its depth or its text."""
    if rng.random() < 0.25:
        return broken_bytes(rng, data)
    document = json.loads(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        document = _changed(rng, document)
    if rng.random() < 0.05:
        depth = rng.choice([50, 2000, 100_000])
        return b"[" * depth + b"]" * depth
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.05:
        text = text.replace(": 1", ": " + "1" * 5000, 1)
    if rng.random() < 0.05:
        text = text.replace("{", '{"rules": [], ', 1)  # a key twice
    return text.encode("utf-8", "surrogatepass")


def _changed(rng: random.Random, value: Any) -> Any:
    """Walk down at random and change what is there."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        if rng.random() < 0.05:
            return {k: v for k, v in value.items() if k != key}
        if rng.random() < 0.03:
            return {**value, rng.choice(HOSTILE): value[key]}
        return {**value, key: _changed(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        match rng.randrange(12):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return [*value, value[at]]
            case 2:
                return value[::-1]
        return [*value[:at], _changed(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, bool):
        return rng.choice([not value, int(value), None, "true"])
    if isinstance(value, int | float) and rng.random() < 0.6:
        return rng.choice([value + 1, value - 1, -value, *NUMBERS])
    if isinstance(value, str) and rng.random() < 0.6:
        return rng.choice([value + " ", value[1:], *HOSTILE])
    nested: Any = 0
    for _ in range(rng.choice([3, 30, 800])):
        nested = [nested]
    return rng.choice([None, True, [], {}, [value], {"a": value}, nested, *NUMBERS, *HOSTILE])


def broken_rows(rng: random.Random, data: bytes) -> bytes:
    """Break a file of training rows: its bytes, its arrays or their meaning."""
    if rng.random() < 0.4:
        return broken_bytes(rng, data)
    import numpy as np

    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    name = rng.choice(list(arrays))
    if name == "meaning" or rng.random() < 0.5:
        text = broken_json(rng, bytes(arrays["meaning"]))
        arrays["meaning"] = np.frombuffer(text, np.uint8)
    else:
        old = arrays[name]
        changes = [
            lambda: old[:-1],
            lambda: old.astype(float),
            lambda: old.ravel(),
            lambda: -old.astype(np.int64),
            lambda: old.astype(np.int64) + 2**62,
            lambda: old.astype("U5"),
            lambda: np.zeros((0, 0)),
            lambda: old[..., None],
            lambda: np.array(7),
        ]
        arrays[name] = rng.choice(changes)()
    if rng.random() < 0.1:
        del arrays[name]
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()
