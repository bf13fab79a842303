"""Append-only records: one line of JSON per finished task.

Each line is flushed to the disk before the next task is reported, so a run can be killed at any point and
resumed. A line cut short by a crash is the last one by construction; it is cut off when the file is next
opened for writing and ignored by readers. Of several records of one task the last one counts.
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
from laconic.bench.plan import Task
from laconic.runtime.errors import InputError


class Exit(Enum):
    """How a task ended; every one of these is a result."""

    OK = "ok"  # the method returned rules and the scorer accepted them
    TIMEOUT = "timeout"
    CPUOUT = "cpuout"  # used more processor time than it was given, in all its processes and threads
    MEMOUT = "memout"
    CRASH = "crash"  # the process died or the method raised what it should not
    ERROR = "error"  # the method refused the task, or the scorer refused its rules
    MISSING = "missing-peer"


@dataclass(frozen=True, slots=True)
class Record:
    """What is known after a task.

    Attributes
    ----------
    task : Task
    exit : Exit
    wall_s, cpu_s : float
        Of the method alone where it returned, else of all its processes.
    peak_mb : float
        Largest resident memory of the process and its children.
    message : str
        Why it failed; empty if it did not.
    answer : dict or None
        Rules, cost, bound, whether proved optimal, counts, seconds by part.
    score : dict or None
        What the external scorer found: size, rules, literals, train and test accuracies.
    versions, machine : dict
    commit : str or None
    finished : str
        Time of day, UTC.
    """

    task: Task
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
        """Whether the method did within its limit all it set out to do; an unproved optimum is not solved."""
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
        """Read what `to_json` wrote; malformed data, or an id that is not that of the task, is refused."""
        shape.check(data)
        values = {key: value for key, value in data.items() if key != "id"}
        task = Task.from_json(values.pop("task"))
        if task.id != data["id"]:
            raise InputError(f"the record {data['id']} does not fit its own task; its line was changed")
        return cls(task=task, exit=Exit(values.pop("exit")), **values)


def read_records(paths: Iterable[Path]) -> list[Record]:
    """Read record files (``.jsonl``, ``.jsonl.gz``), one record per task, the last one read."""
    found: dict[str, Record] = {}
    for path in paths:
        for record in _records_in(path):
            # Taken out first, so that the order of the records is that of the lines that count.
            found.pop(record.task.id, None)
            found[record.task.id] = record
    return list(found.values())


def _records_in(path: Path) -> Iterator[Record]:
    content = _content(path)
    whole = content[: content.rfind(b"\n") + 1]  # what follows the last line end was never finished
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
        raise InputError(f"there are no records at {path}; make some with: laconic bench run") from None
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
"""Of every line that `RecordWriter` writes."""


class RecordWriter:
    """Appends records to a file that no other runner may write at the same time.

    Made by `open_records`.
    """

    def __init__(self, stream: io.BufferedRandom, done: dict[str, Record]) -> None:
        self._stream = stream
        self.done = done

    def append(self, record: Record) -> None:
        """Write one record and see it onto the disk."""
        line = json.dumps(record.to_json(), ensure_ascii=False, separators=(",", ":"))
        self._stream.write(line.encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self.done[record.task.id] = record


@contextmanager
def open_records(path: Path) -> Iterator[RecordWriter]:
    """Open a record file for appending, under a lock, with a torn last line cut off."""
    if path.suffix == ".gz":
        raise InputError(f"{path} is packed and can only be read; give a .jsonl file to write to")
    with _opened(path) as stream:
        try:
            # The lock goes with the process, however it ends.
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(
                f"another run is writing to {path}; wait for it or choose another file"
            ) from None
        done = {record.task.id: record for record in read_records([path])}
        _cut_torn_line(stream, path)  # only now: what is no file of records is left as it is
        yield RecordWriter(stream, done)


def _opened(path: Path) -> io.BufferedRandom:
    try:
        # A device or a pipe could be written, but not read again to resume.
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
    # Where the machine itself went down, zeros may stand for what was not yet on the disk.
    torn = content[whole:].rstrip(b"\0")
    if not (torn.startswith(_BEGINNING) or _BEGINNING.startswith(torn)):
        raise InputError(f"{path} ends with what is no record; give another file to write to")
    stream.truncate(whole)
    stream.seek(0, os.SEEK_END)
