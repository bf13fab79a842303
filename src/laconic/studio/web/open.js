/* Opening a table, and its columns: what is in them, and how they are taken up. */
import { post, upload } from "./api.js";
import { colour, h, label, s, show, visible } from "./dom.js";
import { app, goTo, refreshHistory, showColumns, takeTable, trying, act } from "./main.js";
import { move } from "./api.js";
import { W, percent } from "./words.js";

async function opened(work) {
  await trying(async () => {
    const { table } = await work();
    app.step = null;
    await takeTable(table);
    show(document.getElementById("main"), columnsView(null));
  });
}

export function openView() {
  const file = h("input", {
    type: "file", id: "file", accept: ".csv,.tsv,.txt,.data,.gz,.parquet,.pq",
    onchange: () => file.files.length && opened(() => upload(file.files[0])),
  });
  const path = h("input", { type: "text", id: "path", autocomplete: "off", spellcheck: "false" });
  const drop = h("div", {
    class: "drop",
    ondragover: (event) => { event.preventDefault(); drop.classList.add("over"); },
    ondragleave: () => drop.classList.remove("over"),
    ondrop: (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      if (event.dataTransfer.files.length) opened(() => upload(event.dataTransfer.files[0]));
    },
  }, h("label", { for: "file" }, W.drop), file);
  return h("div", { class: "wrap open" },
    h("h1", {}, W.openTitle),
    h("p", { class: "lead" }, W.openLead),
    drop,
    h("form", {
      class: "line",
      onsubmit: (event) => { event.preventDefault(); opened(() => post("open", { path: path.value })); },
    }, h("label", { for: "path" }, W.path), path, h("button", { type: "submit" }, W.open)),
    h("h2", {}, W.examples),
    h("p", { class: "line" }, app.start.examples.map((name) =>
      h("button", { type: "button", onclick: () => opened(() => post("open", { example: name })) }, name))),
    app.start.tables.length ? [
      h("h2", {}, W.tables),
      h("p", { class: "line" }, app.start.tables.map((one) =>
        h("button", { type: "button", onclick: () => opened(async () => one) }, visible(one.name)))),
    ] : null);
}

function histogram(column, classes) {
  const counts = column.bars.counts;
  if (!counts.length) return h("span", { class: "quiet" }, "–");
  const high = Math.max(1, ...counts.map((one) => one.reduce((sum, n) => sum + n, 0)));
  const width = 132 / Math.max(counts.length, 6);
  const bars = counts.map((one, k) => {
    let base = 36;
    const total = one.reduce((sum, n) => sum + n, 0);
    const words = column.bars.texts[k];
    const parts = one.map((n, target) => {
      const height = (34 * n) / high;
      base -= height;
      return n ? s("rect", { class: `part ${colour(target)}`, x: k * width + 1, y: base, width: Math.max(1, width - 2), height }) : null;
    });
    return s("g", {}, s("title", {}, `${words === undefined ? "" : `${visible(words)}: `}${total}`), parts);
  });
  const ends = column.bars.low === null ? null
    : h("span", { class: "ends" }, h("span", {}, Number(column.bars.low.toPrecision(4))), h("span", {}, Number(column.bars.high.toPrecision(4))));
  return h("div", { class: "histogram" },
    s("svg", { viewBox: "0 0 132 37", role: "img", "aria-label": W.histogramOf(column.name) }, bars), ends);
}

function columnRow(column, settings, directions) {
  const known = settings?.columns[column.name] ?? {};
  const doubt = column.remarks.some((one) => one.finding === "empty" || one.finding === "constant");
  const use = h("input", {
    type: "checkbox", checked: settings ? known.use !== false : !doubt, disabled: column.empty, "aria-label": W.useOf(column.name),
  });
  const kinds = column.kind === "category" ? ["category"] : column.kind === "binary" ? ["binary", "category"] : ["numeric", "category"];
  const kind = h("select", { "aria-label": W.kindOf(column.name) },
    kinds.map((one) => h("option", { value: one, selected: one === (known.kind ?? column.kind) }, W.kinds[one])));
  const cuts = column.kind === "numeric" ? h("input", {
    type: "text", class: "cuts", placeholder: W.cutsHint, "aria-label": W.cutsOf(column.name), value: (known.cuts ?? []).join(", "),
  }) : null;
  const ways = h("select", { "aria-label": W.directionOf(column.name) },
    h("option", { value: "" }, W.anyDirection),
    app.profile.classes.flatMap((one) => [["increasing", W.speaksFor], ["decreasing", W.speaksAgainst]].map(([way, words]) =>
      h("option", { value: JSON.stringify([one.label, way]) }, words(one.label)))));
  directions.set(column.name, { use, kind, cuts, ways, column });
  return h("tr", { "data-name": column.name },
    h("td", {}, use),
    h("th", { scope: "row" }, visible(column.name),
      column.remarks.map((one) => h("span", { class: "remark" }, W.findings[one.finding]))),
    h("td", {}, kind),
    h("td", {}, column.missing ? percent(column.missing) : "–"),
    h("td", {}, histogram(column)),
    h("td", {}, column.kind === "numeric" || column.kind === "binary" ? ways : "–"),
    h("td", {}, cuts ?? "–"));
}

function settingsOf(target, bins, columns) {
  const found = {};
  for (const [name, one] of columns) {
    const said = {};
    if (!one.use.checked && !one.column.empty) said.use = false;
    if (one.kind.value !== one.column.kind) said.kind = one.kind.value;
    if (one.cuts && one.cuts.value.trim()) {
      said.cuts = one.cuts.value.split(/[,;\s]+/).filter(Boolean).map(Number);
      if (!said.cuts.every(Number.isFinite)) throw new Error(W.badCuts(name));
    }
    if (Object.keys(said).length) found[name] = said;
  }
  return { target, bins, columns: found };
}

function opinionsOf(columns) {
  const found = [];
  for (const [name, one] of columns) {
    if (!one.ways.value || !one.use.checked) continue;
    const [towardsLabel, towards] = JSON.parse(one.ways.value);
    found.push({ kind: "direction", column: name, label: towardsLabel, towards });
  }
  return found;
}

export function columnsView(settings) {
  const profile = app.profile;
  const columns = new Map();
  const target = h("select", { id: "target", onchange: () => showColumns(target.value) },
    profile.names.map((name) => h("option", { value: name, selected: name === profile.target }, visible(name))));
  const bins = h("input", { type: "number", id: "bins", min: 2, max: 50, value: settings?.bins ?? 6 });
  const rows = profile.columns.map((column) => columnRow(column, settings, columns));
  const filter = h("input", {
    type: "search", id: "filter",
    oninput: () => rows.forEach((row) => { row.hidden = !row.dataset.name.toLowerCase().includes(filter.value.toLowerCase()); }),
  });
  const learn = (fresh) => trying(async () => {
    const what = { kind: "learn", settings: settingsOf(target.value, Number(bins.value), columns) };
    const opinions = opinionsOf(columns);
    if (opinions.length) what.opinions = opinions;
    if (app.step !== null && !fresh) {
      await act(what);
      return;
    }
    await post(`table/${app.table}/begin`, { fresh });
    const { step } = await move(app.table, { parent: null, move: what, reason: "" });
    await goTo(step);
  });
  const resume = () => trying(async () => {
    await refreshHistory();
    await goTo(app.history.head ?? app.history.steps.length - 1);
  });
  const begun = app.step === null && profile.steps > 0;
  return h("div", { class: "wrap" },
    h("h1", {}, W.columnsTitle(profile.name)),
    h("p", { class: "lead" }, W.columnsLead(profile.rows, profile.columns.length, profile.classes.length)),
    profile.manyClasses ? h("p", { class: "complaint" }, W.tooManyClasses) : null,
    profile.missingLabels ? h("p", { class: "complaint" }, W.missingLabels(profile.missingLabels)) : null,
    h("p", { class: "line" }, h("label", { for: "target" }, W.target), target,
      h("label", { for: "bins" }, W.bins), bins,
      profile.columns.length > 15 ? [h("label", { for: "filter" }, W.filter), filter] : null),
    h("p", { class: "key" }, profile.classes.map((one, k) => h("span", { class: "item" }, label(`${one.label} (${one.rows})`, k)))),
    h("p", { class: "line actions" },
      begun ? h("button", { type: "button", class: "main", onclick: resume }, W.resume(profile.steps)) : null,
      app.step !== null ? h("button", { type: "button", onclick: () => trying(() => goTo(app.step)) }, W.back) : null,
      h("button", { type: "button", class: begun ? "" : "main", onclick: () => learn(app.step === null) },
        app.step !== null ? W.learnAgain : begun ? W.anew : W.learn),
      h("span", { class: "quiet" }, begun ? `${W.anewHint} ` : "", W.savedIn(profile.place))),
    h("div", { class: "scroll", role: "region", "aria-label": W.columnsTitle(profile.name), tabindex: "0" },
      h("table", { class: "columns" },
        h("thead", {}, h("tr", {}, [W.use, W.column, W.kind, W.missingShare, W.distribution, W.direction, W.cuts].map((one) =>
          h("th", { scope: "col" }, one)))),
        h("tbody", {}, rows))));
}
