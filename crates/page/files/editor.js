// Changes of a tree by hand, with undo. Every change is made and checked by the backend.

export class Editor {
  constructor(backend) {
    this.backend = backend;
    this.reset("");
  }

  reset(tree) {
    this.past = [];
    this.future = [];
    this.tree = tree;
  }

  get changed() {
    return this.past.length > 0;
  }

  /** Makes a change; resolves to all about the new tree. */
  async change(change) {
    const about = JSON.parse(await this.backend.call("edit", { tree: this.tree, change }));
    this.past.push(this.tree);
    this.future = [];
    this.tree = about.tree;
    return about;
  }

  undo() {
    return this.go(this.past, this.future);
  }

  redo() {
    return this.go(this.future, this.past);
  }

  go(from, to) {
    if (!from.length) return false;
    to.push(this.tree);
    this.tree = from.pop();
    return true;
  }
}
