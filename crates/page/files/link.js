// The view in the fragment of the address: nothing is stored anywhere.
const names = { text: "t", sentence: "s", view: "v", alternative: "a", collapsed: "c", tags: "g", functions: "f", tree: "e", step: "d" };

export function write(state) {
  const pairs = new URLSearchParams();
  pairs.set(names.text, state.text);
  if (state.sentence) pairs.set(names.sentence, state.sentence);
  if (state.view !== "tree") pairs.set(names.view, state.view);
  if (state.alternative) pairs.set(names.alternative, state.alternative);
  if (state.collapsed.length) pairs.set(names.collapsed, state.collapsed.join("."));
  if (!state.tags) pairs.set(names.tags, 0);
  if (!state.functions) pairs.set(names.functions, 0);
  if (state.step) pairs.set(names.step, state.step);
  if (state.tree) pairs.set(names.tree, state.tree);
  return "#" + pairs;
}

export function read(fragment) {
  const pairs = new URLSearchParams(fragment.replace(/^#/, ""));
  const number = (name) => Math.max(0, Number.parseInt(pairs.get(name) ?? "0", 10) || 0);
  const view = pairs.get(names.view);
  return {
    text: pairs.get(names.text) ?? "",
    sentence: number(names.sentence),
    view: ["spines", "derivation"].includes(view) ? view : "tree",
    alternative: number(names.alternative),
    collapsed: (pairs.get(names.collapsed) ?? "").split(".").filter((part) => /^\d+$/.test(part)).map(Number),
    tags: pairs.get(names.tags) !== "0",
    functions: pairs.get(names.functions) !== "0",
    step: number(names.step),
    tree: pairs.get(names.tree) ?? "",
  };
}
