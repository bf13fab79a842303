"""Groups of categories as conditions: which are offered, and what they say of unseen and missing values."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.support.checking import canonical_reader

from laconic import DecisionSetClassifier, load_model, save_model, verify_certificate
from laconic.checking.certify.canonical import raw_table_text
from laconic.data.binarize import Binarizer, BinarizerWarning
from laconic.data.literals import Among, Equals, Feature, contradiction, literal_from_dict, literal_to_dict
from laconic.runtime.errors import InputError, ModelFileError


def jobs(n=240, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"job": rng.choice(["clerk", "cook", "judge", "nurse", "smith"], n)})
    X["age"] = rng.integers(20, 60, n)
    y = np.where(np.isin(X["job"], ["clerk", "nurse"]) & (X["age"] > 30), "yes", "no")
    return X, y


def test_every_group_and_its_opposite_are_offered_once():
    X = pd.DataFrame({"c": list("abcdef")})
    features = Binarizer(max_members=6).fit(X).features_
    covers = {
        tuple(literal.holds(X["c"]).tolist())
        for feature in features
        for literal in (feature.positive, feature.negative)
    }
    assert len(covers) == 2 * len(features) == 2**6 - 2


def test_missing_values_are_in_no_group_and_unseen_ones_outside_all():
    values = pd.Series(["a", "b", "c", "new", None], name="c")
    assert Among("c", ("a", "b")).holds(values).tolist() == [True, True, False, False, False]
    assert Among("c", ("a", "b"), inside=False).holds(values).tolist() == [False, False, True, True, False]


def test_members_are_few_unless_asked_for():
    X = pd.DataFrame({"c": list("abcdef")})
    assert len(Binarizer().fit(X).features_) == 6
    assert len(Binarizer(max_members=2).fit(X).features_) == 6 + 15


def test_a_sentence_says_among_which_categories_groups_are_offered():
    names = [f"v{k:02}" for k in range(45) for _ in range(1 + k % 7)]
    with pytest.warns(BinarizerWarning, match="groups of up to 3 are offered of the 18 most frequent only"):
        features = Binarizer(max_members=3).fit(pd.DataFrame({"c": names})).features_
    assert len(features) == 45 + 18 * 17 // 2 + 18 * 17 * 16 // 6


def test_groups_make_sets_smaller_and_models_keep_them(tmp_path):
    X, y = jobs()
    single, grouped = (
        DecisionSetClassifier(regularization=0.01, binarizer=Binarizer(max_members=m)).fit(X, y)
        for m in (1, 3)
    )
    assert grouped.cost_ < single.cost_
    assert "job in {clerk, nurse}" in str(grouped.decision_set_)
    save_model(grouped.decision_set_, tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["schema_version"] == 3
    loaded = load_model(tmp_path / "model.json")
    assert loaded == grouped.decision_set_
    unseen = pd.DataFrame({"job": ["poet", None, "nurse"], "age": [50, 50, 50]})
    assert (loaded.predict(unseen) == grouped.predict(unseen)).all()


def test_certificates_of_groups_verify_and_have_a_canonical_text():
    X, y = jobs(80)
    clf = DecisionSetClassifier(regularization=0.02, certificate=True, binarizer=Binarizer(max_members=2))
    clf.fit(X, y)
    verdict = verify_certificate(clf.certificate_, X, y, model=clf.decision_set_)
    assert verdict.cost == verdict.lower_bound == clf.cost_
    words = clf.certificate_.words
    text = canonical_reader.parsed(raw_table_text(words, X, y, None))
    groups = [shown for shown, _ in text["features"] if shown[0] == "one_of"]
    assert len(groups) == sum(isinstance(feature.positive, Among) for feature in words.features) > 0
    mixed = Feature(Among("job", ("clerk", True)), None)
    with pytest.raises(InputError, match="knows no groups of texts, numbers and truth values together"):
        raw_table_text(replace(words, features=(*words.features, mixed)), X, y, None)


@pytest.mark.parametrize("values", [["a"], ["a", "a"], ["a", None], "ab", [1, "1"]])
def test_damaged_groups_in_a_file_are_refused(values):
    with pytest.raises(ModelFileError):
        literal_from_dict({"kind": "among", "column": "c", "values": values, "inside": True})


def test_groups_are_written_and_read_as_they_are():
    for literal in (Among("c", ("a", "b, c")), Among("c", (1, 2.5, True), inside=False)):
        assert literal_from_dict(json.loads(json.dumps(literal_to_dict(literal)))) == literal
    assert str(Among("c", ("a", "b, c"))) == "c in {a, 'b, c'}"


def test_groups_without_a_common_member_contradict_each_other():
    assert contradiction([Among("c", ("a", "b")), Among("c", ("d", "e"))]) == "c"
    assert contradiction([Among("c", ("a", "b")), Equals("c", "!=", "a")]) is None
