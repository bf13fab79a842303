"use strict";
/* The what-if panel. The rules are evaluated here with the meaning they have in `DecisionSet.predict`:
   a missing value satisfies only "is missing", the covering rule that stands first in `order` decides, and
   without one the fallback does. Names reach the page as text only, never as markup. */
(() => {
  const model = JSON.parse(document.getElementById("laconic-data").textContent);
  const NUMBER = /^\s*[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?\s*$/i;

  const isMissing = (cell) => cell === null || cell === undefined || Number.isNaN(cell);

  const readNumber = (text) => (NUMBER.test(text) ? Number(text.replaceAll("_", "")) : NaN);

  function asNumber(cell, column) {
    const number = typeof cell === "string" ? readNumber(cell) : Number(cell);
    if (Number.isNaN(number)) throw new Error(`column ${model.columns[column]} should hold numbers, not ${cell}`);
    return number;
  }

  function equals(accepts, cell) {
    if (typeof cell === "number") return cell === accepts.number;
    if (typeof cell === "boolean") return Number(cell) === accepts.truth;
    if (cell === accepts.text) return true;
    if (accepts.reading === "truth") return cell.trim().toLowerCase() === accepts.text.toLowerCase();
    return accepts.reading === "number" && readNumber(cell) === accepts.number;
  }

  function holds(condition, cell) {
    if (condition.kind === "missing") return isMissing(cell) === condition.missing;
    if (isMissing(cell)) return false;
    if (condition.kind === "equals") return equals(condition.accepts, cell) === (condition.op === "=");
    if (condition.kind === "among") return condition.accepts.some((one) => equals(one, cell)) === condition.inside;
    const number = asNumber(cell, condition.column);
    if (condition.except && condition.except.includes(number)) return false;
    if (condition.kind === "threshold") {
      return condition.op === "<=" ? number <= condition.value : number > condition.value;
    }
    const above = condition.low === null || number > condition.low;
    const within = above && (condition.high === null || number <= condition.high);
    return within === condition.inside;
  }

  /* row: one cell per entry of `columns`; null is missing. */
  function explain(row) {
    const checks = model.rules.map((rule) => rule.conditions.map((one) => holds(one, row[one.column])));
    const covers = checks.map((held) => held.every(Boolean));
    const deciding = model.order.find((k) => covers[k]) ?? null;
    const classes = new Set(model.rules.filter((_, k) => covers[k]).map((rule) => rule.target));
    const target = deciding === null ? model.fallback.target : model.rules[deciding].target;
    const reason = deciding === null ? model.fallback.reason : classes.size > 1 ? "conflict" : "rule";
    return { target, prediction: model.classes[target], reason, deciding, covers, checks };
  }

  const predict = (rows) => rows.map((row) => explain(row).target);
  window.laconic = Object.freeze({ columns: model.columns, classes: model.classes, explain, predict });

  /* From here on: the panel itself. */
  const panel = document.getElementById("try-panel");
  if (!panel) return;
  panel.hidden = false;
  const N_SHOWN = 8;
  const fields = model.fields.map((field, k) => ({
    scale: 1,
    ...field,
    value: document.getElementById(`value-${k}`),
    slider: document.getElementById(`slider-${k}`),
    absent: document.getElementById(`absent-${k}`),
  }));
  const list = document.getElementById("try-rules");
  const items = model.rules.map((_, k) => list.querySelector(`[data-rule="${k}"]`));
  const more = document.getElementById("try-more");
  const live = document.getElementById("try-live");
  let showAll = false;
  let announcing = 0;

  function cellOf(field) {
    if (field.kind === "choice") {
      const chosen = field.value.value;
      if (chosen === "missing") return null;
      return chosen === "other" ? field.other : field.values[Number(chosen)];
    }
    const number = field.value.valueAsNumber / field.scale;
    return field.absent.checked || Number.isNaN(number) ? null : number;
  }

  function setCell(field, value) {
    if (field.kind === "choice") {
      field.value.value = value === null ? "missing" : String(value);
      return;
    }
    field.absent.checked = value === null;
    if (value !== null) {
      field.slider.value = String(value);
      setNumber(field, value);
    }
    followAbsence(field);
  }

  // A date is set by its number of milliseconds, a number by its text: 0.1 stays 0.1.
  function setNumber(field, value) {
    if (field.scale === 1) field.value.value = String(value);
    else field.value.valueAsNumber = Number(value) * field.scale;
  }

  function followAbsence(field) {
    field.value.disabled = field.slider.disabled = field.absent.checked;
  }

  // Numbers of dates are written as dates.
  function nowOf(row, column) {
    const { scale } = fields[column];
    if (scale === 1 || isMissing(row[column])) return textOf(row[column]);
    return new Date(row[column] * scale).toISOString().slice(0, scale === 1000 ? 16 : 10).replace("T", " ");
  }

  const textOf = (cell) => {
    if (isMissing(cell)) return "missing";
    if (typeof cell === "boolean") return cell ? "True" : "False";
    return visible(String(cell));
  };

  /* What would turn the words beside it around, or not be seen at all, is written out. */
  const visible = (text) => text.replace(
    /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const labels = model.classes.map(visible);

  const listed = (words) =>
    words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;

  function reasonText(found) {
    const firing = model.rules.map((rule, k) => ({ rule, k })).filter(({ k }) => found.covers[k]);
    if (found.reason === "default") return "No rule fires, so the default class applies.";
    if (found.reason === "else") return "No rule fires, so the else rule applies.";
    if (found.reason === "otherwise") return "No other rule fires, so the OTHERWISE rule applies.";
    if (found.reason === "conflict") {
      const named = firing.map(({ rule, k }) => `${k + 1} (${labels[rule.target]})`);
      const laplace = model.rules[found.deciding].laplace;
      return `Rules ${listed(named)} fire and disagree. Rule ${found.deciding + 1} decides: ` +
        `it has the best Laplace precision in training (${laplace}).`;
    }
    const numbers = firing.map(({ k }) => String(k + 1));
    return firing.length === 1 ? `Rule ${numbers[0]} fires.` : `Rules ${listed(numbers)} fire and agree.`;
  }

  /* The rule of another class that fewest changes would make fire. */
  function nearestText(found) {
    let best = null;
    model.rules.forEach((rule, k) => {
      const failing = rule.conditions.filter((_, j) => !found.checks[k][j]);
      if (rule.target === found.target || !failing.length) return;
      if (!best || failing.length < best.failing.length) best = { k, rule, failing };
    });
    if (!best) return "";
    const wanted = best.failing.map((one) => one.text).join(" and ");
    return `Nearest other answer: rule ${best.k + 1} (${labels[best.rule.target]}) ` +
      `would fire with ${wanted}.`;
  }

  function showRule(item, rule, row, found, k) {
    const fires = found.covers[k];
    const decides = found.deciding === k;
    item.dataset.fires = String(fires);
    item.dataset.decides = String(decides);
    item.querySelector(".state").textContent = decides ? "fires, decides" : fires ? "fires" : "does not fire";
    rule.conditions.forEach((condition, j) => {
      const line = item.querySelector(`[data-condition="${j}"]`);
      const held = found.checks[k][j];
      line.dataset.holds = String(held);
      line.querySelector(".mark").textContent = held ? "✓" : "✗";
      line.querySelector(".held").textContent = held ? "holds: " : "fails: ";
      line.querySelector(".now").textContent = `now ${nowOf(row, condition.column)}`;
    });
  }

  function arrange(found) {
    if (items.length <= N_SHOWN) return;
    const failing = (k) => found.checks[k].filter((held) => !held).length;
    const ranked = items.map((_, k) => k).sort((a, b) =>
      (b === found.deciding) - (a === found.deciding) || failing(a) - failing(b) || a - b);
    ranked.forEach((k, place) => {
      list.append(items[k]);
      items[k].hidden = !showAll && place >= N_SHOWN;
    });
    more.hidden = false;
    more.textContent = showAll ? "Show the nearest rules only" : `Show all ${items.length} rules`;
    more.setAttribute("aria-expanded", String(showAll));
  }

  function update() {
    const row = fields.map(cellOf);
    const found = explain(row);
    const verdict = document.getElementById("try-class");
    verdict.textContent = labels[found.target];
    verdict.className = `label c${found.target % 12}${found.target >= 12 ? " ring" : ""}`;
    const reason = reasonText(found);
    document.getElementById("try-reason").textContent = reason;
    document.getElementById("try-nearest").textContent = nearestText(found);
    items.forEach((item, k) => showRule(item, model.rules[k], row, found, k));
    arrange(found);
    // Announced once the hand rests: a slider passes through many values.
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      const text = `Prediction: ${labels[found.target]}. ${reason}`;
      if (live.textContent !== text) live.textContent = text;
    }, 400);
  }

  for (const field of fields) {
    field.value.addEventListener("input", () => {
      if (field.slider && field.value.value !== "") field.slider.value = String(field.value.valueAsNumber / field.scale);
      update();
    });
    if (!field.slider) continue;
    field.slider.addEventListener("input", () => {
      setNumber(field, field.slider.value);
      update();
    });
    field.absent.addEventListener("input", () => {
      followAbsence(field);
      update();
    });
  }
  document.querySelectorAll("[data-preset]").forEach((button) => {
    button.addEventListener("click", () => {
      const values = model.presets[Number(button.dataset.preset)];
      fields.forEach((field, k) => setCell(field, values[k]));
      update();
    });
  });
  more.addEventListener("click", () => {
    showAll = !showAll;
    update();
  });
  document.getElementById("try-form").addEventListener("submit", (event) => event.preventDefault());
  // A browser that comes back to the page may have kept the last values of the form.
  fields.forEach((field) => field.absent && followAbsence(field));
  update();
})();
