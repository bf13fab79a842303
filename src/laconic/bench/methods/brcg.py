"""Boolean rules by column generation, from AIX360: one class and a default rule, see `one_class`."""

from __future__ import annotations

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.methods.one_class import learn_one_class
from laconic.bench.peers import environments
from laconic.bench.peers.catalogue import PEERS


def run(training: Training, limits: Limits) -> MethodAnswer:
    """Learn rules for one class, with the package's default settings."""
    return learn_one_class(PEERS["brcg"], training, limits)


def missing() -> str | None:
    """Return why the method cannot run here."""
    return environments.missing(PEERS["brcg"])
