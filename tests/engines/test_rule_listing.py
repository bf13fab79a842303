"""The rules that can matter, against their definition, rule by rule."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from tests.support.native_testing import parts

from laconic.data.table import Table


class Case(NamedTuple):
    """Which rows each literal holds on, their weights for and against a class, and what rules cost."""

    table: Table
    holds: np.ndarray
    own: np.ndarray
    others: np.ndarray
    rule_cost: int
    literal_cost: int

    def price(self, body: tuple[int, ...]) -> int:
        return self.rule_cost + self.literal_cost * len(body)

    def cover(self, body: tuple[int, ...]) -> np.ndarray:
        return self.holds[list(body)].all(axis=0)


def random_case(seed: int) -> Case:
    """A table with so few different weights and costs that equal sums are frequent."""
    rng = np.random.default_rng(seed)
    n_features = 5
    features = rng.random((int(rng.integers(10, 60)), n_features)) < 0.5
    # Literals that are equal where a third holds; those that are equal everywhere are merged before.
    equal = features[:, 0] | (rng.random(len(features)) < 0.3)
    features[:, 4] = np.where(equal, features[:, 3], features[:, 4])
    labels = features[:, 0] & features[:, 3] ^ (rng.random(len(features)) < 0.3)
    table = Table.from_arrays(features, labels.astype(int), n_classes=2)
    unpacked = np.unpackbits(table.bits.view(np.uint8), axis=1, bitorder="little")[:, : table.n_rows] == 1
    holds = np.stack([~unpacked, unpacked], axis=1).reshape(2 * n_features, -1)
    return Case(
        *(table, holds, table.weights[:, 1], table.weights[:, 0]),
        *(int(rng.integers(1, 4)), int(rng.integers(1, 4))),
    )


def listed(case: Case) -> set[tuple[int, ...]]:
    allowed = np.ones((case.table.n_features, 2), bool)
    bodies = parts.list_candidates(
        *(case.table.bits, allowed, np.ascontiguousarray(case.own), np.ascontiguousarray(case.others)),
        *(case.rule_cost, case.literal_cost, 10**6),
    )
    assert bodies is not None
    found = [tuple(sorted(body)) for body in bodies]
    assert len(found) == len(set(found))
    return set(found)


def pays(case: Case, body: tuple[int, ...]) -> bool:
    """1: its positives weigh more than it costs; 2: so do the negatives that each literal alone excludes."""
    if case.own[case.cover(body)].sum() <= case.price(body):
        return False
    for literal in body:
        rest = tuple(other for other in body if other != literal)
        excluded = case.cover(rest) & ~case.holds[literal]
        if case.others[excluded].sum() <= case.literal_cost:
            return False
    return True


def is_dominated(case: Case, body: tuple[int, ...]) -> bool:
    """3: on a part of the rest, a literal can be exchanged for one that keeps and excludes as much."""
    for literal in body:
        rest = [other for other in body if other != literal]
        for part in (part for size in range(len(rest) + 1) for part in combinations(rest, size)):
            if any(dominates(case, part, other, literal) for other in range(len(case.holds))):
                return True
    return False


def dominates(case: Case, rest: tuple[int, ...], other: int, literal: int) -> bool:
    covered, its, mine = case.cover(rest), case.holds[other], case.holds[literal]
    pos, neg = covered & (case.own > 0), covered & (case.others > 0)
    if other == literal or (pos & mine & ~its).any() or (neg & its & ~mine).any():
        return False
    equal = not (pos & its & ~mine).any() and not (neg & mine & ~its).any()
    return not equal or other < literal


@pytest.mark.parametrize("seed", range(60))
def test_the_list_holds_what_pays_and_is_not_dominated(seed: int) -> None:
    case = random_case(seed)
    bodies = [body for size in range(6) for body in combinations(range(len(case.holds)), size)]
    paying = {body for body in bodies if pays(case, body)}
    found = listed(case)
    assert found <= paying
    assert found >= {body for body in paying if not is_dominated(case, body)}


def test_the_cases_are_decided_by_all_three() -> None:
    n_listed = n_dominated = n_equal = 0
    for seed in range(60):
        case = random_case(seed)
        bodies = [body for size in range(4) for body in combinations(range(len(case.holds)), size)]
        n_equal += any(case.own[case.cover(body)].sum() == case.price(body) for body in bodies)
        paying = {body for body in bodies if pays(case, body)}
        n_listed += len(listed(case))
        n_dominated += len(paying) - len(listed(case) & paying)
    assert n_listed > 300
    assert n_dominated > 40
    assert n_equal > 30
