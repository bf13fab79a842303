from __future__ import annotations

from pathlib import Path


def test_report_writes_one_page(laconic, loans, model):
    result = laconic(
        "report", model, loans, "-o", "page.html", "--trade-off-time", 1, "--title", "Loans <now>"
    )
    assert (result.code, result.out) == (0, "")
    assert result.err == "report in page.html\n"  # the model knows which column held the labels
    html = Path("page.html").read_text(encoding="utf-8")
    assert "<h1>Loans &lt;now&gt;</h1>" in html
    assert "These are the rows the model was trained on" in html
    assert "Size against errors" in html


def test_report_has_a_default_place(laconic, loans, model):
    assert laconic("report", model, loans, "--target", "class", "--trade-off-time", 0).code == 0
    assert "<title>Rules for class</title>" in Path("report.html").read_text(encoding="utf-8")


def test_report_refuses_what_it_cannot_do(laconic, loans, model):
    for arguments, sentence in (
        (("-o", loans), "would overwrite an input"),
        (("-o", "no/page.html"), "cannot write no/page.html"),
        (("--trade-off-time", -1), "--trade-off-time must be a number of seconds"),
        (("--target", "nothing"), "has no column 'nothing'"),
    ):
        result = laconic("report", model, loans, *arguments)
        assert result.code == 2
        assert sentence in result.err
        assert "Traceback" not in result.err
    assert not Path("report.html").exists()
