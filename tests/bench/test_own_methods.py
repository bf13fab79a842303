import numpy as np
import pytest

from laconic.bench.methods import METHODS, load
from laconic.bench.methods.api import Limits, Training
from laconic.bench.methods.own import OWN
from laconic.bench.scorer import ScoredRows, score
from laconic.engines import registry


def training(table):
    matrix = np.array([row[:-1] for row in table], dtype=bool)
    labels = np.array([row[-1] for row in table], dtype=np.int64)
    n_features = matrix.shape[1]
    names = tuple("abcdef"[:n_features])
    return Training(names, matrix, labels, ("no", "yes"), np.ones((n_features, 2), bool))


XOR = training(
    [(0, 0, 0, 0), (0, 0, 1, 0), (0, 1, 0, 1), (0, 1, 1, 1), (1, 0, 0, 1), (1, 0, 1, 1), (1, 1, 0, 0)]
)
"""a xor b, with c idle: each class needs two rules of two literals, size 6."""

MOSTLY_NO = training([(1, 0, 1), *[(0, 0, 0)] * 12])
"""One yes in thirteen rows."""


def run(name, data, tmp_path):
    line = METHODS[name]
    return load(line.module)(data, Limits(30.0, 1024, 0, tmp_path), **line.options)


def runnable(family):
    known = registry.available()
    return [n for n, line in OWN.items() if line.family == family and line.options["engine"] in known]


@pytest.mark.parametrize("name", runnable("perfect"))
def test_perfect_methods_find_the_smallest_perfect_set(name, tmp_path):
    answer = run(name, XOR, tmp_path)
    assert (answer.optimal, answer.cost, answer.lower_bound, answer.rules.size) == (True, 12, 12, 12)
    rows = ScoredRows(
        {n: XOR.matrix[:, k] for k, n in enumerate(XOR.names)}, [XOR.classes[c] for c in XOR.labels]
    )
    assert score(answer.rules, rows, rows, XOR.classes).train.strict_errors == 0


@pytest.mark.parametrize("name", runnable("sparse"))
def test_sparse_methods_prove_their_answer(name, tmp_path):
    answer = run(name, MOSTLY_NO, tmp_path)
    assert answer.optimal
    assert answer.cost == answer.lower_bound
    assert answer.seconds.keys() == {"prepare", "solve"}


def test_the_prototype_prints_one_bare_rule_and_it_is_the_heaviest_class(tmp_path):
    # Λ = 3.5 on seven rows, four of them yes. Bare: 3 + 3.5 for yes, 4 + 3.5 for no; one literal costs 7 and
    # leaves at least one error, so both classes stay bare: 14 in all, in halves 28.
    answer = run("sp-l3", XOR, tmp_path)
    assert (answer.rules.rules, answer.rules.default, answer.rules.size) == ((), "yes", 1)
    assert (answer.cost, answer.optimal) == (28, True)


def test_as_printed_the_same_objective_keeps_the_empty_set(tmp_path):
    # Saying nothing costs 13; any rule costs at least Λ = 7 per unit of size.
    answer = run("sp-l3-written", MOSTLY_NO, tmp_path)
    assert answer.rules.default is None
    assert answer.cost <= 13


def test_rho_is_lambda_over_the_number_of_features(tmp_path):
    # Two features: ρ3 = 0.25 of 13 rows, as exact fraction 13/4: costs are in quarters.
    bare = run("sp-r3", MOSTLY_NO, tmp_path)
    # Both bare: "no" is wrong on 1 row, "yes" on 12, so 13 errors and 2 rules: 4·13 + 13·2 = 78.
    # "a ⇒ yes", "not a ⇒ no": no errors, size 4: 13·4 = 52.  "a ⇒ yes", "⇒ no": 1 error, size 3: 4 + 39 = 43.
    assert bare.cost == 43
    assert bare.rules.size == 3
    assert bare.rules.default == "no"
