"""Nothing in a certificate can be changed unnoticed, and no forgery proves what is not true."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.checking.builders import certified, sealed
from tests.support.checking.mutations import mutations

from laconic.checking import checker
from laconic.checking.certify import proof as certify_proof
from laconic.checking.certify.effort import Effort
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem
from laconic.runtime.budget import Budget

OBJECTIVES = {
    "perfect": Objective(Kind.PERFECT),
    "min_rules": Objective(Kind.MIN_RULES),
    "min_rules_then_literals": Objective(Kind.MIN_RULES_THEN_LITERALS),
    "per_class": Objective(Kind.SPARSE, 0.03),
    "per_row": Objective(Kind.SPARSE, 0.03, Counting.PER_ROW),
    "every_class": Objective(Kind.SPARSE, 0.06, every_class=True),
    "otherwise": Objective(Kind.SPARSE, 0.03, default=Default.OTHERWISE),
    "otherwise_perfect": Objective(Kind.PERFECT, default=Default.OTHERWISE),
}


def table_of(flavour):
    rng = np.random.default_rng(3)
    features = rng.integers(0, 2, (14, 3 if flavour == "per_row" else 4))
    labels = (features[:, 0] & features[:, 1]) ^ (rng.random(14) < 0.15)
    return Table.from_arrays(features, labels, rng.integers(1, 4, 14))


def accepted(document, table):
    """What the checker proves, or None; anything but a refusal of its own is a failure."""
    try:
        return checker.check(document, table, Effort(nodes=20_000))
    except (checker.Malformed, checker.Refuted, TimeoutError):
        return None


@pytest.mark.parametrize("flavour", OBJECTIVES)
def test_every_edit_is_noticed(flavour):
    table = table_of(flavour)
    document, solution = certified(table, OBJECTIVES[flavour])
    assert accepted(document, table) == (solution.cost, document["lower_bound"])
    n_tried = 0
    for path, changed in mutations(document):
        assert accepted(changed, table) is None, path
        n_tried += 1
    assert n_tried > 300


@pytest.mark.parametrize("flavour", OBJECTIVES)
def test_a_forger_who_seals_again_proves_nothing_untrue(flavour):
    table = table_of(flavour)
    document, _ = certified(table, OBJECTIVES[flavour])
    n_rejected = n_harmless = 0
    optima = {}
    for path, changed in mutations(document):
        if not isinstance(changed, dict):
            continue
        try:
            forged = sealed(changed)
        except (checker.Malformed, UnicodeEncodeError):
            continue
        proved = accepted(forged, table)
        if proved is None:
            n_rejected += 1
            continue
        n_harmless += 1
        cost, bound = proved
        keys = ("objective", "counting", "every_class", "regularization")
        stated = [*(forged.get(key) for key in keys), forged.get("otherwise") is None]
        if repr(stated) not in optima:  # the oracle is slow
            optima[repr(stated)] = _optimum(forged, table)
        assert bound <= optima[repr(stated)] <= cost, path
        assert not {"cost", "lower_bound", "table_digest"} & set(path), path
    assert n_rejected > 5 * n_harmless > 0


def _optimum(document, table):
    """The optimum of the problem that a document states, by the oracle."""
    top, bottom = document["regularization"] if document["objective"] == "sparse" else (1, 20)
    objective = Objective(
        Kind(document["objective"]),
        top / bottom,
        Counting(document["counting"]),
        document["every_class"],
        default=Default.EXPLAINED if document.get("otherwise") is None else Default.OTHERWISE,
    )
    return get("brute")(Problem.of(table, objective), budget=Budget()).cost


def test_edits_of_a_proof_with_splits_are_noticed(monkeypatch):
    monkeypatch.setattr(certify_proof, "LAST_EFFORT", 0)
    monkeypatch.setattr(certify_proof, "FIRST_EFFORT", 0)
    rng = np.random.default_rng(3)
    features = rng.integers(0, 2, (70, 7))
    table = Table.from_arrays(features, (features[:, 0] ^ features[:, 1]) ^ (rng.random(70) < 0.3))
    document, solution = certified(table, Objective(Kind.PERFECT), "exact")
    assert "rows" in document["proofs"][0]["proof"]
    n_rejected = 0
    for path, changed in mutations(document["proofs"][0]["proof"]):
        forged = {
            **document,
            "proofs": [{**document["proofs"][0], "proof": changed}, *document["proofs"][1:]],
        }
        assert accepted(forged, table) is None, path
        if not isinstance(changed, dict):
            continue
        proved = accepted(sealed(forged), table)
        assert proved in (None, (solution.cost, solution.cost)), path
        n_rejected += proved is None
    assert n_rejected > 500


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d.update(cost=d["cost"] + 1), "its rules cost"),
        (lambda d: d.update(lower_bound=d["lower_bound"] + 1), "the classes' bounds make"),
        (lambda d: d["rules"].pop(), "that a perfect set avoids"),
        (lambda d: d["proofs"].pop(), "there is not one proof for each class"),
        (lambda d: d["proofs"][0].update(bound=d["proofs"][0]["bound"] + 1), "below the bound"),
        (lambda d: d.update(table_digest="sha256:0"), "this is not the data"),
        (lambda d: d["proofs"][0]["proof"]["prices"].__setitem__(0, 2**40), "is overpaid"),
        (lambda d: d["proofs"][0]["proof"]["prices"].__setitem__(0, -1), "a price is negative"),
        (lambda d: d["proofs"][0]["proof"].update(scale=2**51), "the scale .* is out of range"),
        (lambda d: d["proofs"][0]["proof"].update(prices=[0] * 99), "more or fewer numbers"),
        (lambda d: d["proofs"][0]["proof"].update(splitters=[[1, 1]]), "unknown, or out of order"),
        (lambda d: d["proofs"][0]["proof"].update(blame=[[0, 0, 1]]), "one list per group of negatives"),
        (lambda d: d["rules"][0].extend([10**6]), "unknown, or out of order"),
        (lambda d: d["rules"][0].__setitem__(0, 7), "predicts a class that there is not"),
        (lambda d: d.update(objective="cheapest"), "its objective is unknown"),
        (lambda d: d.update(every_class=True), "does not go with its objective"),
    ],
)
def test_the_checker_says_what_fails(change, reason):
    table = table_of("perfect")
    document, _ = certified(table, OBJECTIVES["perfect"])
    change(document)
    with pytest.raises((checker.Malformed, checker.Refuted), match=reason):
        checker.check(sealed(document), table, Effort())
