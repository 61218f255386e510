// Setting up an army: by drag, by clicks, from the book, or as text.

import { find, make, say, show } from "./dom.js";
import { Board, ofBrowser, pieceOf } from "./board.js";
import { session } from "./kept.js";
import { odd } from "./odd.js";
import { Setups } from "./setups.js";
import { LETTERS, NAMES, tellTrouble } from "./words.js";
import { post } from "./server.js";

const PLACES = 40;

// The square of a place of the setup text: back row first, left to right as the owner sees it.
function squareOf(side, place) {
  const file = place % 10, row = Math.floor(place / 10);
  return side === "red" ? "abcdefghij"[file] + (row + 1) : "abcdefghij"[9 - file] + (10 - row);
}

export class SetupStage {
  constructor(base, accept, fail) {
    Object.assign(this, { base, accept, fail, side: null, cells: null, army: null });
    this.board = new Board(find("setup-board"), this, { own: true });
    this.setups = new Setups(this);
    find("propose").addEventListener("click", () => this.propose());
    find("draw-setup").addEventListener("click", () => this.propose(true));
    find("mirror").addEventListener("click", () => this.mirror());
    find("clear").addEventListener("click", () => this.change(Array(PLACES).fill(".")));
    find("apply").addEventListener("click", () => this.take(find("setup-text").value, "the text"));
    find("copy").addEventListener("click", () => this.copy());
    find("ready").addEventListener("click", () => this.send());
  }

  // Called with each new state in this stage.
  update(state) {
    const side = state.yours ? state.eyes : null;
    show(find("setup-own"), side !== null);
    show(find("setup-wait"), side === null && !state.trouble);
    say(find("setup-wait"), `The ${state.devices ? "other one" : "engine"} sets up its army …`);
    show(find("setup-trouble"), Boolean(state.trouble));
    say(find("setup-trouble-text"), state.trouble ? tellTrouble(state.trouble) : "");
    if (side === null || side === this.side) return;
    this.side = side;
    this.army = new Map(state.army);
    this.draft = `outflank-draft-${this.base}-${side}`;
    say(find("setup-side"), side === "red" ? "red (the lower rows, moving first)" : "blue (moving second)");
    const draft = session.get(this.draft);
    if (!draft || !this.take(draft, "")) {
      this.change(Array(PLACES).fill("."));
      this.propose();
    }
  }

  // An army from the engine's book, or one that it draws afresh.
  async propose(drawn = false) {
    const side = this.side;
    try {
      const { setup } = await post(`${this.base}/propose`, { drawn });
      if (side === this.side) this.change([...setup], drawn ? "was drawn by the engine" : "comes from the engine’s book");
    } catch (error) { this.fail(error); }
  }

  mirror() {
    this.change(this.cells.map((_, place) => this.cells[place - place % 10 + 9 - place % 10]));
  }

  note(text) { say(find("setup-note"), text); }

  // Where the browser gives no clipboard to a page that came over the network, the text is chosen, to be copied by hand.
  async copy() {
    find("setup-text").select();
    try {
      await navigator.clipboard.writeText(find("setup-text").value);
      this.note("Copied.");
    } catch { this.note("The text is selected: copy it with your browser."); }
  }

  // Takes a text, if it is a setup of this army.
  take(text, what) {
    const letters = [...text.replace(/\s+/g, "").toUpperCase()];
    const wrong = letters.length !== PLACES ? `${what} has ${letters.length} letters, not 40` : this.excess(letters);
    if (wrong) {
      this.note(what ? `Not taken: ${wrong}.` : "");
      return false;
    }
    this.change(letters);
    return true;
  }

  // What an army does not have so many of.
  excess(letters) {
    for (const letter of new Set(letters)) {
      const count = letters.filter(other => other === letter).length, most = this.army.get(letter) ?? 0;
      if (letter === "." || count <= most) continue;
      return NAMES[letter] && letter !== "?" ? `${count} of ${NAMES[letter]} (${letter}), the army has ${most}`
        : `no piece is written ${letter}`;
    }
    return null;
  }

  left(letter) {
    return this.army.get(letter) - this.cells.filter(other => other === letter).length;
  }

  // `origin` tells what the army is, where somebody else than the person chose it.
  change(cells, origin = null) {
    this.cells = cells;
    this.origin = origin;
    this.board.chosen = null;
    session.set(this.draft, cells.join(""));
    find("setup-text").value = cells.join("");
    this.note("");
    this.redraw();
  }

  redraw() {
    const pieces = new Map(), marks = new Map();
    this.cells.forEach((letter, place) => {
      const at = squareOf(this.side, place);
      marks.set(at, "own");
      const piece = { letter, side: this.side, open: false, moved: false, label: `your ${NAMES[letter]}` };
      if (letter !== ".") pieces.set(at, piece);
    });
    this.board.draw(pieces, marks, this.side === "blue");
    this.drawTray();
    const missing = [...this.army.keys()].reduce((sum, letter) => sum + this.left(letter), 0);
    find("ready").disabled = missing > 0;
    find("ready").textContent = missing > 0 ? `${missing} more to place` : "Ready: start the game";
    const whole = `The army here ${this.origin ?? "is whole"}: it is ready to play.`;
    say(find("setup-state"), missing > 0 ? "What is not placed yet waits below." : whole);
    const said = missing > 0 ? [] : odd(this.cells, place => squareOf(this.side, place));
    find("odd").replaceChildren(...said.map(text => make("li", {}, text)));
    show(find("odd"), said.length > 0);
    this.setups.draw();
  }

  drawTray() {
    const letters = LETTERS.filter(letter => this.army.has(letter) && this.left(letter) > 0);
    const buttons = letters.map(letter => make("button", { type: "button", "data-tray": letter,
      class: this.board.chosen === letter ? "chosen" : "", "aria-pressed": String(this.board.chosen === letter),
      onkeydown: event => this.pick(event, letter) },
      make("span", { class: "unseen" }, `${NAMES[letter]}, ${this.left(letter)} left`),
      pieceOf(letter, this.side), make("span", { "aria-hidden": "true" }, `×${this.left(letter)}`)));
    const focused = document.activeElement?.dataset?.tray;
    find("tray").replaceChildren(...(buttons.length ? buttons
      : [make("p", { class: "hint" }, "The whole army stands. Drop a piece here to take it off.")]));
    if (focused) find("tray").querySelector(`[data-tray="${focused}"]`)?.focus();
  }

  pick(event, letter) {
    if (ofBrowser(event) || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    this.board.touch(letter);
  }

  sources() {
    const found = new Set();
    this.cells?.forEach((letter, place) => { if (letter !== ".") found.add(squareOf(this.side, place)); });
    for (const letter of this.army?.keys() ?? []) if (this.left(letter) > 0) found.add(letter);
    return found;
  }

  targets(from) {
    const found = new Map();
    for (let place = 0; place < PLACES; place++) {
      const at = squareOf(this.side, place);
      if (at !== from) found.set(at, "move");
    }
    if (from.length > 1) found.set("tray", "move");
    return found;
  }

  drop(from, to) {
    const placeOf = at => this.cells.findIndex((_, place) => squareOf(this.side, place) === at);
    const cells = [...this.cells];
    if (to === "tray") cells[placeOf(from)] = ".";
    else if (from.length === 1) cells[placeOf(to)] = from;
    else [cells[placeOf(from)], cells[placeOf(to)]] = [cells[placeOf(to)], cells[placeOf(from)]];
    this.change(cells);
    // The next of the same rank stays in hand.
    if (from.length === 1 && this.left(from) > 0) this.board.choose(from);
  }

  // Off the board, into the tray.
  remove(at) {
    if (this.sources().has(at)) this.drop(at, "tray");
  }

  async send() {
    find("ready").disabled = true;
    try {
      const state = await post(`${this.base}/setup`, { setup: this.cells.join("") });
      session.remove(this.draft);
      this.side = null;
      this.accept(state);
    } catch (error) { this.fail(error); this.redraw(); }
  }
}
