/* The shelf: sets as good as the best, or nearly, with what tells them apart. */
import { post } from "./api.js";
import { colour, h, label, show, visible } from "./dom.js";
import { act, app, complain, stepPath } from "./main.js";
import { W } from "./words.js";

let within = 0;

function setItem(one, k) {
  return h("li", { class: "card" },
    h("h3", {}, W.setNumber(k + 1), " ", h("span", { class: "quiet" }, one.same ? W.thisOne : W.dearer(one.more))),
    h("ul", { class: "plain" },
      one.rules.map((rule) => h("li", { class: rule.new ? "new" : "" }, rule.new ? h("span", { class: "tag" }, W.newRule) : null,
        ` ${W.if_} ${rule.conditions.map(visible).join(` ${W.and} `) || W.always} ${W.then} `, label(rule.label, rule.target))),
      one.gone.map((text) => h("li", { class: "gone" }, h("span", { class: "tag" }, W.goneRule), " ", h("s", {}, visible(text))))),
    one.same ? null : h("button", { type: "button", "aria-label": W.preferOf(k + 1), onclick: () => act({ kind: "opine", opinion: one.opinion }) }, W.prefer));
}

export async function shelfPanel(panel) {
  const step = app.step;
  const list = h("div", { "aria-live": "polite" });
  const distance = h("input", { type: "number", id: "within", min: 0, max: 100, step: 1, value: within });
  const find = async () => {
    within = Number(distance.value) || 0;
    try {
      const found = await post(`${stepPath(step)}/shelf`, { within });
      if (step !== app.step || !list.isConnected) return;
      if (!found.done) {
        show(list, h("p", { class: "running" }, W.working));
        setTimeout(find, 250);
      } else if (found.error) {
        show(list, h("p", { class: "complaint" }, visible(found.error)));
      } else {
        show(list, h("p", { class: "strong" }, W.shelfFound(found.sets.length, found.total, found.complete)),
          h("ol", { class: "cards" }, found.sets.map(setItem)),
          h("table", {}, h("caption", {}, W.shelfShared), h("tbody", {}, found.shares.slice(0, 30).map((one) =>
            h("tr", {}, h("th", { scope: "row" }, visible(one.condition)), h("td", {}, W.shelfShare(one.sets, found.sets.length)))))));
      }
    } catch (error) {
      complain(error);
    }
  };
  show(panel, h("h2", {}, W.shelfTitle),
    h("form", { class: "line", onsubmit: (event) => { event.preventDefault(); find(); } },
      h("label", { for: "within" }, W.shelfWithin), distance, h("button", { type: "submit" }, W.shelfFind)),
    list);
}
