/* Whom the step touches: rows whose prediction changes, in numbers, by group, and in a list. */
import { post } from "./api.js";
import { colour, h, label, show, visible } from "./dom.js";
import { app, complain, stepPath } from "./main.js";
import { openRow } from "./whatif.js";
import { W, number, percent } from "./words.js";

let group = "";
let against = "free";

const target = (name) => app.result.answer.classes.indexOf(name);
const named = (name) => label(name, Math.max(0, target(name)));

function movesTable(found) {
  return h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": W.movesTable }, h("table", {},
    h("caption", {}, W.movesTable),
    h("thead", {}, h("tr", {}, [W.actual, W.before, W.after, W.rowsHead].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, found.moves.map((one) => h("tr", {}, h("th", { scope: "row" }, named(one.label)),
      h("td", { class: "words" }, named(one.before)), h("td", { class: "words" }, named(one.after)), h("td", {}, number(one.rows)))))));
}

const change = (before, after) => (before === after ? percent(after) : `${percent(before)} → ${percent(after)}`);

function groupsTable(found) {
  const classes = app.result.answer.classes;
  return h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": W.groupsTable(group) }, h("table", {},
    h("caption", {}, W.groupsTable(group)),
    h("thead", {}, h("tr", {}, [W.groupName, W.rowsHead, W.changedHead, W.wrongHead, ...classes.map(W.answersHead)].map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, found.groups.map((one) => h("tr", {}, h("th", { scope: "row" }, visible(one.name)), h("td", {}, number(one.rows)),
      h("td", {}, number(one.changed)), h("td", {}, change(one.wrongBefore, one.wrongAfter)),
      one.answersAfter.map((after, k) => h("td", {}, change(one.answersBefore[k], after))))))));
}

function listTable(found, panel) {
  const page = (first) => h("button", { type: "button", "data-key": `page ${first}`, onclick: () => touchedPanel(panel, first) },
    first > found.first ? W.next : W.previous);
  return [
    h("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": W.listTable }, h("table", {},
      h("caption", {}, W.listTable),
      h("thead", {}, h("tr", {}, [W.row, W.actual, W.before, W.after, ...found.columns.map(visible)].map((one) => h("th", { scope: "col" }, one)))),
      h("tbody", {}, found.list.map((one) => h("tr", {},
        h("th", { scope: "row" }, h("button", { type: "button", "aria-label": W.openRow(one.row), onclick: () => openRow(one.row) }, one.row)),
        h("td", { class: "words" }, named(one.label)), h("td", { class: "words" }, named(one.before)), h("td", { class: "words" }, named(one.after)),
        one.values.map((value) => h("td", {}, value === null ? W.missing : visible(value)))))))),
    h("p", { class: "line" }, found.first > 0 ? page(Math.max(0, found.first - 50)) : null, found.first + found.list.length < found.changed ? page(found.first + 50) : null),
  ];
}

export async function touchedPanel(panel, first = 0) {
  const step = app.step;
  const others = app.history.steps.filter((one) => one.number !== step && !one.result?.error && one.result);
  const compare = h("select", { id: "against", "data-key": "against", onchange: () => { against = compare.value; touchedPanel(panel); } },
    h("option", { value: "free" }, W.freeOptimum),
    others.map((one) => h("option", { value: one.number, selected: String(one.number) === against }, W.stepName(one.number))));
  const groups = h("select", { id: "group", "data-key": "group", onchange: () => { group = groups.value; touchedPanel(panel); } },
    h("option", { value: "" }, W.noGroup),
    (app.conditions?.columns ?? []).map((one) => h("option", { value: one.name, selected: one.name === group }, visible(one.name))));
  try {
    const chosen = others.some((one) => String(one.number) === against) ? Number(against) : null;
    const column = (app.conditions?.columns ?? []).some((one) => one.name === group) ? group : null;
    const found = await post(`${stepPath(step)}/touched`, { against: chosen, group: column, first });
    if (step !== app.step) return;
    show(panel,
      h("h2", {}, W.touchedTitle),
      h("p", { class: "line" }, h("label", { for: "against" }, W.compareWith), compare, h("label", { for: "group" }, W.group), groups),
      h("p", { class: "strong" }, found.changed ? W.changed(found.changed, found.rows) : W.nobody),
      found.changed ? [h("p", {}, W.betterWorse(found.better, found.worse)), movesTable(found)] : null,
      found.groups.length ? groupsTable(found) : null,
      found.changed ? listTable(found, panel) : null);
  } catch (error) {
    complain(error);
  }
}
