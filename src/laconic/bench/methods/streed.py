"""Optimal trees, as implemented by STreeD; the path to each leaf is a rule."""

from __future__ import annotations

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.peers import environments
from laconic.bench.peers.call import call_peer
from laconic.bench.peers.catalogue import PEERS


def run(training: Training, limits: Limits, *, max_depth: int, cost_complexity: float) -> MethodAnswer:
    """Learn a tree that minimises errors plus ``cost_complexity`` times the rows per branch."""
    options = {"max_depth": max_depth, "cost_complexity": cost_complexity}
    return call_peer(PEERS["streed"], training, limits, options).answer(training)


def missing() -> str | None:
    """Return why the method cannot run here."""
    return environments.missing(PEERS["streed"])
