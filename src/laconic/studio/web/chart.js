/* Two charts: cost and bound over time, and the trade-offs of size. */
import { h, s } from "./dom.js";
import { W, number, percent } from "./words.js";

const WIDTH = 720, HEIGHT = 240, LEFT = 72, RIGHT = 20, TOP = 40, BOTTOM = 48;

function ticks(low, high, about = 5) {
  const rough = (high - low || 1) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  const found = [];
  for (let k = Math.floor(low / step + 1e-9); k <= Math.max(Math.ceil(high / step - 1e-9), Math.floor(low / step + 1e-9) + 1); k += 1) {
    found.push(Number((k * step).toPrecision(12)));
  }
  return found;
}

function plane(xs, ys, top = TOP, bottom = HEIGHT - BOTTOM) {
  return {
    x: (value) => LEFT + ((value - xs[0]) / (xs.at(-1) - xs[0])) * (WIDTH - LEFT - RIGHT),
    y: (value) => bottom - ((value - ys[0]) / (ys.at(-1) - ys[0])) * (bottom - top),
  };
}

function axes(p, xs, ys, xTitle, yTitle, yText, top, bottom, height) {
  return [
    ys.map((value) => [
      s("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: p.y(value), y2: p.y(value) }),
      s("text", { x: LEFT - 8, y: p.y(value), dy: "0.35em", "text-anchor": "end" }, yText(value)),
    ]),
    s("line", { class: "axis", x1: LEFT, x2: WIDTH - RIGHT, y1: bottom, y2: bottom }),
    xTitle ? xs.map((value) => s("text", { x: p.x(value), y: bottom + 18, "text-anchor": "middle" }, number(value))) : null,
    xTitle ? s("text", { class: "title", x: (LEFT + WIDTH - RIGHT) / 2, y: height - 6, "text-anchor": "middle" }, xTitle) : null,
    s("text", { class: "title", x: 8, y: top - 18 }, yTitle),
  ];
}

const stairs = (places) => places.map(([x, y], k) => (k ? `H${x}V${y}` : `M${x},${y}`)).join("");

export function searchChart(curve) {
  const end = Math.max(0.001, ...curve.map((one) => one.seconds));
  const costs = curve.filter((one) => one.cost !== null);
  const high = Math.max(1, ...curve.map((one) => one.bound), ...costs.map((one) => one.cost));
  const xs = ticks(curve.length ? curve[0].seconds : 0, end, 6), ys = ticks(0, high, 4);
  const p = plane(xs, ys);
  const held = (name, rows) => {
    const places = rows.map((one) => [p.x(one.seconds), p.y(one[name])]);
    return places.length ? [...places, [p.x(end), places.at(-1)[1]]] : [];
  };
  const cost = held("cost", costs), bound = held("bound", curve);
  const last = curve.at(-1);
  return h("figure", {},
    s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": W.chartLabel },
      axes(p, xs, ys, W.timeAxis, W.costAxis, number, TOP, HEIGHT - BOTTOM, HEIGHT),
      bound.length ? s("path", { class: "line bound", d: stairs(bound) }) : null,
      cost.length ? s("path", { class: "line cost", d: stairs(cost) }) : null,
      cost.length ? s("circle", { class: "dot cost", cx: cost.at(-1)[0], cy: cost.at(-1)[1], r: 5 }) : null,
      bound.length ? s("circle", { class: "dot bound", cx: bound.at(-1)[0], cy: bound.at(-1)[1], r: 4 }) : null),
    h("figcaption", { class: "key" },
      h("span", { class: "item" }, h("span", { class: "dot cost" }), ` ${W.costLine}: ${last && last.cost !== null ? number(last.cost) : "–"}`),
      h("span", { class: "item" }, h("span", { class: "dot bound" }), ` ${W.boundLine}: ${last ? number(last.bound) : "–"}`)));
}

export function frontChart(points, here, majority) {
  const height = 370, middle = 200;
  const xs = ticks(0, Math.max(4, ...points.map((one) => one.size)), 6);
  const measured = points.filter((one) => one.accuracy !== null);
  const low = Math.min(majority ?? 1, ...measured.map((one) => one.accuracy - one.standardError));
  const top = Math.min(1, Math.max(...measured.map((one) => one.accuracy + one.standardError)));
  const above = ticks(measured.length ? low : 0, measured.length ? top : 1, 4);
  const below = ticks(0, Math.max(1, ...points.map((one) => one.errors)), 3);
  const a = plane(xs, above, TOP, middle - 18), b = plane(xs, below, middle + 38, height - BOTTOM);
  const mark = (p, one, k, value) => [
    k === here ? s("circle", { class: "dot own", cx: p.x(one.size), cy: p.y(value), r: 9 }) : null,
    s("circle", { class: `dot ${one.proved ? "proved" : "open"}`, cx: p.x(one.size), cy: p.y(value), r: 5 },
      s("title", {}, W.frontPoint(one))),
  ];
  return s("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": W.frontTitle },
    measured.length ? [
      axes(a, xs, above, null, W.newRows, percent, TOP, middle - 18, height),
      s("line", { class: "line majority", x1: LEFT, x2: WIDTH - RIGHT, y1: a.y(majority), y2: a.y(majority) }),
      measured.map((one) => s("path", {
        class: "line spread", d: `M${a.x(one.size)},${a.y(one.accuracy - one.standardError)}V${a.y(one.accuracy + one.standardError)}`,
      })),
      points.map((one, k) => (one.accuracy === null ? null : mark(a, one, k, one.accuracy))),
    ] : null,
    axes(b, xs, below, W.sizeAxis, W.trainErrors, number, middle + 38, height - BOTTOM, height),
    points.map((one, k) => mark(b, one, k, one.errors)));
}
