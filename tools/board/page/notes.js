// Notes of a person on hidden pieces ("I think this is the marshal"): kept in this browser, for this game; they go with
// the piece.

import { find, make, say, show } from "./dom.js";
import { local, recalled } from "./kept.js";
import { NAMES } from "./words.js";

export class Notes {
  constructor(base, redraw) {
    Object.assign(this, { base, redraw, state: null, at: null, names: new Map() });
    find("noting-rank").addEventListener("change", event => this.set(this.at, event.target.value));
  }

  update(state, timeline) {
    this.state = state;
    this.names = timeline.names();
    if (this.at && !this.hidden(this.at)) this.choose(null);
  }

  // Whether an enemy piece of unknown rank stands there while the game is played.
  hidden(at) {
    const piece = this.state.pieces.find(piece => piece.at === at);
    return this.state.stage === "play" && piece && piece.side !== this.state.eyes && piece.rank === "?";
  }

  // Two people at one screen have notes of their own.
  get key() { return `outflank-notes-${this.base}-${this.state.eyes}`; }

  kept() { return recalled(this.key, {}); }

  // Of each square the letter that was noted of the piece on it.
  marks() {
    const kept = this.kept(), found = new Map();
    for (const { at } of this.state?.pieces ?? []) {
      const letter = kept[this.names.get(at)];
      if (letter && this.hidden(at)) found.set(at, letter);
    }
    return found;
  }

  // The piece that the choice below the board is about.
  choose(at) {
    this.at = at && this.hidden(at) ? at : null;
    show(find("noting"), this.at !== null);
    if (!this.at) return;
    say(find("noting-at"), this.at);
    const ranks = ["", ...this.state.army.map(([letter]) => letter)];
    find("noting-rank").replaceChildren(...ranks.map(letter =>
      make("option", { value: letter }, letter ? NAMES[letter] : "nothing")));
    find("noting-rank").value = this.marks().get(this.at) ?? "";
  }

  // A letter typed on a square of the board; whether it was a note.
  typed(at, key) {
    const letter = key.toUpperCase(), gone = ["Delete", "Backspace"].includes(key);
    if (!this.hidden(at) || !(gone || this.state.army.some(([rank]) => rank === letter))) return false;
    this.set(at, gone ? "" : letter);
    return true;
  }

  set(at, letter) {
    const kept = this.kept(), name = this.names.get(at);
    if (letter) kept[name] = letter; else delete kept[name];
    local.set(this.key, JSON.stringify(kept));
    this.choose(at);
    this.redraw();
  }
}
