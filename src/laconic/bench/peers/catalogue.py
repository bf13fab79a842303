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
    driver : Path or None
        A script for binary rows with the function ``learn``, see ``drivers/serve.py``.
    table_driver : Path or None
        A script for raw tables, see ``drivers/serve_tables.py``. A peer has at least one of the two scripts.
    """

    name: str
    packages: tuple[str, ...]
    summary: str
    requirements: Path
    driver: Path | None
    table_driver: Path | None = None


def _peer(
    name: str, packages: tuple[str, ...], summary: str, *, binary: bool = True, tables: bool = False
) -> Peer:
    return Peer(
        name,
        packages,
        summary,
        _HERE / "requirements" / f"{name}.txt",
        _HERE / "drivers" / f"{name}.py" if binary else None,
        _HERE / "drivers" / "tables" / f"{name}.py" if tables else None,
    )


PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        _peer("ripper", ("wittgenstein",), "RIPPER of wittgenstein", tables=True),
        _peer("cn2", ("Orange3",), "unordered CN2 of Orange", tables=True),
        _peer("minds", ("minds-kit", "python-sat"), "MinDS, the authors' own program"),
        _peer(
            "brcg", ("aix360", "cvxpy", "ecos"), "Boolean rules by column generation, of AIX360", tables=True
        ),
        _peer("streed", ("pystreed",), "optimal trees of STreeD", tables=True),
        _peer("contree", ("pycontree",), "optimal trees of ConTree", binary=False, tables=True),
        _peer("gosdt", ("gosdt",), "optimal sparse trees of GOSDT", binary=False, tables=True),
        _peer("figs", ("imodels",), "sums of trees, FIGS of imodels", binary=False, tables=True),
        _peer("ebm", ("interpret-core",), "explainable boosting machine", binary=False, tables=True),
    )
}


def peer(name: str) -> Peer:
    """Return a peer; the error for an unknown name lists the known ones."""
    try:
        return PEERS[name]
    except KeyError:
        raise InputError(f"unknown peer {name!r}; choose among: {', '.join(PEERS)}") from None
