// How somebody likes the page, which the browser keeps: pieces, colours, speed, sounds, coordinates, which side below.

import { find } from "./dom.js";
import { local, recalled } from "./kept.js";

const KEY = "outflank-look";
const USUAL = { pieces: "emblems", colours: "system", speed: "usual", sounds: true, coordinates: true, flip: false,
  eyes: "both", pace: "500" };
// How long a strike is shown, and the least time between a move and its answer, in milliseconds.
const SPEEDS = { slow: [2000, 900], usual: [1100, 500], fast: [550, 250], off: [0, 0] };

const still = matchMedia("(prefers-reduced-motion: reduce)");

class Look {
  constructor() {
    Object.assign(this, { values: { ...USUAL, ...recalled(KEY, {}) }, changed: [] });
    this.apply();
  }

  get(name) { return this.values[name]; }

  set(name, value) {
    this.values[name] = value;
    local.set(KEY, JSON.stringify(this.values));
    this.apply();
    for (const tell of this.changed) tell(name);
  }

  // Whether anything may move on the page.
  get moves() { return this.values.speed !== "off" && !still.matches; }

  get strike() { return SPEEDS[this.values.speed][0]; }

  get answer() { return SPEEDS[this.values.speed][1]; }

  apply() {
    const root = document.documentElement, { pieces, colours, coordinates } = this.values;
    root.classList.toggle("numbers", pieces === "numbers");
    root.classList.toggle("bare", !coordinates);
    root.dataset.colours = colours;
  }

  // Joins the panel of settings to it, and the two switches beside the board.
  join() {
    const fields = find("settings").querySelectorAll("input");
    const write = () => {
      for (const field of fields) {
        if (field.type === "radio") field.checked = field.value === this.values[field.name];
        else field.checked = this.values[field.name];
      }
      find("sounds").setAttribute("aria-pressed", String(this.values.sounds));
    };
    for (const field of fields) {
      const value = () => field.type === "radio" ? field.value : field.checked;
      field.addEventListener("change", () => this.set(field.name, value()));
    }
    find("sounds").addEventListener("click", () => this.set("sounds", !this.values.sounds));
    find("flip").addEventListener("click", () => this.set("flip", !this.values.flip));
    this.changed.push(write);
    write();
  }
}

export const look = new Look();
