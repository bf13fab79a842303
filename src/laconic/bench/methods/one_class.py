"""Learners that describe one class only, the paper's way.

The rules describe one class; a default rule gives all other rows the class that is different from it and has
the most training rows (paper, Section 4). Which class is described the paper does not say. The version of
wittgenstein of its time took the class of the first training row unless told otherwise, so we do; with more
than two classes all others are the negative rows.
"""

from __future__ import annotations

import numpy as np

from laconic.bench.methods.api import Answer, Limits, Training
from laconic.bench.peers.call import ask
from laconic.bench.peers.catalogue import Peer
from laconic.bench.rules import default_class

CHOICES = ("first", "rarest", "commonest")


def described_class(training: Training, choice: str) -> int:
    """Return the number of the class to describe: of the first row, or with the fewest or most rows."""
    labels = training.labels
    if choice == "first":
        return int(labels[0])
    present, counts = np.unique(labels, return_counts=True)
    return int(present[counts.argmin() if choice == "rarest" else counts.argmax()])


def learn_one_class(peer: Peer, training: Training, limits: Limits, choice: str) -> Answer:
    """Let a peer describe one class, and add the default rule."""
    target = described_class(training, choice)
    reply = ask(peer, training, limits, {"target": target})
    default = default_class(training.labels, len(training.classes), target)
    return reply.answer(training, default)
