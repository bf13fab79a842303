/* Every step with its reason and its price; going to one; two side by side. */
import { post } from "./api.js";
import { h, show, visible } from "./dom.js";
import { app, complain, goTo, refreshHistory, stepPath, trying } from "./main.js";
import { priceText } from "./rules.js";
import { W } from "./words.js";

let compared = "";

function depth(step) {
  let levels = 0;
  for (let one = step; one.parent !== null; one = app.history.steps[one.parent]) {
    if (one.parent !== one.number - 1) levels += 1;
  }
  return Math.min(levels, 6);
}

function stepItem(step) {
  const result = step.result;
  const reason = h("input", {
    type: "text", maxlength: 2000, value: step.reason, placeholder: W.noReason, "aria-label": W.reasonOf(step.number), "data-key": `reason ${step.number}`,
    onchange: () => trying(async () => {
      await post(`${stepPath(step.number)}/reason`, { reason: reason.value });
      await refreshHistory();
    }),
  });
  return h("li", { class: `step level-${depth(step)}`, "aria-current": step.number === app.step ? "step" : null },
    h("p", {}, h("strong", {}, `${step.number}. `), visible(step.text),
      step.parent !== null && step.parent !== step.number - 1 ? h("span", { class: "quiet small" }, ` (${W.branch(step.parent)})`) : null),
    result?.error ? h("p", { class: "warn small" }, visible(result.error)) : null,
    result?.cost !== undefined ? h("p", { class: "small" }, W.costOf(result.cost, result.proved), result.price && step.state.opinions.length ? ["; ", priceText(result.price)] : null) : null,
    h("p", { class: "line" }, reason,
      step.number === app.step ? h("span", { class: "quiet small" }, W.here)
        : h("button", { type: "button", "data-key": `goto ${step.number}`, "aria-label": W.gotoOf(step.number), onclick: () => trying(() => goTo(step.number)) }, W.goto)));
}

function sideBySide(other) {
  const own = app.history.steps[app.step].result?.rules ?? [], others = other.result?.rules ?? [];
  const side = (title, rules, against, result) => h("div", {},
    h("h3", {}, title), result?.cost === undefined ? null : h("p", { class: "small" }, W.costOf(result.cost, result.proved)),
    h("ul", { class: "plain" }, rules.map((rule) => h("li", { class: against.includes(rule) ? "" : "new" },
      against.includes(rule) ? null : h("span", { class: "tag" }, W.onlyHere), " ", visible(rule)))));
  return h("div", { class: "pair" }, side(W.stepName(app.step), own, others, app.history.steps[app.step].result), side(W.stepName(other.number), others, own, other.result));
}

export function historyPanel(panel) {
  const steps = app.history.steps;
  const choice = h("select", { id: "compare", "data-key": "compare", onchange: () => { compared = choice.value; historyPanel(panel); } },
    h("option", { value: "" }, W.noCompare),
    steps.filter((one) => one.number !== app.step).map((one) => h("option", { value: one.number, selected: String(one.number) === compared }, W.stepName(one.number))));
  const other = compared !== "" && Number(compared) !== app.step ? steps[Number(compared)] : null;
  show(panel, h("h2", {}, W.historyTitle),
    h("ol", { class: "history" }, steps.map(stepItem)),
    h("p", { class: "line" }, h("label", { for: "compare" }, W.compareTitle), choice),
    other ? sideBySide(other) : null);
}
