"""MinDS, the authors' own program.

Rules that contradict themselves, which its sparse model uses to stay silent about a class, are left out of
the rules, and so of their size; the counts tell.
"""

from __future__ import annotations

from laconic.bench.methods.api import Answer, Limits, Training
from laconic.bench.peers import environments
from laconic.bench.peers.call import ask
from laconic.bench.peers.catalogue import PEERS


def run(
    training: Training,
    limits: Limits,
    *,
    approach: str,
    solver: str = "g3",
    regularization: str | None = None,
) -> Answer:
    """Learn a decision set.

    Parameters
    ----------
    training, limits
    approach : str
        As for ``mds.py --approach``.
    solver : str
        PySAT's name; Glucose 3 in the paper.
    regularization : str, optional
        λ of the sparse model, as text.
    """
    arguments = ["-a", approach, "-s", solver, "-w"]
    if regularization is not None:
        arguments += ["--lambda", regularization]
    return ask(PEERS["minds"], training, limits, {"arguments": arguments}).answer(training)


def missing() -> str | None:
    """Return why it cannot run here."""
    return environments.missing(PEERS["minds"])
