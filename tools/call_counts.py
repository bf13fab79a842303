"""Count the Python calls of a fit on iris: calls, functions, files, room crossings, and time it.

    python tools/call_counts.py [--list] [--auto]

The fit is that of ``DecisionSetClassifier(regularization=0.05)``; ``--auto`` lets the fit choose λ. A
crossing is a call between functions of two rooms (folders at the top of the package). Calls of Python
functions count, those of C++ and of libraries do not. ``--list`` prints the functions that are called most
and the crossings, by caller and callee. The last line is about the package.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from sklearn.datasets import load_iris

import laconic
from laconic import DecisionSetClassifier

PACKAGE = Path(laconic.__file__).parent
N_TIMED = 50


def place(frame: FrameType | None) -> tuple[str, str] | None:
    """Return the file within the package and the function of a frame; None outside the package."""
    if frame is None or not frame.f_code.co_filename.startswith(str(PACKAGE)):
        return None
    return frame.f_code.co_filename[len(str(PACKAGE)) + 1 :], frame.f_code.co_qualname


def main() -> None:
    """Fit once to import everything, then count a second fit, then time some more."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    classifier = DecisionSetClassifier(regularization="auto" if "--auto" in sys.argv else 0.05)
    classifier.fit(X, y)
    calls: Counter[tuple[str, str]] = Counter()
    crossings: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or (here := place(frame)) is None or here[1].endswith(">"):
            return  # comprehensions and lambdas belong to the function that holds them
        calls[here] += 1
        caller = place(frame.f_back)
        rooms = here[0].split("/")[0], caller[0].split("/")[0] if caller else ""
        if caller and rooms[0] != rooms[1]:
            crossings[f"{caller[0]} {caller[1]} -> {here[0]} {here[1]}"] += 1

    sys.setprofile(note)
    classifier.fit(X, y)
    sys.setprofile(None)
    print(
        f"{sum(calls.values())} calls, {len(calls)} functions, {len({path for path, _ in calls})} files, "
        f"{sum(crossings.values())} room crossings"
    )
    seconds = []
    for _ in range(N_TIMED):
        start = time.process_time()
        classifier.fit(X, y)
        seconds.append(time.process_time() - start)
    print(f"{1000 * statistics.median(seconds):.1f} ms of processor time, median of {N_TIMED} fits")
    entries = [path for path in PACKAGE.iterdir() if path.name != "__pycache__"]
    lines = sum(len(path.read_text().splitlines()) for path in PACKAGE.rglob("*.py"))
    print(f"{len(entries)} entries at the top of the package, {lines} lines of Python")
    if "--list" in sys.argv:
        for (path, name), times in calls.most_common(45):
            print(f"{times:5}  {path}  {name}")
        for pair, times in crossings.most_common():
            print(f"{times:5}  {pair}")


if __name__ == "__main__":
    main()
