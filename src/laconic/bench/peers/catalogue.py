"""The peers that can be installed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from laconic.runtime.errors import InputError

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Peer:
    """A rival package.

    Attributes
    ----------
    name : str
        Also the name of its directory.
    packages : tuple of str
        The distributions that do the work; their versions go into the records.
    summary : str
    requirements : Path
        All that goes into its environment, pinned with hashes; nothing else is installed.
    driver : Path
        Script with the function ``learn``, see ``drivers/serve.py``.
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
    """Return a peer; an unknown name is refused with the list of known ones."""
    try:
        return PEERS[name]
    except KeyError:
        raise InputError(f"unknown peer {name!r}; choose among: {', '.join(PEERS)}") from None
