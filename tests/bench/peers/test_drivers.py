"""How drivers read the models of their packages, with stand-ins for the packages, so none need be there."""

import runpy
import sys
import types
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from laconic.bench.peers.catalogue import PEERS

ROWS = np.array([[0, 1], [1, 0], [1, 1]], np.uint8)
LABELS = np.array([0, 1, 2], np.int64)
JOB = {"n_classes": 3, "seed": 5, "seconds": 40.0, "packages": [], "options": {"target": 1}}


@pytest.fixture
def driver(monkeypatch):
    """Load a driver with stand-ins for the modules it imports."""

    def load(name, **modules):
        for path, content in modules.items():
            stub = types.ModuleType(path.replace("__", "."))
            vars(stub).update(content)
            monkeypatch.setitem(sys.modules, stub.__name__, stub)
            parts = stub.__name__.split(".")
            for i in range(1, len(parts)):
                monkeypatch.setitem(sys.modules, ".".join(parts[:i]), types.ModuleType(parts[i - 1]))
        return runpy.run_path(str(PEERS[name].driver))

    return load


def test_ripper_gets_its_class_and_seed_and_its_conditions_are_read(driver):
    given = {}

    class Ripper:
        def __init__(self, random_state):
            given["seed"] = random_state

        def fit(self, frame, *, y, pos_class):
            given.update(frame=frame.to_numpy(), positive=y.tolist(), pos_class=pos_class)
            conds = [SimpleNamespace(feature=1, val=np.int64(0)), SimpleNamespace(feature=0, val=np.int64(1))]
            self.ruleset_ = SimpleNamespace(rules=[SimpleNamespace(conds=conds), SimpleNamespace(conds=[])])

    answer = driver("ripper", wittgenstein={"RIPPER": Ripper})["learn"](ROWS, LABELS, JOB)
    assert answer["rules"] == [{"if": [[1, 0], [0, 1]], "then": 1}, {"if": [], "then": 1}]
    assert (given["seed"], given["positive"], given["pos_class"]) == (5, [False, True, False], True)
    np.testing.assert_array_equal(given["frame"], ROWS)


def test_cn2s_selectors_are_read_and_only_its_last_bare_rule_is_the_default(driver):
    def selector(column, op, value):
        return SimpleNamespace(column=column, op=op, value=np.float64(value))

    found = [
        SimpleNamespace(selectors=[selector(0, "==", 1), selector(1, "!=", 1)], prediction=np.int64(2)),
        SimpleNamespace(selectors=[selector(1, "!=", 0), selector(0, "==", 0)], prediction=0),
        SimpleNamespace(selectors=[], prediction=0),
        SimpleNamespace(selectors=[], prediction=np.int64(1)),
    ]
    given = {}

    class Table:
        @staticmethod
        def from_numpy(domain, rows, labels):
            given.update(domain=domain, rows=rows, labels=labels)

    stubs = {
        "Orange__classification__rules": {
            "CN2UnorderedLearner": lambda: lambda data: SimpleNamespace(rule_list=found)
        },
        "Orange__data": {
            "DiscreteVariable": lambda name, values: (name, values),
            "Domain": lambda features, target: (features, target),
            "Table": Table,
        },
    }
    answer = driver("cn2", **stubs)["learn"](ROWS, LABELS, JOB)
    assert answer["rules"] == [
        {"if": [[0, 1], [1, 0]], "then": 2},
        {"if": [[1, 1], [0, 0]], "then": 0},
    ]
    assert answer["default"] == 1
    features, target = given["domain"]
    assert [values for _, values in features] == [("0", "1")] * 2
    assert target == ("class", ("c0", "c1", "c2"))
    np.testing.assert_array_equal(given["rows"], ROWS)
    np.testing.assert_array_equal(given["labels"], LABELS)


def test_brcgs_conjunctions_are_read(driver):
    given = {}

    class BooleanRuleCG:
        iterMax = 100

        def __init__(self, *, timeMax, silent):
            given["limit"] = timeMax

        def fit(self, frame, positive):
            given.update(frame=frame, positive=positive.tolist())
            # Literals in columns: not a, a, not b, b. Conjunctions: none, not a, a and b.
            self.z = pd.DataFrame(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0], [0, 0, 1]]))
            self.w = np.array([0, 1, 1])
            self.it = 3

    module = {"aix360__algorithms__rbm__boolean_rule_cg": {"BooleanRuleCG": BooleanRuleCG}}
    answer = driver("brcg", **module)["learn"](ROWS, LABELS, JOB)
    assert [[list(map(int, pair)) for pair in rule["if"]] for rule in answer["rules"]] == [
        [[0, 0]],
        [[0, 1], [1, 1]],
    ]
    assert {rule["then"] for rule in answer["rules"]} == {1}
    assert (answer["optimal"], answer["counts"]) == (None, {"iterations": 3})
    assert (given["limit"], given["positive"]) == (20.0, [0, 1, 0])
    np.testing.assert_array_equal(given["frame"], [[1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1]])


def test_streeds_paths_are_read_with_the_classes_that_have_rows(driver):
    def leaf(label):
        return SimpleNamespace(is_leaf_node=lambda: True, label=label)

    def branch(feature, no, yes):
        return SimpleNamespace(is_leaf_node=lambda: False, feature=feature, left_child=no, right_child=yes)

    class STreeDClassifier:
        def __init__(self, task, **options):
            assert task == "cost-complex-accuracy"
            assert options == {
                "max_depth": 4,
                "cost_complexity": 0.01,
                "time_limit": 36.0,
                "random_seed": 5,
            }

        def fit(self, rows, labels):
            assert labels.tolist() == [0, 0, 1]

        def is_fitted(self):
            return True

        def get_tree(self):
            return branch(1, leaf(0), branch(0, leaf(1), leaf(0)))

        fit_result = SimpleNamespace(is_optimal=lambda: False)

    job = JOB | {"options": {"max_depth": 4, "cost_complexity": 0.01}}
    learn = driver("streed", pystreed={"STreeDClassifier": STreeDClassifier})["learn"]
    answer = learn(ROWS, np.array([0, 0, 2]), job)
    assert answer["rules"] == [
        {"if": [[1, 0]], "then": 0},
        {"if": [[1, 1], [0, 0]], "then": 2},
        {"if": [[1, 1], [0, 1]], "then": 0},
    ]
    assert answer["optimal"] is False


def test_mindss_rules_are_read_as_its_program_prints_them(driver, tmp_path):
    names = ("mxsatl", "mxsatls", "mxsatsp", "satl", "satls", "satr", "twostage", "check", "data", "options")
    classes = ("MaxSATLits", "MaxSATLitsSep", "MaxSATSparse", "SATLits", "SATLitsSep", "SATRules")
    classes += ("TwoStageApproach", "ConsistencyChecker", "Data", "Options")
    stubs = {f"minds__{name}": {one: object} for name, one in zip(names, classes, strict=True)}
    parts = driver("minds", **stubs)

    class Body(SimpleNamespace):
        def __len__(self):
            return len(self.flits)

    # Feature 0 is variable 1 (true when negative), feature 3 is variable 2; classes are variables 4, 5 and 6.
    opp = {1: ("f0", "0"), -1: ("f0", "1"), 2: ("f3", "0"), -2: ("f3", "1")}
    opp |= {4: ("class", "c0"), 5: ("class", "c1"), 6: ("class", "c2")}
    data = SimpleNamespace(
        fvmap=SimpleNamespace(opp=opp), samps=[[1, 4], [-1, 5], [-1, 2, 6]], wghts=[2, 3, 4]
    )
    covers = {4: [Body(flits=[1, -2]), Body(flits=[2])], 5: [Body(flits=[])], 6: [Body(flits=[])]}
    assert parts["stated"](covers, data) == {
        "rules": [{"if": [[0, 0], [3, 1]], "then": 0}, {"if": [[3, 0]], "then": 0}],
        "default": 2,
    }
    assert parts["counted"](covers, SimpleNamespace(nof_misses=7)) == {"rules": 4, "literals": 3, "errors": 7}
    assert parts["stated"]({4: covers[4]}, data)["default"] is None

    parts["write"](tmp_path / "rows.csv", ROWS, LABELS)
    assert (tmp_path / "rows.csv").read_text() == "f0,f1,class\n0,1,c0\n1,0,c1\n1,1,c2\n"
