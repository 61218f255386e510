// The list of moves, and looking back: the game goes on meanwhile, and one key leads back to it.

import { find, make, say, show } from "./dom.js";
import { ofBrowser } from "./board.js";
import { capital, moverOf, tell } from "./words.js";

const STEPS = { ArrowLeft: "back", ArrowRight: "on", ",": "back", ".": "on", Home: "start", End: "live" };

export class Moves {
  constructor(board, changed) {
    Object.assign(this, { board, changed, at: null, count: 0 });
    for (const button of document.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => this.step(button.dataset.step));
    }
    find("moves").addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button) this.go(Number(button.dataset.ply));
    });
    document.addEventListener("keydown", event => this.press(event));
    new ResizeObserver(() => this.reveal()).observe(find("moves"));
  }

  // Whether another moment than the present one is looked at.
  get back() { return this.at !== null; }

  update({ moves, eyes, shared }, you) {
    // After something was taken back, or for another person, there is no such moment.
    if (moves.length < this.count || shared && eyes !== this.eyes) this.at = null;
    if (this.at === moves.length) this.at = null;
    Object.assign(this, { count: moves.length, eyes });
    this.list(moves, you);
    this.mark();
  }

  go(ply) {
    const at = Math.max(0, Math.min(this.count, ply));
    this.at = at === this.count ? null : at;
    this.mark();
    this.changed();
  }

  step(name) {
    const here = this.at ?? this.count;
    this.go({ start: 0, back: here - 1, on: here + 1, live: this.count }[name]);
  }

  // Whether this key steps through the game.
  key(key) {
    if (!STEPS[key] || !this.count) return false;
    this.step(STEPS[key]);
    return true;
  }

  press(event) {
    const of = event.target, own = of.closest?.("input, select, textarea, dialog, [popover]");
    const walks = of.closest?.("#board") && event.key.startsWith("Arrow");
    if (event.defaultPrevented || ofBrowser(event) || own || walks || find("play").hidden) return;
    if (this.key(event.key)) event.preventDefault();
  }

  list(moves, you) {
    const list = find("moves"), last = moves.at(-1) ?? "";
    const key = `${this.eyes} ${last}`;
    if (Number(list.dataset.count) === moves.length && list.dataset.last === key) return;
    Object.assign(list.dataset, { count: moves.length, last: key });
    show(find("record"), moves.length > 0);
    const cell = index => moves[index] ? make("button", { type: "button", tabindex: -1, "data-ply": index + 1,
      class: moves[index].includes("=") ? "strike" : null, title: tell(moves[index], index, you) },
    moves[index].replace("=", " ")) : "";
    const turns = [];
    for (let i = 0; i < moves.length; i += 2) {
      turns.push(make("li", {}, make("span", { class: "turn" }, `${i / 2 + 1}.`), cell(i), cell(i + 1)));
    }
    list.replaceChildren(...turns);
  }

  // Scrolls the list alone, also when it loses room.
  reveal() {
    const list = find("moves"), line = list.querySelector("[aria-current]")?.parentElement;
    const { offsetTop: top, offsetHeight: high } = line ?? { offsetTop: 0, offsetHeight: 0 };
    list.scrollTop = Math.min(top, Math.max(list.scrollTop, top + high - list.clientHeight));
  }

  // What is looked at, in the list and in words.
  mark() {
    const list = find("moves"), here = this.at ?? this.count;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.querySelector(`[data-ply="${here}"]`);
    button?.setAttribute("aria-current", "true");
    this.reveal();
    for (const step of document.querySelectorAll(".steps [data-step]")) {
      step.disabled = ["start", "back"].includes(step.dataset.step) ? here === 0 : here === this.count;
    }
    show(find("looking"), this.back);
    const at = here ? `move ${Math.ceil(here / 2)}, ${capital(moverOf(here - 1))}’s` : "the setups";
    say(find("looking-at"), this.back ? `Looking back at ${at}` : "");
    find("board").classList.toggle("past", this.back);
  }
}
