"""The rival packages themselves, on small tables; one that is not installed is skipped, with the reason."""

import numpy as np
import pytest

from laconic.bench.methods import METHODS, load, missing
from laconic.bench.methods.api import Limits, Training
from laconic.bench.methods.packages import PACKAGES
from laconic.bench.peers.catalogue import PEERS
from laconic.bench.rules import DESCRIBED
from laconic.bench.scorer import ScoredRows, score

RNG = np.random.default_rng(1)
BITS = RNG.integers(0, 2, (120, 5)).astype(bool)


def training(matrix, labels, classes):
    n_features = matrix.shape[1]
    # Names that would break out of a CSV or of a rule written as text.
    names = tuple(["a, b", "c^d", "e=1", 'f"', "class"][:n_features])
    return Training(
        names, matrix, np.asarray(labels, np.int64), classes, np.ones((n_features, 2), dtype=bool)
    )


TWO = training(BITS, BITS[:, 0] & BITS[:, 1] | ~BITS[:, 2] & BITS[:, 3], ("no, never", "yes"))
"""Two rules of two literals for yes; the last column is idle."""

THREE = training(BITS, np.where(BITS[:, 0], 2, np.where(BITS[:, 1] & BITS[:, 3], 1, 0)), ("x", "y", "z"))


def run(name, data, tmp_path, **options):
    line = METHODS[name]
    return load(line.module)(data, Limits(60.0, 2048, 7, tmp_path), **{**line.options, **options})


def scored(answer, data):
    labels = [data.classes[c] for c in data.labels]
    rows = ScoredRows({name: data.matrix[:, k] for k, name in enumerate(data.names)}, labels)
    return score(answer.rules, rows, rows, data.classes)


def peer_of(name):
    return PACKAGES[name].module.rpartition(".")[2]


def needs(*names):
    """Mark cases of a test: slow, and skipped where the peer is not installed."""
    return [
        pytest.param(
            name,
            marks=[
                pytest.mark.slow,
                pytest.mark.skipif(missing(name) is not None, reason=missing(name) or ""),
            ],
        )
        for name in names
    ]


ALL_PEERS = needs(*(name for name in PACKAGES if peer_of(name) in PEERS))


@pytest.mark.parametrize("data", [TWO, THREE], ids=["two classes", "three classes"])
@pytest.mark.parametrize("name", ALL_PEERS)
def test_every_peer_learns_rules_that_the_scorer_accepts_and_names_its_version(name, data, tmp_path):
    answer = run(name, data, tmp_path)
    found = scored(answer, data)
    assert 0 < found.size < 80
    majority = np.bincount(data.labels).max() / data.labels.size
    sparse = "sparse" in name
    assert sparse or 1 - found.train.plain_errors / found.train.rows > majority
    assert set(PEERS[peer_of(name)].packages) == answer.versions.keys()
    assert answer.seconds["learn"] > 0


@pytest.mark.parametrize(
    "name", ["cart", *needs("minds-satl", "minds-satls", "minds-mxsatls", "minds-2stage")]
)
@pytest.mark.parametrize("data", [TWO, THREE], ids=["two classes", "three classes"])
def test_perfect_learners_make_no_error(name, data, tmp_path):
    answer = run(name, data, tmp_path)
    assert scored(answer, data).train.strict_errors == 0


@pytest.mark.parametrize("name", needs("minds-satl", "minds-satls", "minds-mxsatls"))
def test_minds_finds_the_smallest_perfect_set(name, tmp_path):
    best = run("exact", TWO, tmp_path)
    answer = run(name, TWO, tmp_path)
    assert (answer.optimal, answer.rules.size) == (True, best.rules.size)
    assert answer.counts["rules"] + answer.counts["literals"] == best.rules.size


@pytest.mark.parametrize("name", needs("minds-sparse-l2"))
def test_minds_prints_one_bare_rule_as_default(name, tmp_path):
    # With λ = 1 a literal costs as much as all rows, so every class is bare and the heaviest is printed.
    answer = run(name, THREE, tmp_path, regularization="1")
    heaviest = THREE.classes[np.bincount(THREE.labels).argmax()]
    assert (answer.rules.rules, answer.rules.default) == ((), heaviest)


@pytest.mark.parametrize("name", needs("minds-satls"))
def test_minds_refuses_rows_that_leave_one_class(name, tmp_path):
    data = training(np.ones((5, 2), bool), [0, 0, 0, 1, 1], ("no", "yes"))
    with pytest.raises(ValueError, match="needs two classes"):
        run(name, data, tmp_path)


@pytest.mark.parametrize("name", needs("ripper", "brcg"))
def test_one_class_learners_describe_one_class_and_default_to_the_largest_other(name, tmp_path):
    answer = run(name, THREE, tmp_path)
    target = THREE.classes[DESCRIBED]
    counts = {label: int((THREE.labels == c).sum()) for c, label in enumerate(THREE.classes)}
    assert {rule.label for rule in answer.rules.rules} == {target}
    assert answer.rules.default == max(set(counts) - {target}, key=lambda label: counts[label])


@pytest.mark.parametrize("name", needs("brcg"))
def test_column_generation_finds_the_two_rules(name, tmp_path):
    answer = run(name, TWO, tmp_path)
    assert answer.rules.size == 7
    assert scored(answer, TWO).train.strict_errors == 0


@pytest.mark.parametrize("name", needs("ripper", "cn2"))
def test_the_same_seed_gives_the_same_rules(name, tmp_path):
    assert run(name, TWO, tmp_path).rules == run(name, TWO, tmp_path).rules


@pytest.mark.parametrize("name", needs("cn2"))
def test_cn2_describes_every_class_and_keeps_its_own_default(name, tmp_path):
    answer = run(name, THREE, tmp_path)
    assert {rule.label for rule in answer.rules.rules} == {"x", "y", "z"}
    assert answer.rules.default in THREE.classes
    assert all(rule.conditions for rule in answer.rules.rules)


@pytest.mark.parametrize("name", ["cart", "cart-4", *needs("streed")])
@pytest.mark.parametrize("data", [TWO, THREE], ids=["two classes", "three classes"])
def test_the_paths_of_a_tree_cover_every_row_once(name, data, tmp_path):
    answer = run(name, data, tmp_path)
    found = scored(answer, data)
    assert (found.train.uncovered, found.train.conflicting) == (0, 0)
    assert found.train.strict_errors == found.train.plain_errors
    assert max(len(rule.conditions) for rule in answer.rules.rules) <= (5 if name == "cart" else 4)


@pytest.mark.parametrize("name", ["cart", *needs("streed", "ripper", "brcg", "cn2", "minds-satls")])
def test_a_class_without_training_rows_is_never_described(name, tmp_path):
    data = training(BITS, np.where(BITS[:, 0], 2, 1), ("nobody", "x", "y"))
    answer = run(name, data, tmp_path)
    assert "nobody" not in {rule.label for rule in answer.rules.rules}
    assert answer.rules.default != "nobody"
    assert scored(answer, data).train.strict_errors == 0


@pytest.mark.parametrize(("name", "depth"), [("cart", 5), ("cart-4", 4)])
def test_a_tree_is_as_deep_as_its_line_says(name, depth, tmp_path):
    every = np.array(list(np.ndindex(2, 2, 2, 2, 2)), bool)
    answer = run(name, training(every, every.sum(axis=1) % 2, ("even", "odd")), tmp_path)
    assert max(len(rule.conditions) for rule in answer.rules.rules) == depth


@pytest.mark.parametrize("name", needs("brcg"))
def test_column_generation_that_was_cut_short_is_not_solved(name, tmp_path):
    line = METHODS[name]
    assert load(line.module)(TWO, Limits(60.0, 2048, 7, tmp_path)).optimal is None
    assert load(line.module)(TWO, Limits(0.01, 2048, 7, tmp_path)).optimal is False


def test_a_tree_that_cannot_split_is_one_bare_rule(tmp_path):
    data = training(np.ones((5, 2), bool), [0, 0, 0, 1, 1], ("no", "yes"))
    (rule,) = run("cart", data, tmp_path).rules.rules
    assert (rule.conditions, rule.label) == ((), "no")
