import json

import numpy as np
import pytest

from laconic.bench.methods.api import PeerError, Training
from laconic.bench.peers.reply import Reply, read_reply
from laconic.bench.rules import Condition, Rule
from laconic.runtime.errors import InputError

GOOD = {
    "rules": [{"if": [[0, 1], [2, 0]], "then": 1}, {"if": [], "then": 0}],
    "default": 2,
    "optimal": None,
    "cost": 5,
    "lower_bound": 4,
    "seconds": {"learn": 0.5, "start": 1},
    "counts": {"nodes": 3},
    "versions": {"package": "1.2"},
}

TRAINING = Training(
    ("a", "b", "c"), np.ones((4, 3), bool), np.array([0, 1, 1, 2]), ("x", "y", "z"), np.ones((3, 2), bool)
)


def read(data, tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return read_reply(path, "peer", n_features=3, n_classes=3)


def test_a_proper_answer_is_read(tmp_path):
    reply = read(GOOD, tmp_path)
    assert reply.rules == ((((0, True), (2, False)), 1), ((), 0))
    assert (reply.default, reply.optimal, reply.cost, reply.lower_bound) == (2, None, 5, 4)
    assert (reply.seconds, reply.counts) == ({"learn": 0.5, "start": 1}, {"nodes": 3})
    assert reply.versions == {"package": "1.2"}


def test_only_rules_are_needed(tmp_path):
    assert read({"rules": []}, tmp_path) == Reply(rules=())


@pytest.mark.parametrize(
    "change",
    [
        {"rules": None},
        {"rules": [{"if": [[3, 1]], "then": 1}]},
        {"rules": [{"if": [[-1, 1]], "then": 1}]},
        {"rules": [{"if": [[0, 2]], "then": 1}]},
        {"rules": [{"if": [[0, True]], "then": 1}]},
        {"rules": [{"if": [[0.0, 1]], "then": 1}]},
        {"rules": [{"if": [[0]], "then": 1}]},
        {"rules": [{"if": [[0, 1]], "then": 3}]},
        {"rules": [{"if": [[0, 1]], "then": "y"}]},
        {"rules": [{"if": [[0, 1]]}]},
        {"rules": [{"then": 1}]},
        {"rules": ["a => y"]},
        {"default": 3},
        {"default": "z"},
        {"optimal": "yes"},
        {"optimal": 1},
        {"cost": 5.5},
        {"lower_bound": "4"},
        {"seconds": {"learn": "long"}},
        {"seconds": [1]},
        {"counts": {"nodes": 1.5}},
        {"versions": {"package": 1}},
    ],
)
def test_an_improper_answer_is_the_peers_failure(change, tmp_path):
    with pytest.raises(PeerError, match="peer wrote no proper answer"):
        read(GOOD | change, tmp_path)


@pytest.mark.parametrize("text", ["", "{", "IF a THEN b", "\x00"])
def test_what_is_not_json_is_the_peers_failure(text, tmp_path):
    with pytest.raises(PeerError, match="did not write JSON"):
        read(text, tmp_path)


@pytest.mark.parametrize("data", [[], 7, None, "rules"])
def test_json_that_is_no_object_is_the_peers_failure(data, tmp_path):
    with pytest.raises(PeerError, match="no proper answer"):
        read(json.dumps(data), tmp_path)


def test_a_refusal_is_not_a_failure(tmp_path):
    with pytest.raises(InputError, match="peer refused the rows: too few"):
        read({"refused": "too few"}, tmp_path)


def test_rules_are_stated_in_the_names_of_the_table(tmp_path):
    answer = read(GOOD, tmp_path).answer(TRAINING)
    assert answer.rules.rules == (
        Rule((Condition("a", "=", 1), Condition("c", "=", 0)), "y"),
        Rule((), "x"),
    )
    assert answer.rules.default == "z"
    assert answer.rules.size == 5
    assert answer.counts == {"nodes": 3}


def test_a_learner_of_one_class_is_given_its_default():
    reply = Reply(rules=((((1, True),), 0),))
    assert reply.answer(TRAINING).rules.default is None
    assert reply.answer(TRAINING, default=0).rules.default == "x"


def test_rules_that_never_fire_are_left_out_and_counted():
    reply = Reply(rules=((((1, True), (0, True), (1, False)), 0), (((1, True), (1, True)), 1)))
    answer = reply.answer(TRAINING)
    assert answer.rules.rules == (Rule((Condition("b", "=", 1),), "y"),)
    assert answer.counts == {"contradictory_rules": 1}
