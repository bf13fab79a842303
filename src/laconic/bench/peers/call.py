"""Let a peer learn: rows out, rules in, over files, in a process of the peer's environment.

The process belongs to the task's family: the supervisor sees its memory, the limits of the worker hold for
it too, and it ends with the worker.
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


def ask(
    peer: Peer,
    training: Training,
    limits: Limits,
    options: Mapping[str, Any],
    *,
    kill_after: float | None = None,
) -> Reply:
    """Return what a peer learned.

    Parameters
    ----------
    peer : Peer
    training : Training
    limits : Limits
        Told to the peer; the harness enforces them.
    options : mapping
        For the driver; plain data.
    kill_after : float, optional
        End the peer after so many seconds, where no harness does.

    Raises
    ------
    MissingPeerError
        If it is not installed; the message says how to.
    MemoryError, TimeoutError
        If it ran out of memory, or was killed here.
    PeerError
        If it failed.
    InputError
        If it cannot handle the rows.
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
    # A file and not a pipe: a chatty peer must not stall.
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
