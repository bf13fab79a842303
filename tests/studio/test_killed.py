"""A server that is killed at a random moment: no step is lost, none is there twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request

import pytest
from tests.studio.conftest import SETTINGS, loans

from laconic.data.documents import parsed

SERVE = (
    "import sys\n"
    "from pathlib import Path\n"
    "from laconic.studio.desk import Desk\n"
    "from laconic.studio.serve import served\n"
    "server = served(Desk(Path(sys.argv[1]).parent), secret='secret')\n"
    "print(server.address, flush=True)\n"
    "server.run()\n"
)


def started(file):
    process = subprocess.Popen([sys.executable, "-c", SERVE, str(file)], stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    data = post(address, "api/open", {"path": str(file)})
    return process, address, data["table"]


def post(address, path, body):
    request = urllib.request.Request(address + path, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def kill_at_random(tmp_path, times, seed):
    """Send moves while the server is killed again and again; return the keys sent and the file's steps."""
    chance = random.Random(seed)
    file = tmp_path / "loans.csv"
    loans().to_csv(file, index=False)
    acknowledged, kills = [], 0
    process, address, table = started(file)
    first = {"kind": "learn", "settings": SETTINGS, "regularization": 0.05}
    pending = {"parent": None, "move": first, "reason": "", "key": "step 00000000"}
    died = time.monotonic() + chance.random() * 0.3
    try:
        while kills < times or pending is not None:
            if kills < times and time.monotonic() >= died:
                os.kill(process.pid, signal.SIGKILL)
            try:
                found = post(address, f"api/table/{table}/move", pending)
            except OSError:
                process.wait(10)
                process.stdout.close()
                kills += 1
                process, address, table = started(file)
                died = time.monotonic() + chance.random() * 0.3
                continue
            acknowledged.append((pending["key"], found["step"]))
            opinion = {"kind": "max_rules", "most": chance.randint(1, 20)}
            pending = {
                "parent": found["step"],
                "move": {"kind": "opine", "opinion": opinion},
                "reason": f"reason {len(acknowledged)}",
                "key": f"step {len(acknowledged):08d}",
            }
            if kills >= times:
                pending = None
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()
    return acknowledged, parsed((tmp_path / "loans.csv.studio.json").read_text())["steps"]


def check(acknowledged, steps):
    keys = [step["key"] for step in steps]
    assert len(set(keys)) == len(keys)
    for key, number in acknowledged:
        assert steps[number]["key"] == key
    assert {key for key, _ in acknowledged} == set(keys)
    for place, step in enumerate(steps[1:], 1):
        assert step["reason"] == f"reason {place}"
        assert step["parent"] == place - 1


def test_no_step_is_lost_or_doubled_when_the_server_is_killed(tmp_path):
    check(*kill_at_random(tmp_path, 3, seed=1))


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_no_step_is_lost_or_doubled_in_a_hundred_kills(tmp_path):
    acknowledged, steps = kill_at_random(tmp_path, 100, seed=2)
    check(acknowledged, steps)
    assert len(steps) > 100
