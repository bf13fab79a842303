"""The options of the exact engine: one table, checked by name and range, and never a matter of soundness."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from tests.engines.test_exact_sparse import noisy_arrays, noisy_table, random_table

from laconic import Constraints, DecisionSetClassifier
from laconic.engines import brute
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import engine
from laconic.engines.fronts import remote
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.tuning import options, tuning_of
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels

GENERATED = {"sparse_list_rules": 0, "cover_words_listed": 0}
"""No list of all rules at once: small tables are searched like large ones."""


def solve(table, objective, given=None, seconds=60.0, **settings):
    problem = Problem.of(table, objective, **settings)
    return engine.solve(problem, budget=Budget(seconds), options=given)


def test_every_option_has_a_range_that_holds_its_default_and_a_sentence_of_help():
    known = options()
    assert len(known) > 120
    for option in known.values():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", option.name)
        assert option.low <= option.default <= option.high
        assert option.low < option.high
        assert re.fullmatch(r"[A-Z].*\.", option.help)


def test_only_values_that_differ_from_the_defaults_are_handed_on():
    assert tuning_of(None) == tuning_of({"sparse_steps": 800, "pass_trust": 0.5}) == {}
    assert tuning_of({"sparse_steps": np.int64(400), "pass_trust": 1}) == {
        "sparse_steps": 400.0,
        "pass_trust": 1.0,
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"sparse_step": 9},
            "engine 'exact' has no option 'sparse_step'; the closest is sparse_steps (a whole number from "
            "1 to 1000000), and laconic engines --options lists all",
        ),
        ({"pass_trust": 1.5}, "engine option pass_trust must be a number from 0 to 1, not 1.5"),
        ({"pass_trust": float("nan")}, "engine option pass_trust must be a number from 0 to 1, not nan"),
        ({"pass_trust": True}, "engine option pass_trust must be a number from 0 to 1, not True"),
        ({"sparse_steps": 0}, "engine option sparse_steps must be a whole number from 1 to 1000000, not 0"),
        (
            {"sparse_steps": 1.5},
            "engine option sparse_steps must be a whole number from 1 to 1000000, not 1.5",
        ),
        (
            {"sparse_steps": "many"},
            "engine option sparse_steps must be a whole number from 1 to 1000000, not 'many'",
        ),
    ],
)
def test_an_option_that_cannot_be_is_refused_in_one_sentence(given, message):
    with pytest.raises(InputError, match=re.escape(message)):
        solve(noisy_table(0, 20, 4, 0.0), Objective(), given)


@pytest.mark.parametrize("given", [{"no_such_option": 1.0}, {"sparse_steps": 0.0}, {"sparse_steps": 1.5}])
def test_native_searches_check_options_themselves(given):
    task = ClassTask.of(Problem.of(noisy_table(0, 20, 4, 0.0), Objective()), 1, tuning=given)
    with pytest.raises(ValueError, match="option"):
        task.native_search()


def test_an_option_is_refused_before_a_price_is_chosen():
    features, labels = noisy_arrays(1, 60, 5, 0.1)
    with pytest.raises(InputError, match="the closest is sparse_steps"):
        DecisionSetClassifier(engine_options={"sparse_step": 3}).fit(features, labels)


def test_the_defaults_written_out_change_nothing():
    table = noisy_table(3, 300, 9, 0.1)
    defaults = {name: option.default for name, option in options().items()}
    defaults = {name: int(v) if options()[name].is_whole else v for name, v in defaults.items()}
    plain, written = (solve(table, Objective(regularization=0.01), given) for given in (None, defaults))
    assert (plain.rules, plain.counts) == (written.rules, written.counts)
    task = ClassTask.of(Problem.of(table, Objective(regularization=0.01)), 1, tuning=defaults)
    search = task.native_search()  # the native code is handed every value
    assert search.advance(-1.0, kernels.StopFlag())
    assert search.upper_bound == search.lower_bound


@pytest.mark.parametrize(
    "objective",
    [
        Objective(regularization=0.01),
        Objective(Kind.PERFECT),
        Objective(regularization=0.01, every_class=True),
        Objective(regularization=0.01, size_budget=5),
    ],
    ids=["sparse", "perfect", "every class", "budget"],
)
def test_options_reach_the_searches_of_every_objective(objective):
    table = noisy_table(4, 150, 8, 0.1)
    table = table.reduced_to_majority() if objective.kind is Kind.PERFECT else table
    plain, other = (solve(table, objective, given) for given in (None, GENERATED))
    assert plain.cost == other.cost == other.lower_bound
    if objective.size_budget is None:
        assert plain.counts != other.counts


def test_options_reach_searches_with_errors_per_row_and_under_constraints(monkeypatch):
    seen = []
    made = kernels.SparseSolver

    def noted(*args):
        seen.append(args[-1])
        return made(*args)

    table = noisy_table(4, 80, 6, 0.1)
    monkeypatch.setattr(kernels, "SparseSolver", noted)
    solve(table, Objective(regularization=0.05, counting=Counting.PER_ROW), GENERATED)
    features, labels = noisy_arrays(4, 80, 6, 0.1)
    model = DecisionSetClassifier(
        regularization=0.05, constraints=Constraints(max_rules=2), engine_options=GENERATED
    )
    n_before = len(seen)
    model.fit(features, labels)
    assert len(seen) > n_before > 0
    assert all(given == GENERATED for given in seen)


def test_tasks_for_remote_workers_carry_the_options():
    problem = Problem.of(noisy_table(0, 40, 4, 0.1), Objective(regularization=0.05))
    task = pickle.loads(pickle.dumps(ClassTask.of(problem, 1, 0, {"sparse_steps": 400.0}).against_rest()))
    assert task.tuning == {"sparse_steps": 400.0}
    front = WholeFront(problem, 5, tuning={"sparse_steps": 400.0})
    errand = remote.Errand(
        front.fronts[0].rows,
        5,
        0,
        front.fronts[0].facts(),
        remote.Question(0),
        1.0,
        1,
        1.0,
        None,
        front._tuning,
    )
    assert pickle.loads(pickle.dumps(errand)).tuning == {"sparse_steps": 400.0}


def test_options_are_a_parameter_like_others_to_scikit_learn():
    features, labels = noisy_arrays(2, 60, 5, 0.1)
    given = {"sparse_list_rules": 0}
    model = DecisionSetClassifier(regularization=0.05, engine_options=given)
    assert clone(model).get_params()["engine_options"] == given
    assert pickle.loads(pickle.dumps(model.fit(features, labels))).engine_options == given
    search = GridSearchCV(
        DecisionSetClassifier(regularization=0.05), {"engine_options": [None, given]}, cv=2
    ).fit(features, labels)
    scores = search.cv_results_["mean_test_score"]
    assert scores[0] == scores[1]


def random_options(rng):
    """Draw values from all over the ranges, but none that only makes a small table take very long."""
    given = {}
    for option in options().values():
        if rng.random() < 0.4:
            continue
        high = min(option.high, 20 * option.default + 20)
        value = rng.choice([option.low, high, rng.uniform(option.low, high), 0.5 * option.default])
        value = min(max(value, option.low), high)
        given[option.name] = int(value) if option.is_whole else float(value)
    return given


@pytest.mark.parametrize("seed", range(60))
def test_bounds_and_sets_are_right_whatever_the_options_are(seed):
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    kinds = [
        Objective(regularization=float(rng.choice([0.01, 0.03, 0.1]))),
        Objective(regularization=0.02, every_class=True),
        Objective(regularization=0.05, counting=Counting.PER_ROW),
        Objective(Kind.PERFECT),
        Objective(Kind.MIN_RULES_THEN_LITERALS),
    ]
    objective = kinds[seed % len(kinds)]
    if objective.kind is not Kind.SPARSE:
        table = replace(table, allowed=np.ones_like(table.allowed)).reduced_to_majority()
    problem = Problem.of(table, objective)
    expected = brute.solve(problem, budget=Budget())
    given = {**random_options(rng), **(GENERATED if rng.random() < 0.7 else {})}
    found = engine.solve(problem, budget=Budget(20), options=given)  # the engine's answer is verified there
    assert found.lower_bound <= expected.cost <= found.cost, given
    assert found.cost == expected.cost, given
