/* All English of the page, in one place. */
import { visible } from "./dom.js";

export const number = (value) => {
  if (value === null || value === undefined) return "–";
  const small = Math.abs(value) < 1 && value !== 0;
  const rounded = small ? Number(value.toPrecision(3)) : Math.round(value * 100) / 100;
  return rounded.toLocaleString("en").replace("-", "−");
};
export const signed = (value) => `${value > 0 ? "+" : ""}${number(value)}`;
/* Only nothing is 0 %, and only everything is 100 %. */
export const percent = (share) => {
  if (share === null || share === undefined) return "–";
  const rounded = Math.round(share * 1000) / 10;
  return `${share > 0 && share < 1 ? Math.min(Math.max(rounded, 0.1), 99.9) : rounded} %`;
};
const counted = (value, noun) => `${number(value)} ${noun}${Math.abs(value) === 1 ? "" : "s"}`;
const more = (value, noun) => (value ? `${signed(value)} ${noun}${Math.abs(value) === 1 ? "" : "s"}` : "");

export const W = {
  title: "Laconic Studio",
  skip: "Skip to the rules",
  serverGone: "The server does not answer. Every step so far is saved; start the studio again to go on.",
  refused: (status) => `The server refused this (${status}).`,
  working: "Working…",
  cancel: "Cancel",
  missing: "missing",

  // Opening
  openTitle: "Open a table",
  openLead: "Change a rule, and see what your opinion costs at least. The table stays on this machine.",
  drop: "Drop a CSV or Parquet file here, or choose one",
  path: "Or its path on this machine",
  open: "Open",
  examples: "Or an example",
  tables: "Open now",
  another: "Another table",
  columnsTitle: (name) => `The columns of ${visible(name)}`,
  columnsLead: (rows, columns, classes) =>
    `${counted(rows, "row")}, ${counted(columns, "column")}, ${counted(classes, "class").replace("classs", "classes")}. ` +
    "Leave out what rules should not use.",
  target: "Label column",
  bins: "Parts of a column of numbers",
  filter: "Find a column",
  use: "Use",
  column: "Column",
  kind: "Kind",
  kinds: { numeric: "number", category: "category", binary: "yes or no" },
  missingShare: "Missing",
  distribution: "Values by class",
  cuts: "Cut points",
  cutsHint: "quantiles",
  cutsOf: (name) => `Cut points of ${visible(name)}`,
  useOf: (name) => `Use ${visible(name)}`,
  kindOf: (name) => `Kind of ${visible(name)}`,
  directionOf: (name) => `Direction of ${visible(name)}`,
  direction: "Direction",
  anyDirection: "any",
  speaksFor: (name) => `more speaks for ${visible(name)}`,
  speaksAgainst: (name) => `less speaks for ${visible(name)}`,
  histogramOf: (name) => `Values of ${visible(name)} by class`,
  findings: {
    identifier: "looks like an identifier",
    date: "holds dates, read as categories",
    leak: "tells the label almost alone: is it known in time?",
    constant: "has one value only",
    empty: "has no values",
  },
  tooManyClasses: "The label has very many values: it may be a quantity. Choose another label column.",
  missingLabels: (n) => `${counted(n, "row")} without a label; every row needs one.`,
  learn: "Learn",
  learnAgain: "Learn again with these columns",
  columns: "Columns",
  back: "Back to the rules",
  resume: (steps) => `Go on with the session (${counted(steps, "step")})`,
  anew: "Begin anew",
  anewHint: "The file of the old session is kept beside it, under another name.",
  savedIn: (place) => `Saved after every step in ${visible(place)}`,
  badCuts: (name) => `The cut points of ${visible(name)} must be numbers with commas between them.`,

  // The set
  proven: "Proven best",
  notProven: "Not proven",
  searching: "Searching",
  headline: (wrong, rows) => `${number(wrong)} of ${number(rows)} training rows wrong`,
  newRowsText: (p) => `${percent(p.accuracy)} ± ${percent(p.standardError)} right on rows not learned from`,
  sizeText: (rules, conditions) => `${counted(rules, "rule")}, ${counted(conditions, "condition")}`,
  costText: (a) => `cost ${number(a.cost)} = ${number(a.errors)} errors + ${number(a.unit)} × size ${number(a.size)}`,
  boundText: (bound) => `no set that respects your opinions costs less than ${number(bound)}`,
  learnTitle: "How the search goes",
  costLine: "best set so far",
  boundLine: "no set costs less",
  chartLabel: "Cost of the best set so far and proven bound over time",
  timeAxis: "seconds",
  costAxis: "cost",
  stop: "Stop and keep the best",
  phases: {
    first: "The first rules",
    choice: "Choosing the price of size on rows held back",
    free: "Searching the best set",
    opinions: "Searching the best set with your opinions",
    prices: "Pricing each opinion",
    done: "Done",
    refused: "Refused",
  },

  // Front
  frontTitle: "Size against accuracy",
  frontLead: "Each point is a price of size. Above: right on rows not learned from, with the standard error. Below: errors in training.",
  frontSlider: "Size of the set",
  frontPoint: (p) =>
    `size ${number(p.size)}: ${p.accuracy === null ? "" : `${percent(p.accuracy)} ± ${percent(p.standardError)} right on new rows, `}` +
    `${counted(p.errors, "error")} in training, ${p.proved ? "proven best at its price" : "not proven"} (λ = ${p.regularization})`,
  newRows: "right on new rows",
  trainErrors: "errors in training",
  sizeAxis: "size: conditions + rules",

  // Rules and opinions
  rulesTitle: "The rules",
  rulesLead: "Any rule that covers a row is a complete reason for its class. Disagree: each opinion is priced at once.",
  noRules: "The set has no rules: at this price of size no rule pays. Move the slider to larger sets.",
  otherwiseTitle: "Otherwise",
  otherwise: "no rule covers the row",
  ruleNumber: (k) => `Rule ${k}`,
  if_: "if",
  and: "and",
  always: "always",
  then: "then",
  rightWrong: (right, wrong) => `${number(right)} right, ${number(wrong)} wrong`,
  keep: "Keep",
  never: "Never",
  edit: "Edit",
  keepOf: (k) => `Keep rule ${k}`,
  neverOf: (k) => `Never rule ${k}`,
  editOf: (k) => `Edit rule ${k}`,
  own: "Write a rule",
  held: "kept by you",
  reason: "Reason for the next step (may stay empty)",
  opinionsTitle: "Your opinions",
  noOpinions: "None yet: this is the best set of all. Keep, forbid or edit a rule to see what that costs.",
  priceTitle: "All opinions together",
  price: (p) => {
    const parts = [more(p.wrong, "wrong row"), more(p.conditions, "condition"), more(p.rules, "rule")].filter(Boolean);
    return parts.length ? parts.join(", ") : "no wrong rows, conditions or rules more";
  },
  priceProven: (p) => (p.most === 0
    ? "costs nothing; proven"
    : `cost +${number(p.most)} (${signed(p.errors)} errors as counted); proven: no set that respects this does better`),
  priceOpen: (p) => `cost between +${number(p.least)} and +${number(p.most)}; not proven exactly`,
  priceNote: "An error counts once for a row that no rule of its class covers, and once for each other class whose rules cover it. The price of one opinion is what giving up it alone would save.",
  pricing: "being priced…",
  withdraw: "Take back",
  withdrawOf: (text) => `Take back: ${visible(text)}`,
  moreOpinions: "More opinions",
  forbidColumn: "Never use the column",
  onlyDirection: "Only in this direction",
  maxRules: "At most this many rules",
  sayForbid: "Never use it",
  sayDirection: "Only so",
  sayMost: "No more",
  inFavour: "more of it speaks for",
  against: "less of it speaks for",
  kindsOfOpinion: {
    keep: "Keep", own: "Your rule", never: "Never", edit: "Changed", forbid: "Never the column", direction: "Direction",
    max_rules: "At most", prefer: "Exactly these rules", given: "Given",
  },
  opinionText: (o) => {
    if (o.kind === "forbid") return visible(o.column);
    if (o.kind === "max_rules") return counted(o.most, "rule");
    if (o.kind === "direction") {
      const way = o.towards === "increasing" ? "more" : "less";
      return `${way} ${visible(o.column)} speaks for ${visible(o.label)}`;
    }
    if (o.kind === "given") return visible(JSON.stringify(o.constraints));
    return o.texts.map((text, k) => `if ${text} then ${visible(o.labels[k])}`).join("; ") || "no rules";
  },
  opinionWas: (text) => `instead of: if ${text}`,

  // Editing
  editTitle: "Edit the rule",
  ownTitle: "Write a rule",
  conditionOf: (k) => `Condition ${k}`,
  classOf: "Class",
  dropCondition: (k) => `Drop condition ${k}`,
  drop_: "Drop",
  addCondition: "Add a condition",
  operators: { "<=": "at most", ">": "above", "=": "is", "!=": "is not", missing: "is missing", present: "is present" },
  columnOf: (k) => `Column of condition ${k}`,
  operatorOf: (k) => `Test of condition ${k}`,
  valueOf: (k) => `Value of condition ${k}`,
  sliderOf: (k) => `Threshold of condition ${k}`,
  covers: (n, right) => `covers ${counted(n, "row")}, ${number(right)} of its class`,
  moves: (gained, lost) => `${counted(gained, "row")} more covered, ${number(lost)} no longer`,
  byClass: "Rows by class",
  covered: "covered",
  gained: "more",
  lost: "no longer",
  hold: "Hold this opinion",

  // Whom it touches
  touchedTitle: "Whom it touches",
  compareWith: "Compare with",
  freeOptimum: "the best set without opinions",
  stepName: (k) => `step ${k}`,
  group: "Rates by",
  noGroup: "no column",
  changed: (n, rows) => `${counted(n, "row")} of ${number(rows)} ${n === 1 ? "gets" : "get"} another class`,
  betterWorse: (better, worse) => `${number(better)} now right, ${number(worse)} now wrong`,
  actual: "Actual",
  before: "Before",
  after: "After",
  row: "Row",
  rowsHead: "Rows",
  groupName: "Group",
  changedHead: "Changed",
  wrongHead: "Wrong",
  answersHead: (name) => `Get ${visible(name)}`,
  nobody: "Nobody: no prediction changes.",
  next: "Next rows",
  previous: "Previous rows",
  openRow: (k) => `Open row ${k}`,
  movesTable: "Changes by class",
  groupsTable: (name) => `Rates by ${visible(name)}, before → after`,
  listTable: "Rows whose prediction changes",

  // What if
  whatIfTitle: "What if",
  whatIfRow: "Row number",
  whatIfLead: "Change the values of a row and see which rules hold.",
  prediction: "Prediction",
  labelWas: (text) => `actual: ${visible(text)}`,
  reasons: {
    rule: "by a rule", conflict: "rules disagree; the one with the best Laplace precision decides",
    default: "no rule holds, so the default class applies", else: "no other rule holds", otherwise: "no other rule holds",
  },
  holds: "holds",
  fails: "does not hold",
  noColumns: "The rules use no column.",

  // Shelf
  shelfTitle: "Equally good sets",
  shelfWithin: "Dearer by at most this many conditions",
  shelfFind: "Find them",
  shelfFound: (n, total, complete) =>
    `${counted(n, "set")}${total > n ? ` of ${number(total)}` : ""}${complete ? "; proven: there are no others" : "; there may be others"}`,
  shelfShared: "In how many of these sets each condition is",
  shelfShare: (n, of) => (n === of ? "every set" : `${number(n)} of ${number(of)}`),
  prefer: "Prefer this one",
  preferOf: (k) => `Prefer set ${k}`,
  setNumber: (k) => `Set ${k}`,
  thisOne: "the set above",
  dearer: (x) => (x ? `cost ${signed(x)}` : "just as good"),
  newRule: "only here",
  goneRule: "not here",

  // History
  historyTitle: "History",
  undo: "Undo",
  redo: "Redo",
  goto: "Go there",
  gotoOf: (k) => `Go to step ${k}`,
  here: "you are here",
  reasonOf: (k) => `Reason of step ${k}`,
  noReason: "no reason given",
  compareTitle: "Side by side with",
  noCompare: "nothing",
  onlyHere: "only here",
  branch: (k) => `follows step ${k}`,
  costOf: (cost, proved) => `cost ${number(cost)}${proved ? ", proven" : ", not proven"}`,

  // Leaving
  leaveTitle: "Take it with you",
  leaveLead: "The files of this step. The decision log says what was changed, by which reason, at which price.",
  files: {
    decisions: "Decision log", model: "Model", report: "Report", sql: "SQL", certificate: "Certificate",
    constraints: "Opinions as constraints", session: "Session",
  },
  commandsTitle: "To repeat it without the page",
};
