// A person's own setups, by name: the browser keeps them for later games.

import { find, make } from "./dom.js";
import { local, recalled } from "./kept.js";

const KEY = "outflank-setups";

export class Setups {
  // `stage` tells what stands now, and takes another setup.
  constructor(stage) {
    this.stage = stage;
    find("keep-form").addEventListener("submit", event => { event.preventDefault(); this.keep(); });
  }

  all() {
    const found = recalled(KEY, []);
    return Array.isArray(found) ? found : [];
  }

  // How many pieces the army that is set up has: that distinguishes armies.
  get size() { return [...this.stage.army.values()].reduce((sum, count) => sum + count, 0); }

  write(list) { return local.set(KEY, JSON.stringify(list)); }

  // One of the same name gives way.
  keep() {
    const field = find("keep-name"), names = this.all().map(({ name }) => name);
    let number = 1;
    while (names.includes(`Setup ${number}`)) number += 1;
    const name = field.value.trim() || `Setup ${number}`;
    const lasts = this.write([...this.all().filter(other => other.name !== name),
      { name, setup: this.stage.cells.join(""), size: this.size }]);
    field.value = "";
    this.draw();
    this.stage.note(lasts ? `“${name}” is kept in this browser for later games.`
      : "This browser keeps nothing: the setup is kept for as long as this page is open.");
  }

  drop(name) {
    this.write(this.all().filter(other => other.name !== name));
    this.draw();
    find("keep-name").focus();
  }

  draw() {
    const now = this.stage.cells.join(""), focused = document.activeElement?.dataset.setup;
    const fitting = this.all().filter(({ setup, size }) => size === this.size && !this.stage.excess([...setup]));
    find("setups").replaceChildren(...fitting.map(({ name, setup }) => make("li", {},
      make("button", { type: "button", class: "small", "data-setup": name, "aria-pressed": String(setup === now),
        onclick: () => this.stage.take(setup, name) }, name),
      make("button", { type: "button", class: "small", "aria-label": `Drop ${name}`,
        onclick: () => this.drop(name) }, "✕"))));
    if (focused) find("setups").querySelector(`[data-setup="${CSS.escape(focused)}"]`)?.focus();
  }
}
