"""The page in a real browser: everything that people do in the studio, on three tables."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from tests.report.conftest import browser as browser  # the fixture
from tests.report.test_accessibility import LOW_CONTRAST
from tests.studio.conftest import loans

HOSTILE = "<img src=x onerror=alert(1)>"


def ten_classes():
    rng = np.random.default_rng(0)
    x, z = rng.integers(0, 100, 300), rng.integers(0, 3, 300)
    return pd.DataFrame({"x": x, "z": z, "digit": [f"class {k // 10}" for k in x]})


def messy():
    """Names that are markup, words of rules or invisible; missing values, an identifier, dates."""
    rng = np.random.default_rng(1)
    n = 120
    age = rng.integers(18, 80, n).astype(float)
    age[::9] = np.nan
    return pd.DataFrame(
        {
            f"age {HOSTILE}": age,
            "job AND <b>town</b>": rng.choice(["a'b\"c", "IF x THEN y", "\u202egnat"], n),
            "number": range(n),
            "seen": ["2024-01-02"] * (n - 1) + ["2023-05-06"],
            "same": 1,
            "</script><script>alert(2)</script>": np.where(np.nan_to_num(age, nan=50) > 45, HOSTILE, "no"),
        }
    )


TABLES = {"two classes": loans, "ten classes": ten_classes, "messy": messy}


@pytest.fixture
def page(browser, server):
    tab = browser.new_page(viewport={"width": 1200, "height": 900})
    wrong = []
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    tab.on("dialog", lambda dialog: (wrong.append("a dialog"), dialog.dismiss()))
    tab.on(
        "request",
        lambda one: None if one.url.startswith((server.address, "data:")) else wrong.append(one.url),
    )
    tab.goto(server.address)
    yield tab
    # A refusal is an answer of 400, which the browser logs.
    assert [one for one in wrong if "400 (Bad Request)" not in one] == []
    tab.close()


def opened(page, tmp_path, name):
    place = tmp_path / f"{name}.csv"
    TABLES[name]().to_csv(place, index=False)
    page.locator("#file").set_input_files(place)
    expect(page.locator("table.columns")).to_be_visible()


def settled(page):
    page.locator("#rules .card").first.wait_for(timeout=60_000)
    expect(page.locator(".running")).to_have_count(0, timeout=60_000)
    expect(page.locator("[data-key='edit 0']")).to_be_enabled(timeout=60_000)


@pytest.mark.parametrize("name", list(TABLES))
def test_from_opening_a_file_to_leaving_with_the_proof(page, tmp_path, name):
    opened(page, tmp_path, name)
    if name == "messy":
        for said in ("looks like an identifier", "holds dates", "has one value only"):
            expect(page.get_by_text(said).first).to_be_visible()
        page.get_by_label("Use number").uncheck()
        page.get_by_label("Use seen").uncheck()
    page.get_by_role("button", name="Learn").click()
    settled(page)
    rules = page.locator("#rules .card:not(.otherwise)").count()
    assert rules >= 1
    expect(page.locator(".badge").first).to_have_text("Proven best")

    # Argue, with a reason; the price comes with its proof.
    page.get_by_label("Reason for the next step").fill("nobody would sign this")
    page.get_by_role("button", name="Never rule 1").click()
    settled(page)
    price = page.locator(".total")
    expect(price).to_contain_text("proven")
    before = page.locator(".head .quiet").inner_text()

    # Whom it touches; a row of the list opens in what if.
    page.get_by_label("Rates by").select_option(index=1)
    expect(page.locator("#tab-panel caption").filter(has_text="Rates by")).to_be_visible()
    page.get_by_role("tab", name="What if").click()
    expect(page.locator(".verdict")).to_be_visible()

    # The tools below, undo and redo.
    page.get_by_role("tab", name="History").click()
    expect(page.get_by_label("Reason of step 1")).to_have_value("nobody would sign this")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#opinions .opinion")).to_have_count(0)
    settled(page)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#opinions .opinion")).to_have_count(1)
    settled(page)
    assert page.locator(".head .quiet").inner_text() == before

    # Leave: every file comes.
    page.get_by_role("tab", name="Take it with you").click()
    expect(page.locator("pre")).to_contain_text("laconic studio --replay")
    links = page.locator(".files a")
    assert links.count() == 7
    for k in range(links.count()):
        if links.nth(k).inner_text() in {
            "Decision log",
            "Model",
            "SQL",
            "Opinions as constraints",
            "Session",
        }:
            with page.expect_download() as download:
                links.nth(k).click()
            assert len(download.value.path().read_bytes()) > 2


def test_a_rule_is_edited_by_keyboard_alone_and_its_rows_move_on_the_way(page, tmp_path):
    opened(page, tmp_path, "two classes")
    page.get_by_role("button", name="Learn").press("Enter")
    settled(page)
    page.locator("[data-key='edit 0']").press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("strong").first).to_contain_text("covers")
    slider = dialog.get_by_role("slider").first
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator("[data-key='edit 0']")).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Drop condition 1").press("Enter")
    dialog.get_by_label("Reason for the next step").fill("simpler")
    page.keyboard.press("Enter")
    expect(page.locator(".opinion .kind")).to_have_text("Changed")
    settled(page)
    page.get_by_role("button", name=re.compile("^Take back")).press("Enter")
    settled(page)
    expect(page.locator(".opinion")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.locator(".opinion")).to_have_count(1)


def test_rules_of_ones_own_columns_directions_and_caps_are_opinions(page, tmp_path):
    opened(page, tmp_path, "two classes")
    page.get_by_role("button", name="Learn").click()
    settled(page)
    page.get_by_role("button", name="Write a rule").click()
    page.get_by_role("button", name="Add a condition").click()
    page.get_by_label("Column of condition 1").select_option("job")
    page.get_by_label("Value of condition 1").select_option("farmer")
    page.get_by_role("button", name="Hold this opinion").click()
    settled(page)
    expect(page.locator(".opinion .kind")).to_have_text("Your rule")
    page.locator("summary", has_text="More opinions").click()
    page.get_by_role("button", name="Only so").click()
    settled(page)
    page.get_by_role("button", name="No more").click()
    settled(page)
    expect(page.locator(".opinion")).to_have_count(3)
    page.get_by_label("Never use the column").select_option("job")
    page.get_by_role("button", name="Never use it").click()
    expect(page.get_by_role("alert")).to_contain_text("forb")  # it contradicts the rule


def test_the_front_slider_and_the_shelf_give_other_sets(page, tmp_path):
    opened(page, tmp_path, "two classes")
    page.get_by_role("button", name="Learn").click()
    settled(page)
    slider = page.get_by_role("slider", name="Size of the set")
    expect(slider).to_be_visible(timeout=30_000)
    assert "right on new rows" in slider.get_attribute("aria-valuetext")
    before = page.locator(".head .lead").inner_text()
    slider.press("Home")
    expect(page.locator(".head .lead")).not_to_have_text(before, timeout=30_000)
    settled(page)
    page.get_by_role("tab", name="Equally good sets").click()
    page.get_by_label("Dearer by").fill("2")
    page.get_by_role("button", name="Find them").click()
    page.get_by_role("button", name=re.compile("Prefer set")).first.click(timeout=60_000)
    settled(page)
    expect(page.locator(".opinion .kind")).to_have_text("Exactly these rules")


def test_two_tabs_do_not_disturb_each_other_and_a_closed_one_loses_nothing(page, browser, tmp_path):
    opened(page, tmp_path, "two classes")
    page.get_by_role("button", name="Learn").click()
    settled(page)
    other = browser.new_page()
    other.goto(page.url)
    settled(other)
    page.get_by_role("button", name="Never rule 1").click()
    other.get_by_role("button", name="Keep rule 1").click()
    settled(page)
    settled(other)
    expect(page.locator(".opinion .kind")).to_have_text("Never")
    expect(other.locator(".opinion .kind")).to_have_text("Keep")
    address = page.url
    other.close()
    page.goto("about:blank")
    page.goto(address)
    settled(page)
    expect(page.locator(".opinion .kind")).to_have_text("Never")
    page.get_by_role("tab", name="History").click()
    expect(page.locator(".step")).to_have_count(3)
    page.get_by_label("Side by side with").select_option("2")
    expect(page.locator(".pair h3")).to_have_count(2)


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (900, "light")])
def test_nothing_is_wider_than_the_window_and_texts_can_be_read(browser, server, tmp_path, width, scheme):
    tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    tab.goto(server.address)
    opened(tab, tmp_path, "ten classes")
    assert tab.evaluate("() => document.documentElement.scrollWidth") <= width
    colours = tab.evaluate(
        """() => [...new Set([...document.querySelectorAll(".label")].map(
            (one) => getComputedStyle(one).getPropertyValue("--c").trim()))]"""
    )
    assert len(colours) == 10, colours
    assert tab.evaluate(LOW_CONTRAST) == []
    tab.get_by_role("button", name="Learn").click()
    settled(tab)
    for name in ("Whom it touches", "What if", "Equally good sets", "History", "Take it with you"):
        tab.get_by_role("tab", name=name).click()
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= width, name
        assert tab.evaluate(LOW_CONTRAST) == [], name
    unnamed = tab.evaluate(
        """() => [...document.querySelectorAll("button, input, select, a[href]")].filter((one) => {
            const labels = one.labels ? [...one.labels].map((label) => label.textContent).join("") : "";
            return !(one.getAttribute("aria-label") || labels || one.textContent || one.title).trim();
        }).map((one) => one.outerHTML)"""
    )
    assert unnamed == []
    tab.close()
