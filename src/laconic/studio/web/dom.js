/* Building the page. Texts become text nodes only, so that no name from the data is read as markup. */

const SVG = "http://www.w3.org/2000/svg";
const given = (one) => one !== null && one !== undefined && one !== false;

function filled(node, attributes, children) {
  node.append(...children.flat(Infinity).filter(given));
  for (const [name, value] of Object.entries(attributes)) {
    if (!given(value)) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  return node;
}

/* h("p", { class: "note" }, "text", …): an element. */
export const h = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);

/* The same for SVG. */
export const s = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

/* Put new children into a node; what had the focus has it again, found by its data-key. */
export function show(node, ...children) {
  const focused = document.activeElement;
  const key = focused && node.contains(focused) ? focused.dataset.key : undefined;
  node.replaceChildren(...children.flat(Infinity).filter(given));
  if (key !== undefined) {
    const again = node.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again) again.focus({ preventScroll: true });
  }
}

let announcing = 0;

/* Said to a screen reader once things have settled. */
export function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => {
    document.getElementById("live").textContent = text;
  }, 300);
}

/* What would turn the words beside it around, or not be seen at all, is written out. */
export const visible = (text) => String(text).replace(
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b\u2028-\u202e\u2060-\u206f\ufeff]/g,
  (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

const N_COLOURS = 12;

/* The colour of a class; from the thirteenth on, the dot is a ring. */
export const colour = (target) => `c${target % N_COLOURS}${target >= N_COLOURS ? " ring" : ""}`;

export const label = (text, target) => h("span", { class: `label ${colour(target)}` }, visible(text));
