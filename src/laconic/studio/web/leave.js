/* The files of a step, and the command lines that repeat it. */
import { get } from "./api.js";
import { h, show, visible } from "./dom.js";
import { app, complain, stepPath } from "./main.js";
import { W } from "./words.js";

export async function leavePanel(panel) {
  const step = app.step;
  try {
    const found = await get(`${stepPath(step)}/commands`);
    if (step !== app.step) return;
    show(panel, h("h2", {}, W.leaveTitle), h("p", {}, W.leaveLead),
      h("ul", { class: "files" }, Object.entries(W.files).map(([kind, words]) =>
        h("li", {}, h("a", { href: `api/${stepPath(step)}/leave/${kind}`, download: "" }, words)))),
      h("h3", {}, W.commandsTitle),
      h("pre", { tabindex: "0" }, found.commands.map(visible).join("\n")));
  } catch (error) {
    complain(error);
  }
}
