/* The front as a slider: every price of size that was tried, with its accuracy, its errors and its proof. */
import { get } from "./api.js";
import { frontChart } from "./chart.js";
import { h, show } from "./dom.js";
import { act, app, complain, stepPath } from "./main.js";
import { W } from "./words.js";

let asking = 0;

export function loadFront(node, draw) {
  clearTimeout(asking);
  const number = app.step;
  const again = async () => {
    if (number !== app.step || !node.isConnected) return;
    try {
      const found = await get(`${stepPath(number)}/front`);
      if (number !== app.step) return;
      const state = JSON.stringify([found.front, app.result.regularization]);
      if (node.dataset.drawn !== state) {
        node.dataset.drawn = state;
        show(node, draw(found.front));
      }
      if (!found.done) asking = setTimeout(again, 400);
    } catch (error) {
      complain(error);
    }
  };
  again();
}

export function frontPanel(front) {
  if (!front || front.points.length < 2) return null;
  const points = [...front.points].sort((a, b) => a.size - b.size || b.regularization - a.regularization);
  const here = points.findIndex((one) => one.regularization === app.result.regularization);
  const words = h("output", { for: "size", class: "small" }, here < 0 ? "" : W.frontPoint(points[here]));
  const slider = h("input", {
    type: "range", id: "size", "data-key": "size", min: 0, max: points.length - 1, step: 1, value: Math.max(0, here),
    "aria-valuetext": here < 0 ? "" : W.frontPoint(points[here]), list: "sizes",
    oninput: () => {
      words.textContent = W.frontPoint(points[slider.value]);
      slider.setAttribute("aria-valuetext", words.textContent);
    },
    onchange: () => {
      const wanted = points[slider.value].regularization;
      if (wanted !== app.result.regularization) act({ kind: "lambda", value: wanted });
    },
  });
  return h("section", { "aria-labelledby": "front-title" },
    h("h2", { id: "front-title" }, W.frontTitle),
    h("p", {}, W.frontLead),
    h("figure", {}, frontChart(points, here, front.majority)),
    h("p", { class: "slider" }, h("label", { for: "size" }, W.frontSlider), slider, words));
}
