"""A small laboratory: tables in the layout of the paper's, and a method that misbehaves to order."""

import gzip
import os
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from laconic.bench.methods import METHODS, MethodEntry
from laconic.bench.plan import SuitePart, make_plan
from laconic.bench.suites import SuiteSpec

PROBE = """
import os, signal, subprocess, sys, time
from pathlib import Path
import numpy as np
from laconic.bench.methods.api import MethodAnswer, MissingPeerError
from laconic.bench.rules import NeutralCondition, NeutralRule, RuleSet


def run(training, limits, *, behaviour="constant", note=None, seconds=600):
    if note is not None:
        Path(note, str(os.getpid())).touch()
    heaviest = training.classes[int(np.bincount(training.labels).argmax())]
    good = MethodAnswer(RuleSet((), heaviest), optimal=True, versions={"probe": "7"})
    if behaviour == "sleep":
        time.sleep(seconds)
    elif behaviour == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(seconds)
    elif behaviour == "gives up":
        return MethodAnswer(RuleSet((), heaviest), optimal=False, cost=5, lower_bound=3)
    elif behaviour == "hog":
        hoard = [bytes(2**24) for _ in range(10_000)]
    elif behaviour == "hog in children":
        code = "import time; x = bytearray(b'1') * (60 * 2**20); time.sleep(600)"
        for _ in range(4):
            subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)
        time.sleep(seconds)
    elif behaviour == "burn in processes":
        for _ in range(3):
            subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True)
        time.sleep(seconds)
    elif behaviour == "burn in short processes":
        # None of them is there for long, and nobody waits for half of them.
        while True:
            code = "import time; end = time.process_time() + 0.3\\nwhile time.process_time() < end: pass"
            pair = [subprocess.Popen([sys.executable, "-S", "-c", code]) for _ in range(2)]
            pair[0].wait()
    elif behaviour == "burn in threads":
        import hashlib, threading
        load = bytes(2**26)  # hashing this much, a thread lets the others run
        def burn():
            while True:
                hashlib.sha256(load)
        for _ in range(3):
            threading.Thread(target=burn, daemon=True).start()
        time.sleep(seconds)
    elif behaviour == "sleep within the budget":
        budget = limits.budget()
        time.sleep(seconds)
        assert not budget.expired()
    elif behaviour == "burn a little":
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
    elif behaviour == "segfault":
        print("last words", flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif behaviour == "raise":
        raise KeyError("an untold bug")
    elif behaviour == "missing" or (
        behaviour == "missing without Atlantis" and "city is Atlantis" not in training.names
    ):
        raise MissingPeerError("ripper is not here; make it with: laconic bench peers ripper")
    elif behaviour == "malformed":
        return MethodAnswer(RuleSet((NeutralRule((NeutralCondition("nowhere", "=", 1),), heaviest),)))
    elif behaviour == "chatty":
        for _ in range(4000):
            os.write(1, b"x" * 4096)
    elif behaviour == "leaves a child":
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        Path(note, str(child.pid)).touch()
    return good
"""


class Lab:
    """Paths, and plans over the laboratory's tables."""

    def __init__(self, root: Path) -> None:
        self.data = root / "data"
        self.notes = root / "notes"
        self.records = root / "records.jsonl"
        self.modules = root / "modules"
        self.spec = SuiteSpec("cp20", str(self.data))

    def plan(self, *names, datasets=("tiny",), quantisations=(2,), folds=(1,), **limits):
        limits = {"limit_s": 20.0, "memory_mb": 512, **limits}
        choice = SuitePart(datasets=datasets, quantisations=quantisations, folds=folds)
        return make_plan(self.spec.open(), names, choice=choice, **limits)

    def noted(self) -> list[int]:
        """Ids of the processes that the probe has named."""
        return [int(path.name) for path in self.notes.iterdir()]


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie that nobody reaps does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_for(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def write_tables(root: Path) -> None:
    rng = np.random.default_rng(0)
    for q in (2, 3, 4):
        (root / "quantised" / f"r{q}").mkdir(parents=True)
        (root / "quantised" / "folds" / f"r{q}").mkdir(parents=True)
        for name, n_rows in (("tiny", 20), ("small", 60)):
            bits = rng.integers(0, 2, (n_rows, 3))
            lines = ["a,b,c,label"] + [f"{x},{y},{z},{'yes' if x and y else 'no'}" for x, y, z in bits]
            with gzip.open(root / "quantised" / f"r{q}" / f"{name}.csv.gz", "wt") as out:
                out.write("\n".join(lines) + "\n")
            with gzip.open(root / "quantised" / "folds" / f"r{q}" / f"{name}.txt.gz", "wt") as out:
                out.write("\n".join(str(i % 5 + 1) for i in range(n_rows)) + "\n")


@pytest.fixture
def lab(tmp_path, monkeypatch):
    lab = Lab(tmp_path)
    write_tables(lab.data)
    lab.notes.mkdir()
    lab.modules.mkdir()
    (lab.modules / "probe.py").write_text(textwrap.dedent(PROBE))
    monkeypatch.setenv("PYTHONPATH", str(lab.modules), prepend=os.pathsep)
    return lab


@pytest.fixture
def probe(lab, monkeypatch):
    """Register the probe under a name, with its orders."""

    def register(name, **options):
        options = {"note": str(lab.notes), **options}
        monkeypatch.setitem(METHODS, name, MethodEntry("probe", name, "for tests", "heuristic", options))
        return name

    return register
