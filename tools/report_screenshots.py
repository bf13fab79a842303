"""Take the screenshots of the report that the documentation shows: ``python tools/report_screenshots.py``.

Needs Chromium and the development tools. The tables are those that scikit-learn ships.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

import pandas as pd
from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from sklearn.datasets import load_iris, load_wine

from laconic import DecisionSetClassifier
from laconic.report import write_report

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def main() -> None:
    """Write both pictures."""
    iris = load_iris(as_frame=True)
    species = pd.Series(iris.target_names[iris.target], name="species")
    wine = load_wine(as_frame=True)
    cultivar = wine.target.map({k: f"cultivar {k + 1}" for k in range(3)}).rename("cultivar")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, X, y, scheme in (
            ("report", iris.data, species, "light"),
            ("report-dark", wine.data, cultivar, "dark"),
        ):
            clf = DecisionSetClassifier(regularization=0.01, time_limit=30).fit(X, y)
            page = Path(folder) / f"{name}.html"
            write_report(clf, X, y, page)
            _shoot(browser, page, scheme, IMAGES / f"{name}.png")
        browser.close()


def _shoot(browser: Browser, report: Path, scheme: str, target: Path) -> None:
    page = browser.new_page(viewport={"width": 1180, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(report.as_uri())
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    # A palette keeps flat pages small, and sharp.
    picture.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(target, optimize=True)
    page.close()


if __name__ == "__main__":
    main()
