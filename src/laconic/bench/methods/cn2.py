"""Unordered CN2, as implemented by Orange: rules for every class, and Orange's own default rule."""

from __future__ import annotations

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.peers import environments
from laconic.bench.peers.call import call_peer
from laconic.bench.peers.catalogue import PEERS


def run(training: Training, limits: Limits) -> MethodAnswer:
    """Learn rules with the package's default settings."""
    return call_peer(PEERS["cn2"], training, limits, {}).answer(training)


def missing() -> str | None:
    """Return why the method cannot run here."""
    return environments.missing(PEERS["cn2"])
