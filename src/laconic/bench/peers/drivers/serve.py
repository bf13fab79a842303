"""The part that all drivers share; runs in a peer's environment and imports nothing of Laconic.

``python -P serve.py DRIVER DIRECTORY`` reads in the directory

``rows.npy``
    Training rows, uint8, 0 or 1, one column per feature.
``labels.npy``
    Class numbers, int64.
``job.json``
    ``n_classes``, ``seed``, ``seconds`` (a peer that can stop itself should do so by then), ``packages``
    (report their versions), ``options``.

calls ``learn(rows, labels, job)`` of the driver, and leaves what it returned as ``answer.json``:

``rules``
    List of ``{"if": [[feature number, 0 or 1], …], "then": class number}``.
``default``
    Class number of the rows that no rule covers, or null.
``optimal``, ``cost``, ``lower_bound``, ``counts``
    As in the harness's ``Answer``; may be absent.
``refused``
    Instead of all others: why the peer cannot handle these rows.

with ``seconds`` and ``versions`` added. ``--check`` in place of the directory only imports the driver.
"""

from __future__ import annotations

import ctypes
import json
import os
import runpy
import signal
import sys
import time
from importlib import metadata
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve one request."""
    driver, request = sys.argv[1:]
    if request == "--check":
        runpy.run_path(driver)
        return
    die_with_parent()
    begun = time.monotonic()
    learn = runpy.run_path(driver)["learn"]

    import numpy as np  # here, so that a check needs nothing but the driver

    directory = Path(request)
    job = json.loads((directory / "job.json").read_text())
    rows, labels = np.load(directory / "rows.npy"), np.load(directory / "labels.npy")
    ready, cpu = time.monotonic(), time.process_time()
    answer = learn(rows, labels, job)
    answer["seconds"] = {
        "start": ready - begun,
        "learn": time.monotonic() - ready,
        "learn_cpu": time.process_time() - cpu,
        **answer.get("seconds", {}),
    }
    answer["versions"] = {name: metadata.version(name) for name in job["packages"]}
    # Written under another name first: a peer killed while writing has not answered.
    unfinished = directory / "answer.part"
    unfinished.write_text(json.dumps(answer))
    unfinished.rename(directory / "answer.json")


def die_with_parent() -> None:
    """End with the task's worker, however it ends; its supervisor may be gone as well."""
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    main()
