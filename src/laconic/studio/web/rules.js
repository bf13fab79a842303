/* The rules as cards, the opinions about them, and what these cost. */
import { colour, h, label, visible } from "./dom.js";
import { editRule, plainRule } from "./edit.js";
import { act, app } from "./main.js";
import { W, number } from "./words.js";

const sameRule = (one, other) =>
  one.label === other.label && JSON.stringify([...one.literals].map((x) => JSON.stringify(x)).sort()) ===
  JSON.stringify([...other.literals].map((x) => JSON.stringify(x)).sort());

function holds(rule) {
  const opinions = app.history.steps[app.step].state.opinions;
  return opinions.some((one) => [one.rule, ...(one.rules ?? [])].some((held) => held && one.kind !== "never" && sameRule(held, plainRule(rule))));
}

function bar(rule, answer) {
  const total = answer.weight || 1;
  const width = (value) => `${(100 * value) / total}%`;
  const inside = h("span", { class: "bar-parts" }, h("span", { class: "right" }), h("span", { class: "wrong" }));
  inside.children[0].style.width = width(rule.right);
  inside.children[1].style.width = width(rule.wrong);
  return inside;
}

function card(rule, k, answer, done) {
  const kept = holds(rule);
  const say = (kind) => act({ kind: "opine", opinion: { kind, rule: plainRule(rule) } });
  return h("li", { class: `card ${colour(rule.target)}` },
    h("h3", {}, W.ruleNumber(k + 1), kept ? h("span", { class: "held" }, ` ${W.held}`) : null),
    h("p", { class: "rule" },
      rule.conditions.length ? h("span", { class: "word" }, `${W.if_} `) : h("span", { class: "word" }, `${W.always} `),
      rule.conditions.map((text, place) => [place ? h("span", { class: "word" }, ` ${W.and} `) : null, h("span", { class: "condition" }, visible(text))]),
      h("span", { class: "word" }, ` ${W.then} `), label(rule.label, rule.target)),
    bar(rule, answer),
    h("p", { class: "quiet small" }, W.rightWrong(rule.right, rule.wrong)),
    h("p", { class: "line" },
      kept ? null : h("button", { type: "button", "data-key": `keep ${k}`, disabled: !done, "aria-label": W.keepOf(k + 1), onclick: () => say("keep") }, W.keep),
      h("button", { type: "button", "data-key": `never ${k}`, disabled: !done, "aria-label": W.neverOf(k + 1), onclick: () => say("never") }, W.never),
      h("button", { type: "button", "data-key": `edit ${k}`, disabled: !done || !app.conditions, "aria-label": W.editOf(k + 1), onclick: () => editRule(rule) }, W.edit)));
}

export function rulesPanel() {
  const { answer, done } = app.result;
  return h("section", { "aria-labelledby": "rules-title" },
    h("h2", { id: "rules-title" }, W.rulesTitle),
    h("p", {}, W.rulesLead),
    h("p", { class: "line" },
      h("label", { for: "reason" }, W.reason),
      h("input", { type: "text", id: "reason", "data-key": "reason", maxlength: 2000, value: app.reason, oninput: (event) => { app.reason = event.target.value; } }),
      h("button", { type: "button", "data-key": "own", disabled: !app.conditions, onclick: () => editRule(null) }, W.own)),
    answer.rules.length ? null : h("p", { class: "note" }, W.noRules),
    h("ol", { class: "cards" },
      answer.rules.map((rule, k) => card(rule, k, answer, done)),
      h("li", { class: `card otherwise ${colour(answer.defaultTarget)}` },
        h("h3", {}, W.otherwiseTitle),
        h("p", { class: "rule" }, h("span", { class: "word" }, `${W.otherwise} `), label(answer.default, answer.defaultTarget)))));
}

export function priceText(price) {
  if (!price) return h("span", { class: "quiet" }, W.pricing);
  return [h("strong", {}, W.price(price)), h("span", { class: `small ${price.proved ? "good" : "warn"}` },
    ` ${price.proved ? W.priceProven(price) : W.priceOpen(price)}`)];
}

function opinionItem(held, k, price) {
  const text = W.opinionText(held);
  const plain = Object.fromEntries(Object.entries(held).filter(([name]) => !["texts", "labels", "wasText"].includes(name)));
  return h("li", { class: "opinion" },
    h("p", {}, h("span", { class: "kind" }, W.kindsOfOpinion[held.kind]), ` ${text}`,
      held.wasText ? h("span", { class: "quiet" }, ` ${W.opinionWas(visible(held.wasText))}`) : null),
    h("p", { class: "price" }, priceText(price)),
    h("button", {
      type: "button", "data-key": `withdraw ${k}`, "aria-label": W.withdrawOf(text),
      onclick: () => act({ kind: "withdraw", opinion: plain }),
    }, W.withdraw));
}

function moreOpinions() {
  const known = app.conditions;
  if (!known) return null;
  const options = (columns) => columns.map((one) => h("option", { value: one.name }, visible(one.name)));
  const numbers = known.columns.filter((one) => one.kind !== "category");
  const forbid = h("select", { id: "forbid", "data-key": "forbid" }, options(known.columns));
  const column = h("select", { id: "direct", "data-key": "direct" }, options(numbers));
  const way = h("select", { "aria-label": W.direction, "data-key": "way" },
    h("option", { value: "increasing" }, W.inFavour), h("option", { value: "decreasing" }, W.against));
  const target = h("select", { "aria-label": W.classOf, "data-key": "towards" }, known.classes.map((one) => h("option", { value: one }, visible(one))));
  const most = h("input", { type: "number", id: "most", min: 0, max: 1000, value: Math.max(1, app.result.answer.rules.length - 1), "data-key": "most" });
  const say = (opinion) => (event) => { event.preventDefault(); act({ kind: "opine", opinion: opinion() }); };
  return h("details", { open: app.moreOpen, ontoggle: (event) => { app.moreOpen = event.target.open; } }, h("summary", { "data-key": "more summary" }, W.moreOpinions),
    h("form", { class: "line", onsubmit: say(() => ({ kind: "forbid", column: forbid.value })) },
      h("label", { for: "forbid" }, W.forbidColumn), forbid, h("button", { type: "submit" }, W.sayForbid)),
    numbers.length ? h("form", { class: "line", onsubmit: say(() => ({ kind: "direction", column: column.value, label: target.value, towards: way.value })) },
      h("label", { for: "direct" }, W.onlyDirection), column, way, target, h("button", { type: "submit" }, W.sayDirection)) : null,
    h("form", { class: "line", onsubmit: say(() => ({ kind: "max_rules", most: Number(most.value) })) },
      h("label", { for: "most" }, W.maxRules), most, h("button", { type: "submit" }, W.sayMost)));
}

export function opinionsPanel() {
  const priced = app.result.opinions ?? [];
  const held = app.history.steps[app.step].state.opinions;
  return h("section", { class: "panel side", "aria-labelledby": "opinions-title" },
    h("h2", { id: "opinions-title" }, W.opinionsTitle),
    held.length === 0 ? h("p", { class: "quiet" }, W.noOpinions) : [
      h("p", { class: "total" }, h("span", { class: "kind" }, W.priceTitle), h("br"), priceText(app.result.price)),
      h("ul", { class: "opinions" }, priced.map((one, k) => opinionItem(one.opinion, k, one.price))),
      h("p", { class: "quiet small" }, W.priceNote),
    ],
    moreOpinions());
}
