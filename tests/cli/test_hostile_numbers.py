"""Numbers on the command line that no machine can hold: an answer or one sentence, at once."""

from __future__ import annotations

import math

import pytest

from laconic.problem.constraints.constraints import Constraints
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.memory import memory_bytes
from laconic.runtime.remote import jobs

HUGE = "9" * 400

FIT = ("--target", "class", "--time-limit", 2)


@pytest.mark.parametrize("number", [HUGE, str(2**64), "1e400", "nan", "-1"])
@pytest.mark.parametrize(
    "option",
    [
        "--lambda",
        "--size-budget",
        "--max-errors",
        "--time-limit",
        "--memory-limit",
        "--seed",
        "-j",
        "--bins",
        "--max-rules",
        "--max-rule-length",
        "--max-literals",
        "--max-size",
        "--min-precision",
        "--min-support",
    ],
)
def test_an_option_takes_any_number_or_says_why_not(option, number, loans, laconic):
    result = laconic("fit", loans, *FIT, option, number)
    assert result.code in {0, 2}, result.err
    assert result.err.count("laconic: ") == (result.code == 2)
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            ("fit", "--min-support", HUGE),
            f"min_support must be below 2⁶³, not {HUGE[:59]}…; leave it out for no",
        ),
        (
            ("path", "--max-rules", 2**64),
            f"max_rules must be below 2⁶³, not {2**64}; leave it out for no limit",
        ),
        (("fit", "-j", HUGE), f"--jobs must be at most 65536, or -1 for all processors, not {HUGE[:59]}…"),
        (
            ("fit", "--memory-limit", 2**64),
            "a memory limit of more than 1024 TiB is more than any machine has",
        ),
        (
            ("enumerate", "--lambda", "1e30"),
            "the costs reach 8e+30, beyond exact arithmetic; use fewer digits in costs",
        ),
        (
            ("enumerate", "--lambda", "1e18"),
            "the costs reach 8e+18, beyond exact arithmetic; use fewer digits in costs",
        ),
    ],
)
def test_what_cannot_be_counted_is_refused(line, message, loans, laconic):
    command, *options = line
    result = laconic(command, loans, *FIT, *options)
    assert result.code == 2
    assert f"laconic: {message}" in result.err


def test_a_limit_of_more_than_a_century_is_none():
    for seconds in (1e18, 1e308, 10**400):
        assert Budget(seconds).remaining() == math.inf
    assert Budget(1e9).remaining() < 1e9


def test_an_enumeration_ends_whatever_its_limit_is(loans, laconic):
    result = laconic("enumerate", loans, "--target", "class", "--time-limit", "1e18")
    assert result.code == 0
    assert "proven by the engine)" in result.out


def test_python_is_told_as_well():
    with pytest.raises(InputError, match="n_jobs must be at most 65536"):
        jobs(10**400)
    with pytest.raises(InputError, match="more than any machine has"):
        memory_bytes(10**400)
    with pytest.raises(InputError, match="min_precision must be above 0 and at most 1"):
        Constraints(min_precision=10**400)
    with pytest.raises(InputError, match="feature_costs of 'age' must be a number from 0 to 10⁹"):
        Constraints(feature_costs={"age": 10**400})
