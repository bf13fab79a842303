"""Attacks on the chain from a data file to "proven optimal": each is refused with what does not fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.checking.forger import certified, reforged, written

from laconic import load_certificate, load_model
from laconic.checking import checker
from laconic.data.holdout import held_out_rows
from laconic.data.literals import Equals, Feature, Missing, Threshold
from laconic.data.read import read_table

PEOPLE = """age,owner,job,class
25,true,clerk,bad
61,false,clerk,good
43,true,,good
38,true,driver,bad
57,false,driver,good
22,true,clerk,bad
"""
OVER_40 = Threshold("age", ">", 40.0)


@pytest.fixture
def people(laconic, tmp_path, monkeypatch):
    """A table, its perfect model and the genuine certificate, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(PEOPLE)
    fit = ("fit", "people.csv", "-t", "class", "--objective", "perfect", "-o", "m.json")
    assert laconic(*fit, "--certificate", "c.json").code == 0
    frame = read_table(Path("people.csv"), column_types={"job": "category"})
    return load_model("m.json"), frame.drop(columns="class"), frame["class"].tolist()


@pytest.fixture
def verify(laconic):
    """Verify model.json, with the certificate if asked, and return exit code and all that was said."""

    def call(model="m.json", certificate="c.json", *options, data="people.csv"):
        proof = () if certificate is None else ("--certificate", certificate)
        result = laconic("verify", *([] if model is None else [model]), data, *proof, *options)
        said = result.out + result.err
        assert "Traceback" not in said
        return result.code, said

    return call


def edited(path, change):
    document = json.loads(Path(path).read_text())
    change(document)
    if "seal" in document:
        document["seal"] = checker.seal(document)
    Path(path).write_text(json.dumps(document))


def of_column(model, name):
    return [k for k, feature in enumerate(model.features) if feature.positive.column == name]


def test_the_genuine_files_stand_and_say_what_is_proved(people, verify):
    code, said = verify("m.json", "c.json", "--require-proof")
    assert code == 0
    assert (
        "optimal (perfect): the rules cost 4, and no decision set over the 9 conditions on age, owner and "
        "job costs less on the 6 rows of the data (6 different).\n" in said
    )


# What a rule says


@pytest.mark.parametrize("certificate", [None, "c.json"])
def test_a_condition_renamed_in_rules_and_features_is_no_opposite(certificate, people, verify):
    text, renamed = (json.dumps(one) for one in (to_literal(OVER_40), to_literal(Equals("owner", "=", True))))
    assert text in Path("m.json").read_text()
    Path("m.json").write_text(Path("m.json").read_text().replace(text, renamed))
    code, said = verify("m.json", certificate)
    assert code == 2
    assert "'owner is True' is listed as the opposite of 'age <= 40', which it is not" in said


def to_literal(literal):
    from laconic.data.literals import literal_to_dict

    return literal_to_dict(literal)


def test_an_opposite_in_a_column_with_missing_values_is_noticed(people, verify):
    model, X, y = people
    place = next(
        k for k in of_column(model, "job") if model.features[k].positive == Equals("job", "=", "clerk")
    )
    features = list(model.features)
    features[place] = Feature(Equals("job", "=", "clerk"), Equals("job", "!=", "clerk"))
    forged, table = reforged(model, X, y, features=features)
    written(forged, Path("m.json"))
    certified(forged, table).save("c.json")
    for files in (("m.json", None), ("m.json", "c.json"), (None, "c.json")):
        code, said = verify(*files, "--require-proof")
        assert code == 1
        assert (
            "'job is not clerk' is listed as the opposite of 'job is clerk', but on row 2, where job is "
            "missing, neither holds" in said
        )


def test_the_other_value_of_two_must_be_the_other_value(people, verify):
    model, X, y = people
    (place,) = of_column(model, "owner")
    features = list(model.features)
    features[place] = Feature(Equals("owner", "=", True), Equals("owner", "=", "sometimes"))
    rules = [[0, *model.proof.rules[0].literals], [1, 2 * place], [1, *model.proof.rules[1].literals]]
    forged, table = reforged(model, X, y, features=features, rules=sorted(rules))
    assert "IF owner is sometimes THEN good" in str(forged)
    written(forged, Path("m.json"))
    certified(forged, table).save("c.json")
    for files in (("m.json", None), (None, "c.json")):
        code, said = verify(*files)
        assert code == 1
        assert (
            "'owner is sometimes' is listed as the opposite of 'owner is True', but on row 1, where owner is "
            "False, neither holds" in said
        )


def test_a_value_that_reads_as_more_conditions_is_quoted(people, verify):
    # The condition holds for every row with a job, and would read as a narrower one.
    model, X, y = people
    hidden = Feature(Equals("owner", "=", "sold AND age > 40"), Equals("owner", "!=", "sold AND age > 40"))
    features = [*model.features, hidden]
    forged, _ = reforged(
        model,
        X,
        y,
        features=features,
        rules=[[1, 2 * len(model.features)]],
        objective="sparse",
        regularization=0.05,
    )
    written(forged, Path("m.json"))
    assert verify("m.json", None)[0] == 0  # a poor set, but it does what it says
    assert "IF owner is not 'sold AND age > 40' THEN good" in str(load_model("m.json"))


def test_a_certificate_whose_opposites_are_none_is_malformed(people, verify):
    def change(content):
        age = next(one for one in content["features"] if one["positive"]["column"] == "age")
        age["negative"]["value"] = 57.5

    edited("c.json", change)
    code, said = verify(None)
    assert code == 2
    assert "the certificate is malformed: 'age > 57.5' is listed as the opposite of" in said


def test_a_threshold_moved_between_two_values_is_not_that_of_the_certificate(people, verify):
    # The table stays the same, and every number with it: alone, the model says the truth.
    Path("m.json").write_text(Path("m.json").read_text().replace('"value": 40.0', '"value": 42.0'))
    assert "IF age <= 42 THEN bad" in str(load_model("m.json"))
    assert verify("m.json", None)[0] == 0
    code, said = verify()
    assert code == 1
    assert (
        "c.json is not the certificate of m.json: condition 3 is 'age <= 42, or age > 42' in the model, but "
        "'age <= 40, or age > 40' in the certificate" in said
    )


# What was minimised


@pytest.fixture
def nothing_helps(laconic, tmp_path, monkeypatch):
    """Eleven rows: the empty set costs 11 however errors are counted, which is optimal only per class."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{k % 2},{'no' if k < 7 else 'yes'}" for k in range(11)]
    Path("people.csv").write_text("\n".join(["a,class", *lines]))
    assert laconic("fit", "people.csv", "-t", "class", "--lambda", 0.25, "-o", "fit.json").code == 0
    frame = read_table(Path("people.csv"))
    return load_model("fit.json"), frame.drop(columns="class"), frame["class"].tolist()


def test_errors_counted_another_way_are_not_what_was_proved(nothing_helps, verify):
    model, table = reforged(*nothing_helps, rules=[])
    assert model.proof.cost == 11
    written(model, Path("m.json"))
    certified(model, table).save("c.json")
    assert verify("m.json", "c.json", "--require-proof")[0] == 0
    edited("m.json", lambda document: document["proof"].update(counting="per_row"))
    assert verify("m.json", None)[0] == 0
    code, said = verify("m.json", "c.json", "--require-proof")
    assert code == 1
    assert (
        "c.json is not the certificate of m.json: the counting of errors is per_row in the model, but "
        "per_class in the certificate" in said
    )


def test_another_lambda_with_the_same_price_is_not_what_was_proved(nothing_helps, verify):
    model, table = reforged(*nothing_helps, rules=[])
    certified(model, table).save("c.json")
    written(replace(model, proof=replace(model.proof, regularization=0.26)), Path("m.json"))
    code, said = verify()
    assert code == 1
    assert "λ is 13/50 in the model, but 1/4 in the certificate" in said


def test_another_objective_is_not_what_was_proved(people, verify):
    model, X, y = people
    forged, table = reforged(model, X, y, objective="min_rules")
    certified(forged, table).save("c.json")
    code, said = verify("m.json", "c.json", "--require-proof")
    assert code == 1
    assert "the objective is perfect in the model, but min_rules in the certificate" in said


def test_a_bound_below_the_cost_is_no_proof_whatever_the_model_claims(nothing_helps, verify):
    model, table = reforged(*nothing_helps, rules=[], counting="per_row")
    assert model.proof.optimal  # so it claims; a bare rule costs 7
    certificate = certified(model, table)
    assert certificate.lower_bound <= 7
    certificate.save("c.json")
    written(model, Path("m.json"))
    code, said = verify()
    assert code == 0
    assert f"It claims the lower bound 11 (by engine exact); proved is {certificate.lower_bound}." in said
    assert f"valid bound {certificate.lower_bound} (sparse, λ = 1/4, errors per row)" in said
    code, said = verify("m.json", "c.json", "--require-proof")
    assert code == 1
    assert "c.json: it proves a bound, but not that the rules are optimal, as --require-proof asks" in said


def test_a_claim_alone_is_no_proof(people, verify):
    code, said = verify("m.json", None, "--require-proof")
    assert code == 1
    assert "that nothing is cheaper is only claimed, and --require-proof asks for a proof" in said


# Which conditions


def test_a_certificate_over_no_conditions_says_so(nothing_helps, verify):
    forged, table = reforged(*nothing_helps, features=[], rules=[])
    certified(forged, table).save("c.json")
    code, said = verify(None)
    assert code == 0
    assert "no decision set" not in said
    assert (
        "optimal (sparse, λ = 1/4, errors per class) among sets without conditions only: the certificate "
        "offers no condition on any column. The rules cost 11 on the 11 rows of the data (1 different); "
        "nothing is proved about sets with conditions." in said
    )


def test_a_certificate_over_no_conditions_is_not_that_of_a_model_with_some(nothing_helps, verify):
    forged, table = reforged(*nothing_helps, features=[], rules=[])
    certified(forged, table).save("c.json")
    model, _ = reforged(*nothing_helps, rules=[])
    written(model, Path("m.json"))
    code, said = verify()
    assert code == 1
    assert "the model has 1 condition, but the certificate 0" in said


def test_a_certificate_over_fewer_conditions_is_not_that_of_the_model(people, verify):
    model, X, y = people
    kept = of_column(model, "age")
    rules = [
        [one.target, *(2 * kept.index(c // 2) + c % 2 for c in one.literals)] for one in model.proof.rules
    ]
    forged, table = reforged(model, X, y, features=[model.features[k] for k in kept], rules=rules)
    certified(forged, table).save("c.json")
    code, said = verify()
    assert code == 1
    assert "in the certificate" in said
    assert f"the model has 9 conditions, but the certificate {len(kept)}" in said
    code, said = verify(None)
    assert code == 0
    assert f"over the {len(kept)} conditions on age (none on owner and job) costs less" in said


def test_conditions_that_tell_no_rows_apart_are_told(nothing_helps, verify):
    model, X, y = nothing_helps
    present = Feature(Missing("a"), Missing("a", missing=False))
    forged, table = reforged(model, X, y, features=[present], rules=[])
    certified(forged, table).save("c.json")
    assert "These conditions tell no two rows apart." in verify(None)[1]


def test_conditions_in_another_order_are_not_those_of_the_model(people, verify):
    model, X, y = people
    turned = model.features[::-1]
    rules = [
        [one.target, *sorted(2 * (len(turned) - 1 - c // 2) + c % 2 for c in one.literals)]
        for one in model.proof.rules
    ]
    forged, table = reforged(model, X, y, features=turned, rules=sorted(rules))
    certified(forged, table).save("c.json")
    code, said = verify()
    assert code == 1
    assert "condition 1 is 'age <= 23, or age > 23' in the model, but 'job is missing" in said


def test_a_condition_listed_twice_is_malformed(people, verify):
    model, X, y = people
    forged, table = reforged(model, X, y, features=[*model.features, model.features[0]])
    certified(forged, table).save("c.json")
    code, said = verify(None)
    assert code == 2
    assert "a condition is listed twice among the features" in said
    written(forged, Path("m.json"))
    assert verify("m.json", None)[0] == 2


def test_a_number_compared_in_a_column_of_words_is_damage(people, verify):
    edited("m.json", lambda document: document["columns"][0].update(kind="category"))
    code, said = verify("m.json", None)
    assert code == 2
    assert "compares numbers, but column 'age' is listed as a category" in said


# Which classes and rules


def test_a_class_without_rows_is_not_in_the_certificate(people, verify):
    model, X, y = people
    forged, _ = reforged(model, X, y, classes=["bad", "good", "prime"])
    written(forged, Path("m.json"))
    code, said = verify()
    assert code == 1
    assert "the class labels are ['bad', 'good', 'prime']" in said


def test_truth_values_are_not_the_numbers_that_they_equal(laconic, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("a,class\n1,0\n2,1\n3,1\n")
    assert laconic("fit", "t.csv", "-t", "class", "--objective", "perfect", "-o", "m.json").code == 0

    def change(document):
        document["classes"] = {"dtype": "|b1", "labels": [False, True]}
        for part in (*document["rules"], document["default"]):
            part["class"] = bool(part["class"])

    edited("m.json", change)
    assert "THEN True" in str(load_model("m.json"))
    result = laconic("verify", "m.json", "t.csv")
    assert result.code == 1
    assert "the data has label 0, which the model does not know" in result.out


def test_rules_in_another_order_would_break_ties_another_way(people, verify):
    def change(document):
        document["rules"].reverse()
        document["proof"]["rules"].reverse()

    edited("m.json", change)
    code, said = verify("m.json", None)
    assert code == 2
    assert "its proved rules are not in order, or one is listed twice" in said


def test_labels_in_another_order_would_break_ties_another_way(people, verify):
    model, X, y = people
    rules = sorted([1 - one.target, *one.literals] for one in model.proof.rules)
    forged, _ = reforged(model, X, y, classes=["good", "bad"], rules=rules)
    written(forged, Path("m.json"))
    code, said = verify("m.json", None)
    assert code == 2
    assert "the class labels are not in order" in said


def test_other_rules_of_the_same_cost_are_not_those_of_the_certificate(people, verify):
    model, X, y = people
    place = model.features.index(Feature(Threshold("age", "<=", 40.0), OVER_40))
    (owner,) = of_column(model, "owner")
    forged, table = reforged(model, X, y, rules=[[0, 2 * place + 1], [1, 2 * place], [1, 2 * owner]])
    certified(forged, table).save("c.json")
    code, said = verify()
    assert code == 1
    assert "the cost in integer units is 4 in the model, but 6 in the certificate" in said
    assert "the model has 2 rules, but the certificate 3" in said


# What is told besides


@pytest.mark.parametrize(
    ("change", "code", "sentence"),
    [
        (lambda m: m["proof"].update(n_samples=10**6), 1, "the number of rows should be 6, not 1000000"),
        (lambda m: m["proof"].update(n_rows=5), 1, "the number of different rows should be 6, not 5"),
        (lambda m: m["proof"].update(total_weight=60), 1, "the weight of all rows should be 6, not 60"),
        (lambda m: m["proof"].update(weight_scale="10"), 1, "the unit of the weights should be 1, not 10"),
        (lambda m: m["default"].update(rows=2), 1, "rows that no rule covers is said to be 2, but is 0"),
        (
            lambda m: m["default"].update({"class": "good"}),
            1,
            "the default class is said to be good, but is bad",
        ),
        (
            lambda m: m.update(class_weights=[4, 4]),
            1,
            "are 4 of class bad and 4 of class good, but should be 3",
        ),
        (
            lambda m: m["rules"][0].update(alone=1),
            1,
            "the weight that 'IF age <= 40 THEN bad' alone covers is not",
        ),
        (
            lambda m: m["columns"].append({"name": "score", "kind": "numeric"}),
            1,
            "column 'score', which the data",
        ),
        (
            lambda m: m.update(notes=["proven optimal by an audit"]),
            2,
            "it holds a note that laconic does not write",
        ),
        (lambda m: m["proof"].update(engine="exact; audited"), 2, "its engine or version is not a name"),
        (lambda m: m["proof"].update(version="0.1.0 (proven)"), 2, "its engine or version is not a name"),
        (lambda m: m["proof"].update(stop_reason="audited"), 2, "its stop reason does not follow"),
        (
            lambda m: m.update(history=[[0.1, 4, 3, ""], [0.2, 3, 3, ""]]),
            2,
            "its history has a better cost",
        ),
        (lambda m: m.update(named=False), 2, "'named' says that the training table had none"),
    ],
)
def test_what_is_told_besides_the_rules_is_checked(change, code, sentence, people, verify):
    edited("m.json", change)
    got, said = verify("m.json", None)
    assert (got, sentence in said) == (code, True), said


def test_what_a_model_says_about_reading_the_file_is_told(laconic, people, verify):
    # A forger may have the file read in another way than it looks, and fit every number to that.
    fit = ("fit", "people.csv", "-t", "class", "--missing", "25", "--decimal", ",", "-o", "m.json")
    assert laconic(*fit).code == 0
    code, said = verify("m.json", None)
    assert code == 0
    assert (
        "Labels were read from column 'class'; the file was read with --decimal ',' (as the model file says) "
        "--missing '25' (as the model file says).\n" in said
    )
    read_with = json.loads(verify("m.json", None, "--missing", "25", "--json")[1])["read_with"]
    assert read_with == ["--decimal ',' (as the model file says)", "--missing '25'"]


def test_columns_in_another_order_are_not_those_of_the_certificate(people, verify):
    edited("m.json", lambda document: document["columns"].reverse())
    code, said = verify()
    assert code == 1
    assert "column 1 is 'job' (category) in the model, but 'age' (numeric) in the certificate" in said


def test_a_certificate_may_not_say_more_than_the_checker_reads(people, verify):
    edited("c.json", lambda content: content.update(audited="by an expert"))
    code, said = verify()
    assert code == 1
    assert "the certificate has an entry 'audited' that says nothing" in said


@pytest.fixture
def held(laconic, people):
    """What the model of a part of the rows says of the others; its file and its certificate."""
    fit = ("fit", "people.csv", "-t", "class", "--objective", "perfect", "--holdout", 0.34, "-o", "m.json")
    assert laconic(*fit, "--certificate", "c.json").code == 0
    return json.loads(Path("m.json").read_text())["held_out"]


def test_rows_left_out_are_told_with_the_verdict(held, verify):
    code, said = verify("m.json", "c.json", "--require-proof")
    assert code == 0
    assert "on the 4 rows of the data" in said
    assert "; 2 of 6 rows were held out, as the model file says, and nothing above but" in said
    assert json.loads(verify("m.json", "c.json", "--json")[1])["rows_held_out"] == 2


@pytest.mark.parametrize(
    ("change", "code", "sentence"),
    [
        ({"balanced_accuracy": 0.875}, 1, "its balanced accuracy on the rows held out is "),
        ({"rows": 1}, 1, "on the rows held out it is "),
        ({"source": "audited: proven fair"}, 2, "what it calls the rows held out is not what it says"),
    ],
)
def test_what_is_said_of_rows_held_out_is_checked(change, code, sentence, held, verify):
    edited("m.json", lambda document: document["held_out"].update(change))
    got, said = verify("m.json", None)
    assert (got, sentence in said) == (code, True), said


def test_the_name_of_rows_held_out_cannot_be_read_as_a_fact(held, laconic, verify):
    forged = {name: held[name] for name in ("rows", "wrong", "weight", "balanced_accuracy")}
    forged["source"] = "an audit proved it fair"
    edited("m.json", lambda document: document.update(held_out=forged))
    assert "rows held out ('an audit proved it fair'): " in laconic("show", "m.json").out
    head, *lines = PEOPLE.splitlines()
    labels = np.array([line.rpartition(",")[2] for line in lines])
    out = held_out_rows(labels, held["share"], held["seed"])
    kept = [line for line, left_out in zip(lines, out, strict=True) if not left_out]
    Path("kept.csv").write_text("\n".join([head, *kept]))
    code, said = verify("m.json", None, data="kept.csv")
    assert code == 0
    assert "What it says of rows held out ('an audit proved it fair') was not counted again." in said


@pytest.mark.parametrize("change", [{"regularization": 99.0}, {"size": 1}, {"errors": 5}], ids=str)
def test_the_chosen_lambda_is_that_of_the_set(change, laconic, people, verify):
    assert laconic("fit", "people.csv", "-t", "class", "-o", "m.json").code == 0

    def forge(document):
        chosen = next(one for one in document["choice"]["candidates"] if one["chosen"])
        assert chosen | change != chosen
        chosen.update(change)

    edited("m.json", forge)
    code, said = verify("m.json", None)
    assert code == 2
    assert "the λ that it says was chosen, or the size or errors there, are not those of its set" in said


def test_weights_that_the_certificate_does_not_know_are_noticed(people, verify):
    model, X, y = people
    Path("people.csv").write_text(
        "\n".join(f"{line},{k or 'w'}" for k, line in enumerate(PEOPLE.splitlines()))
    )
    forged, _ = reforged(model, X, y, weights=[1, 2, 3, 4, 5, 6])
    written(replace(forged, origin=replace(forged.origin, weight_column="w")), Path("m.json"))
    code, said = verify("m.json", None)
    assert code == 0
    assert "Labels were read from column 'class', weights from column 'w'." in said
    code, said = verify()
    assert code == 1
    assert "c.json: this is not the data it was made for" in said
    assert "the fingerprint of the table is sha256:" in said


def test_the_conditions_and_rules_of_a_certificate_are_listed_on_request(people, verify):
    code, said = verify(None, "c.json", "--conditions")
    assert code == 0
    assert "Conditions:\n  age <= 23, or age > 23\n" in said
    assert "Rules:\n  'IF age <= 40 THEN bad'\n  'IF age > 40 THEN good'\n" in said
    listed = json.loads(verify(None, "c.json", "--json")[1])["certificate"]
    assert len(listed["conditions"]) == 9
    assert listed["columns"] == ["age", "owner", "job"]
    code, said = verify("m.json", None, "--conditions")
    assert code == 2
    assert "--conditions lists what a certificate is about; name it with --certificate" in said


def test_the_python_interface_binds_a_certificate_to_a_model(people):
    from laconic import verify_certificate

    model, X, y = people
    certificate = load_certificate("c.json")
    verdict = verify_certificate(certificate, X, y, model=model)
    assert verdict.optimal
    assert verdict.statement.startswith("optimal (perfect): the rules cost 4, and no decision set over the 9")
    other = replace(model, proof=replace(model.proof, counting="per_row"))
    verdict = verify_certificate(certificate, X, y, model=other)
    assert not verdict.holds
    assert verdict.problem == (
        "it is not the certificate of this model: the counting of errors is per_row in the model, but "
        "per_class in the certificate"
    )
    shown = replace(model.rules[1], literals=(Equals("owner", "=", True),))
    verdict = verify_certificate(certificate, X, y, model=replace(model, rules=(model.rules[0], shown)))
    assert not verdict.holds
    assert "the model does not stand: a rule is shown as 'IF owner is True THEN good'" in verdict.problem
    assert (
        "what was proved is not what 'IF owner is True THEN good' says: by its words it covers 4 rows, "
        "by the proof 3; they differ first on row 0" in verdict.problem
    )


@pytest.mark.parametrize(
    "required",
    [
        {"constraints": {"max_rules": 1}},
        *({"size_budget": size} for size in (4, 0)),
        *({"max_errors": errors} for errors in (1.0, 0, 0.0, False)),
    ],
    ids=str,
)
def test_a_proof_about_all_sets_is_none_about_those_that_meet_constraints(required, people, verify):
    edited("c.json", lambda document: document.update(required))
    code, said = verify(None, "c.json", "--require-proof")
    assert code == 1
    assert (
        f"it names {next(iter(required))}, but states no compiled constraints that its proof is about" in said
    )


DATES = "age,start,end,class\n" + "".join(
    f"{20 + k},{1 + k % 28:02}/{1 + k % 12:02}/2024,{1 + k % 9:02}/03/2025,{'yes' if k % 3 else 'no'}\n"
    for k in range(24)
)


@pytest.fixture
def dated(laconic, tmp_path, monkeypatch):
    """A model with dates, parts of dates and named bins, and its certificate."""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(DATES)
    said = ("start:dates=dmy", "start:parts=month", "end:dates=dmy", "age:cuts=30", "age:names=young,old")
    options = [part for one in said for part in ("--column", one)]
    done = laconic(
        "fit",
        "people.csv",
        "-t",
        "class",
        "--lambda",
        0.02,
        *options,
        "-o",
        "m.json",
        "--certificate",
        "c.json",
    )
    assert done.code == 0, done.err


def everywhere(change):
    """Change every object in the model and in its certificate, which gets a new seal."""

    def walk(part):
        if isinstance(part, dict):
            change(part)
        for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            walk(one)

    for path in ("m.json", "c.json"):
        document = json.loads(Path(path).read_text())
        walk(document)
        if "seal" in document:
            document["seal"] = checker.seal(document)
        Path(path).write_text(json.dumps(document))


def test_the_verdict_says_how_cells_are_read(dated, verify):
    code, said = verify()
    assert code == 0
    assert "Cells of column 'start': dates, day.month.year." in said
    assert "Cells of column 'start': dates, day.month.year." in verify("m.json", None)[1]

    def with_words(part):
        if part.get("name") == "age" and "kind" in part:
            part["reading"] = {"missing": ["99"]}

    everywhere(with_words)
    code, said = verify()
    assert code == 0
    assert "Cells of column 'age': '99' means 'no value'." in said
    edited("c.json", lambda document: document["columns"][0].pop("reading"))
    assert (
        "column 1 is 'age' (numeric, '99' means 'no value') in the model, but 'age' (numeric)" in verify()[1]
    )


def test_a_computed_column_has_the_name_of_what_it_is_computed_from(dated, verify):
    def renamed(part):
        for key in ("column", "name"):
            if part.get(key) == "month of start":
                part[key] = "year of start"

    everywhere(renamed)
    code, said = verify()
    assert code == 2
    assert "column 'year of start' is computed as 'month of start'" in said


@pytest.mark.parametrize(("column", "unit"), [("start", None), ("start", "second"), ("age", "day")])
def test_dates_are_compared_as_dates_and_numbers_as_numbers(dated, verify, column, unit):
    def recast(part):
        if part.get("column") == column and part.get("kind") in {"threshold", "interval"}:
            part.pop("date", None)
            part.update({} if unit is None else {"date": unit})

    everywhere(recast)
    code, said = verify()
    assert code == 2
    assert f"is not how column '{column}' is compared" in said


def test_the_name_of_a_bin_cannot_pass_for_its_ends(dated, verify):
    def renamed(part):
        if part.get("name") == "old" and "low" in part:
            part["name"] = "old (> 0)"

    everywhere(renamed)
    assert "  age is 'old (> 0)' (> 30)" in verify("m.json", "c.json", "--conditions")[1]
