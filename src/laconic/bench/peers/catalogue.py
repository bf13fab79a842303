"""The peers that can be installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from laconic.runtime.errors import InputError

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Peer:
    """A rival package in an environment of its own.

    Attributes
    ----------
    name : str
        Name of the peer and of its directory.
    packages : tuple of str
        The main distributions, whose versions are recorded.
    summary : str
    requirements : Path
        The complete list of packages for its environment, pinned with hashes; nothing else is installed.
    driver : Path
        A script with the function ``learn``, see ``drivers/serve.py``.
    """

    name: str
    packages: tuple[str, ...]
    summary: str
    requirements: Path
    driver: Path


def _peer(name: str, packages: tuple[str, ...], summary: str) -> Peer:
    return Peer(
        name, packages, summary, _HERE / "requirements" / f"{name}.txt", _HERE / "drivers" / f"{name}.py"
    )


PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        _peer("ripper", ("wittgenstein",), "RIPPER of wittgenstein"),
        _peer("cn2", ("Orange3",), "unordered CN2 of Orange"),
        _peer("minds", ("minds-kit", "python-sat"), "MinDS, the authors' own program"),
        _peer("brcg", ("aix360", "cvxpy", "ecos"), "Boolean rules by column generation, of AIX360"),
        _peer("streed", ("pystreed",), "optimal trees of STreeD"),
    )
}


def peer(name: str) -> Peer:
    """Return a peer; the error for an unknown name lists the known ones."""
    try:
        return PEERS[name]
    except KeyError:
        raise InputError(f"unknown peer {name!r}; choose among: {', '.join(PEERS)}") from None
