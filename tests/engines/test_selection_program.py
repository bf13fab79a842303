"""Bounds from rounded multipliers are bounds, whatever the multipliers are."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from laconic.engines.selection.program import BinaryProgram, Relaxation
from laconic.runtime.budget import Budget


def random_program(seed):
    rng = np.random.default_rng(seed)
    n, m = 6, 5
    program = BinaryProgram(1)
    for _ in range(n):
        program.new([int(rng.integers(-5, 10))])
    program.constants[0] = 7
    matrix = rng.integers(-3, 4, (m, n))
    least = rng.integers(-4, 3, m)
    for values, one in zip(matrix, least, strict=True):
        program.require(np.arange(n), values, int(one))
    costs = program.costs(0)
    values = [
        7 + int(costs @ x)
        for x in map(np.array, itertools.product((0, 1), repeat=n))
        if (matrix @ x >= least).all()
    ]
    return program, min(values) if values else None


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_never_exceeds_the_optimum(seed):
    program, optimum = random_program(seed)
    bound = Relaxation(program, 0).solve(Budget(10))
    if optimum is not None:
        assert bound is not None
        assert bound <= optimum


def test_some_bounds_are_tight_and_some_programs_shown_impossible():
    pairs = [random_program(seed) for seed in range(40)]
    bounds = [(Relaxation(program, 0).solve(Budget(10)), optimum) for program, optimum in pairs]
    assert sum(bound == optimum for bound, optimum in bounds if optimum is not None) > 5
    assert sum(bound is None for bound, _ in bounds) > 0


@pytest.mark.parametrize("seed", range(20))
def test_any_multipliers_give_a_bound(seed):
    program, optimum = random_program(seed)
    relaxation = Relaxation(program, 0)
    relaxation.solve(Budget(10))
    rng = np.random.default_rng(seed)
    for scale in (1e-3, 1.0, 1e3, 1e9):
        y = rng.random(len(program.least)) * scale
        found = relaxation._safe_sum(y, program.costs(0)) + 7
        assert optimum is None or found <= optimum


def test_a_rule_fixed_in_raises_the_bound():
    program = BinaryProgram(1)
    first, second = program.new([5]), program.new([3])
    program.require([first, second], 1, 1)
    relaxation = Relaxation(program, 0)
    assert relaxation.solve(Budget(10)) == 3
    assert relaxation.bounds_with(2).tolist() == [5, 3]
    relaxation.fix(np.array([1, 0]), np.array([1, 1]))
    assert relaxation.solve(Budget(10)) == 5
    relaxation.fix(np.array([0, 0]), np.array([0, 0]))
    assert relaxation.solve(Budget(10)) is None


def test_sums_too_large_for_exact_arithmetic_prove_nothing():
    program = BinaryProgram(1)
    cheap, dear = program.new([5]), program.new([2**20])
    program.require([cheap, dear], 1, 1)
    for _ in range(2**14):
        program.require([cheap], 1, 0)
    y = np.full(len(program.least), 2.0**50)
    y[0], y[-1] = 2.0**20, 2.0**50 - 2.0**21
    # On the first variable the multipliers add up to 2**64 - 2**20, which 64 bits take for -2**20.
    assert Relaxation(program, 0)._safe_sum(y, program.costs(0)) <= 5
