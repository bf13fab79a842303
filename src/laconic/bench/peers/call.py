"""Calling a peer: rows and rules are exchanged through files with a process in the peer's environment.

The process belongs to the task's family: the supervisor samples its memory, the limits of the worker apply to
it, and it ends with the worker.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from laconic.bench.limits import ran_out_of_memory
from laconic.bench.methods.api import Limits, MissingPeerError, PeerError, Training
from laconic.bench.peers.catalogue import Peer
from laconic.bench.peers.environments import SERVE, missing, python, surroundings
from laconic.bench.peers.reply import Reply, read_reply

_TAIL = 1500


def call_peer(
    peer: Peer,
    training: Training,
    limits: Limits,
    options: Mapping[str, Any],
    *,
    kill_after: float | None = None,
) -> Reply:
    """Run a peer on the training rows and return its reply.

    Parameters
    ----------
    peer : Peer
    training : Training
    limits : Limits
        The limits passed to the peer; the harness enforces them.
    options : mapping
        Options of the driver, as plain data.
    kill_after : float, optional
        Seconds after which to kill the peer, for callers without a harness.

    Raises
    ------
    MissingPeerError
        If the peer is not installed; the message says how to install it.
    MemoryError, TimeoutError
        If the peer ran out of memory, or was killed here.
    PeerError
        If the peer failed.
    InputError
        If the peer cannot handle the rows.
    """
    assert peer.driver is not None, f"{peer.name} learns from raw tables only"
    absent = missing(peer)
    if absent is not None:
        raise MissingPeerError(absent)
    scratch = limits.scratch
    np.save(scratch / "rows.npy", training.matrix.astype(np.uint8))
    np.save(scratch / "labels.npy", training.labels)
    job = {
        "n_classes": len(training.classes),
        "seed": limits.seed,
        "seconds": limits.seconds,
        "packages": peer.packages,
        "options": dict(options),
    }
    (scratch / "job.json").write_text(json.dumps(job))
    answer = scratch / "answer.json"
    answer.unlink(missing_ok=True)
    log = scratch / "peer.log"
    code = _run(peer, scratch, log, kill_after)
    if code or not answer.exists():
        raise _failure(peer, code, log)
    return read_reply(answer, peer.name, training.matrix.shape[1], len(training.classes))


def _run(peer: Peer, scratch: Path, log: Path, kill_after: float | None) -> int:
    assert peer.driver is not None
    command = [python(peer), "-P", SERVE, peer.driver.absolute(), scratch.absolute()]
    # Output goes to a file: with a pipe, a peer with much output could block.
    with log.open("wb") as output:
        try:
            return subprocess.run(
                [str(part) for part in command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=scratch,
                env=surroundings(),
                timeout=kill_after,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{peer.name} was stopped after {kill_after:g} s") from None


def _failure(peer: Peer, code: int, log: Path) -> Exception:
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - _TAIL))
        words = stream.read().decode(errors="replace").strip() or "(none)"
    if code and ran_out_of_memory(words):
        return MemoryError(f"{peer.name} ran out of memory: {words}")
    how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
    return PeerError(f"{peer.name} gave no answer ({how}): {words.splitlines()[-1]}\n{words}")
