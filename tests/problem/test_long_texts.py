"""Texts of users are read in linear time, however many blanks they hold."""

from __future__ import annotations

import pandas as pd
import pytest
from tests.support.clock import ProcessorTime

from laconic import Binarizer
from laconic.cli.target import misread_columns
from laconic.data.training import in_memory
from laconic.problem.constraints.wording import Vocabulary
from laconic.runtime.errors import InputError
from laconic.runtime.memory import parse_size

N = 100_000
BLANKS = " " * N
X = pd.DataFrame(
    {"age": [20.0, 30.0, 40.0, 50.0], "a AND b": [1.0, 2.0, 3.0, 4.0], "c=d": [5.0, 6.0, 7.0, 8.0]}
)


@pytest.fixture(scope="module")
def words():
    training = in_memory(X, ["no", "no", "yes", "yes"], None, Binarizer("midpoints"))
    return Vocabulary(
        training.binarizer.features_, [one.name for one in training.columns], training.classes.tolist()
    )


@pytest.fixture(autouse=True)
def within_a_second_of_processor_time():
    with ProcessorTime() as spent:
        yield
    assert spent.seconds < 1.5


@pytest.mark.parametrize(
    "text",
    [
        f"{BLANKS}IF{BLANKS}age <= 30{BLANKS}THEN{BLANKS}no{BLANKS}",
        f"IF age{BLANKS}<={BLANKS}30 THEN no",
        f"IF age <= 30 AND {BLANKS}a AND b{BLANKS}>{BLANKS}2{BLANKS} THEN yes",
        f"IF 30{' '}< age <= 40 AND c=d{BLANKS}<={BLANKS}6 THEN no",
    ],
)
def test_a_rule_with_many_blanks_is_read(words, text):
    assert words.rule(text, "rules_in").literals


@pytest.mark.parametrize(
    "text",
    [
        BLANKS,
        f"IF{BLANKS}",
        f"IF{BLANKS}THEN",
        f"IF age <= 30{BLANKS}THEN{BLANKS}",
        f"IF age <= 30{BLANKS}x{BLANKS}THEN no",
        f"IF age <= 30 {'THEN ' * (N // 5)}",
        f"IF age{BLANKS}x THEN no",
        f"IF {'age <= 30 AND ' * (N // 14)}x THEN no",
        f"IF {'AND ' * (N // 4)} THEN no",
        f"IF {' AND ' * (N // 5)} THEN no",
        f"IF age {'=' * N} THEN no",
        f"IF age {'<= ' * (N // 3)} THEN no",
        f"IF 1 < {'age <= ' * (N // 7)} THEN no",
        f"IF age <= {'9' * N} THEN no",
        f"IF {'x' * N} < age THEN no",
    ],
    ids=range(15),
)
def test_a_text_that_is_no_rule_is_refused_at_once(words, text):
    with pytest.raises(InputError):
        words.rule(text, "rules_in")


@pytest.mark.parametrize("text", [BLANKS, f"age{BLANKS}30", f"age{BLANKS}<={BLANKS}x", f"{BLANKS}age <= 31"])
def test_a_text_that_is_no_condition_is_refused_at_once(words, text):
    with pytest.raises(InputError):
        words.condition(text, "forbidden")


def test_a_size_with_many_blanks_is_read_or_refused():
    assert parse_size(f"{BLANKS}4{BLANKS}GiB{BLANKS}") == 2**32
    for text in (f"4{BLANKS}!", f"4{BLANKS}GiB{BLANKS}!", "1" * N + "!", f"1.{'1' * N}!"):
        with pytest.raises(InputError, match="cannot read the size"):
            parse_size(text)


@pytest.mark.parametrize("cell", [f"2024-01-01 10:00{BLANKS}\nx", f"1{BLANKS}x", f"{BLANKS}x", "1" * N + "x"])
def test_cells_with_many_blanks_are_looked_at(cell):
    frame = pd.DataFrame({"when": pd.Series([cell, "2024-01-02"], dtype="str")})
    assert misread_columns(frame, (), ".") == []


def test_a_name_with_an_operator_or_the_word_and_is_found(words):
    assert words.condition("c=d<=6", "x") == words.condition("c=d <= 6", "x")
    assert len(words.rule("IF a AND b > 2 AND age <= 40 AND c=d>5 THEN yes", "x").literals) == 3
