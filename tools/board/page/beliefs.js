// What hidden pieces may be, in friendly games: a map of where a rank is, and the chances of one piece.

import { find, make, say, show } from "./dom.js";
import { get } from "./server.js";
import { NAMES, rankName } from "./words.js";

const percent = permille => permille > 0 && permille < 10 ? "<1%" : `${Math.round(permille / 10)}%`;

export class BeliefPanel {
  constructor(base, redraw) {
    Object.assign(this, { base, redraw, state: null, told: null, asked: "", piece: null });
    find("beliefs").addEventListener("toggle", () => this.ask());
    find("belief-of").addEventListener("change", () => { this.piece = null; this.drawn(); });
    find("belief-rank").addEventListener("change", () => this.drawn());
  }

  get open() { return find("beliefs").open && !find("beliefs").hidden; }

  update(state) {
    this.state = state;
    const person = state.seats.some(seat => seat.player === "person") && !state.loaded;
    show(find("beliefs"), person && state.friendly && state.stage === "play" && state.eyes !== null);
    const ranks = state.army.map(([letter]) => letter);
    const choice = find("belief-rank"), key = ranks.join("");
    if (choice.dataset.ranks !== key) {
      choice.dataset.ranks = key;
      choice.replaceChildren(...ranks.map(letter => make("option", { value: letter }, NAMES[letter])));
    }
    this.ask();
  }

  // What is believed now, unless it is known already.
  async ask() {
    if (!this.open) {
      if (this.told) { this.told = null; this.asked = ""; this.drawn(); }
      return;
    }
    const wanted = `${this.state.eyes} ${this.state.moves.join(" ")}`;
    if (this.asked === wanted) return;
    this.asked = wanted;
    try {
      const told = await get(`${this.base}/beliefs`);
      if (this.asked === wanted && this.open) this.told = told;
    } catch {
      this.told = null;
    }
    this.drawn();
  }

  drawn() {
    this.redraw();
    this.drawPiece();
  }

  pieces() {
    return this.told && this.told.ply === this.state.ply ? this.told[find("belief-of").value] : [];
  }

  // Of each square the chance of the chosen rank, in percent as text, and how much of the greatest one it is.
  heat() {
    const index = this.told?.ranks.indexOf(find("belief-rank").value) ?? -1;
    if (!this.open || index < 0) return new Map();
    const pieces = this.pieces();
    const most = Math.max(1, ...pieces.map(piece => piece.chances[index]));
    return new Map(pieces.map(({ at, chances }) =>
      [at, { text: percent(chances[index]), share: chances[index] / most }]));
  }

  // The likeliest ranks of the piece on this square, in words; empty if nothing is believed of it.
  sentence(at) {
    const piece = this.pieces().find(piece => piece.at === at);
    if (!this.open || !piece) return "";
    this.piece = at;
    this.drawPiece();
    return `${at}: ${this.likeliest(piece).slice(0, 3).map(([letter, chance]) =>
      `${NAMES[letter]} ${percent(chance)}`).join(", ")}.`;
  }

  likeliest(piece) {
    const chances = [...this.told.ranks].map((letter, index) => [letter, piece.chances[index]]);
    return chances.filter(([, chance]) => chance > 0).sort((one, other) => other[1] - one[1]);
  }

  drawPiece() {
    const piece = this.pieces().find(piece => piece.at === this.piece);
    say(find("belief-piece"), piece ? `The piece on ${piece.at} may be:` : "Choose a hidden piece on the board to see "
      + "what it may be.");
    find("belief-bars").replaceChildren(...(piece ? this.likeliest(piece).map(([letter, chance]) => {
      const bar = make("span", { class: "bar", "aria-hidden": "true" });
      bar.style.width = `${chance / 10}%`;
      return make("li", {}, make("span", {}, rankName(letter)), make("span", { class: "track" }, bar),
        make("span", { class: "share" }, percent(chance)));
    }) : []));
  }
}
