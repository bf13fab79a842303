"""The tables that are open, and their sessions; what the page asks for, as plain calls with plain data."""

from __future__ import annotations

import secrets
import threading
from pathlib import Path
from typing import Any

from laconic import __version__
from laconic.data.write import save
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown
from laconic.studio.history import document
from laconic.studio.opened import EXAMPLES, StudioTable, open_example, open_file
from laconic.studio.session import Session

ENDINGS = (".csv", ".tsv", ".txt", ".data", ".parquet", ".pq", ".csv.gz", ".tsv.gz", ".txt.gz", ".data.gz")
MOST_TABLES = 20


class Desk:
    """The open tables of a server.

    Parameters
    ----------
    folder : Path
        Where uploads, and the sessions of examples, are kept; made when it is first needed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tables: dict[str, StudioTable] = {}
        self._sessions: dict[str, Session] = {}
        self._lock = threading.RLock()

    def close(self) -> None:
        """Stop all computations."""
        for session in self._sessions.values():
            session.close()

    def start(self) -> dict[str, Any]:
        """Return what the page begins with."""
        with self._lock:
            tables = [{"table": key, "name": one.name} for key, one in self._tables.items()]
            return {"version": __version__, "examples": list(EXAMPLES), "tables": tables}

    def put(self, opened: StudioTable) -> str:
        """Lay a table on the desk, and return its key; a file that is there already keeps its key."""
        with self._lock:
            for key, one in self._tables.items():
                if one.place is not None and one.place == opened.place and one.digest == opened.digest:
                    return key
            if len(self._tables) >= MOST_TABLES:
                raise InputError(f"at most {MOST_TABLES} tables can be open; start the studio again")
            key = secrets.token_hex(8)
            self._tables[key] = opened
            return key

    def open_path(self, path: object) -> str:
        """Open a file by its path."""
        if not isinstance(path, str) or not path.strip() or "\x00" in path:
            raise InputError("name a file to open")
        return self.put(open_file(Path(path.strip()).expanduser()))

    def open_example(self, name: object) -> str:
        """Open a table that scikit-learn ships."""
        if not isinstance(name, str):
            raise InputError("name an example to open")
        self._need_folder()
        return self.put(open_example(name, self.folder))

    def upload(self, name: str, data: bytes) -> str:
        """Keep an uploaded file in the folder, under its own last name, and open it."""
        plain = name.replace("\\", "/").rpartition("/")[2].strip()
        kept = "".join(one if one.isalnum() or one in "-_. " else "_" for one in plain).lstrip(".")[-100:]
        if not kept or not kept.lower().endswith(ENDINGS):
            raise InputError(f"{shown(name)} is not a table; the studio opens {', '.join(ENDINGS)}")
        if not data:
            raise InputError(f"{shown(name)} is empty; choose a file with a header and rows")
        self._need_folder()
        place = self.folder / kept
        k = 2
        while place.exists() and place.read_bytes() != data:
            place, k = self.folder / f"{k}-{kept}", k + 1
        if not place.exists():
            save(place, data)
        return self.put(open_file(place))

    def _need_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"cannot make the folder {self.folder}: {error.strerror}; use --folder"
            ) from error

    def table(self, key: str) -> StudioTable:
        """Return an open table."""
        with self._lock:
            if key not in self._tables:
                raise InputError("this table is not open any more; open it again")
            return self._tables[key]

    def profile(self, key: str, target: str | None) -> dict[str, Any]:
        """Return a table at a glance, and the session that its file holds."""
        opened = self.table(key)
        found = opened.profile(target or opened.guessed_target())
        found |= {"table": key, "names": opened.columns, "place": str(opened.place or "")}
        found["path"] = "" if opened.path is None else str(opened.path)
        return found | {"steps": self._steps(key)}

    def _steps(self, key: str) -> int:
        with self._lock:
            if key in self._sessions:
                return len(self._sessions[key].history.steps)
        place = self.table(key).place
        if place is None or not place.exists():
            return 0
        return len(document(place)["steps"])

    def session(self, key: str, *, fresh: bool = False) -> Session:
        """Return the session of a table: the running one, the one in its file, or a new one.

        Parameters
        ----------
        key : str
            Of the table.
        fresh : bool
            Whether to begin anew; the file of the old session is kept under another name.
        """
        opened = self.table(key)
        with self._lock:
            known = self._sessions.get(key)
            if known is not None and not fresh:
                return known
            if known is not None:
                known.close()
            if opened.place is not None and opened.place.exists():
                if fresh:
                    self._set_aside(opened.place)
                else:
                    self._sessions[key] = Session.resumed(opened)
                    return self._sessions[key]
            self._sessions[key] = Session(opened)
            return self._sessions[key]

    def _set_aside(self, place: Path) -> None:
        k = 1
        while (other := place.with_name(f"{place.name}.{k}")).exists():
            k += 1
        place.rename(other)
