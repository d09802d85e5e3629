// The picture: zoom, pan, fit, and the nodes in it that can be pointed at.

export class Canvas {
  constructor(box, { choose, point, step }) {
    this.box = box;
    this.scale = 1;
    this.fitting = true;
    this.handlers = { choose, point, step };
    this.listen();
  }

  /** Shows an SVG text; places stay where they are if it is the same sentence. */
  show(svg, { keep }) {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    if (parsed.querySelector("parsererror")) return;
    const old = { x: this.box.scrollLeft, y: this.box.scrollTop };
    const picture = document.importNode(parsed, true);
    this.size = { width: Number(picture.getAttribute("width")), height: Number(picture.getAttribute("height")) };
    picture.setAttribute("role", "img");
    picture.setAttribute("focusable", "false");
    this.box.replaceChildren(picture);
    this.picture = picture;
    if (!keep) this.fitting = true;
    this.apply();
    if (keep && !this.fitting) this.box.scrollTo(old.x, old.y);
  }

  clear() {
    this.box.replaceChildren();
    this.picture = null;
  }

  apply() {
    if (!this.picture) return;
    if (this.fitting) {
      const { clientWidth, clientHeight } = this.box;
      const fit = Math.min((clientWidth - 4) / this.size.width, (clientHeight - 4) / this.size.height);
      // Smaller than this nobody can read: then the picture is wider than its box, and is scrolled.
      this.scale = Math.max(Math.min(fit, 1.6), Math.min(0.75, (clientHeight - 4) / this.size.height));
    }
    this.picture.style.width = `${this.size.width * this.scale}px`;
    this.picture.style.height = `${this.size.height * this.scale}px`;
  }

  fit() {
    this.fitting = true;
    this.apply();
  }

  zoom(factor, at) {
    if (!this.picture) return;
    const box = this.box.getBoundingClientRect();
    const point = at ?? { x: box.width / 2, y: box.height / 2 };
    const before = { x: (this.box.scrollLeft + point.x) / this.scale, y: (this.box.scrollTop + point.y) / this.scale };
    this.fitting = false;
    this.scale = Math.min(8, Math.max(0.1, this.scale * factor));
    this.apply();
    this.box.scrollTo(before.x * this.scale - point.x, before.y * this.scale - point.y);
  }

  element(id) {
    return this.picture?.querySelector(`[data-node="${id}"]`);
  }

  /** Marks the nodes with a class and takes it from all others. */
  mark(name, ids) {
    this.picture?.querySelectorAll(`.${name}`).forEach((element) => element.classList.remove(name));
    for (const id of ids) this.element(id)?.classList.add(name);
  }

  /** Lights nodes up, with the arc between two of them and the line under the second. */
  light(ids, from, to) {
    this.mark("lit", ids);
    if (from === undefined) return;
    this.picture?.querySelectorAll(`[data-from="${from}"][data-to="${to}"], [data-under="${to}"]`)
      .forEach((element) => element.classList.add("lit"));
  }

  here(id) {
    this.mark("here", [id]);
    this.element(id)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  listen() {
    const { box } = this;
    const node = (event) => {
      const element = event.target.closest?.("[data-node]");
      return element ? Number(element.dataset.node) : null;
    };
    let drag = null;
    const touches = new Map();
    box.addEventListener("pointerdown", (event) => {
      touches.set(event.pointerId, event);
      if (event.pointerType === "mouse" && event.button === 0)
        drag = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop, moved: false };
    });
    box.addEventListener("pointermove", (event) => {
      if (touches.size === 2 && touches.has(event.pointerId)) {
        const [a, b] = [...touches.values()];
        const was = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
        touches.set(event.pointerId, event);
        const [c, d] = [...touches.values()];
        const now = Math.hypot(c.clientX - d.clientX, c.clientY - d.clientY);
        const frame = box.getBoundingClientRect();
        this.zoom(now / was, { x: (c.clientX + d.clientX) / 2 - frame.left, y: (c.clientY + d.clientY) / 2 - frame.top });
        return;
      }
      if (!drag) return;
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      if (Math.hypot(dx, dy) > 4) {
        drag.moved = true;
        box.classList.add("dragging");
      }
      if (drag.moved) box.scrollTo(drag.left - dx, drag.top - dy);
    });
    const lift = (event) => {
      touches.delete(event.pointerId);
      box.classList.remove("dragging");
      setTimeout(() => (drag = null));
    };
    addEventListener("pointerup", lift);
    addEventListener("pointercancel", lift);
    box.addEventListener("click", (event) => {
      const id = node(event);
      if (id !== null && !drag?.moved) this.handlers.choose(id);
    });
    box.addEventListener("pointerover", (event) => this.handlers.point(node(event)));
    box.addEventListener("pointerleave", () => this.handlers.point(null));
    box.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const frame = box.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 300), { x: event.clientX - frame.left, y: event.clientY - frame.top });
    }, { passive: false });
    box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "+" || event.key === "=") this.zoom(1.25);
      else if (event.key === "-") this.zoom(0.8);
      else if (event.key === "0") this.fit();
      else if (!this.handlers.step(event.key)) return;
      event.preventDefault();
    });
    new ResizeObserver(() => this.fitting && this.apply()).observe(box);
  }
}
