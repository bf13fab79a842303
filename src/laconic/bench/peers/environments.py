"""The environments of peers: where they are, whether they are complete, and their installation.

A peer's environment is a directory below `directory` with the peer's name. A file in it, written last, marks
a complete installation and identifies its requirements. Without this file, or with other requirements, the
peer counts as missing.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from laconic.bench.peers.catalogue import Peer
from laconic.runtime.errors import LaconicError

SERVE = Path(__file__).parent / "drivers" / "serve.py"
SERVE_TABLES = Path(__file__).parent / "drivers" / "serve_tables.py"
_MARK = "laconic-installed"
_PATIENCE_S = 1800.0


class InstallationError(LaconicError):
    """A peer could not be installed; the message says what failed."""


def directory() -> Path:
    """Return the directory of all peers: LACONIC_PEERS, or else below the user's cache directory."""
    named = os.environ.get("LACONIC_PEERS")
    if named:
        return Path(named).expanduser().absolute()
    if sys.platform == "darwin":
        cache = Path.home() / "Library" / "Caches"
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "laconic" / "peers"


def python(peer: Peer) -> Path:
    """Return the interpreter of a peer's environment, whether or not it exists."""
    return directory() / peer.name / "bin" / "python"


def missing(peer: Peer) -> str | None:
    """Return why a peer cannot be used and what to do, or ``None`` if it can be used."""
    remedy = f"run: laconic bench peers install {peer.name}"
    mark = directory() / peer.name / _MARK
    if not mark.exists() or not python(peer).exists():
        return f"{peer.packages[0]} is not installed; {remedy}"
    if mark.read_text() != _fingerprint(peer):
        return f"{peer.packages[0]} was installed for another version of Laconic; {remedy}"
    return None


def install(peer: Peer, say: Callable[[str], None]) -> None:
    """Create a peer's environment from scratch; an incomplete or failed one counts as missing.

    Parameters
    ----------
    peer : Peer
    say : callable
        Called with a line of text at each step.

    Raises
    ------
    InstallationError
        If the environment cannot be created, a package cannot be installed, or the peer cannot be imported.
    """
    home = directory() / peer.name
    mark = home / _MARK
    mark.unlink(missing_ok=True)
    say(f"{peer.name}: making an environment in {home}")
    _do(peer, [sys.executable, "-m", "venv", "--clear", home])
    wanted = [line for line in peer.requirements.read_text().splitlines() if "==" in line]
    say(f"{peer.name}: installing {', '.join(peer.packages)} ({len(wanted)} packages in all)")
    # The list is complete: the driver does not use the further dependencies that packages declare.
    pip = ["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--no-deps"]
    _do(peer, [python(peer), *pip, "--require-hashes", "-r", peer.requirements])
    for driver in (peer.driver, peer.table_driver):
        if driver is not None:
            _do(peer, [python(peer), "-P", SERVE, driver, "--check"])
    mark.write_text(_fingerprint(peer))


def surroundings() -> dict[str, str]:
    """Return environment variables for a peer: ours, without those that point to our packages."""
    ours = {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {**kept, "PYTHONNOUSERSITE": "1", "MPLBACKEND": "Agg"}


def _fingerprint(peer: Peer) -> str:
    return hashlib.sha256(peer.requirements.read_bytes()).hexdigest()


def _do(peer: Peer, command: list[str | Path]) -> None:
    try:
        done = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
            env=surroundings(),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallationError(f"{peer.name} could not be installed: {error}") from error
    if done.returncode:
        words = [line for line in done.stdout.splitlines() if line.strip()] or ["(no message)"]
        raise InstallationError(f"{peer.name} could not be installed: {' / '.join(words[-3:])}")
