"""A certificate that is written to be checked for hours ends with the time limit, or is refused at once."""

from __future__ import annotations

import copy

import pytest
from tests.support.checking.builders import certified, sealed
from tests.support.checking.constrained import certified as certified_under
from tests.support.checking.constrained import demanding

from laconic.checking import checker, constraint_checker
from laconic.checking.certify.canonical import canonical_text, merged_table_text
from laconic.checking.certify.effort import Effort
from laconic.checking.certify.together import prove_together
from laconic.checking.constraint_checker import program as programs
from laconic.data.table import Table
from laconic.problem.objective import Kind, Objective
from laconic.runtime.budget import Budget


@pytest.fixture
def table():
    return Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 0], [3, 2, 4, 1])


def test_counting_the_cost_of_many_rules_ends_with_the_time(table):
    document, _ = certified(table, Objective(Kind.SPARSE))
    document["rules"] = [[0], [0, 0], [0, 1], [1], [1, 0], [1, 1]]
    with pytest.raises(TimeoutError):
        checker.check(sealed(document), table, Effort(nodes=5))
    with pytest.raises(checker.Refuted, match="its rules cost"):
        checker.check(sealed(document), table, Effort(nodes=6))


def test_many_splitters_are_refused(table, monkeypatch):
    document, _ = certified(table, Objective(Kind.SPARSE))
    document["proofs"][0]["proof"].update(splitters=[[0, 2]] * 26, blame=[])
    with pytest.raises(checker.Refuted, match="overpaid"):  # as its blame is gone; the splitters will do
        checker.check(sealed(document), table, Effort())
    monkeypatch.setattr(checker, "BATCH", 1)
    with pytest.raises(checker.Refuted, match="26 splitters are too many"):
        checker.check(sealed(document), table, Effort())
    with pytest.raises(checker.Refuted, match="26 splitters are too many"):
        canonical_text(sealed(document), merged_table_text(table), table)


def test_a_splitter_of_many_literals_counts_as_several():
    checker.refuse_work([range(1000)] * 10, 2 * 10**5)
    with pytest.raises(checker.Refuted):
        checker.refuse_work([range(1001)] * 10, 2 * 10**5)


@pytest.fixture
def together():
    """A problem under constraints, a proof by a program and a tree, and all the blame that it may use."""
    for seed in range(100):
        found = demanding(seed, "min_precision", None)
        if found is None:
            continue
        problem, table, values, rules = found
        document = certified_under(problem, table, rules)
        statement = constraint_checker.Statement(document, table)
        bound, proof = prove_together(statement, values, 0, Budget(60))
        if not bound or not proof["tree"].get("rows"):
            continue
        capped = statement.capped(values, 0, bound)
        program = programs.Program(statement, capped, programs.listed(statement, capped, Effort()))
        blame = [[c, i, j] for c, i in program.named for other, j in program.covered if c == other]
        if len(blame) > 3:
            return statement, values, bound, proof, blame
    raise AssertionError


def spent(together, proof):
    """What a check of the proof asks for."""
    statement, values, bound, *_ = together
    asked = []
    constraint_checker.check_level(statement, values, 0, bound, proof, asked.append)
    return sum(asked)


def test_rules_under_constraints_are_counted_within_the_time(together):
    with pytest.raises(TimeoutError):
        together[0].values([(0,), (1,)], Effort(nodes=0))


def test_blame_is_added_within_the_time(together, monkeypatch):
    *_, proof, blame = together
    assert spent(together, {**proof, "blame": blame}) == spent(together, {**proof, "blame": []}) + len(blame)
    with pytest.raises(checker.Malformed, match="its blame names the same rows twice"):
        spent(together, {**proof, "blame": [*blame, blame[0]]})
    monkeypatch.setattr(programs, "MOST_BLAME", 3)
    with pytest.raises(checker.Refuted, match="its blame is about too many rows and rules"):
        spent(together, {**proof, "blame": blame})


def test_a_row_is_multiplied_once(together):
    proof = copy.deepcopy(together[3])
    spent(together, proof)
    proof["tree"]["rows"] *= 2
    with pytest.raises(checker.Malformed, match="its multipliers name a row twice"):
        spent(together, proof)
