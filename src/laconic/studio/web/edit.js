/* Changing a rule or writing one: conditions by column, test and value, with the rows that move. */
import { post } from "./api.js";
import { h, label, show, visible } from "./dom.js";
import { act, app, complain, stepPath } from "./main.js";
import { W, number } from "./words.js";

/* A rule as the server reads it: nothing but the label and the conditions. */
export const plainRule = (rule) => ({
  label: rule.label,
  literals: rule.literals.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== "text"))),
});

const column = (name) => app.conditions.columns.find((one) => one.name === name);

function testOf(literal) {
  if (literal.kind === "missing") return literal.missing ? "missing" : "present";
  return literal.op;
}

function testsOf(known) {
  const found = known.kind === "numeric" ? ["<=", ">"] : ["=", "!="];
  return known.missing ? [...found, "missing", "present"] : found;
}

function literalOf(name, test, value) {
  const known = column(name);
  if (test === "missing" || test === "present") return { kind: "missing", column: name, missing: test === "missing" };
  if (known.kind === "numeric") {
    const cuts = known.cuts.length ? known.cuts : [(known.low + known.high) / 2];
    const number = typeof value === "number" && Number.isFinite(value) ? value : cuts[Math.floor(cuts.length / 2)];
    return { kind: "threshold", column: name, op: test === ">" ? ">" : "<=", value: number };
  }
  const values = known.values;
  return { kind: "equals", column: name, op: test === "!=" ? "!=" : "=", value: values.includes(value) ? value : values[0] };
}

function valueControl(literal, place, change) {
  const known = column(literal.column);
  if (literal.kind === "missing") return null;
  if (literal.kind === "equals") {
    const select = h("select", { "aria-label": W.valueOf(place + 1), "data-key": `value ${place}`, onchange: () => change({ ...literal, value: known.values[select.selectedIndex] }) },
      known.values.map((one) => h("option", { selected: one === literal.value }, visible(one))));
    return select;
  }
  const step = known.whole ? 1 : Number(((known.high - known.low) / 200).toPrecision(1)) || "any";
  const box = h("input", { type: "number", step: "any", "aria-label": W.valueOf(place + 1), "data-key": `value ${place}`, value: literal.value });
  const slider = h("input", { type: "range", min: known.low, max: known.high, step, "aria-label": W.sliderOf(place + 1), "data-key": `slider ${place}`, value: literal.value });
  slider.addEventListener("input", () => { box.value = slider.value; change({ ...literal, value: Number(slider.value) }, true); });
  box.addEventListener("input", () => { if (Number.isFinite(box.valueAsNumber)) { slider.value = box.value; change({ ...literal, value: box.valueAsNumber }, true); } });
  return [slider, box];
}

export function editRule(rule) {
  const known = app.conditions;
  const draft = rule ? structuredClone(plainRule(rule)) : { label: known.classes[0], literals: [] };
  const was = rule ? plainRule(rule) : null;
  const before = document.activeElement?.dataset.key;
  const body = h("div", { class: "conditions" });
  const preview = h("div", { class: "preview", role: "status" });
  const reason = h("input", { type: "text", id: "edit-reason", maxlength: 2000, value: app.reason });
  let asking = 0;

  const ask = () => {
    clearTimeout(asking);
    asking = setTimeout(async () => {
      try {
        showPreview(await post(`${stepPath()}/preview`, { rule: draft, was }));
      } catch (error) {
        show(preview, h("p", { class: "complaint" }, error.message));
      }
    }, 120);
  };

  const showPreview = (found) => {
    const sum = (values) => values.reduce((total, one) => total + one, 0);
    const own = found.target === null ? 0 : found.covers[found.target];
    show(preview,
      h("p", {}, h("strong", {}, W.covers(sum(found.covers), own)), was ? ` ${W.moves(sum(found.gains), sum(found.loses))}` : ""),
      h("table", {}, h("caption", {}, W.byClass),
        h("thead", {}, h("tr", {}, h("td"), [W.covered, ...(was ? [W.gained, W.lost] : [])].map((one) => h("th", { scope: "col" }, one)))),
        h("tbody", {}, found.classes.map((one, k) => h("tr", {}, h("th", { scope: "row" }, label(one, k)), h("td", {}, number(found.covers[k])),
          was ? [h("td", {}, number(found.gains[k])), h("td", {}, number(found.loses[k]))] : null)))));
  };

  const change = (place) => (literal, quiet = false) => {
    draft.literals[place] = literal;
    if (!quiet) showConditions();
    ask();
  };

  const condition = (literal, place) => {
    const set = change(place);
    const names = h("select", { "aria-label": W.columnOf(place + 1), "data-key": `column ${place}`, onchange: () => set(literalOf(names.value, testsOf(column(names.value))[0])) },
      known.columns.map((one) => h("option", { value: one.name, selected: one.name === literal.column }, visible(one.name))));
    const tests = h("select", { "aria-label": W.operatorOf(place + 1), "data-key": `test ${place}`, onchange: () => set(literalOf(literal.column, tests.value, draft.literals[place].value)) },
      testsOf(column(literal.column)).map((one) => h("option", { value: one, selected: one === testOf(literal) }, W.operators[one])));
    return h("fieldset", { class: "line condition-edit" }, h("legend", {}, W.conditionOf(place + 1)), names, tests, valueControl(literal, place, set),
      h("button", { type: "button", "data-key": `drop ${place}`, "aria-label": W.dropCondition(place + 1), onclick: () => { draft.literals.splice(place, 1); showConditions(); ask(); } }, W.drop_));
  };

  const showConditions = () => show(body, draft.literals.map(condition),
    h("button", { type: "button", "data-key": "add", onclick: () => {
      const first = known.columns.find((one) => one.cuts.length || one.values.length) ?? known.columns[0];
      draft.literals.push(literalOf(first.name, testsOf(first)[0]));
      showConditions();
      ask();
    } }, W.addCondition));

  const target = h("select", { id: "edit-class", onchange: () => { draft.label = target.value; ask(); } },
    known.classes.map((one) => h("option", { value: one, selected: one === draft.label }, visible(one))));
  const close = () => {
    dialog.close();
    dialog.remove();
    document.querySelector(`[data-key="${CSS.escape(before ?? "")}"]`)?.focus();
  };
  const dialog = h("dialog", { "aria-labelledby": "edit-title", oncancel: (event) => { event.preventDefault(); close(); } },
    h("form", {
      method: "dialog",
      onsubmit: (event) => {
        event.preventDefault();
        const changed = JSON.stringify(draft) !== JSON.stringify(was);
        const opinion = !was ? { kind: "own", rule: draft } : changed ? { kind: "edit", rule: draft, was } : { kind: "keep", rule: draft };
        const said = reason.value;
        close();
        act({ kind: "opine", opinion }, said).catch(complain);
      },
    },
    h("h2", { id: "edit-title" }, was ? W.editTitle : W.ownTitle),
    h("p", { class: "line" }, h("label", { for: "edit-class" }, W.classOf), target),
    body, preview,
    h("p", { class: "line" }, h("label", { for: "edit-reason" }, W.reason), reason),
    h("p", { class: "line actions" }, h("button", { type: "submit", class: "main" }, W.hold), h("button", { type: "button", onclick: close }, W.cancel))));
  showConditions();
  ask();
  document.body.append(dialog);
  dialog.showModal();
}
