"""What a session computes: rules, prices that are differences of two proven fits, whom they touch."""

from __future__ import annotations

import json
import random
from fractions import Fraction

import pytest
from tests.studio.conftest import LAMBDA, SETTINGS, learned, opine, rule_of

from laconic.data.columns import Cutting
from laconic.data.conditions import PlainBinarizer
from laconic.data.training import in_memory
from laconic.learning.learn import SearchSettings, learn
from laconic.problem.objective import Objective
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.studio.history import load
from laconic.studio.leave import decisions, fit_command, made, stated
from laconic.studio.opened import open_file
from laconic.studio.session import Session


def fitted(session, number):
    """The cost of a step by a fit of its own, as `laconic fit` makes it."""
    state = session.history.step(number).state
    X, y = session.opened.rows(state.settings)
    training = in_memory(X, y, None, PlainBinarizer(Cutting("quantile", 6, 1000, 50), {}))
    found = learn(
        training,
        Objective(regularization=state.regularization or LAMBDA),
        SearchSettings(Budget(60)),
        constraints=stated(session, number),
    )
    assert found.model.facts.optimal
    return Fraction(found.model.facts.in_user_units(found.model.facts.cost))


def test_the_first_rules_are_the_optimum_at_the_price_of_size(session):
    found = learned(session)
    assert found["done"]
    assert found["answer"]["proved"]
    assert Fraction(found["answer"]["exactCost"]) == fitted(session, 0)


def test_without_a_price_of_size_it_is_chosen_on_rows_held_back(session):
    found = learned(session, None)
    assert found["choice"]["measured"]
    assert found["regularization"] == found["choice"]["points"][found["choice"]["chosen"]]["regularization"]
    front = session.front(0)
    while not front["done"]:
        front = session.front(0)
    assert len(front["front"]["points"]) > 1
    assert all(point["proved"] for point in front["front"]["points"] if point["size"] < 12)


def random_move(chance, session, number, rules):
    """A move that a person could make, about a rule of the step."""
    rule = chance.choice(rules)
    kind = chance.choice(["keep", "never", "edit", "own", "forbid", "max_rules", "direction"])
    data = rule_of(rule)
    if kind in {"keep", "never"}:
        return {"kind": kind, "rule": data}
    if kind == "edit":
        literals = list(data["literals"])
        k = chance.randrange(len(literals))
        column = next(
            one for one in session.conditions(number)["columns"] if one["name"] == literals[k]["column"]
        )
        if literals[k]["kind"] == "threshold" and len(column["cuts"]) > 1:
            others = [cut for cut in column["cuts"] if cut != literals[k]["value"]]
            literals[k] = {**literals[k], "value": chance.choice(others)}
        else:
            literals.pop(k)
        return {"kind": "edit", "rule": {**data, "literals": literals}, "was": data}
    if kind == "own":
        literal = {"kind": "equals", "column": "job", "op": "=", "value": chance.choice(["clerk", "nurse"])}
        return {"kind": "own", "rule": {"label": chance.choice(["bad", "good"]), "literals": [literal]}}
    if kind == "forbid":
        return {"kind": "forbid", "column": chance.choice(["age", "income", "job"])}
    if kind == "max_rules":
        return {"kind": "max_rules", "most": chance.randint(1, 3)}
    return {
        "kind": "direction",
        "column": chance.choice(["age", "income"]),
        "label": chance.choice(["bad", "good"]),
        "towards": chance.choice(["increasing", "decreasing"]),
    }


def test_every_price_is_the_difference_of_two_proven_fits(session):
    found = learned(session)
    free = fitted(session, 0)
    chance, priced = random.Random(7), 0
    number, rules = 0, found["answer"]["rules"]
    for _ in range(24):
        opinion = random_move(chance, session, number, rules)
        try:
            step, found = opine(session, number, **opinion)
        except InputError:
            continue  # it contradicts the opinions held
        if "error" in found or not found["answer"]["proved"]:
            number, rules = 0, session.result(0)["answer"]["rules"]
            continue
        assert Fraction(found["answer"]["exactCost"]) == fitted(session, step.number)
        assert found["price"]["proved"]
        assert Fraction(found["price"]["exact"]) == fitted(session, step.number) - free
        priced += 1
        number, rules = (step.number, found["answer"]["rules"]) if chance.random() < 0.5 else (0, rules)
        if not rules or not all(rule["literals"] for rule in rules):
            number, rules = 0, session.result(0)["answer"]["rules"]
    assert priced >= 10


def test_the_price_of_one_opinion_is_what_giving_it_up_would_save(session):
    found = learned(session)
    first = rule_of(found["answer"]["rules"][0])
    one, _ = opine(session, 0, kind="never", rule=first)
    two, both = opine(session, one.number, kind="forbid", column="job")
    alone, only = opine(session, 0, kind="forbid", column="job")
    cost = Fraction(both["answer"]["exactCost"])
    assert Fraction(both["opinions"][0]["price"]["exact"]) == cost - Fraction(only["answer"]["exactCost"])
    assert Fraction(both["opinions"][1]["price"]["exact"]) == cost - fitted(session, one.number)
    assert (alone.parent, two.parent) == (0, one.number)


def test_a_threshold_of_ones_own_is_priced_against_sets_that_may_use_it(session):
    found = learned(session)
    rule = next(
        one for one in found["answer"]["rules"] if any(x["kind"] == "threshold" for x in one["literals"])
    )
    data = rule_of(rule)
    k = next(k for k, one in enumerate(data["literals"]) if one["kind"] == "threshold")
    literals = [*data["literals"]]
    literals[k] = {**literals[k], "value": literals[k]["value"] + 0.25}
    _, after = opine(session, 0, kind="edit", rule={**data, "literals": literals}, was=data)
    assert after["price"]["proved"]
    assert after["price"]["least"] >= 0
    texts = [text for one in after["answer"]["rules"] for text in one["conditions"]]
    assert any(str(literals[k]["value"]).rstrip("0").rstrip(".") in text for text in texts)
    assert fit_command(session.history.step(1), session, "loans.csv") is None  # its options cannot say it


def test_an_opinion_that_contradicts_another_is_refused_and_is_no_step(session):
    found = learned(session)
    rule = next(one for one in found["answer"]["rules"] if one["literals"])
    opine(session, 0, kind="keep", rule=rule_of(rule))
    with pytest.raises(InputError, match="forbid"):
        session.do(
            1, {"kind": "opine", "opinion": {"kind": "forbid", "column": rule["literals"][0]["column"]}}
        )
    assert len(session.history.steps) == 2


def test_opinions_that_no_set_can_respect_are_said_so(session):
    found = learned(session)
    rules = [rule_of(one) for one in found["answer"]["rules"]]
    one, _ = opine(session, 0, kind="keep", rule=rules[0])
    with pytest.raises(InputError):
        session.do(one.number, {"kind": "opine", "opinion": {"kind": "max_rules", "most": 0}})


def test_editing_an_edited_rule_leaves_the_first_rule_out(session):
    found = learned(session)
    data = rule_of(found["answer"]["rules"][0])
    shorter = {**data, "literals": data["literals"][:-1]}
    one, _ = opine(session, 0, kind="edit", rule=shorter, was=data)
    two, _ = opine(session, one.number, kind="never", rule=shorter)
    kinds = [opinion.kind for opinion in two.state.opinions]
    assert kinds == ["never", "never"]


def test_a_step_says_whom_it_touches_by_class_and_by_group(session):
    found = learned(session)
    step, _ = opine(session, 0, kind="forbid", column="income")
    X, y = session.rows(step.number)
    before, after = session.model(0).predict(X), session.model(step.number).predict(X)
    seen = session.touched(step.number, None, "job", 0)
    assert seen["changed"] == int((before != after).sum()) == sum(one["rows"] for one in seen["moves"])
    assert seen["better"] == int(((before != after) & (after == y)).sum())
    assert sum(group["rows"] for group in seen["groups"]) == len(X)
    nurses = next(group for group in seen["groups"] if group["name"] == "nurse")
    inside = (X["job"] == "nurse").to_numpy()
    assert nurses["wrongAfter"] == pytest.approx((after != y)[inside].mean())
    assert [one["row"] for one in seen["list"]] == [k for k, moved in enumerate(before != after) if moved][
        :50
    ]
    assert found["answer"]["rules"]


def test_what_if_agrees_with_predict(session):
    learned(session)
    X, y = session.rows(0)
    predicted = session.model(0).predict(X)
    for row in (0, 7, 31):
        found = session.explain(0, row, {})
        assert (found["prediction"], found["label"]) == (predicted[row], y[row])
    bad, good = (next(k for k, one in enumerate(predicted) if one == label) for label in ("bad", "good"))
    values = session.explain(0, good, {})["values"]
    assert session.explain(0, bad, values)["prediction"] == "good"
    assert session.explain(0, bad, {"age": None, "income": None, "job": None})["prediction"] in {
        "bad",
        "good",
    }
    with pytest.raises(InputError, match="holds numbers"):
        session.explain(0, 0, {"age": "old"})


def test_the_shelf_holds_the_optimum_and_preferring_a_set_gives_it(session):
    learned(session, 0.05)
    found = session.shelf(0, 2)
    while not found["done"]:
        found = session.shelf(0, 2)
    assert "error" not in found
    assert any(one["same"] for one in found["sets"])
    other = next(one for one in found["sets"] if not one["same"])
    step, after = opine(session, 0, **other["opinion"])
    assert {rule["label"] for rule in after["answer"]["rules"]} == {rule["label"] for rule in other["rules"]}
    assert after["price"]["least"] == pytest.approx(other["more"])
    assert step.state.opinions[0].kind == "prefer"


def test_a_session_is_in_its_file_and_goes_on_from_it(session, file):
    found = learned(session)
    step, after = opine(session, 0, kind="never", rule=rule_of(found["answer"]["rules"][0]))
    session.set_reason(step.number, "nobody would sign this")
    again = Session.resumed(open_file(file))
    assert [one.to_document() for one in again.history.steps] == [
        one.to_document() for one in session.history.steps
    ]
    assert again.wait(step.number)["answer"]["exactCost"] == after["answer"]["exactCost"]
    assert again.history.steps[1].reason == "nobody would sign this"
    again.close()


def test_a_move_that_is_sent_twice_is_one_step(session):
    learned(session)
    move = {"kind": "opine", "opinion": {"kind": "forbid", "column": "job"}}
    assert (
        session.do(0, move, key="the same key").number == session.do(0, move, key="the same key").number == 1
    )
    assert session.do(0, move, key="another key").number == 2


def test_a_session_of_another_table_is_refused(session, file):
    learned(session)
    file.write_text(file.read_text().replace("clerk", "clark"))
    with pytest.raises(InputError, match="another table"):
        Session.resumed(open_file(file))


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:-40],
        lambda text: text.replace('"number": 0', '"number": 7'),
        lambda text: text.replace("laconic studio session 1", "laconic studio session 99"),
        lambda text: text.replace('"bins": 6', '"bins": "many"'),
        lambda _: "[]",
    ],
)
def test_a_damaged_session_file_is_refused_in_a_sentence(session, file, damage):
    learned(session)
    place = file.with_name("loans.csv.studio.json")
    place.write_text(damage(place.read_text()))
    with pytest.raises(InputError):
        load(place, session.opened.columns)


@pytest.mark.parametrize(
    "move",
    [
        None,
        [],
        {"kind": "fly"},
        {"kind": "lambda", "value": -1},
        {"kind": "lambda", "value": True},
        {"kind": "opine", "opinion": {"kind": "keep"}},
        {"kind": "opine", "opinion": {"kind": "forbid", "column": "no such column"}},
        {"kind": "opine", "opinion": {"kind": "max_rules", "most": "few"}},
        {"kind": "opine", "opinion": {"kind": "own", "rule": {"label": "no such class", "literals": []}}},
        {"kind": "opine", "opinion": {"kind": "own", "rule": {"label": "bad", "literals": [{"kind": "x"}]}}},
        {"kind": "withdraw", "opinion": {"kind": "forbid", "column": "age"}},
        {"kind": "learn", "settings": {"target": "no such column"}},
        {"kind": "learn", "settings": {"target": "risk", "columns": {"age": {"cuts": ["a"]}}}},
    ],
)
def test_a_move_that_is_none_is_refused_and_no_step(session, move):
    learned(session)
    with pytest.raises(InputError):
        session.do(0, move)
    assert len(session.history.steps) == 1


@pytest.mark.parametrize(
    "given", [{"class_weight": "balanced"}, {"measure": ["rules"]}, {"literal_costs": {"age": 3}}]
)
def test_what_changes_the_cost_of_sets_is_no_opinion(session, given):
    learned(session)
    with pytest.raises(InputError, match="compares sets by one cost"):
        session.do(0, {"kind": "opine", "opinion": {"kind": "given", "constraints": given}})


def test_own_cut_points_kinds_and_columns_left_out_are_respected(session):
    settings = {
        "target": "risk",
        "columns": {"age": {"cuts": [30, 45.5]}, "income": {"use": False}, "job": {"kind": "category"}},
    }
    step = session.do(None, {"kind": "learn", "settings": settings, "regularization": LAMBDA})
    session.wait(step.number)
    columns = {one["name"]: one for one in session.conditions(step.number)["columns"]}
    assert set(columns) == {"age", "job"}
    assert columns["age"]["cuts"] == [30.0, 45.5]


def test_a_stopped_search_keeps_its_best_set_and_says_what_is_open(session):
    step = session.do(None, {"kind": "learn", "settings": SETTINGS})
    session.stop(step.number)
    found = session.wait(step.number)
    assert found["done"]
    assert "error" not in found
    assert found["answer"]["rules"] is not None


def test_one_leaves_with_everything(session):
    found = learned(session)
    step, _ = opine(session, 0, kind="never", rule=rule_of(found["answer"]["rules"][0]))
    session.set_reason(step.number, "<b>too</b> old-fashioned")
    n = step.number
    assert json.loads(made(session, n, "model"))["format"]
    assert b"CASE" in made(session, n, "sql")
    assert b"Content-Security-Policy" in made(session, n, "report")
    assert json.loads(made(session, n, "constraints"))["rules_out"]
    assert json.loads(made(session, n, "session"))["steps"][1]["reason"]
    assert json.loads(made(session, n, "certificate"))
    page = decisions(session, n)
    assert "&lt;b&gt;too&lt;/b&gt;" in page
    assert "<b>too" not in page
    assert "proven: no set that respects this does better" in page
    assert "laconic studio --replay" in page
    with pytest.raises(InputError):
        made(session, n, "everything")
