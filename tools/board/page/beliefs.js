// What hidden pieces may be, in friendly games: a map of where a rank is, and the chances of one piece.

import { find, make, say, show } from "./dom.js";
import { get } from "./server.js";
import { NAMES, rankName } from "./words.js";

const percent = permille => permille > 0 && permille < 10 ? "<1%" : `${Math.round(permille / 10)}%`;

// Of each square the chance of a rank, in percent as text, and how much of the greatest one it is.
export function heatOf(ranks, pieces, letter) {
  const index = ranks.indexOf(letter), most = Math.max(1, ...pieces.map(piece => piece.chances[index]));
  return new Map(pieces.map(({ at, chances }) => [at, { text: percent(chances[index]), share: chances[index] / most }]));
}

// The ranks that a piece may have, the likeliest first: letters and chances.
function likeliest(ranks, piece) {
  const chances = [...ranks].map((letter, index) => [letter, piece.chances[index]]);
  return chances.filter(([, chance]) => chance > 0).sort((one, other) => other[1] - one[1]);
}

// The chances of a piece as bars, or how to come by them.
export function drawBars(ranks, piece) {
  say(find("belief-piece"), piece ? `The piece on ${piece.at} may be:` :
    "Choose a hidden piece on the board to see what it may be.");
  find("belief-bars").replaceChildren(...(piece ? likeliest(ranks, piece).map(([letter, chance]) => {
    const bar = make("span", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${chance / 10}%`;
    return make("li", {}, make("span", {}, rankName(letter)), make("span", { class: "track" }, bar),
      make("span", { class: "share" }, percent(chance)));
  }) : []));
}

// Lets the reader choose among these ranks.
export function listRanks(ranks) {
  const choice = find("belief-rank");
  if (choice.dataset.ranks === ranks) return;
  choice.dataset.ranks = ranks;
  choice.replaceChildren(...[...ranks].map(letter => make("option", { value: letter }, NAMES[letter])));
}

// Whether two engines play.
export const watched = ({ seats, loaded }) => !loaded && seats.every(seat => seat.player === "engine");

export class BeliefPanel {
  constructor(base, redraw) {
    Object.assign(this, { base, redraw, state: null, answer: null, asked: "", piece: null });
    find("beliefs").addEventListener("toggle", () => this.ask());
    find("belief-of").addEventListener("change", () => { this.piece = null; this.drawn(); this.ask(); });
    find("belief-rank").addEventListener("change", () => this.drawn());
  }

  get open() { return find("beliefs").open && !find("beliefs").hidden; }

  update(state) {
    this.state = state;
    const person = state.seats.some(seat => seat.player === "person") && !state.loaded;
    const mine = person && state.friendly && state.eyes !== null;
    show(find("beliefs"), (mine || watched(state)) && state.stage === "play");
    for (const option of find("belief-of").options) {
      option.hidden = option.disabled = watched(state) !== option.value.includes(" ");
    }
    if (find("belief-of").selectedOptions[0]?.disabled) find("belief-of").value = watched(state) ? "by red" : "theirs";
    listRanks(state.army.map(([letter]) => letter).join(""));
    this.ask();
  }

  // What is believed now, unless it is known already.
  async ask() {
    if (!this.open) {
      if (this.answer) { this.answer = null; this.asked = ""; this.drawn(); }
      return;
    }
    const by = watched(this.state) ? find("belief-of").value.split(" ")[1] : "";
    const wanted = `${this.state.eyes} ${by} ${this.state.moves.join(" ")}`;
    if (this.asked === wanted) return;
    this.asked = wanted;
    try {
      const answer = await get(`${this.base}/beliefs?eyes=${by}`);
      if (this.asked === wanted && this.open) this.answer = answer;
    } catch {
      this.answer = null;
    }
    this.drawn();
  }

  drawn() {
    this.redraw();
    this.drawPiece();
  }

  pieces() {
    const of = watched(this.state) ? "theirs" : find("belief-of").value;
    return this.answer && this.answer.ply === this.state.ply ? this.answer[of] : [];
  }

  heat() {
    return this.open && this.answer ? heatOf(this.answer.ranks, this.pieces(), find("belief-rank").value) : new Map();
  }

  // The likeliest ranks of the piece on this square, in words; empty if nothing is believed of it.
  sentence(at) {
    const piece = this.pieces().find(piece => piece.at === at);
    if (!this.open || !piece) return "";
    this.piece = at;
    this.drawPiece();
    return `${at}: ${likeliest(this.answer.ranks, piece).slice(0, 3).map(([letter, chance]) =>
      `${NAMES[letter]} ${percent(chance)}`).join(", ")}.`;
  }

  drawPiece() { drawBars(this.answer?.ranks, this.pieces().find(piece => piece.at === this.piece)); }
}
