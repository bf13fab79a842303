"""Peers that describe only one class, completed as in the paper.

The rules describe class number 1. A default rule gives all other rows the class other than 1 that has the
most training rows (paper, Section 4). With more than two classes, all others are the negative rows.
"""

from __future__ import annotations

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.peers.call import call_peer
from laconic.bench.peers.catalogue import Peer
from laconic.bench.rules import DESCRIBED, default_class


def learn_one_class(peer: Peer, training: Training, limits: Limits) -> MethodAnswer:
    """Run a peer on one class, and add the default rule."""
    reply = call_peer(peer, training, limits, {"target": DESCRIBED})
    default = default_class(training.labels, len(training.classes), DESCRIBED)
    return reply.answer(training, default)
