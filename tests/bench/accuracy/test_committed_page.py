"""The page about accuracy and its picture say what the committed results say."""

import re
from pathlib import Path

import pytest

from benchmarks.accuracy import page
from benchmarks.accuracy.__main__ import FIELDS, KEY
from benchmarks.accuracy.methods import METHODS
from benchmarks.accuracy.picture import PICTURE, draw
from benchmarks.accuracy.scores import Scores
from benchmarks.support.drawing import save_svg
from benchmarks.support.study import FOLDER, Results

pytestmark = pytest.mark.skipif(not page.PAGE.exists(), reason="needs the sources")


@pytest.fixture(scope="module")
def scores():
    results = Results(FOLDER / "accuracy.csv", FIELDS, KEY)
    assert results.path.stat().st_size < 1_000_000
    return Scores(results.latest())


def test_the_page_is_made_from_the_results(scores):
    assert page.text(scores) == page.PAGE.read_text(encoding="utf-8"), "run: make bench-accuracy-page"


def test_the_picture_is_made_from_the_results(scores, tmp_path):
    def words(path: Path) -> list[str]:
        return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))

    save_svg(draw(scores), tmp_path / "made.svg")
    assert words(tmp_path / "made.svg") == words(PICTURE), "run: make bench-accuracy-page"


def test_the_results_are_of_known_methods_and_end_in_known_ways(scores):
    assert set(scores.fits["method"]) <= set(METHODS)
    assert (scores.fits["accuracy"].between(0, 100)).all()
    assert (scores.fits["lost"] <= scores.fits["errors"]).all()
