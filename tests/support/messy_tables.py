"""Random small tables with everything that goes wrong in large ones."""

import warnings

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from laconic import Binarizer
from laconic.data.columns import METHODS, BinarizerWarning
from laconic.data.training import in_memory
from laconic.runtime.errors import InputError

HUGE = [2**53 - 1, 2**53, 2**53 + 1, 2**53 + 3, 2**62 + 1, -(2**60) - 1]
NUMBERS = [0.0, -0.0, 1.0, 0.1, 0.30000000000000004, -2.5, 1e-320, 1e308, -1e308, 7.0, 1e22, float(2**53)]
TEXTS = ["a", "b", "B", "é", "日本", "it's", 'say "x"', "1", "01", "1.0", "true", "x, y", "z;z", "🙂", "is"]
KINDS = [
    "small",
    "huge",
    "float",
    "decimals",
    "text",
    "bool",
    "gaps",
    "flags",
    "nullable",
    "category",
    "same",
]
NAMES = ["a", "B c", 'q"t', "ñ", "x%", "v'"]


@st.composite
def columns(draw, n):
    kind = draw(st.sampled_from(KINDS))
    some = lambda values, size=n: draw(st.lists(values, min_size=size, max_size=size))  # noqa: E731
    if kind == "small":
        return pd.Series(some(st.integers(-3, 9)), dtype="int64")
    if kind == "huge":
        return pd.Series(some(st.sampled_from(HUGE)), dtype="int64")
    if kind == "float":
        return pd.Series(some(st.sampled_from([*NUMBERS, np.nan])), dtype="float64")
    if kind == "decimals":
        return pd.Series(some(st.integers(0, 40).map(lambda k: k / 10)), dtype="float64")
    if kind == "text":
        return pd.Series(some(st.sampled_from([*TEXTS, None])), dtype="str")
    if kind == "bool":
        return pd.Series(some(st.booleans()), dtype="bool")
    if kind == "gaps":
        return pd.Series(some(st.sampled_from([1, 2, 3, 50, None])), dtype="float64")
    if kind == "flags":
        return pd.Series(some(st.sampled_from([True, False, None])), dtype=object)
    if kind == "nullable":
        return pd.Series(pd.array(some(st.sampled_from([1, 5, 2**53 + 1, None])), dtype="Int64"))
    if kind == "category":
        names = ["low", "mid", "high", "unused"]
        return pd.Series(pd.Categorical(some(st.sampled_from([*names[:3], None])), categories=names))
    return pd.Series([draw(st.sampled_from(["one", 3]))] * n)


@st.composite
def tables(draw, most_rows=24):
    """Return a DataFrame with a label column ``y`` and a weight column ``w``."""
    n = draw(st.integers(3, most_rows))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=3, max_size=6, unique=True))
    frame = pd.DataFrame({name: draw(columns(n)) for name in names})
    labels = draw(st.sampled_from([["no", "yes"], ["é", "b", "c"], [0, 1], [3, 1, 2], [False, True]]))
    # Both of the first two classes occur, so that few tables are refused.
    frame["y"] = [*labels[:2], *draw(st.lists(st.sampled_from(labels), min_size=n - 2, max_size=n - 2))]
    weights = draw(st.sampled_from([[1.0], [1.0, 2.0], [0.5, 1.25, 0.0], [0.1, 0.3, 2.0], [1 / 3, 1.0]]))
    frame["w"] = draw(st.lists(st.sampled_from(weights), min_size=n, max_size=n))
    return frame


def binarizers():
    return st.builds(
        lambda method, bins, most, members: Binarizer(
            method, bins=bins, max_categories=most, max_members=members
        ),
        st.sampled_from(METHODS),
        st.integers(2, 4),
        st.sampled_from([2, 50]),
        st.sampled_from([1, 3]),
    )


def reference(frame, binarizer, *, weighted):
    """Return the training table that memory gives, or the refusal."""
    return outcome(
        lambda: in_memory(
            frame.drop(columns=["y", "w"]), frame["y"], frame["w"].to_numpy() if weighted else None, binarizer
        )
    )


def outcome(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinarizerWarning)
        try:
            return call()
        except InputError as error:
            return error


def assert_same(expected, found):
    """Whoever makes the same training table gets the same model, so all of it is compared."""
    if isinstance(expected, InputError):
        assert isinstance(found, InputError), f"in memory this was refused: {expected}"
        return
    assert not isinstance(found, InputError), f"in memory this was accepted: {found}"
    assert found.binarizer.features_ == expected.binarizer.features_
    assert found.binarizer.ignored_columns_ == expected.binarizer.ignored_columns_
    assert found.columns == expected.columns
    assert found.classes.dtype == expected.classes.dtype
    assert found.classes.tolist() == expected.classes.tolist()
    assert found.table.scale == expected.table.scale
    for name in ("bits", "weights", "allowed", "samples"):
        np.testing.assert_array_equal(getattr(found.table, name), getattr(expected.table, name), err_msg=name)
