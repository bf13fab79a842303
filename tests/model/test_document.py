"""Model files: exact round trips, and refusal of everything else."""

from __future__ import annotations

import copy
import json

import numpy as np
import pandas as pd
import pytest
from tests.support.models import loan_set, rule

from laconic import DecisionSet, DecisionSetClassifier, load_model, save_model
from laconic.runtime.errors import ModelFileError

X = pd.DataFrame(
    {
        "age": [21, 35, 54, 70, 42, 28],
        "colour": ["red", "blue", "red", "blue", None, "red"],
        "member": [True, False, True, True, False, False],
    }
)
Y = np.array(["no", "yes", "no", "yes", "yes", "no"])


def fitted(y=Y, **settings) -> DecisionSet:
    return DecisionSetClassifier(engine="exact", **settings).fit(X, y).decision_set_


@pytest.mark.parametrize(
    "settings",
    [
        {"objective": "perfect"},
        {"regularization": 0.01},
        {"regularization": 0.01, "counting": "per_row"},
        {"regularization": 0.4, "every_class": True},
        {"regularization": 0.01, "default": "otherwise"},
        {"objective": "perfect", "default": "otherwise"},
    ],
)
def test_a_fitted_model_comes_back_equal(settings):
    model = fitted(**settings)
    again = DecisionSet.from_json(model.to_json())
    assert again == model
    assert again.to_json() == model.to_json()
    assert str(again) == str(model)
    assert again.predict(X).tolist() == model.predict(X).tolist()


def test_a_set_without_proof_comes_back_equal():
    for model in (loan_set(), loan_set(else_rule=rule("no", [], 3, 2, 1)), loan_set(rules=())):
        assert DecisionSet.from_json(model.to_json()) == model


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, 7, 3, 7, 7, 3]),
        np.array([3, 7, 3, 7, 7, 3], dtype=np.uint8),
        np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0]),
        np.array([0.0, 1.0, 0.0, 1.0, 1.0, 0.0], dtype=np.float32),
        np.array([False, True, False, True, True, False]),
        np.array(["né", "日本", "né", "日本", "日本", "né"]),
        np.array(["no", "yes", "no", "yes", "yes", "no"], dtype=object),
    ],
    ids=lambda labels: str(labels.dtype),
)
def test_labels_keep_their_type(labels):
    model = fitted(labels, objective="perfect")
    again = DecisionSet.from_json(model.to_json())
    assert again.predict(X).dtype == labels.dtype
    assert again.predict(X).tolist() == labels.tolist()


def test_weights_stay_exact():
    clf = DecisionSetClassifier("perfect").fit(X, Y, sample_weight=[0.1, 0.2, 0.3, 1 / 3, 1, 1])
    assert DecisionSet.from_json(clf.decision_set_.to_json()) == clf.decision_set_


def test_the_same_input_gives_the_same_bytes():
    order = [3, 1, 5, 0, 2, 4]
    shuffled = DecisionSetClassifier("perfect").fit(X.iloc[order], Y[order]).decision_set_
    assert fitted(objective="perfect").to_json() == fitted(objective="perfect").to_json()
    assert shuffled.to_json() == fitted(objective="perfect").to_json()


def test_the_file_names_its_format_and_the_proof_facts():
    document = json.loads(fitted(regularization=0.01).to_json())
    assert (document["format"], document["schema_version"]) == ("laconic decision set", 1)
    proof = document["proof"]
    assert (proof["objective"], proof["regularization"], proof["status"]) == ("sparse", 0.01, "optimal")
    assert proof["cost"] == proof["lower_bound"]
    assert proof["table_digest"].startswith("sha256:")
    assert "seconds" not in json.dumps(document)


def walk(value, path=()):
    """Every place in a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from walk(item, (*path, key))


def changed(document, path, change):
    """The document with one place changed, or ``None`` if that changes nothing."""
    other = copy.deepcopy(document)
    parent = other
    for key in path[:-1]:
        parent = parent[key]
    if change == "delete":
        del parent[path[-1]]
    else:
        parent[path[-1]] = change
    return None if json.dumps(other) == json.dumps(document) else other


@pytest.mark.parametrize(
    "settings",
    [
        {"objective": "perfect"},
        {"regularization": 0.4, "every_class": True},
        {"objective": "perfect", "default": "otherwise"},
    ],
)
def test_no_damage_escapes_as_another_error(settings):
    document = json.loads(fitted(**settings).to_json())
    refused = accepted = 0
    for path in list(walk(document))[1:]:
        for change in ("delete", None, "x", "", -1, 0, 10**30, 1.5, True, [], {}, [[]], [None]):
            damaged = changed(document, path, change)
            if damaged is None:
                continue
            try:
                model = DecisionSet.from_json(json.dumps(damaged))
            except ModelFileError:
                refused += 1
            else:
                accepted += 1
                assert isinstance(str(model), str)
                assert DecisionSet.from_json(model.to_json()) == model
    assert refused > 10 * accepted


@pytest.mark.parametrize(
    ("path", "change", "what"),
    [
        (("rules", 0, "class"), "maybe", "class 'maybe' is not among the classes"),
        (("rules", 0, "conditions", 0, "column"), "member", "its rules are not those that were proved"),
        (("columns", 0, "kind"), "fast", "a column has no name or kind"),
        (("rules", 0, "rows"), -1, "'rows' is below 0"),
        (("rules", 0, "rows"), True, "'rows' has the wrong type"),
        (("rules", 0, "weights"), [1], "weights must be one whole number per class"),
        (("default",), "delete", "'default' is missing"),
        (("columns", 1, "name"), "age", "a column is listed twice"),
        (("proof", "lower_bound"), 10**6, "its status does not follow from its cost and bound"),
        (("proof", "cost"), 10**6, "its status does not follow from its cost and bound"),
        (("proof", "rule_cost"), 7, "its cost is not that of its rules"),
        (("proof", "objective"), "fast", "its objective is unknown"),
        (("proof", "regularization"), 0.1, "its regularization does not fit its objective"),
        (("proof", "weight_scale"), "0", "'weight_scale' is not positive"),
    ],
)
def test_damage_is_named(path, change, what):
    document = json.loads(fitted(objective="perfect").to_json())
    with pytest.raises(ModelFileError) as caught:
        DecisionSet.from_json(json.dumps(changed(document, path, change)))
    assert str(caught.value) == f"the model file is damaged: {what}; save the model again with save_model"


@pytest.mark.parametrize("label", [None, "yes"])
def test_an_else_that_was_not_proved_is_refused(label):
    # Only the bare rule of "no" was bought; "yes" has a rule with conditions.
    y = np.array(["no", "no", "no", "yes", "no", "no"])
    model = fitted(y, regularization=0.3, every_class=True)
    assert (model.else_class, [rule.label for rule in model.rules]) == ("no", ["yes"])
    document = json.loads(model.to_json())
    document["else"] = None if label is None else document["else"] | {"class": label}
    with pytest.raises(ModelFileError, match="its else rule is not the one that was proved"):
        DecisionSet.from_json(json.dumps(document))


def test_a_rule_on_an_unlisted_column_is_refused():
    document = json.loads(loan_set().to_json())
    document["rules"][0]["conditions"][0]["column"] = "height"
    with pytest.raises(ModelFileError, match="a rule uses column 'height', which is not listed"):
        DecisionSet.from_json(json.dumps(document))


def test_a_newer_file_is_refused():
    document = json.loads(loan_set().to_json()) | {"schema_version": 4}
    with pytest.raises(ModelFileError) as caught:
        DecisionSet.from_json(json.dumps(document))
    assert str(caught.value) == (
        "this model was written by a newer laconic (schema 4; this one reads up to 3); upgrade laconic"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "this is not a laconic model: it is not JSON (line 1: Expecting value); "
            "save the model again with save_model",
        ),
        ("[]", "this JSON is not a laconic model; save the model again with save_model"),
        ('{"format": "other"}', "this JSON is not a laconic model; save the model again with save_model"),
        (
            "[NaN]",
            "the model file is damaged: NaN is not a number; save the model again with save_model",
        ),
        (
            "[" * 100_000,
            "the model file is damaged: its values are nested too deeply; "
            "save the model again with save_model",
        ),
    ],
)
def test_what_is_no_model_is_refused(text, message):
    with pytest.raises(ModelFileError) as caught:
        DecisionSet.from_json(text)
    assert str(caught.value) == message


def test_files_round_trip(tmp_path):
    path = tmp_path / "model.json"
    save_model(loan_set(), path)
    assert load_model(path) == loan_set()
    assert path.read_text(encoding="utf-8") == loan_set().to_json()
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.json"]


def test_a_classifier_can_be_saved_directly(tmp_path):
    clf = DecisionSetClassifier("perfect").fit(X, Y)
    save_model(clf, tmp_path / "model.json")
    assert load_model(str(tmp_path / "model.json")) == clf.decision_set_


def test_a_failed_save_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    save_model(loan_set(), path)

    def full_disk(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("laconic.model.store.os.fsync", full_disk)
    with pytest.raises(ModelFileError) as caught:
        save_model(loan_set(rules=()), path)
    assert str(caught.value) == (
        f"cannot write model file {str(path)!r}: No space left on device; choose another place"
    )
    assert load_model(path) == loan_set()
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.json"]


def test_a_saved_model_is_as_readable_as_other_files(tmp_path):
    save_model(loan_set(), tmp_path / "model.json")
    (tmp_path / "other").write_text("x")
    assert (tmp_path / "model.json").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_bad_paths_and_files_get_one_sentence(tmp_path):
    missing = tmp_path / "none.json"
    binary = tmp_path / "model.pkl"
    binary.write_bytes(b"\x80\x04\x95\xff")
    cut = tmp_path / "cut.json"
    cut.write_text(loan_set().to_json()[:200])
    for path, message in (
        (missing, f"there is no model file {str(missing)!r}; check the path"),
        (tmp_path, f"cannot read model file {str(tmp_path)!r}: Is a directory; check the path"),
        (binary, f"{str(binary)!r}: this is not a laconic model: it is not text; check the path"),
    ):
        with pytest.raises(ModelFileError) as caught:
            load_model(path)
        assert str(caught.value) == message
    with pytest.raises(ModelFileError, match=r"cut\.json': this is not a laconic model: it is not JSON"):
        load_model(cut)
    with pytest.raises(ModelFileError, match="No such file or directory; choose another place"):
        save_model(loan_set(), tmp_path / "nowhere" / "model.json")
