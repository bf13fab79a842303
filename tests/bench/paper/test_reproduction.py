"""The paper's numbers and figures beside those of a handful of records."""

import pytest
from tests.support.bench_records import RECORDS, SAMPLED, solved

from benchmarks.paper import reproduction
from benchmarks.paper.claims import CLAIMS, findings
from benchmarks.paper.figures import own_method, paper_figures
from laconic.bench.table import frame


def test_the_reproduction_sets_the_papers_numbers_beside_ours():
    table = frame(RECORDS)
    text = reproduction.render(
        table, RECORDS, paper_figures(table), sources=["records.jsonl"], differences="Because."
    )
    assert "| tool | paper | ours by | on all 3 training sets | against the paper |" in text
    assert "| ripper | 1048 | ripper (10 s) | 2 of 3 | 31.7 points lower |" in text
    assert "| sp[λ3] | 4.18 | sp[λ3] (10 s) | 2.33 on 3 | 0.56 times the paper's |" in text
    assert "| ripper | 68.13 | ripper (10 s) | 53.33 on 3 | 14.8 points lower |" in text
    assert "| cn2 | 598.05 | not run |  |  |" in text
    assert "| size 3 | almost 400 | sp[λ3] (10 s) | 2 of 3 | 29.1 points higher |" in text
    assert "accuracies of sp[λ3] and ripper are comparable | holds | means 80.00 (sp[λ3]) and 80.00" in text
    assert "cn2 is the least accurate | not measured | no records of mds2-star-r3" in text
    assert "Not every method" not in text
    assert "Because." in text
    assert "no \\| rules" in text
    assert "![Figure 1a: time, on all 3 training sets](figures/figure-1a-time.svg)" in text


def test_claims_on_common_ignore_methods_that_the_paper_does_not_have():
    extra = [solved("sp-l1-joint", 2, size=5, wrong=0)]  # solved nothing in common with the others
    (claim,) = [one for one in CLAIMS if one.measure == "strict_common" and one.tool == "ripper"]
    found = findings(claim, frame([*RECORDS, *extra]))["ripper"]
    assert (found.value, found.n) == (pytest.approx(90), 1)


def test_the_virtual_perfect_tool_is_the_mean_of_all_that_learn_perfect_sets():
    more = [solved("mopt", 1, size=40, wrong=2), solved("mds2-star", 1, size=40, wrong=4)]
    (claim,) = [one for one in CLAIMS if one.tool == "perfect"]
    found = findings(claim, frame([*RECORDS, *more]))["perfect"]
    # opt, mopt and mds2* are right on 10, 8 and 6 of 10 rows.
    assert (found.value, found.n) == (pytest.approx(80), 1)
    assert found.by == "opt, mopt, mds2* (10 s)"


def test_a_report_of_a_sample_has_a_column_for_the_sample_and_one_for_everything():
    table = frame(SAMPLED)
    text = reproduction.render(table, SAMPLED, paper_figures(table), sources=["records.jsonl"])
    assert "**Not every method was run on every training set.**" in text
    assert "| ours by | on the same 1 training sets | on all 3 training sets |" in text
    assert "| cn2 | 975 | cn2 (60 s) | 1 of 1 | – | 8.5 points higher, on a part |" in text
    assert "| ripper | 68.13 | ripper (10 s) | 90.00 on 1 | 53.33 on 3 | 14.8 points lower |" in text
    assert "### On the same 1 training sets" in text
    assert "### On all 3 training sets" in text


def test_a_scatter_plot_shows_the_model_of_sp3_with_the_most_sets():
    more = [solved("exact-sp-l3", fold, size=2, wrong=1) for fold in (1, 2, 3)]
    fewer = [one for one in RECORDS if (one.task.method, one.task.fold) != ("sp-l3", 3)]
    assert own_method(frame([*RECORDS, *more]), "ripper") == "sp-l3"  # as many, and the paper's own
    assert own_method(frame([*fewer, *more]), "ripper") == "exact-sp-l3"


def test_figures_have_the_papers_numbers():
    names = [one.name for one in paper_figures(frame([*RECORDS, solved("imli1", 3, size=4, wrong=1)]))]
    assert names == [
        "figure-1a-time",
        "figure-1a-time-whole",
        "figure-1b-size",
        "figure-1b-size-whole",
        "figure-2a-accuracy-all",
        "figure-2a-accuracy-all-whole",
        "figure-2b-accuracy-common",
        "figure-3a-size-ripper",
        "figure-3b-strict-ripper",
        "figure-4a-size-imli1",
        "figure-4b-strict-imli1",
    ]


def test_perfect_sets_share_a_curve_on_common_training_sets():
    (drawing,) = [one for one in paper_figures(frame(RECORDS)) if one.name == "figure-2b-accuracy-common"]
    table = frame([*RECORDS, solved("mopt", 1, size=40, wrong=4)])
    (merged,) = [one for one in paper_figures(table) if one.name == "figure-2b-accuracy-common"]
    assert [text.get_text() for text in merged.figure.legends[0].get_texts()] == [
        "ripper, 10 s  (mean 90.00 %)",
        "perfect, 10 s  (mean 80.00 %)",
        "sp[λ3], 10 s  (mean 60.00 %)",
    ]
    assert len(drawing.figure.axes[0].lines) == len(merged.figure.axes[0].lines) == 3
