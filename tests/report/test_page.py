"""What the page says: counts, sentences, sections that are left out with a reason."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from tests.support.reports import applicants, credit, credit_classifier, decision_set, loan_set

from laconic import DecisionSetClassifier
from laconic.data.literals import Threshold
from laconic.model.decision_set import DecisionSet
from laconic.report import TradeOffPoint, render_report, write_report
from laconic.runtime.errors import InputError


class Text(HTMLParser):
    """The visible text of a page, in one line."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag, attrs) -> None:
        self.silent += tag in {"script", "style"}

    def handle_endtag(self, tag) -> None:
        self.silent -= tag in {"script", "style"}
        if tag in {"dt", "dd", "th", "td", "div", "caption"}:
            self.parts.append(" ")

    def handle_data(self, data) -> None:
        if not self.silent:
            self.parts.append(data)


def text_of(html: str) -> str:
    reader = Text()
    reader.feed(html)
    return " ".join("".join(reader.parts).split())


def embedded(html: str) -> dict:
    return json.loads(re.search(r'id="laconic-data">(.*?)</script>', html, re.S)[1])


@pytest.fixture(scope="module")
def classifier():
    return credit_classifier()


def test_a_rule_card_counts_the_rows_of_the_table():
    shown = text_of(render_report(loan_set(), *applicants(), seconds=0))
    # Rule 2 covers one row, a yes; there are two of them, and the other is rule 3's alone.
    assert "Rule 2 if colour is red and age > 30 then yes Rows covered 1 20 % Precision 100 %" in shown
    assert "Precision 100 % Recall 50 % Only this rule 50 %" in shown
    # Rule 1 covers rows 0, 1 and 4: two of the three no, one yes.
    assert "Rows covered 3 60 % Precision 66.7 % Recall 66.7 % Only this rule 66.7 %" in shown
    assert (
        "Default class if no rule covers the row then no Rows covered 1 20 % Precision 100 % Recall 33.3 %"
        in shown
    )


def test_the_tables_count_predictions_conflicts_and_uncovered_rows():
    shown = text_of(render_report(loan_set(), *applicants(), seconds=0))
    assert (
        "0 of 5 rows get a wrong class from predict, so 100 % are right. "
        "40 % are covered by rules of their own class" in shown
    )
    assert "by rules of one class 2 40 % 100 %" in shown
    assert "by the better of rules that disagree 2 40 % 100 %" in shown
    assert "by no rule (default class) 1 20 % 100 %" in shown
    assert "actual no yes recall no 3 0 100 % yes 0 2 100 % precision 100 % 100 % 100 % right" in shown
    assert "Pairs of rules that share rows: 2." in shown


def test_weights_count():
    X, y = applicants()
    heavy = text_of(
        render_report(
            loan_set(), X, ["no", "no", "no", "yes", "no"], sample_weight=[1, 6, 1, 1, 1], seconds=0
        )
    )
    assert "Shares count rows by their weight." in heavy
    assert "so 40 % are right" in heavy
    assert "actual no yes recall no 3 6 33.3 %" in heavy
    with pytest.raises(InputError, match="every sample weight is zero"):
        render_report(loan_set(), X, y, sample_weight=np.zeros(5), seconds=0)


def test_labels_the_model_does_not_know_get_a_line_of_their_own():
    X, _ = applicants()
    shown = text_of(render_report(loan_set(), X, ["no", "yes", "maybe", "yes", "no"], seconds=0))
    assert "maybe (unknown to the model) 1 0 –" in shown
    assert "1 of 5 rows get a wrong class from predict, so 80 % are right" in shown


def test_a_proof_is_said_in_plain_words(classifier):
    X, y = credit()
    shown = text_of(render_report(classifier, X, y, seconds=0))
    assert "✓" not in shown.split("The rules")[0]  # the tick is decoration, drawn by the style
    assert "proven best No set of rules exists that strikes a better balance of size and errors." in shown
    assert "Each condition and each rule costs as much as errors of weight 5 (λ = 0.02)." in shown
    assert "These are the rows the model was trained on" in shown
    assert f"No set costs less than {classifier.lower_bound_}" in shown


def test_a_perfect_proof_says_that_nothing_is_smaller():
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "z": [5.0, 5.0, 6.0, 6.0]})
    clf = DecisionSetClassifier("perfect", engine="brute").fit(X, ["a", "a", "b", "b"])
    shown = text_of(render_report(clf, X, ["a", "a", "b", "b"], seconds=0))
    assert "proven smallest No smaller set of rules exists that explains the training data as well." in shown
    assert "makes no avoidable error on the training data" in shown


def test_constraints_and_measures_are_part_of_the_claim():
    X, y = applicants()
    wished = DecisionSetClassifier(objective="perfect", constraints={"max_rules": 9}, measure="longest").fit(
        X, y
    )
    shown = text_of(render_report(wished, X, y, seconds=0))
    assert "No set of rules that meets the constraints is better." in shown
    assert (
        "Asked for: the least length of the longest rule, then by size (conditions and rules), "
        "without avoidable errors on the training data." in shown
    )
    assert "Constraint max_rules = 9" in shown
    assert "Length of the longest rule 1" in shown
    sparse = DecisionSetClassifier(regularization=0.05, constraints={"max_rules": 1}).fit(X, y)
    shown = text_of(render_report(sparse, X, y, seconds=0))
    assert "Asked for: the best balance of errors and size (conditions and rules) (λ = 0.05)." in shown


def test_an_open_gap_is_never_called_proven(classifier):
    model = classifier.decision_set_
    proof = replace(model.proof, lower_bound=model.proof.cost * 9 // 10, stop_reason="time")
    shown = text_of(render_report(replace(model, proof=proof), *credit(), seconds=0))
    assert re.search(r"within 10(\.\d)? % At most 10(\.\d)? % better is possible: this set costs", shown)
    assert "The search was stopped by its time limit." in shown
    assert "proven best" not in shown


def test_other_rows_are_not_taken_for_the_training_rows(classifier):
    shown = text_of(render_report(classifier, *credit(100, seed=5), seconds=0))
    assert "These are not the rows the model was trained on" in shown


def test_a_model_whose_facts_do_not_stand_is_denounced(classifier):
    model = classifier.decision_set_
    wrong = replace(
        model, proof=replace(model.proof, errors=model.proof.errors - 1, cost=model.proof.cost - 1)
    )
    shown = text_of(render_report(wrong, *credit(), seconds=0))
    assert "The model's facts do not stand on this data: the weight of the errors should be" in shown


def test_a_saved_model_shows_the_search_or_says_that_it_forgot_it(classifier):
    X, y = credit()
    saved = DecisionSet.from_json(classifier.decision_set_.to_json())
    assert "saved without the history of its search" in text_of(render_report(saved, X, y, seconds=0))
    kept = DecisionSet.from_json(classifier.decision_set_.to_json(history=True))
    assert "The best set in hand became cheaper" in text_of(render_report(kept, X, y, seconds=0))
    shown = text_of(render_report(classifier, X, y, seconds=0))
    assert "The best set in hand became cheaper" in shown
    last = classifier.history_[-1]
    assert f"{classifier.cost_} {classifier.lower_bound_}" in shown
    assert last.cost == last.lower_bound


def test_the_trade_off_is_computed_given_or_left_out_with_a_sentence(classifier):
    X, y = credit()
    assert "The trade-off of size and errors was not asked for." in text_of(
        render_report(classifier, X, y, seconds=0)
    )
    given = render_report(classifier, X, y, points=[TradeOffPoint(4, 120.0, 0.1, proved=False)])
    assert "λ = 0.1: size 4, errors 120 (50 %), not proven best" in given
    assert "this model: size" in given
    computed = render_report(classifier, X, y, seconds=5)
    sizes = [int(size) for size in re.findall(r"<title>λ = [\d.]+: size (\d+)", computed)]
    assert classifier.size_ in sizes
    assert sizes == sorted(sizes)
    assert len(sizes) >= 3
    by_hand = text_of(render_report(loan_set(), *applicants(), seconds=5))
    assert "The model does not carry the conditions it was chosen from" in by_hand


def test_the_marks_of_the_trade_off_are_what_the_classifier_finds(classifier):
    X, y = credit()
    html = render_report(classifier, X, y, seconds=5)
    clf = DecisionSetClassifier(regularization=0.05, time_limit=10).fit(X, y)
    assert f"size {clf.size_}, errors {clf.errors_} (" in html
    assert f"this model: size {classifier.size_}, errors {classifier.errors_} (" in html


def test_a_set_without_rules_makes_a_page():
    model = decision_set([], {"x": "numeric"})
    shown = text_of(render_report(model, pd.DataFrame({"x": [1.0, 2.0]}), ["no", "yes"], seconds=0))
    assert "every row gets the class below" in shown
    assert "there is nothing to change" in shown
    assert "No row is covered by two rules." in shown


def test_a_plain_array_makes_a_page():
    X, y = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, 6.0], [4.0, 6.0]] * 5), np.array([0, 0, 1, 1] * 5)
    clf = DecisionSetClassifier(regularization=0.1).fit(X, y)
    html = render_report(clf, X, y, seconds=1)
    assert "0 of 20 training rows get a wrong class" in text_of(html)
    assert embedded(html)["classes"] == ["0", "1"]


def test_no_row_of_the_data_is_in_the_page():
    X, y = applicants()
    X["name"] = ["Ann-Secret", "Bob-Secret", "Cid-Secret", "Dee-Secret", "Eve-Secret"]
    assert "Secret" not in render_report(loan_set(), X, y, seconds=0)


def test_the_same_input_gives_the_same_page():
    first, second = (render_report(loan_set(), *applicants(), seconds=0) for _ in range(2))
    assert first == second


def test_the_page_names_no_address():
    html = render_report(loan_set(), *applicants(), seconds=0)
    assert not re.search(r"https?://|//cdn|@import|url\(", html)


def test_the_data_of_the_script_cannot_end_the_script():
    model = decision_set(
        [("no", [Threshold("</script><!--&", ">", 1.0)], [1, 0])], {"</script><!--&": "numeric"}
    )
    html = render_report(model, pd.DataFrame({"</script><!--&": [1.0, 2.0]}), ["no", "yes"], seconds=0)
    assert embedded(html)["columns"] == ["</script><!--&"]
    assert html.count("</script>") == 2


def test_many_rules_list_their_overlaps_as_pairs():
    rules = [("yes", [Threshold("x", ">", float(k))], [0, 1]) for k in range(15)]
    model = decision_set(rules, {"x": "numeric"})
    shown = text_of(render_report(model, pd.DataFrame({"x": np.arange(20.0)}), ["yes"] * 20, seconds=0))
    assert "The 20 pairs that share most rows Rules Rows of both Classes 1 and 2 18 yes" in shown


def test_what_is_no_model_is_refused():
    with pytest.raises(InputError, match="fit the classifier first"):
        render_report(DecisionSetClassifier(), *credit())


def test_a_place_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"cannot write report .*; choose another place"):
        write_report(loan_set(), *applicants(), tmp_path / "no" / "report.html", seconds=0)


def test_the_title_names_the_label_column(classifier):
    X, y = credit()
    assert "<title>Rules for risk</title>" in render_report(classifier, X, y, seconds=0)
    assert "<title>Decision set report</title>" in render_report(classifier, X, y.to_numpy(), seconds=0)
