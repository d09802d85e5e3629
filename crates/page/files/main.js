// The page: text in, tree out, and what one can do with it.
import { connect } from "./backend.js";
import { Canvas } from "./canvas.js";
import { Editor } from "./editor.js";
import { examples } from "./examples.js";
import { png, save } from "./exports.js";
import * as link from "./link.js";

const $ = (id) => document.getElementById(id);
const BEST = 5;

const state = { ...link.read(location.hash), strengths: false, editing: false, comparing: false };
let parses = []; // the answers of the parser, one for each sentence
let about = null; // all about the tree that is shown
let derivation = null;
let here = null; // the node that the keyboard is at
let chosen = null; // the node that is edited
let awaiting = null; // an edit that waits for a second node

const backend = await connect({
  progress: (share) => {
    $("progress").hidden = share === null;
    if (share !== null) $("progress").value = share;
  },
  token: () => prompt("This server asks for its token:"),
});
const editor = new Editor(backend);
const canvas = new Canvas($("canvas"), { choose, point, step: key });

const say = (text) => ($("status").textContent = text);

// ---- parsing

let pause = null;
let asked = 0;
let asking = null;

function typed() {
  clearTimeout(pause);
  pause = setTimeout(parse, 350);
}

async function parse(keep = false) {
  clearTimeout(pause);
  const turn = (asked += 1);
  const text = $("text").value.trim();
  state.text = text;
  asking?.abort();
  asking = new AbortController();
  if (!text) {
    parses = [];
    return clear();
  }
  say("Parsing …");
  try {
    const { signal } = asking;
    const answer = JSON.parse(await backend.call("parse", { text, probabilities: true }, signal));
    if (turn !== asked) return;
    parses = answer;
    // The other readings take longer than the best one, which need not wait for them.
    const others = alternatives(text, signal, () => turn === asked);
    if (keep && state.alternative) await others;
    say("");
    if (!keep) Object.assign(state, { sentence: 0, alternative: 0, collapsed: [], tree: "", step: 0 });
    state.sentence = Math.min(state.sentence, Math.max(0, parses.length - 1));
    listSentences();
    await select(state.sentence, keep);
  } catch (error) {
    if (turn === asked && error.name !== "AbortError") say(`Not parsed: ${error.message}`);
  }
}

/** Asks for other readings; the one that is shown stays the first. */
async function alternatives(text, signal, wanted) {
  try {
    const found = JSON.parse(await backend.call("parse", { text, best: BEST }, signal));
    if (!wanted()) return;
    for (const [number, parse] of parses.entries()) {
      const ranked = found[number]?.alternatives ?? [];
      const own = ranked.find(({ tree }) => tree === parse.tree) ?? { tree: parse.tree, probability: parse.probability };
      parse.alternatives = [own, ...ranked.filter(({ tree }) => tree !== parse.tree)].slice(0, BEST);
    }
    if (about) showAlternatives();
  } catch {
    // Without them the page lacks nothing but the arrows.
  }
}

function clear() {
  about = null;
  canvas.clear();
  for (const id of ["sentences", "nulls", "relations", "outline", "brackets", "steps"]) $(id).replaceChildren();
  say("");
}

function listSentences() {
  $("sentences").replaceChildren(
    ...parses.map((parse, number) => {
      const item = document.createElement("li");
      const button = element("button", parse.text, { type: "button", dir: "auto", title: parse.text });
      button.addEventListener("click", () => select(number));
      item.append(button);
      return item;
    }),
  );
  $("sentences").hidden = parses.length < 2;
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

async function select(number, keep = false) {
  state.sentence = number;
  if (!keep) Object.assign(state, { alternative: 0, collapsed: [], tree: "", step: 0 });
  state.comparing = false;
  [...$("sentences").querySelectorAll("button")].forEach((button, index) =>
    button.setAttribute("aria-current", index === number));
  editor.reset(state.tree || currentParse());
  if (state.tree && state.tree !== currentParse()) editor.past.push(currentParse());
  await show();
}

function currentParse() {
  const parse = parses[state.sentence];
  return parse?.alternatives?.[state.alternative]?.tree ?? parse?.tree ?? "";
}

// ---- showing

let shown = 0;

async function show(keep = false) {
  const turn = (shown += 1);
  const tree = editor.tree;
  if (!tree) return clear();
  try {
    const [found, svg] = await Promise.all([backend.call("inspect", { tree }), picture(tree)]);
    if (turn !== shown) return;
    about = JSON.parse(found);
    canvas.show(svg, { keep });
    if (!node(here)) here = null;
    if (!node(chosen)) chosen = null;
    fill();
  } catch (error) {
    say(error.message);
  }
}

/** The picture of the view. */
async function picture(tree, { named = true } = {}) {
  derivation = null;
  if (state.view === "derivation") {
    derivation = JSON.parse(await backend.call("derive", { tree }));
    return derivation.svg;
  }
  const body = { tree, view: state.view, tags: state.tags, functions: state.functions, named };
  if (state.view === "tree") {
    body.collapsed = state.collapsed;
    const parse = parses[state.sentence];
    if (state.comparing) Object.assign(body, { against: currentParse(), both: true, collapsed: [], named: false });
    else if (state.alternative && !editor.changed) body.against = parse?.alternatives?.[0]?.tree;
    if (state.strengths && !state.alternative && !editor.changed) body.phrases = parse?.phrases?.map(
      ({ label, tokens, probability }) => ({ label, tokens, probability: probability ?? null })) ?? [];
  }
  return backend.call("draw", body);
}

function fill() {
  const words = (id) => about.nodes.filter((n) => n.word && n.kind === "word" && within(n.id, id)).map((n) => n.word).join(" ");
  $("nulls").replaceChildren(...about.nulls.map((found) => {
    const item = document.createElement("li");
    const button = element("button", found.description, { type: "button", "data-null": found.node });
    const light = () => point(found.node);
    button.addEventListener("focus", light);
    button.addEventListener("pointerenter", light);
    button.addEventListener("blur", () => point(null));
    button.addEventListener("pointerleave", () => point(null));
    button.addEventListener("click", () => { canvas.here(found.node); here = found.node; if (state.editing) choose(found.node); });
    item.append(button);
    return item;
  }));
  if (!about.nulls.length) $("nulls").append(element("li", "none", { class: "faint" }));
  $("relations").replaceChildren(...about.relations.map((relation) => {
    const item = document.createElement("li");
    const button = element("button", relation.text, { type: "button" });
    const light = () => { canvas.light(relation.nodes); say(relation.text); };
    button.addEventListener("focus", light);
    button.addEventListener("pointerenter", light);
    button.addEventListener("blur", () => point(null));
    button.addEventListener("pointerleave", () => point(null));
    item.append(button);
    return item;
  }));
  if (!about.relations.length) $("relations").append(element("li", "none", { class: "faint" }));
  $("problems").replaceChildren(...about.problems.map((problem) => element("li", problem)));
  $("faults").hidden = about.problems.length === 0;
  $("brackets").textContent = about.pretty;
  $("outline").replaceChildren(outline());
  showAlternatives();
  $("expand").hidden = state.collapsed.length === 0;
  for (const input of document.getElementsByName("view")) input.checked = input.value === state.view;
  $("tags").checked = state.tags;
  $("functions").checked = state.functions;
  $("strengths").disabled = state.alternative > 0 || editor.changed;
  canvas.picture?.setAttribute("aria-label", `${state.view} of: ${words(about.nodes[0]?.id)}`);
  showStep();
  showEditor();
  history.replaceState(null, "", link.write({ ...state, tree: editor.changed ? editor.tree : "" }));
}

function showAlternatives() {
  const known = parses[state.sentence]?.alternatives ?? [];
  $("alternatives").hidden = known.length < 2 || editor.changed;
  const other = known[state.alternative];
  const sure = typeof other?.probability === "number" ? `, ${(100 * other.probability).toFixed(1)} %` : "";
  $("alternative").textContent = other ? `${state.alternative + 1} of ${known.length}${sure}` : "";
  $("previous").disabled = state.alternative === 0;
  $("next").disabled = state.alternative + 1 >= known.length;
}

function outline() {
  const top = document.createElement("ul");
  const lists = new Map();
  for (const n of about.nodes) {
    const item = element("li", n.kind === "phrase" ? n.label || "sentence" : n.kind === "null" ? `null ${n.word}` : `${n.word} (${n.label})`);
    const found = about.nulls.find((null_) => null_.node === n.id);
    if (found) item.append(element("span", `: ${found.description}`));
    (lists.get(n.parent) ?? top).append(item);
    if (n.kind === "phrase") {
      const list = document.createElement("ul");
      item.append(list);
      lists.set(n.id, list);
    }
  }
  return top;
}

// ---- nodes

const node = (id) => (id === null ? null : about?.nodes.find((n) => n.id === id) ?? null);

function within(id, above) {
  for (let n = node(id); n; n = node(n.parent)) if (n.id === above) return true;
  return false;
}

const below = (id) => about.nodes.filter((n) => within(n.id, id)).map((n) => n.id);

/** Lights up a null or an antecedent, with what belongs to it, and says so. */
function point(id) {
  for (const button of $("nulls").querySelectorAll("button")) button.classList.remove("lit");
  if (id === null || !about) {
    canvas.light([]);
    return;
  }
  const found = about.nulls.filter((n) => n.node === id || n.phrase === id || n.antecedent === id);
  if (!found.length || state.view !== "tree") return canvas.light([]);
  const first = found[0];
  const ids = found.flatMap((n) => [n.node, n.phrase, ...[n.antecedent, n.overt].flatMap((id) => (id === null ? [] : below(id)))]).filter((n) => n !== null);
  canvas.light(ids, first.node, first.antecedent);
  for (const n of found) $("nulls").querySelector(`[data-null="${n.node}"]`)?.classList.add("lit");
  say(found.map((n) => n.description).join("; "));
}

function choose(id) {
  const n = node(id);
  if (!n) return;
  here = id;
  canvas.here(id);
  if (state.editing) return chooseToEdit(n);
  if (n.kind === "phrase" && state.view === "tree") toggle(id);
}

function toggle(id) {
  const at = state.collapsed.indexOf(id);
  if (at >= 0) state.collapsed.splice(at, 1);
  else state.collapsed.push(id);
  say(at >= 0 ? `${node(id).label} is open` : `${node(id).label} is collapsed`);
  show(true).then(() => canvas.here(id));
}

/** The keyboard in the picture; true if the key means something. */
function key(name) {
  if (state.view === "derivation") {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[name];
    if (!by || !derivation?.rows) return false;
    state.step = Math.max(1, Math.min(derivation.rows, (state.step || derivation.rows) + by));
    showStep();
    history.replaceState(null, "", link.write({ ...state, tree: editor.changed ? editor.tree : "" }));
    return true;
  }
  if (state.view !== "tree" || !about) return false;
  if (name === "Escape") return cancel();
  if (name === "Enter" || name === " ") {
    if (here !== null) choose(here);
    return true;
  }
  const drawn = about.nodes.filter((n) => canvas.element(n.id));
  if (!drawn.length || !name.startsWith("Arrow")) return false;
  const now = node(here) && canvas.element(here) ? node(here) : null;
  let next = drawn[0];
  if (now) {
    const siblings = drawn.filter((n) => n.parent === now.parent);
    const at = siblings.indexOf(now);
    next = {
      ArrowUp: drawn.find((n) => n.id === now.parent),
      ArrowDown: drawn.find((n) => n.parent === now.id),
      ArrowLeft: siblings[at - 1],
      ArrowRight: siblings[at + 1],
    }[name] ?? now;
  }
  here = next.id;
  canvas.here(here);
  point(here);
  const found = about.nulls.find((n) => n.node === here);
  if (!found) say(next.kind === "phrase" ? next.label : `${next.label} ${next.word}`);
  return true;
}

function showStep() {
  const steps = $("steps");
  steps.hidden = !derivation;
  if (!derivation) return;
  if (derivation.reason) {
    say(`No derivation: ${derivation.reason}`);
    return steps.replaceChildren();
  }
  const step = state.step || derivation.rows;
  for (const row of canvas.picture.querySelectorAll("[data-row]")) {
    row.classList.toggle("later", Number(row.dataset.row) > step);
    row.classList.toggle("now", Number(row.dataset.row) === step);
  }
  steps.replaceChildren(...derivation.steps.filter((s) => s.row === step)
    .map((s) => element("li", `${s.place}  ${s.kind}  ${s.how}`)));
  say(`Row ${step} of ${derivation.rows}. The arrow keys step through the derivation.`);
}

// ---- editing

const NEED = {
  move: (n) => n.parent !== null, wrap: (n) => n.parent !== null,
  unwrap: (n) => n.kind === "phrase" && n.parent !== null, null: () => true,
  remove: (n) => isNull(n), link: (n) => isNull(n), unlink: (n) => isNull(n),
};
const isNull = (n) => n.kind === "null" || (below(n.id).filter((id) => node(id).word).every((id) => node(id).kind === "null"));

function showEditor() {
  $("editor").hidden = !state.editing;
  $("edit").setAttribute("aria-pressed", state.editing);
  if (!state.editing) return;
  const n = node(chosen);
  canvas.mark("chosen", n ? [n.id] : []);
  $("undo").disabled = !editor.past.length;
  $("redo").disabled = !editor.future.length;
  $("compare").disabled = !editor.changed;
  $("compare").setAttribute("aria-pressed", state.comparing);
  $("label").disabled = !n;
  if (document.activeElement !== $("label")) $("label").value = n ? (n.kind === "null" ? n.word : n.label) : "";
  for (const button of $("editor").querySelectorAll("[data-edit]")) button.disabled = !n || !NEED[button.dataset.edit](n);
  $("hint").textContent = awaiting ? "Choose the other node; Escape gives up." : n ? "" : "Choose a node.";
}

function chooseToEdit(n) {
  if (awaiting && chosen !== null) {
    const change = awaiting === "move" ? { kind: "move", node: chosen, to: n.id } : { kind: "link", null: chosen, to: n.id };
    awaiting = null;
    return change_(change);
  }
  chosen = n.id;
  showEditor();
}

function cancel() {
  const had = awaiting !== null || chosen !== null;
  awaiting = null;
  chosen = null;
  showEditor();
  return had;
}

async function change_(change) {
  try {
    about = await editor.change(change);
    state.collapsed = [];
    chosen = null;
    say("Changed. Undo takes it back.");
    await show(true);
    if (about.problems.length) say(about.problems.join("; "));
  } catch (error) {
    say(`Not changed: ${error.message}`);
    showEditor();
  }
}

function startEdit(kind) {
  const n = node(chosen);
  if (!n) return;
  if (kind === "move" || kind === "link") {
    awaiting = kind;
    showEditor();
    return $("canvas").focus();
  }
  if (kind === "wrap") {
    const label = prompt("The label of the new phrase:", "NP");
    return label && change_({ kind, node: n.id, label });
  }
  if (kind === "null") {
    const text = prompt("The null, with the label of its phrase in front: NP-SBJ *, NP *T*, or 0 alone", "NP-SBJ *");
    if (!text) return;
    const parts = text.trim().split(/\s+/);
    const [label, what] = parts.length > 1 ? parts : ["", parts[0]];
    const place = n.kind === "phrase" ? { parent: n.id, before: null } : { parent: n.parent, before: n.id };
    return change_({ kind, ...place, label, null: what });
  }
  return change_(kind === "unlink" ? { kind, null: n.id } : { kind, node: n.id });
}

// ---- taking away

async function take(kind) {
  const tree = editor.tree;
  if (!tree && kind !== "link") return;
  const plain = () => picture(tree, { named: false });
  const draw = (to) => backend.call("draw", { tree, to, tags: state.tags, functions: state.functions, collapsed: state.collapsed });
  try {
    if (kind === "svg") save("tree.svg", "image/svg+xml", await plain());
    if (kind === "png") save("tree.png", "image/png", await png(await plain()));
    if (kind === "print") print();
    if (kind === "penn") save("tree.mrg", "text/plain", await backend.call("convert", { trees: tree, to: "penn" }));
    if (kind === "forest") save("tree.tex", "application/x-latex", await draw("forest"));
    if (kind === "qtree") save("tree.tex", "application/x-latex", await draw("qtree"));
    if (kind === "json") {
      const parse = parses[state.sentence];
      const own = !editor.changed && !state.alternative && parse;
      save("tree.json", "application/json", own ? JSON.stringify(parse) : await backend.call("convert", { trees: tree, to: "json" }));
    }
    if (kind === "link") {
      await navigator.clipboard?.writeText(location.href).catch(() => {});
      say("The address of this page holds the sentence and the view; it is copied.");
    }
  } catch (error) {
    say(error.message);
  }
}

// ---- controls

function theme(name) {
  document.documentElement.dataset.theme = name;
  try { localStorage.setItem("theme", name); } catch { /* a private window */ }
}

let saved = null;
try { saved = localStorage.getItem("theme"); } catch { /* a private window */ }
theme(saved ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
$("theme").addEventListener("click", () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

$("mode").textContent = backend.about;
$("model-label").hidden = backend.kind !== "worker";
$("model").addEventListener("change", () => { backend.choose($("model").value); parse(true); });
$("examples").append(...examples.map(([name, text]) => element("option", name, { value: text })));
$("examples").addEventListener("change", () => {
  if (!$("examples").value) return;
  $("text").value = $("examples").value;
  $("examples").value = "";
  parse();
});
$("text").addEventListener("input", typed);
for (const input of document.getElementsByName("view")) {
  input.addEventListener("change", () => { state.view = input.value; state.step = 0; state.comparing = false; show(); });
}
for (const name of ["tags", "functions", "strengths"]) {
  $(name).addEventListener("change", () => { state[name] = $(name).checked; show(true); });
}
$("zoom-in").addEventListener("click", () => canvas.zoom(1.25));
$("zoom-out").addEventListener("click", () => canvas.zoom(0.8));
$("zoom-fit").addEventListener("click", () => canvas.fit());
$("expand").addEventListener("click", () => { state.collapsed = []; show(true); });
const turn = (by) => () => { state.alternative += by; state.collapsed = []; editor.reset(currentParse()); show(true); };
$("previous").addEventListener("click", turn(-1));
$("next").addEventListener("click", turn(1));
$("edit").addEventListener("click", () => {
  state.editing = !state.editing;
  state.comparing = false;
  if (state.editing && state.view !== "tree") state.view = "tree";
  cancel();
  show(true);
});
$("undo").addEventListener("click", () => editor.undo() && show(true));
$("redo").addEventListener("click", () => editor.redo() && show(true));
$("compare").addEventListener("click", () => { state.comparing = !state.comparing; show(); });
$("label").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || chosen === null) return;
  const label = $("label").value.trim();
  $("label").blur();
  change_({ kind: "relabel", node: chosen, label });
});
for (const button of $("editor").querySelectorAll("[data-edit]")) button.addEventListener("click", () => startEdit(button.dataset.edit));
for (const button of document.querySelectorAll("[data-export]")) {
  button.addEventListener("click", () => { $("take").open = false; take(button.dataset.export); });
}
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || !state.editing) return;
  if (/^(TEXTAREA|INPUT)$/.test(document.activeElement?.tagName)) return;
  event.preventDefault();
  if (event.shiftKey ? editor.redo() : editor.undo()) show(true);
});
addEventListener("hashchange", () => {
  Object.assign(state, link.read(location.hash));
  $("text").value = state.text;
  parse(true);
});

$("text").value = state.text || "Which book did she want to buy?";
document.documentElement.dataset.ready = "yes";
parse(Boolean(state.text));
