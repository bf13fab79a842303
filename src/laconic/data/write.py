"""Files written whole or not at all.

The bytes go to a temporary file beside the target, are flushed to disk and then renamed, and the directory is
flushed as well, so a crash, a kill or a full disk leaves either the old file or the new one. Devices and
pipes, such as ``/dev/stdout``, cannot be renamed over (as root that would even succeed, and destroy them):
they are written to directly.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from itertools import combinations
from pathlib import Path

from laconic.runtime.errors import InputError


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all; raise OSError if that is impossible."""
    target = _checked(path)
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            stream.write(data)
        return
    temporary, handle = _temporary(target)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_directory(target.parent)


def save(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all; raise `InputError` with the reason if that is impossible."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise InputError(f"cannot write {os.fspath(path)}: {error.strerror}; choose another place") from error


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise the OSError that writing here would raise, before work that may take hours."""
    target = _checked(path)
    if not target.exists() or target.is_file():
        temporary, handle = _temporary(target)
        os.close(handle)
        temporary.unlink()


def require_places(places: Mapping[str, Path], inputs: Iterable[Path]) -> None:
    """Raise `InputError` for places that cannot be written, are inputs, or are the same file.

    Parameters
    ----------
    places : mapping of str to Path
        By the option that names each.
    inputs : iterable of Path
        Files that are read.
    """
    require_different(places, inputs)
    for option, path in places.items():
        try:
            check_place(path)
        except OSError as error:
            raise unwritable(path, error, option) from error


def require_different(places: Mapping[str, Path], inputs: Iterable[Path]) -> None:
    """Refuse places that are inputs or the same file; parameters as in `require_places`."""
    read = list(inputs)
    for option, path in places.items():
        if any(same_file(path, one) for one in read):
            raise InputError(f"{option} {path} would overwrite an input; choose another place")
    for (option, path), (other, also) in combinations(places.items(), 2):
        if same_file(path, also):
            raise InputError(
                f"{option} {path} and {other} {also} are the same file; choose another place for one of them"
            )


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths name one file, existing or not; devices and pipes can be written to twice."""
    if one.exists() and other.exists():
        return one.is_file() and one.samefile(other)
    return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))


def require_folder(
    folder: Path, option: str, pattern: str, places: Mapping[str, Path], inputs: Iterable[Path] = ()
) -> None:
    """Refuse a folder that is a file, or that holds another place under a name like ``pattern``."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{option} {folder} is a file, not a folder; choose another place")
    inside = os.path.realpath(folder)
    for other, path in [*places.items(), *(("", one) for one in inputs)]:
        real = Path(os.path.realpath(path))
        if str(real) == inside or (str(real.parent) == inside and fnmatch(real.name, pattern)):
            what = f"{other} {path}".strip()
            raise InputError(
                f"{option} {folder} would overwrite {what}; choose another place for one of them"
            )


def make_folder(path: Path, option: str) -> None:
    """Make a folder to write to, unless it exists."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make folder {path}: {error.strerror}; choose another place with {option}"
        ) from error


def unwritable(path: Path, error: OSError, option: str) -> InputError:
    """Return the message for a place that cannot be written."""
    return InputError(f"cannot write {path}: {error.strerror}; choose another place with {option}")


def _checked(path: str | os.PathLike[str]) -> Path:
    """Follow links, and refuse a directory or a file that may not be changed."""
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    # Renaming over a file needs no right to write it, so read-only files are checked here.
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only", str(path))
    # The link /dev/stdout may lead to a pipe, which has no path of its own.
    is_device = target.exists() and not target.is_file()
    return target if is_device else Path(os.path.realpath(target))


def _sync_directory(place: Path) -> None:
    """Flush the directory as well, where that is possible; the file itself is on the disk already."""
    with contextlib.suppress(OSError):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _temporary(target: Path) -> tuple[Path, int]:
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    return Path(name), handle


def _mode(target: Path) -> int:
    """Return the mode of the old file, or that of any new file of the user; mkstemp's is private."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
