/* The view of a step: what is proved, the search, the front, the rules, the opinions, and the tools below. */
import { post } from "./api.js";
import { searchChart } from "./chart.js";
import { h, show, visible } from "./dom.js";
import { frontPanel, loadFront } from "./front.js";
import { historyPanel } from "./history.js";
import { leavePanel } from "./leave.js";
import { app, complain, stepPath } from "./main.js";
import { opinionsPanel, rulesPanel } from "./rules.js";
import { shelfPanel } from "./shelf.js";
import { touchedPanel } from "./touched.js";
import { whatIfPanel } from "./whatif.js";
import { W, number } from "./words.js";

const TABS = [
  ["touched", W.touchedTitle, touchedPanel],
  ["whatif", W.whatIfTitle, whatIfPanel],
  ["shelf", W.shelfTitle, shelfPanel],
  ["history", W.historyTitle, historyPanel],
  ["leave", W.leaveTitle, leavePanel],
];

let chosen = "touched";
let filled = "";

function measured() {
  const choice = app.history.steps.map((one) => one.result?.choice).find(Boolean) ?? app.result.choice;
  if (!choice?.measured) return null;
  return choice.points.find((one) => one.regularization === app.result.regularization) ?? null;
}

function headPanel() {
  const { answer, phase, error, done } = app.result;
  const opinions = app.history.steps[app.step].state.opinions;
  if (error) return h("section", { class: "head" }, h("p", { class: "complaint", role: "alert" }, visible(error)));
  if (!answer) return h("section", { class: "head" }, h("p", { class: "quiet" }, W.phases[phase] ?? W.working));
  const point = opinions.length ? null : measured();
  const state = !done && phase !== "prices" ? ["open", W.searching] : answer.proved ? ["proven", W.proven] : ["open", W.notProven];
  return h("section", { class: "head" },
    h("p", { class: "lead" }, h("span", { class: `badge ${state[0]}` }, state[1]),
      `${W.sizeText(answer.rules.length, answer.conditions)}; ${W.headline(answer.wrong, answer.weight)}`,
      point ? `; ${W.newRowsText(point)}` : ""),
    h("p", { class: "quiet" }, `${W.costText(answer)}; ${W.boundText(answer.bound)}. λ = ${app.result.regularization ?? "…"}`));
}

function searchPanel() {
  const { done, phase, note, curve } = app.result;
  const stop = done ? null : h("button", {
    type: "button", "data-key": "stop", onclick: () => post(`${stepPath()}/stop`).catch(complain),
  }, W.stop);
  const running = done ? null : h("p", { class: "line" }, h("span", { class: "running" }, W.phases[phase] ?? W.working),
    note && phase === "choice" ? h("span", { class: "quiet small" }, visible(note)) : null, stop);
  if (!curve || curve.length < 1) return running ? h("section", { class: "search-section" }, running) : null;
  return h("section", { class: "search-section" },
    running,
    h("details", { class: "search", open: !done, "data-key": "search" }, h("summary", { "data-key": "search summary" }, W.learnTitle), searchChart(curve)));
}

function tabs() {
  const list = h("div", { role: "tablist", class: "tabs", "aria-label": W.title }, TABS.map(([name, words]) => h("button", {
    type: "button", role: "tab", id: `tab-${name}`, "data-key": `tab ${name}`, "aria-selected": String(name === chosen),
    "aria-controls": "tab-panel", tabindex: name === chosen ? "0" : "-1",
    onclick: () => { chosen = name; filled = ""; showTab(true); },
    onkeydown: (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      const place = TABS.findIndex(([one]) => one === chosen);
      chosen = TABS[(place + way + TABS.length) % TABS.length][0];
      filled = "";
      showTab(true);
    },
  }, words)));
  return h("section", { class: "tools" }, list, h("div", { role: "tabpanel", id: "tab-panel", tabindex: "0", class: "panel" }));
}

function showTab(moved = false) {
  const panel = document.getElementById("tab-panel");
  if (!panel) return;
  document.querySelectorAll("[role=tab]").forEach((one) => {
    const on = one.id === `tab-${chosen}`;
    one.setAttribute("aria-selected", String(on));
    one.tabIndex = on ? 0 : -1;
    if (on && moved) one.focus();
  });
  panel.setAttribute("aria-labelledby", `tab-${chosen}`);
  const state = `${chosen} ${app.table} ${app.step} ${app.result?.done} ${app.history.steps.length}`;
  if (state === filled) return;
  filled = state;
  const make = TABS.find(([name]) => name === chosen)[2];
  if (chosen !== "history" && (!app.result.done || app.result.error)) show(panel, h("p", { class: "quiet" }, W.working));
  else make(panel);
}

/* Draw the step; parts that did not change keep what people have opened or typed. */
export function workView(main, first) {
  if (first || !document.getElementById("work")) {
    filled = "";
    show(main, h("div", { class: "wrap work", id: "work" },
      h("div", { id: "head" }), h("div", { id: "search" }),
      h("div", { class: "sides" }, h("div", { id: "rules" }), h("div", { id: "opinions" })),
      h("div", { id: "front" }), tabs()));
  }
  show(document.getElementById("head"), headPanel());
  show(document.getElementById("search"), app.result.error ? null : searchPanel());
  const ready = app.result.answer && !app.result.error;
  const drawn = JSON.stringify([app.step, app.result.answer, app.result.done, Boolean(app.conditions)]);
  const rules = document.getElementById("rules");
  if (rules.dataset.drawn !== drawn) {
    rules.dataset.drawn = drawn;
    show(rules, ready ? rulesPanel() : null);
  }
  const opinions = document.getElementById("opinions");
  const held = JSON.stringify([app.step, app.result.opinions, app.result.price, app.result.done, Boolean(app.conditions)]);
  if (opinions.dataset.drawn !== held) {
    opinions.dataset.drawn = held;
    show(opinions, ready ? opinionsPanel() : opinionsOfRefused());
  }
  if (app.result.done && !app.result.error) loadFront(document.getElementById("front"), frontPanel);
  showTab();
}

/* A step whose opinions no set can respect still shows them, so that they can be taken back. */
function opinionsOfRefused() {
  if (!app.result.error) return null;
  app.result.opinions ??= app.history.steps[app.step].views ?? [];
  return app.history.steps[app.step].state.opinions.length ? opinionsPanel() : null;
}
