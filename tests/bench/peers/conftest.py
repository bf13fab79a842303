"""A peer that misbehaves to order; its environment is the tests' own interpreter under another name."""

import sys
import textwrap

import pytest

from laconic.bench.methods import METHODS, MethodEntry
from laconic.bench.peers.catalogue import Peer
from laconic.bench.peers.environments import _MARK, _fingerprint

DRIVER = """
import os, signal, subprocess, sys, time
from pathlib import Path

GOOD = {"rules": [{"if": [[0, 1], [1, 1]], "then": 1}], "default": 0, "optimal": True, "counts": {"n": 2}}


def learn(rows, labels, job):
    options = job["options"]
    Path(options["note"], str(os.getpid())).touch()
    match options["behaviour"]:
        case "hang":
            time.sleep(600)
        case "stubborn":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        case "hog":
            hoard = [bytes(2**24) for _ in range(10_000)]
        case "hog slowly":
            while time.process_time() < 3:
                pass
            hoard = bytearray(b"1") * (200 * 2**20)
            time.sleep(600)
        case "raise":
            raise KeyError("an untold bug")
        case "die":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "say nothing":
            os._exit(0)
        case "garbage":
            Path("answer.json").write_text("IF TRUE THEN yes")
            os._exit(0)
        case "malformed":
            return {"rules": [{"if": [[7, 1]], "then": 1}]}
        case "refuse":
            return {"refused": "these rows are too square"}
        case "chatty":
            for _ in range(4000):
                os.write(1, b"x" * 4096)
        case "look around":
            seen = [name for name in ("PYTHONPATH", "PYTHONHOME") if name in os.environ]
            return GOOD | {"counts": {"seen": len(seen), "rows": len(rows), "ones": int(rows.sum()),
                                      "labels": int(labels.sum()), "seed": job["seed"],
                                      "classes": job["n_classes"], "seconds": int(job["seconds"])}}
    return GOOD
"""

METHOD = """
from pathlib import Path

from laconic.bench.peers.call import call_peer
from laconic.bench.peers.catalogue import Peer


def run(training, limits, *, driver, **options):
    peer = Peer("fake", ("numpy",), "for tests", Path(driver), Path(driver))
    return call_peer(peer, training, limits, options).answer(training)
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The directory of all peers, empty."""
    place = tmp_path / "peers"
    monkeypatch.setenv("LACONIC_PEERS", str(place))
    return place


@pytest.fixture
def fake(tmp_path, home):
    """A peer that is installed; its driver stands in for its requirements too."""
    driver = tmp_path / "driver.py"
    driver.write_text(DRIVER)
    peer = Peer("fake", ("numpy",), "for tests", driver, driver)
    interpreter = home / "fake" / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    interpreter.chmod(0o755)
    (home / "fake" / _MARK).write_text(_fingerprint(peer))
    return peer


@pytest.fixture
def orders(lab, fake, monkeypatch):
    """Register a method that asks the fake peer to behave in some way."""
    (lab.modules / "fake_method.py").write_text(textwrap.dedent(METHOD))

    def register(behaviour):
        options = {"driver": str(fake.driver), "behaviour": behaviour, "note": str(lab.notes)}
        monkeypatch.setitem(
            METHODS, "fake", MethodEntry("fake_method", "fake", "for tests", "heuristic", options)
        )
        return "fake"

    return register
