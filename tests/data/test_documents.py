"""Numbers and keys of untrusted JSON: what none of our files holds is refused, at once."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data.documents import MAX_DIGITS, fraction_of_text, parsed

NINES = "9" * MAX_DIGITS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 1}}', "the key 'c' is there twice in one object"),
        ('{"a": 1, "\\u0061": 2}', "the key 'a' is there twice in one object"),
        (f"[{NINES}9]", "a number has more than 400 digits"),
        (f"[-{NINES}9]", "a number has more than 400 digits"),
        ("[" + "9" * 100_000 + "]", "a number has more than 400 digits"),
        ("[1e999]", "the number 1e999 is too large"),
        ("[-1E+400]", "the number -1E+400 is too large"),
        ("[NaN]", "NaN is not a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ('["\\ud800"]', "it has half a surrogate pair"),
        ("[" * 100_000, "its values are nested too deeply"),
    ],
)
def test_what_no_file_of_ours_holds_is_refused(text, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        parsed(text)


def test_what_our_files_hold_is_read():
    assert parsed(f'{{"a": [{NINES}, -{NINES}, 0.5, -0.0, 5e-324, 1e308, true, null, "é"]}}') == {
        "a": [int(NINES), -int(NINES), 0.5, -0.0, 5e-324, 1e308, True, None, "é"]
    }


@given(st.fractions())
def test_an_exact_number_comes_back(number):
    assert fraction_of_text(str(number)) == number


@pytest.mark.parametrize(
    "text",
    [
        *("1e999999999", "1e5", "0.5", "1_000", " 1", "1 ", "", "/", "1/", "/1", "1/0", "0/0", "1/-3", "nan"),
        *("inf", "١٢", "0x10", "9" * 401, "1/" + "9" * 401, "1\n", 1, 1.5, None, True, ["1e999999999"]),
    ],
)
def test_no_other_text_is_an_exact_number(text):
    with pytest.raises(ValueError, match=r"is not an exact number|divides by zero"):
        fraction_of_text(text)


def test_a_long_exact_number_is_read():
    assert fraction_of_text(f"-{NINES}/{NINES}") == Fraction(-1)
    assert json.loads(NINES) == int(NINES)
