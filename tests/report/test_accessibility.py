"""The page for every reader: by keyboard, by ear, in both colour schemes, on paper and on a phone."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from tests.support.reports import credit, credit_classifier

from laconic.report import render_report

# Every text against the nearest opaque background behind it, by the formula of WCAG 2.
LOW_CONTRAST = """() => {
  const shade = ([r, g, b]) => [r, g, b].map(v => v / 255).map(
    v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const light = c => { const [r, g, b] = shade(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const behind = element => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.body.querySelectorAll("*:not(script):not(noscript)")) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest("title")) continue;
    const style = getComputedStyle(element);
    const ink = parse(element.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(ink), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${element.className} ${element.textContent.trim()} ${ratio.toFixed(2)}`);
  }
  return found;
}"""

UNNAMED = """() => [...document.querySelectorAll("input, select, button")].filter(one => {
  const labels = [...(one.labels || [])].map(label => label.textContent.trim()).join("");
  const own = one.tagName === "BUTTON" && (one.textContent.trim() || one.hidden);
  return !labels && !own && !one.getAttribute("aria-label");
}).map(one => one.outerHTML)"""


@pytest.fixture(scope="module")
def html():
    return render_report(credit_classifier(), *credit(), seconds=2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(opened, html, scheme):
    page = opened(html, color_scheme=scheme).page
    page.get_by_text("The numbers").first.click()
    assert page.evaluate(LOW_CONTRAST) == []


def test_light_and_dark_differ(opened, html):
    grounds = [
        opened(html, color_scheme=scheme).page.evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert grounds[0] != grounds[1]


def test_every_input_has_a_name(opened, html):
    page = opened(html).page
    assert page.locator("input, select").count() >= 7
    assert page.evaluate(UNNAMED) == []


def test_no_id_is_used_twice_and_every_reference_leads_somewhere(opened, html):
    page = opened(html).page
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    wanted = page.evaluate(
        """[...document.querySelectorAll('*')].flatMap(one => [
             ...['for', 'aria-labelledby', 'aria-describedby', 'aria-controls'].map(n => one.getAttribute(n)),
             (one.getAttribute('href') || '').slice(1),
           ]).filter(Boolean)"""
    )
    assert set(wanted) <= set(ids)


def test_headings_start_with_one_h1_and_skip_no_level(opened, html):
    levels = opened(html).page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])"
    )
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_the_landmarks_are_there(opened, html):
    page = opened(html).page
    for role in ("banner", "navigation", "main", "contentinfo", "status"):
        assert page.get_by_role(role).count() == 1, role
    assert page.evaluate("document.documentElement.lang") == "en"


def test_pictures_have_a_text(opened, html):
    page = opened(html).page
    assert page.locator("svg").count() >= 5
    assert page.evaluate("[...document.querySelectorAll('svg')].every(one => one.getAttribute('aria-label'))")


def test_the_keyboard_reaches_the_skip_link_first_and_then_every_input(opened, html):
    page = opened(html).page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id"))
    inputs = page.evaluate("[...document.querySelectorAll('input, select')].map(one => one.id)")
    assert set(inputs) <= seen


def test_focus_can_be_seen(opened, html):
    page = opened(html).page
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outline")
    assert re.search(r"solid 3px|3px solid", outline) or "3px" in outline


def test_a_phone_needs_no_sideways_scrolling(opened, html):
    page = opened(html, viewport={"width": 360, "height": 740}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_print_is_light_and_leaves_out_what_paper_cannot_do(opened, html):
    page = opened(html, color_scheme="dark").page
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator("#what-if").is_visible()
    assert page.locator("#rules").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_without_scripts_all_but_the_panel_is_there(opened, html):
    page = opened(html, java_script_enabled=False).page
    assert page.locator("noscript p").is_visible()
    assert not page.locator("#try-panel").is_visible()
    assert page.get_by_role("heading", name="Rule 1").is_visible()
