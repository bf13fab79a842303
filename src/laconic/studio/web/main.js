/* The page: what is open, which step is looked at, and what is known about it. */
import { move, get, post } from "./api.js";
import { announce, h, show } from "./dom.js";
import { openView, columnsView } from "./open.js";
import { workView } from "./work.js";
import { W } from "./words.js";

const POLL = 150;
const MOST_FAILURES = 10;

export const app = {
  start: null, // what the server begins with
  table: null, // key of the open table
  profile: null, // its columns at a glance
  history: { steps: [], head: null },
  step: null, // the step looked at in this tab
  result: null, // what is known about it
  conditions: null, // what rules can be made of
  reason: "",
  redo: [],
  message: "",
  moreOpen: false, // whether the other opinions are unfolded
};

const main = document.getElementById("main");
const bar = document.getElementById("bar");
let polling = 0;
let visits = 0;

export function complain(error) {
  app.message = error.message || String(error);
  showBar();
  announce(app.message);
}

/* Do something that asks the server; a refusal is shown, and the page goes on. */
export async function trying(work) {
  app.message = "";
  const slow = setTimeout(() => bar.classList.add("busy"), 400);
  try {
    await work();
  } catch (error) {
    complain(error);
    return false;
  } finally {
    clearTimeout(slow);
    bar.classList.remove("busy");
  }
  showBar();
  return true;
}

const at = (number) => app.history.steps[number];

export const stepPath = (number = app.step) => `table/${app.table}/step/${number}`;

function showBar() {
  const inside = app.step !== null;
  show(bar, h("a", { class: "skip", href: "#main" }, W.skip),
    h("p", { class: "wrap working", role: "status" }, W.working),
    h("div", { class: "wrap row" },
      h("p", { class: "name" }, W.title, app.profile ? h("span", { class: "quiet" }, ` ${app.profile.name}`) : null),
      inside ? [
        h("button", { type: "button", "data-key": "undo", onclick: undo, disabled: at(app.step)?.parent === null, title: "Ctrl+Z" }, W.undo),
        h("button", { type: "button", "data-key": "redo", onclick: redo, disabled: redoTarget() === null, title: "Ctrl+Y" }, W.redo),
        h("button", { type: "button", "data-key": "columns", onclick: () => showColumns() }, W.columns),
      ] : null,
      app.table ? h("button", { type: "button", "data-key": "another", onclick: showOpen }, W.another) : null),
    app.message ? h("p", { class: "wrap complaint", role: "alert" }, app.message) : null);
}

export async function showOpen() {
  clearInterval(polling);
  Object.assign(app, { table: null, profile: null, step: null, result: null });
  history.replaceState(null, "", location.pathname);
  await trying(async () => {
    app.start = await get("start");
    show(main, openView());
  });
}

export async function takeTable(key, target) {
  app.table = key;
  app.profile = await get(`table/${key}${target ? `?target=${encodeURIComponent(target)}` : ""}`);
  history.replaceState(null, "", `#table=${key}`);
}

export async function showColumns(target) {
  clearInterval(polling);
  await trying(async () => {
    const settings = app.step === null ? null : at(app.step).state.settings;
    await takeTable(app.table, target || settings?.target);
    show(main, columnsView(settings && settings.target === app.profile.target ? settings : null));
    main.focus();
  });
}

export async function refreshHistory() {
  app.history = await get(`table/${app.table}/steps`);
}

/* Look at a step: its rules come at once, and what is still computed as it becomes known. */
export async function goTo(number) {
  clearInterval(polling);
  const visit = (visits += 1);
  await refreshHistory();
  if (visit !== visits) return; // another step was gone to meanwhile
  if (app.step !== number) app.result = null;
  app.step = number;
  history.replaceState(null, "", `#table=${app.table}&step=${number}`);
  post(`${stepPath()}/look`).catch(complain);
  app.conditions = null;
  await refresh();
  if (visit !== visits || app.result?.done) return;
  let busy = false;
  let failures = 0;
  const own = setInterval(async () => {
    if (busy) return;
    if (visit !== visits || app.result?.done) {
      clearInterval(own);
      return;
    }
    busy = true;
    try {
      await refresh();
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === MOST_FAILURES) {
        clearInterval(own);
        complain(error);
      }
    }
    busy = false;
  }, POLL);
  polling = own;
}

async function refresh() {
  const number = app.step;
  const found = await get(`${stepPath(number)}/result`);
  if (number !== app.step) return;
  const first = app.result === null;
  if (!first && found.version === app.result.version && found.done === app.result.done) return;
  app.result = found;
  if (found.done) {
    await refreshHistory();
    if (!found.error) app.conditions = await get(`${stepPath(number)}/conditions`);
    announce(W.phases[found.phase] || W.phases.done);
  }
  workView(main, first);
  showBar();
}

let acting = Promise.resolve();

/* Make a move from the step looked at; the reason that stands in the field goes with it. A move that is made
   while another is on its way follows that one. */
export function act(what, reason = app.reason) {
  app.reason = "";
  acting = acting.then(() => trying(async () => {
    const found = await move(app.table, { parent: app.step, move: what, reason });
    app.redo = [];
    await goTo(found.step);
  }));
  return acting;
}

function undo() {
  const parent = at(app.step)?.parent;
  if (parent === null || parent === undefined) return;
  app.redo.push(app.step);
  trying(() => goTo(parent));
}

/* The step that was undone, or else the last one that follows. */
function redoTarget() {
  const undone = app.redo.at(-1);
  if (undone !== undefined && at(undone)?.parent === app.step) return undone;
  const children = app.history.steps.filter((one) => one.parent === app.step);
  return children.length ? children.at(-1).number : null;
}

function redo() {
  const target = redoTarget();
  if (target === null) return;
  app.redo = app.redo.filter((one) => one !== target);
  trying(() => goTo(target));
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, dialog");
  if (typing || !(event.ctrlKey || event.metaKey) || app.step === null) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) {
    event.preventDefault();
    undo();
  } else if (key === "y" || (key === "z" && event.shiftKey)) {
    event.preventDefault();
    redo();
  }
});

(async () => {
  const asked = new URLSearchParams(location.hash.slice(1));
  showBar();
  await trying(async () => {
    app.start = await get("start");
    const known = app.start.tables.some((one) => one.table === asked.get("table"));
    if (!known) {
      show(main, openView());
      return;
    }
    await takeTable(asked.get("table"));
    if (app.profile.steps) {
      await refreshHistory();
      const wanted = Number(asked.get("step") ?? app.history.head ?? 0);
      await goTo(wanted < app.history.steps.length ? wanted : app.history.steps.length - 1);
    } else {
      show(main, columnsView(null));
    }
  });
})();
