"""Count the Python calls of ``DecisionSetClassifier().fit`` on iris: calls, functions, files, room crossings.

    python tools/call_counts.py [--list]

A crossing is a call between functions of two rooms (folders at the top of the package).
``--list`` prints the functions that are called most and the crossings by pair of rooms.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from sklearn.datasets import load_iris

import laconic
from laconic import DecisionSetClassifier

PACKAGE = Path(laconic.__file__).parent


def place(frame: FrameType | None) -> tuple[str, str] | None:
    """Return the file within the package and the function of a frame; None outside the package."""
    if frame is None or not frame.f_code.co_filename.startswith(str(PACKAGE)):
        return None
    return frame.f_code.co_filename[len(str(PACKAGE)) + 1 :], frame.f_code.co_qualname


def main() -> None:
    """Fit once to import everything, then count a second fit."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    DecisionSetClassifier().fit(X, y)
    calls: Counter[tuple[str, str]] = Counter()
    crossings: Counter[tuple[str, str]] = Counter()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event != "call" or (here := place(frame)) is None or here[1].endswith(">"):
            return  # comprehensions and lambdas belong to the function that holds them
        calls[here] += 1
        caller = place(frame.f_back)
        rooms = here[0].split("/")[0], caller[0].split("/")[0] if caller else ""
        if caller and rooms[0] != rooms[1]:
            crossings[rooms[1], rooms[0]] += 1

    sys.setprofile(note)
    DecisionSetClassifier().fit(X, y)
    sys.setprofile(None)
    print(
        f"{sum(calls.values())} calls, {len(calls)} functions, {len({path for path, _ in calls})} files, "
        f"{sum(crossings.values())} room crossings"
    )
    if "--list" in sys.argv:
        for (path, name), times in calls.most_common(45):
            print(f"{times:5}  {path}  {name}")
        for (caller, callee), times in crossings.most_common():
            print(f"{times:5}  {caller} -> {callee}")


if __name__ == "__main__":
    main()
