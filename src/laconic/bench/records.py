"""Append-only records: one line of JSON per finished task.

Each line is flushed to the disk before the next task is reported, so a run can be killed at any point and
resumed. Only the last line can be incomplete after a crash; readers ignore it, and it is removed when the
file is next opened for writing. If a task has several records, the last one counts.
"""

from __future__ import annotations

import fcntl
import gzip
import io
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from laconic.bench import shape
from laconic.bench.plan import BenchTask
from laconic.runtime.errors import InputError


class Exit(Enum):
    """How a task ended. Every way is a result."""

    OK = "ok"  # the method returned rules and the scorer accepted them
    TIMEOUT = "timeout"
    CPUOUT = "cpuout"  # exceeded its limit of processor time, over all its processes and threads
    MEMOUT = "memout"
    CRASH = "crash"  # the process died, or the method raised an unexpected exception
    ERROR = "error"  # the method refused the task, or the scorer refused the rules
    MISSING = "missing-peer"


@dataclass(frozen=True, slots=True)
class Record:
    """The result of a task and its circumstances.

    Attributes
    ----------
    task : BenchTask
    exit : Exit
    wall_s, cpu_s : float
        Times of the method alone if it returned, otherwise of all its processes.
    peak_mb : float
        Largest resident memory of the process and its children.
    message : str
        Why the task failed; empty if it did not.
    answer : dict or None
        Rules, cost, bound, whether the answer is proved optimal, counts, and seconds by phase.
    score : dict or None
        The scorer's findings: size, rules, literals, training and test accuracies.
    versions, machine : dict
    commit : str or None
    finished : str
        Date and time in UTC.
    """

    task: BenchTask
    exit: Exit
    wall_s: float
    cpu_s: float
    peak_mb: float
    message: str = ""
    answer: dict[str, Any] | None = None
    score: dict[str, Any] | None = None
    versions: dict[str, str] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    commit: str | None = None
    finished: str = ""

    @property
    def solved(self) -> bool:
        """Whether the method finished within its limits; an optimum without a proof does not count."""
        if self.exit is not Exit.OK or self.answer is None:
            return False
        in_time = self.wall_s <= self.task.limit_s
        if self.task.cpu_limit_s is not None:
            in_time = in_time and self.cpu_s <= self.task.cpu_limit_s
        return in_time and self.answer["optimal"] is not False

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {"id": self.task.id, **asdict(self), "task": self.task.to_json(), "exit": self.exit.value}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Record:
        """Restore a record from the data of `to_json`; refuse malformed data, or an id of another task."""
        shape.check(data)
        values = {key: value for key, value in data.items() if key != "id"}
        task = BenchTask.from_json(values.pop("task"))
        if task.id != data["id"]:
            raise InputError(f"the record {data['id']} does not fit its own task; its line was changed")
        return cls(task=task, exit=Exit(values.pop("exit")), **values)


def read_records(paths: Iterable[Path]) -> list[Record]:
    """Read record files (``.jsonl``, ``.jsonl.gz``); of several records of a task the last one is kept."""
    found: dict[str, Record] = {}
    for path in paths:
        for record in _records_in(path):
            # Removed first, so that records are ordered by the lines that count.
            found.pop(record.task.id, None)
            found[record.task.id] = record
    return list(found.values())


def _records_in(path: Path) -> Iterator[Record]:
    content = _content(path)
    whole = content[: content.rfind(b"\n") + 1]  # text after the last line break is an incomplete record
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            yield Record.from_json(json.loads(line))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if isinstance(error, InputError):
                raise InputError(f"{path}, line {number}: {error}") from None
            raise InputError(
                f"{path}, line {number} is not a record; restore the file or delete the line"
            ) from error


def _content(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there are no records at {path}; create some with: laconic bench run") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; give a file of records") from error
    if path.suffix != ".gz":
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{path} is cut short or is no gzip file ({error}); restore it, or drop .gz from its name"
        ) from error


_BEGINNING = b'{"id":"'
"""The first characters of every line that `RecordWriter` writes."""


class RecordWriter:
    """Appends records to a file that no other runner may write at the same time.

    Create it with `open_records`.
    """

    def __init__(self, stream: io.BufferedRandom, done: dict[str, Record]) -> None:
        self._stream = stream
        self.done = done

    def append(self, record: Record) -> None:
        """Write one record and flush it to the disk."""
        line = json.dumps(record.to_json(), ensure_ascii=False, separators=(",", ":"))
        self._stream.write(line.encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self.done[record.task.id] = record


@contextmanager
def open_records(path: Path) -> Iterator[RecordWriter]:
    """Open a record file for appending, under a lock, and remove an incomplete last line."""
    if path.suffix == ".gz":
        raise InputError(f"{path} is compressed and can only be read; give a .jsonl file to write to")
    with _opened(path) as stream:
        try:
            # The lock is released when the process ends, however it ends.
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"another run is writing to {path}; wait for it or choose another file"
            ) from None
        done = {record.task.id: record for record in read_records([path])}
        _cut_torn_line(stream, path)  # under the lock; a file without records is left unchanged
        yield RecordWriter(stream, done)


def _opened(path: Path) -> io.BufferedRandom:
    try:
        # A device or a pipe cannot be read again to resume the run.
        if path.exists() and not path.is_file():
            raise InputError(f"{path} is not a file; give a .jsonl file to write to")
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("a+b")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; choose another file") from error


def _cut_torn_line(stream: io.BufferedRandom, path: Path) -> None:
    stream.seek(0)
    content = stream.read()
    whole = content.rfind(b"\n") + 1
    # After a crash of the machine, zeros may stand for data that was not yet on the disk.
    torn = content[whole:].rstrip(b"\0")
    if not (torn.startswith(_BEGINNING) or _BEGINNING.startswith(torn)):
        raise InputError(f"{path} ends with what is no record; give another file to write to")
    stream.truncate(whole)
    stream.seek(0, os.SEEK_END)
