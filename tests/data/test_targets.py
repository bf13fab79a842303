from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from laconic.data.targets import checked_labels, encode_labels
from laconic.runtime.errors import InputError


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (["a", "b"], "U"),
        (np.array(["a", "b"], dtype=object), "O"),
        (pd.Series(["a", "b"]), "O"),
        (pd.Categorical(["a", "b"]), "O"),
        ([1, 0], "i"),
        (pd.Series([1, 0], dtype="Int64"), "i"),
        (np.array([1, 0], dtype=object), "i"),
        (pd.DataFrame({"target": [1, 0]}), "i"),
        ([1.0, 0.0], "f"),
        ([True, False], "b"),
        (pd.Series([True, False], dtype="boolean"), "b"),
        (np.array([1, 0], dtype=np.uint8), "u"),
    ],
)
def test_any_sensible_label_type_is_kept(y, kind):
    labels = checked_labels(y, 2)
    assert labels.dtype.kind == kind
    assert len(set(labels.tolist())) == 2


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "a classifier requires y to be passed, but the target y is None; give one label per row"),
        (["a", "b"], "y has 2 labels, but X has 3 rows; give one label per row"),
        (["a", None, "b"], "the label of row 1 is missing; drop that row or give it a class"),
        ([0.0, 1.0, np.nan], "the label of row 2 is missing; drop that row or give it a class"),
        (
            pd.Series([1, None, 2], dtype="Int64"),
            "the label of row 1 is missing; drop that row or give it a class",
        ),
        (
            [0.0, 0.5, 1.0],
            "Unknown label type: continuous; the label of row 1 is 0.5, so cut the target into classes first",
        ),
        (
            [0.0, np.inf, 1.0],
            "Unknown label type: continuous; the label of row 1 is inf, so cut the target into classes first",
        ),
        (
            [1, "a", 2],
            "Unknown label type: mixed-integer; use texts, whole numbers or booleans as labels",
        ),
        (
            np.array(["2020-01-01", "2020-01-02", "2020-01-03"], dtype="datetime64[D]"),
            "Unknown label type: datetime64[D]; use texts, whole numbers or booleans as labels",
        ),
    ],
)
def test_bad_labels_are_refused_in_one_sentence(y, message):
    with pytest.raises(InputError) as caught:
        checked_labels(y, 3)
    assert str(caught.value) == message


def test_classes_are_sorted_and_numbered():
    classes, codes = encode_labels(np.array(["b", "a", "b"]))
    assert (classes.tolist(), codes.tolist()) == (["a", "b"], [1, 0, 1])


def test_one_class_is_refused():
    with pytest.raises(InputError) as caught:
        encode_labels(np.array(["b", "b"]))
    assert str(caught.value) == "all rows have one class ('b'); give rows of at least two classes"
    with pytest.raises(InputError, match="all rows with a positive weight have one class"):
        encode_labels(np.array(["b", "b"]), weighted=True)
