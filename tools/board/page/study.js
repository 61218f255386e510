// Looking into a position: what each side knows and believes there, what the engine would play, and playing on.

import { find, make, say, show } from "./dom.js";
import { drawBars, heatOf, listRanks } from "./beliefs.js";
import { Board, label, ofBrowser, pieceOf } from "./board.js";
import { recalled } from "./kept.js";
import "./look.js";
import { Moves } from "./moves.js";
import { post } from "./server.js";
import { EMPTY, readSpn, writeSpn } from "./spn.js";
import { LETTERS, NAMES, capital, enemy, readPly } from "./words.js";

// Nodes of one search after the other, each of which begins anew: the first at once, the last in some seconds.
const NODES = [0, 2_000, 20_000, 200_000, 2_000_000], STRONGEST = 20, MOVETIME = 1000;
const chosen = name => document.querySelector(`[name=${name}]:checked`)?.value;
const lookAs = eyes => { document.querySelector(`[name=eyes][value=${eyes}]`).checked = true; };

class Study {
  constructor() {
    // Of a game its token and the ply; else the position stands for itself.
    // `shown`: what the eyes know of `position`.
    Object.assign(this, { game: null, ply: 0, position: readSpn(EMPTY), insight: null, piece: null, asking: null });
    Object.assign(this, { spn: EMPTY, shown: this.position, good: { spn: EMPTY, game: null, eyes: "both", position: this.position } });
    this.board = new Board(find("board"), this);
    this.moves = new Moves(this.board, () => this.step());
    this.turnedRound = false;
    find("flip").addEventListener("click", () => { this.turnedRound = !this.turnedRound; this.redraw(); });
    find("engine").addEventListener("change", () => this.ask());
    find("beliefs").addEventListener("toggle", () => this.redraw());
    find("belief-rank").addEventListener("change", () => this.redraw());
    find("editor").addEventListener("toggle", () => {
      if (!find("editor").open) this.board.chosen = null;
      this.redraw();
    });
    find("text").addEventListener("submit", event => {
      event.preventDefault();
      this.show(find("spn").value, { kept: true });
    });
    find("empty").addEventListener("click", () => this.show(EMPTY));
    find("turn").addEventListener("change", () => this.change(() => { this.position.turn = find("turn").value; }));
    for (const name of ["moved", "open"]) {
      find(name).addEventListener("change", () => this.change(() => {
        Object.assign(this.position.pieces.get(this.piece) ?? {}, { [name]: find(name).checked, set: "" });
      }));
    }
    for (const radio of document.getElementsByName("eyes")) radio.addEventListener("change", () => this.see());
    for (const button of document.querySelectorAll("[data-on]")) {
      button.addEventListener("click", () => this.playOn(button.dataset.on, button));
    }
    find("level").append(...Array.from({ length: STRONGEST }, (_, index) => make("option", {}, String(index + 1))));
    find("level").value = recalled("outflank-options", {}).level ?? "5";
    this.drawTray();
    window.addEventListener("hashchange", () => this.read());
    this.read();
  }

  // What the address asks for: a moment of a game, or a position.
  read() {
    const hash = decodeURIComponent(location.hash.slice(1)), found = /^([0-9a-f]{32})-(\d+)-(red|blue|both)$/.exec(hash);
    if (!hash) find("editor").open = true;
    if (!found) return this.show(hash || EMPTY, { kept: true });
    Object.assign(this, { game: found[1], ply: Number(found[2]), kept: false });
    lookAs(found[3]);
    this.ask();
  }

  // Shows a position of its own. If it is refused, the one before is `kept`, but for what was set by hand.
  show(spn, { eyes = "both", kept = false } = {}) {
    Object.assign(this, { game: null, position: readSpn(spn), spn, kept });
    lookAs(this.position.viewer ?? eyes);
    this.ask();
  }

  refused(message) {
    if (this.kept) {
      Object.assign(this, this.good);
      lookAs(this.good.eyes);
      this.address();
    } else {
      Object.assign(this, { insight: null, shown: this.position });
    }
    this.note(message);
    this.redraw();
  }

  address() {
    const { game, spn } = this, own = spn === EMPTY ? "" : `#${encodeURIComponent(spn)}`;
    history.replaceState(null, "", location.pathname + (game ? `#${game}-${this.ply}-${chosen("eyes")}` : own));
  }

  // Something on the board was changed by hand.
  change(what) {
    what();
    this.show(writeSpn(this.position), { eyes: chosen("eyes") });
  }

  // With other eyes a text names no viewer.
  see() {
    if (this.game || !this.position.viewer) return this.ask();
    this.change(() => { this.position.viewer = null; });
  }

  // A text with `?` holds but its viewer's knowledge.
  drawEyes() {
    const viewer = !this.game && this.spn.includes("?") && this.position.viewer;
    for (const radio of document.getElementsByName("eyes")) radio.disabled = viewer && radio.value !== viewer;
    say(find("viewer"), viewer ? `This position holds only what ${capital(viewer)} knows.` : "");
  }

  // Another ply of the game.
  step() {
    this.ply = this.moves.at ?? this.moves.count;
    this.ask();
  }

  note(text) { say(find("note"), text); }

  // Asks for what is known, and then what is searched, for as long as nothing else is asked.
  async ask() {
    this.asking?.abort();
    const asking = this.asking = new AbortController(), { game, ply } = this, eyes = chosen("eyes");
    this.board.chosen = null;
    this.address();
    this.note("");
    for (const nodes of find("engine").checked ? NODES : [0]) {
      try {
        const insight = await post(game ? `/game/${game}/study` : "/study",
          game ? { ply, eyes, nodes } : { position: this.spn, eyes, nodes }, asking.signal);
        if (asking.signal.aborted) return;
        this.found(insight, nodes);
        // A search that ends long before has found all there is.
        if (insight.over || insight.nodes < nodes / 2) return;
      } catch (error) {
        if (asking.signal.aborted) return;
        return this.refused(error.message);
      }
    }
  }

  found(insight, nodes) {
    this.insight = insight;
    // The board is shown with the first answer: meanwhile somebody may change it, or the text.
    if (!nodes) {
      Object.assign(this, { position: readSpn(insight.source), shown: readSpn(insight.spn) });
      this.good = { spn: this.spn, game: this.game, ply: this.ply, position: this.position, eyes: chosen("eyes") };
      find("spn").value = insight.source;
      this.drawEyes();
      find("turn").value = insight.turn;
      const eyes = chosen("eyes");
      this.moves.update({ moves: insight.moves, eyes }, null);
      if (this.game) this.moves.at = this.ply < insight.moves.length ? this.ply : null;
      this.moves.mark();
      const ranks = insight.beliefs.find(one => one)?.ranks;
      if (ranks) listRanks(ranks);
    }
    for (const [id, path] of [["game-link", ""], ["analysis-link", `/replay#ply-${this.ply}`]]) {
      show(find(id), this.game !== null);
      find(id).href = `/game/${this.game}${path}`;
    }
    this.drawLines();
    this.redraw();
  }

  drawLines() {
    const { lines, turn, over, nodes } = this.insight, who = capital(turn);
    const share = ([win, drawn]) => `${((win + drawn / 2) / 10).toFixed(0)}%`;
    say(find("status"), !this.shown.pieces.size ? "The board is empty." : over ? "The game is over here."
      : `${who} is to move.`);
    find("lines").replaceChildren(...lines.filter(line => line.play.length).map(({ play, chances }) =>
      make("li", {}, make("b", {}, share(chances)), make("span", {}, play.join(" ")))));
    const unknown = this.position.viewer && this.position.viewer !== turn && !this.game;
    say(find("effort"), over ? "" : unknown ? `Nobody here knows what ${who} knows.` : lines.length
      ? `${who}’s share of the points by what ${who} knows: ${nodes.toLocaleString("en")} nodes, ${lines[0].depth} plies.`
      : "");
  }

  // What is believed of pieces that the one who looks cannot tell; where both armies are seen, what each believes.
  believed() {
    const eyes = chosen("eyes"), [red, blue] = this.insight?.beliefs ?? [];
    if (!find("beliefs").open) return [];
    return [eyes !== "blue" && red, eyes !== "red" && blue].flatMap(one => one ? one.theirs : []);
  }

  redraw() {
    const pieces = new Map(), eyes = chosen("eyes"), side = eyes === "both" ? null : eyes, marks = new Map();
    for (const [at, { letter, side: owner, open, moved, set }] of this.shown.pieces) {
      const named = { rank: letter, side: owner, open, moved, may: letter === "?" ? set.slice(1, -1) : "" };
      pieces.set(at, { letter, side: owner, open, moved, label: label(named, side, null) });
    }
    for (const button of document.querySelectorAll("[data-on]")) button.disabled = this.insight?.over ?? true;
    const last = this.game && this.ply ? readPly(this.insight?.moves[this.ply - 1] ?? "") : null;
    if (last) for (const at of [last.from, last.to]) marks.set(at, "touched");
    const believed = this.believed(), ranks = this.insight?.beliefs.find(one => one)?.ranks ?? "";
    this.board.draw(pieces, marks, (eyes === "blue") !== this.turnedRound, heatOf(ranks, believed,
      find("belief-rank").value));
    this.board.point(this.insight?.lines[0]?.play.length ? readPly(this.insight.lines[0].play[0]) : null);
    drawBars(ranks, believed.find(({ at }) => at === this.piece));
    const piece = this.position.pieces.get(this.piece);
    say(find("about-at"), piece ? `The piece on ${this.piece}` : "A chosen piece");
    for (const name of ["moved", "open"]) Object.assign(find(name), { checked: piece?.[name] ?? false, disabled: !piece });
  }

  drawTray() {
    const kinds = ["red", "blue"].flatMap(side => [...LETTERS, "?"].map(letter => [side, letter]));
    find("tray").replaceChildren(...kinds.map(([side, letter]) => make("button", { type: "button",
      "data-tray": side + letter, title: `${capital(side)}’s ${NAMES[letter]}`,
      onkeydown: event => this.pick(event, side + letter) },
    make("span", { class: "unseen" }, `${capital(side)}’s ${NAMES[letter]}`), pieceOf(letter, side))));
  }

  pick(event, kind) {
    if (ofBrowser(event) || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    this.board.touch(kind);
  }

  // While a position is set up whatever stands, or lies on the tray, can go anywhere.
  sources() {
    if (!find("editor").open) return new Set();
    const kinds = [...find("tray").querySelectorAll("[data-tray]")].map(button => button.dataset.tray);
    return new Set([...this.position.pieces.keys(), ...kinds]);
  }

  targets(from) {
    const squares = [...this.board.cells].filter(([at, cell]) => at !== from && !cell.dataset.kind.includes("lake"));
    const found = new Map(squares.map(([at]) => [at, "move"]));
    if (this.position.pieces.has(from)) found.set("tray", "move");
    return found;
  }

  drop(from, to) {
    const { pieces } = this.position, side = from.startsWith("red") ? "red" : "blue";
    this.change(() => {
      const piece = pieces.get(from) ?? { side, letter: from.at(-1), open: false, moved: false, rescued: "", set: "" };
      pieces.delete(from);
      if (piece.letter === "?") this.position.viewer ??= enemy(side);
      if (to !== "tray") pieces.set(to, piece);
      this.piece = to;
    });
  }

  remove(at) { if (this.position.pieces.has(at)) this.drop(at, "tray"); }

  chose() { this.piece = this.board.chosen; }

  useless(at) {
    this.piece = at;
    this.redraw();
  }

  stepped(key) { return this.moves.key(key); }

  async playOn(side, button) {
    button.disabled = true;
    const engine = { level: Number(find("level").value), movetime: MOVETIME };
    try {
      const { token } = this.game ? await post(`/game/${this.game}/resume`, { ply: this.ply, side, engine })
        : await post("/resume", { position: this.spn, side, engine });
      location.href = `/game/${token}`;
    } catch (error) {
      this.note(error.message);
      button.disabled = false;
    }
  }
}

new Study();
