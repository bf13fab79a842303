"""An installed wheel can fit, prove, save, load and report; run on each wheel after it is built."""

from __future__ import annotations

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from sklearn.datasets import load_iris

from laconic import DecisionSetClassifier, load_model, save_model
from laconic.checking.recheck import recheck
from laconic.report import write_report


def main() -> None:
    """Fail with an assertion if anything is missing from the wheel, or there without need.

    With ``--development`` the installed package may have the parts that only tests need.
    """
    assert "--development" in sys.argv or find_spec("laconic.runtime._native_testing") is None
    data = load_iris(as_frame=True)
    clf = DecisionSetClassifier(regularization=0.05).fit(data.data, data.target)
    assert clf.optimal_
    assert (clf.cost_, clf.lower_bound_) == (70, 70)
    with tempfile.TemporaryDirectory() as folder:
        save_model(clf, Path(folder, "model.json"))
        assert recheck(load_model(Path(folder, "model.json")), data.data, data.target) == []
        write_report(clf, data.data, data.target, Path(folder, "report.html"), seconds=0)
    print("the wheel works")


if __name__ == "__main__":
    main()
