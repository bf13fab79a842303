"""A real browser for the report's tests: the Chromium or Chrome of this machine, driven by Playwright.

Which one: ``LACONIC_BROWSER``, if that names a program, else the first of the usual names on the path.
``make test`` looks for one first and, as root on a Debian-like system, installs it with apt; anywhere else
it says so and goes on. Without a browser these tests are skipped, and each skip says what to do. Playwright's
own download is not used: it fetches hundreds of megabytes from a host that many networks do not allow.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    chosen = os.environ.get("LACONIC_BROWSER")
    return shutil.which(chosen) if chosen else next(filter(None, map(shutil.which, NAMES)), None)


# One browser per module, not per session: Playwright's loop must not outlive the tests that need it, or
# other tests of the same process could not start a loop of their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = find_browser()
    if program is None:
        pytest.skip("NO BROWSER: the report was NOT tested in one; install chromium or set LACONIC_BROWSER")
    with sync_playwright() as playwright:
        # Headless, with a fresh profile that is removed afterwards: Playwright's defaults.
        launched = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield launched
        launched.close()


@dataclass
class Opened:
    """A page and everything it complained about or asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def covers(self, rows: list[list[Any]]) -> list[list[bool]]:
        return self.page.evaluate("rows => rows.map(row => laconic.explain(row).covers)", rows)

    def predictions(self, rows: list[list[Any]]) -> list[str]:
        return self.page.evaluate("rows => laconic.predict(rows).map(k => laconic.classes[k])", rows)

    def reasons(self, rows: list[list[Any]]) -> list[str]:
        return self.page.evaluate("rows => rows.map(row => laconic.explain(row).reason)", rows)

    def firing(self) -> list[int]:
        """Numbers of the rules that are lit, from 1."""
        lit = self.page.locator("#try-rules > li[data-fires=true]").all()
        return sorted(int(item.get_attribute("data-rule")) + 1 for item in lit)

    def verdict(self) -> str:
        return self.page.locator("#try-class").inner_text()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open a report; at the end, nothing may have gone wrong in it or left it."""
    kept: list[Opened] = []

    def open_page(html: str, **context: Any) -> Opened:
        path = tmp_path / f"report{len(kept)}.html"
        path.write_text(html, encoding="utf-8")
        page = browser.new_context(**context).new_page()
        page.set_default_timeout(10_000)
        made = Opened(page)
        page.on("pageerror", lambda error: made.complaints.append(str(error)))
        page.on("console", lambda message: made.complaints.append(message.text))
        page.on("dialog", lambda dialog: (made.complaints.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: made.requests.append(request.url))
        page.goto(path.as_uri())
        kept.append(made)
        return made

    yield open_page
    for made in kept:
        page_itself = [url.split("#")[0] for url in made.requests]
        made.page.context.close()
        assert made.complaints == []
        assert set(page_itself) == {page_itself[0]}
        assert page_itself[0].startswith("file:")
