"""MinDS, the authors' own program.

Contradictory rules, by which its sparse model leaves a class without a rule, are removed from the rules and
do not count in the size; the counts report their number.
"""

from __future__ import annotations

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.peers import environments
from laconic.bench.peers.call import call_peer
from laconic.bench.peers.catalogue import PEERS


def run(
    training: Training,
    limits: Limits,
    *,
    approach: str,
    solver: str = "g3",
    regularization: str | None = None,
) -> MethodAnswer:
    """Learn a decision set.

    Parameters
    ----------
    training, limits
    approach : str
        The value of ``mds.py --approach``.
    solver : str
        The solver's name in PySAT; Glucose 3 in the paper.
    regularization : str, optional
        λ of the sparse model, as text.
    """
    arguments = ["-a", approach, "-s", solver, "-w"]
    if regularization is not None:
        arguments += ["--lambda", regularization]
    return call_peer(PEERS["minds"], training, limits, {"arguments": arguments}).answer(training)


def missing() -> str | None:
    """Return why the method cannot run here."""
    return environments.missing(PEERS["minds"])
