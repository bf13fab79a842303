"""``laconic.studio(clf, X, y)``: the studio for a fitted classifier, from Python."""

from __future__ import annotations

import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from laconic.data.foreign import as_pandas
from laconic.data.frame import as_frame
from laconic.estimators.classifier import DecisionSetClassifier
from laconic.problem.constraints.constraints import Constraints, combined
from laconic.runtime.errors import InputError
from laconic.studio.desk import Desk
from laconic.studio.leave import stated
from laconic.studio.opened import StudioTable
from laconic.studio.settings import Settings

LABELS = "label"


class Studio:
    """A studio that was opened from Python; see `studio`.

    Attributes
    ----------
    address : str
        Of the page.
    """

    def __init__(self, desk: Desk, table: str, *, browser: bool) -> None:
        from laconic.studio.serve import served

        self._desk, self._table = desk, table
        self._server = served(desk)
        self.address = f"{self._server.address}#table={table}"
        self._thread = threading.Thread(target=self._server.run, daemon=True, name="laconic studio")
        self._thread.start()
        if browser:
            webbrowser.open(self.address)

    def __repr__(self) -> str:
        return f"<laconic studio at {self.address}>"

    @property
    def constraints(self) -> Constraints | None:
        """What was decided at the step looked at last, as constraints; None if nothing was."""
        return stated(self._desk.session(self._table), self._step())

    def classifier(self) -> DecisionSetClassifier:
        """Return a classifier fitted with what was decided at the step looked at last."""
        session, number = self._desk.session(self._table), self._step()
        model = session.model(number)
        regularization = model.facts.regularization
        assert regularization is not None
        classifier = DecisionSetClassifier(regularization=regularization, constraints=self.constraints)
        return classifier.fit(session.solver(number).training)

    def close(self) -> None:
        """End the server; what was decided stays in the session file."""
        self._server.stop()
        self._thread.join(5)

    def _step(self) -> int:
        history = self._desk.session(self._table).history
        if history.head is None:
            raise InputError("nothing was learned in this studio yet; open its page first")
        return history.head


def studio(
    clf: DecisionSetClassifier, X: Any, y: ArrayLike, *, file: str | Path | None = None, browser: bool = True
) -> Studio:
    """Open the studio for a fitted classifier: its λ and its constraints are where it begins.

    Parameters
    ----------
    clf : DecisionSetClassifier
        Fitted, for a sparse objective with errors per class.
    X, y : table and labels
        The rows that it was fitted on.
    file : str or Path, optional
        Where the session is saved; by default in a temporary folder.
    browser : bool, default=True
        Whether to open the page.

    Returns
    -------
    Studio
    """
    regularization = getattr(clf, "regularization_", None)
    if regularization is None or clf.counting != "per_class" or clf.every_class or clf.default != "explained":
        raise InputError("the studio needs a fitted classifier with a sparse objective and errors per class")
    frame = as_frame(as_pandas(X)).copy()
    frame.columns = [str(name) for name in frame.columns]
    label = str(getattr(y, "name", None) or LABELS)
    while label in frame.columns:
        label += "_"
    frame[label] = pd.Series(np.asarray(y), index=frame.index)
    place = Path(file) if file is not None else Path(tempfile.mkdtemp(prefix="laconic-"), "session.json")
    desk = Desk(place.parent)
    table = desk.put(StudioTable(frame, label, place))
    session = desk.session(table)
    if not session.history.steps:
        bins = getattr(clf.binarizer, "bins", Settings(label).bins)
        given = combined(clf.constraints, class_weight=clf.class_weight, measure=clf.measure)
        held = [] if given is None else [{"kind": "given", "constraints": given.to_document()}]
        settings = {"target": label, "bins": bins}
        move = {"kind": "learn", "settings": settings, "opinions": held, "regularization": regularization}
        session.do(None, move)
    return Studio(desk, table, browser=browser)
