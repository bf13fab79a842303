"""Peers that describe one class only, the paper's way.

The rules describe class number 1; a default rule gives all other rows the class that is different from it and
has the most training rows (paper, Section 4). With more than two classes, all others are the negative rows.
"""

from __future__ import annotations

from laconic.bench.methods.api import Answer, Limits, Training
from laconic.bench.peers.call import ask
from laconic.bench.peers.catalogue import Peer
from laconic.bench.rules import DESCRIBED, default_class


def learn_one_class(peer: Peer, training: Training, limits: Limits) -> Answer:
    """Let a peer describe one class, and add the default rule."""
    reply = ask(peer, training, limits, {"target": DESCRIBED})
    default = default_class(training.labels, len(training.classes), DESCRIBED)
    return reply.answer(training, default)
