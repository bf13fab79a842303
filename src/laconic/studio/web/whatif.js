/* One row, with values that can be changed: which rules hold, and what is predicted. */
import { post } from "./api.js";
import { colour, h, label, show, visible } from "./dom.js";
import { app, stepPath } from "./main.js";
import { W } from "./words.js";

let row = 0;
let changed = {};

/* Show a row from another panel. */
export function openRow(k) {
  row = k;
  changed = {};
  document.getElementById("tab-whatif").click();
}

function field(known, found, ask) {
  const value = found.values[known.name];
  const id = `field-${app.conditions.columns.indexOf(known)}`;
  const set = (now) => { changed[known.name] = now; ask(); };
  let control;
  if (known.kind === "numeric") {
    control = h("input", { type: "number", step: "any", id, "data-key": id, value: value ?? "", placeholder: W.missing,
      oninput: () => set(Number.isFinite(control.valueAsNumber) ? control.valueAsNumber : null) });
  } else {
    const values = known.values.some((one) => String(one) === String(value)) || value === null ? known.values : [value, ...known.values];
    control = h("select", { id, "data-key": id, onchange: () => set(control.selectedIndex ? values[control.selectedIndex - 1] : null) },
      h("option", { selected: value === null }, W.missing),
      values.map((one) => h("option", { selected: String(one) === String(value) }, visible(one))));
  }
  return h("p", { class: "line" }, h("label", { for: id }, visible(known.name)), control);
}

function ruleItem(one) {
  const target = app.result.answer.classes.indexOf(String(one.class));
  return h("li", { class: colour(Math.max(0, target)), "data-fires": String(one.covers) },
    h("p", { class: "head" }, h("strong", {}, W.ruleNumber(one.number)), label(one.class, Math.max(0, target)),
      h("span", { class: "state" }, one.covers ? W.holds : W.fails)),
    h("ul", {}, one.conditions.map((test) => h("li", { "data-holds": String(test.holds) },
      h("span", { class: "mark", "aria-hidden": "true" }, test.holds ? "✓" : "✗"),
      h("span", {}, h("span", { class: "hidden" }, `${test.holds ? W.holds : W.fails}: `), visible(test.text))))));
}

export async function whatIfPanel(panel) {
  const step = app.step;
  let asking = 0;
  const number = h("input", { type: "number", id: "row", "data-key": "row", min: 0, max: app.profile.rows - 1, value: row,
    onchange: () => { row = number.valueAsNumber || 0; changed = {}; whatIfPanel(panel); } });
  const outcome = h("div", { class: "outcome", role: "status" });
  const fields = h("div", { class: "fields" });
  const failed = (error) => show(outcome, h("p", { class: "complaint" }, error.message));
  const ask = () => {
    clearTimeout(asking);
    asking = setTimeout(() => post(`${stepPath(step)}/explain`, { row, values: changed }).then(showOutcome, failed), 120);
  };
  const showOutcome = (found) => {
    const target = app.result.answer.classes.indexOf(found.prediction);
    show(outcome,
      h("p", { class: "verdict" }, h("span", { class: "hidden" }, `${W.prediction}: `), label(found.prediction, Math.max(0, target))),
      h("p", {}, W.reasons[found.reason], found.label === null || Object.keys(changed).length ? "" : `; ${W.labelWas(found.label)}`),
      h("ul", { class: "try-rules" }, found.detail.rules.map(ruleItem)));
  };
  const used = new Set(app.result.answer.rules.flatMap((rule) => rule.literals.map((one) => one.column)));
  const columns = app.conditions.columns.filter((one) => used.has(one.name));
  show(panel, h("h2", {}, W.whatIfTitle), h("p", {}, W.whatIfLead),
    h("p", { class: "line" }, h("label", { for: "row" }, W.whatIfRow), number),
    columns.length ? null : h("p", { class: "note" }, W.noColumns),
    h("div", { class: "try" }, fields, outcome));
  try {
    const found = await post(`${stepPath(step)}/explain`, { row, values: changed });
    if (step !== app.step) return;
    show(fields, columns.map((one) => field(one, found, ask)));
    showOutcome(found);
  } catch (error) {
    failed(error);
  }
}
