"""The part shared by all drivers; it runs in a peer's environment and imports nothing of Laconic.

``python -P serve.py DRIVER DIRECTORY`` reads these files in the directory:

``rows.npy``
    Training rows, uint8, 0 or 1, one column per feature.
``labels.npy``
    Class numbers, int64.
``job.json``
    ``n_classes``, ``seed``, ``seconds`` (a time limit for peers that can stop themselves), ``packages``
    (whose versions to report), ``options``.

It calls ``learn(rows, labels, job)`` of the driver and writes the result to ``answer.json``:

``rules``
    List of ``{"if": [[feature number, 0 or 1], …], "then": class number}``.
``default``
    Class number of the rows that no rule covers, or null.
``optimal``, ``cost``, ``lower_bound``, ``counts``
    As in the harness's ``MethodAnswer``; optional.
``refused``
    Instead of all others: why the peer cannot handle these rows.

``seconds`` and ``versions`` are added to the result. ``--check`` in place of the directory only imports the
driver.
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
    """Handle one request."""
    driver, request = sys.argv[1:]
    if request == "--check":
        runpy.run_path(driver)
        return
    die_with_parent()
    begun = time.monotonic()
    learn = runpy.run_path(driver)["learn"]

    import numpy as np  # imported here, so that --check needs nothing but the driver

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
    # Written under another name first, so that a peer killed while writing leaves no answer.
    unfinished = directory / "answer.part"
    unfinished.write_text(json.dumps(answer))
    unfinished.rename(directory / "answer.json")


def die_with_parent() -> None:
    """End this process together with the task's worker, even if the supervisor has ended as well."""
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    main()
