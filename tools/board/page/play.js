// Playing: the board, what happened, and what one may do besides moving.

import { find, make, say, show } from "./dom.js";
import { BeliefPanel, watched } from "./beliefs.js";
import { Board, label, pieceOf } from "./board.js";
import { drawClocks, drawNames, drawRanks, drawTallies } from "./cards.js";
import { look } from "./look.js";
import { Moves } from "./moves.js";
import { premoves } from "./premove.js";
import { drawAfter } from "./after.js";
import { NAMES, beginsWith, capital, enemy, moverOf, rankName, readPly, tell, tellHint, tellOutcome, tellTrouble, whose } from
  "./words.js";
import { Notes } from "./notes.js";
import { post } from "./server.js";
import { Show } from "./show.js";
import { Timeline } from "./timeline.js";

// How long an engine thinks before the page says so, and how many plies that came together are shown one by one.
const SLOW = 2000, FEW = 3;

export class PlayStage {
  constructor(base, accept, fail, sounds) {
    Object.assign(this, { base, accept, fail, sounds, state: null, next: null, legal: new Map(), busy: false, at: 0 });
    this.board = new Board(find("board"), this);
    this.show = new Show(this.board, sounds);
    this.premove = null;
    this.moves = new Moves(this.board, () => this.back());
    look.changed.push(name => { if (name === "flip" && this.state) this.draw(); });
    this.beliefs = new BeliefPanel(base, () => { if (this.state) this.redraw(); });
    this.notes = new Notes(base, () => this.redraw());
    for (const button of document.querySelectorAll("[data-wish]")) {
      button.addEventListener("click", () => this.wish(button.dataset.wish));
    }
    find("resign").addEventListener("click", () => find("resign-dialog").showModal());
    find("resign-dialog").addEventListener("close", event => {
      if (event.target.returnValue === "yes") this.wish("resign");
      event.target.returnValue = "";
    });
    for (const [id, name] of [["watch-eyes", "eyes"], ["watch-pace", "pace"]]) {
      find(id).value = look.get(name);
      find(id).addEventListener("change", () => look.set(name, find(id).value));
    }
    find("watch-pace").addEventListener("change", () => this.setPace());
    setInterval(() => this.tick(), 200);
  }

  // Takes a state: at once, or after what happened since the last one has been shown.
  update(state) {
    this.next = state;
    if (!this.show.on) this.take();
  }

  take(hurried = false) {
    beginsWith(this.next.first);
    const state = this.next, before = this.state, timeline = new Timeline(state), all = state.moves.length;
    const news = this.news(before, state), ended = before && before.stage !== "over" && state.stage === "over";
    const present = hurries => {
      if (ended) this.sounds.play("end");
      this.present(state, timeline);
      if (this.next !== state) this.take(hurries);
    };
    if (news > 0 && news <= FEW && !hurried && look.moves && !document.hidden && !this.moves.back) {
      if (before.eyes === state.eyes) this.redraw();
      else Object.assign(this, { state, legal: new Map() });
      this.timeline = timeline;
      if (before.eyes !== state.eyes) this.drawBoard(all - news);
      return this.show.play(timeline, all - news, all, count => this.drawBoard(count), present);
    }
    if (news > 0 && !ended) this.sounds.ply(timeline.plies.at(-1));
    present(false);
  }

  // How many plies have been made since the state before; to somebody who sits down the last one is news.
  news(before, state) {
    if (!before) return 0;
    if (before.eyes !== state.eyes) return state.shared && state.stage === "play" ? Math.min(1, state.moves.length) : 0;
    const same = before.moves.every((text, index) => text.slice(0, 5) === state.moves[index]?.slice(0, 5));
    return same ? state.moves.length - before.moves.length : 0;
  }

  present(state, timeline) {
    // What was said of another moment may be true no longer.
    const { stage, eyes, due, yours, moves, replay } = state;
    const moment = JSON.stringify([stage, eyes, due, yours, moves, replay]);
    if (moment !== this.moment) this.note("");
    this.moment = moment;
    this.state = state;
    this.timeline = timeline;
    this.at = performance.now();
    this.legal = new Map();
    for (const text of state.legal) {
      const ply = readPly(text), targets = this.legal.get(ply.from) ?? new Map();
      targets.set(ply.to, [...(targets.get(ply.to) ?? []), text]);
      this.legal.set(ply.from, targets);
    }
    this.moves.update(state, this.you());
    this.beliefs.update(state);
    this.notes.update(state, timeline);
    this.draw();
    this.drawStatus();
    this.drawNews();
    this.sayNews();
    drawRanks(state.army);
    this.drawButtons();
    this.openAnalysis();
    this.tick();
    this.playPremove();
  }

  // Whether Blue's side is below.
  get turned() { return (this.state.eyes === "blue") !== look.get("flip"); }

  draw() {
    this.redraw();
    drawNames(this.state, this.turned ? "blue" : "red");
  }

  // Another ply is looked at.
  back() {
    this.board.chosen = null;
    this.premove = null;
    this.draw();
  }

  redraw() { this.drawBoard(this.moves.back ? this.moves.at : null); }

  // The board as it is, or as it was after so many plies.
  drawBoard(count) {
    const { state, timeline } = this, past = count !== null && count < timeline.moves.length;
    const at = count ?? timeline.moves.length, pieces = new Map(), marks = new Map();
    for (const piece of past ? timeline.at(at) : state.pieces) {
      pieces.set(piece.at, { letter: piece.rank, side: piece.side, open: piece.open, moved: piece.moved,
        label: label(piece, state.eyes, this.you()) });
    }
    const mark = (squares, kind) => squares.forEach(at => marks.set(at, `${marks.get(at) ?? ""} ${kind}`));
    const last = timeline.plies[at - 1];
    if (last) mark([last.from, last.to], "touched");
    const hinted = !past && state.hint ? readPly(state.hint.action) : null;
    if (hinted) mark([hinted.from, hinted.to], "hinted");
    if (this.premove) mark(this.premove, "planned");
    const live = past ? [] : [this.beliefs.heat(), this.notes.marks()];
    this.board.draw(pieces, marks, this.turned, ...live);
    this.board.point(hinted);
    const fallen = timeline.fallen(at);
    drawTallies(state, past ? fallen : { red: state.dead[0], blue: state.dead[1] });
  }

  // Whether the person may say what to play after the enemy's move.
  get plans() {
    const { stage, yours, shared, paused } = this.state;
    return stage === "play" && !yours && !shared && !paused && this.you() !== null;
  }

  sources() {
    if (this.busy || !this.state || this.moves.back) return new Set();
    return new Set(this.plans ? premoves(this.state).keys() : this.legal.keys());
  }

  targets(from) {
    if (this.plans) return premoves(this.state).get(from) ?? new Map();
    const found = new Map();
    for (const [to, texts] of this.legal.get(from) ?? []) found.set(to, texts[0].includes("x") ? "strike" : "move");
    return found;
  }

  // Whatever else is touched, the move that was planned is not played.
  chose() { this.premove = null; }

  stepped(key) { return this.moves.key(key); }

  // The move that was planned, if it may be played now.
  playPremove() {
    if (!this.premove || !this.state.yours) return;
    const [from, to] = this.premove;
    this.premove = null;
    if (this.legal.get(from)?.has(to)) this.drop(from, to);
    else {
      this.redraw();
      this.note("The planned move is not possible now.");
    }
  }

  // Why nothing happens.
  useless(at) {
    const state = this.state, piece = state.pieces.find(piece => piece.at === at);
    if (this.moves.back) return this.note("You are looking back. End, or the button, leads back to the game.");
    if (this.premove) return this.back();
    if (state.stage !== "play" || !piece) return;
    this.notes.choose(at);
    const believed = this.beliefs.sentence(at);
    if (believed) return this.note(believed);
    if (piece.side !== this.you()) return this.note(piece.may
      ? `This piece may be: ${[...piece.may].map(rankName).join(", ")}.`
      : `${capital(whose(piece.side, this.you()))} ${NAMES[piece.rank]}.`);
    if (!state.yours) return this.note("It is not your turn.");
    this.note(["B", "F"].includes(piece.rank) ? `The ${NAMES[piece.rank]} never moves.`
      : `Your ${NAMES[piece.rank]} on ${at} has nowhere to go.`);
  }

  // A letter typed on a square.
  typed(at, key) { return this.state?.stage === "play" && this.notes.typed(at, key); }

  // Whom the page calls "you": the person whose eyes these are.
  you() { return this.youOf(this.state); }

  youOf({ eyes, seats, loaded }) {
    return eyes && !loaded && seats[eyes === "red" ? 0 : 1].player === "person" ? eyes : null;
  }

  // How long two engines wait between plies is the server's, for as long as it runs.
  setPace() {
    const wish = { wish: "pace", pace: Number(look.get("pace")) };
    return this.send(`${this.base}/do?eyes=${look.get("eyes")}`, wish);
  }

  note(text) { say(find("note"), text); }

  async drop(from, to) {
    if (this.plans) {
      this.premove = [from, to];
      return this.redraw();
    }
    const texts = this.legal.get(from)?.get(to) ?? [];
    const plain = texts.length > 1 ? await this.askRescue(texts) : texts[0];
    if (!plain) return this.redraw();
    await this.send(`${this.base}/move`, { action: plain, ply: this.state.ply });
  }

  // A piece on the enemy's back row may bring a captured one back.
  askRescue(texts) {
    const dialog = find("rescue-dialog"), choice = find("rescue-rank"), places = find("rescue-square");
    const rescues = texts.map(readPly).filter(ply => ply.rescued);
    const ranks = [...new Set(rescues.map(ply => ply.rescued))];
    choice.replaceChildren(make("option", { value: "" }, "nobody"),
      ...ranks.map(rank => make("option", { value: rank }, rankName(rank))));
    const list = () => {
      const squares = rescues.filter(ply => ply.rescued === choice.value).map(ply => ply.at);
      places.replaceChildren(...squares.map(at => make("option", {}, at)));
      show(find("rescue-place"), squares.length > 0);
    };
    choice.onchange = list;
    choice.value = ranks[0] ?? "";
    list();
    // Escape leaves the value as it is, which may be that of the last time.
    dialog.returnValue = "";
    dialog.showModal();
    return new Promise(done => dialog.addEventListener("close", () => {
      if (dialog.returnValue !== "yes") return done(null);
      const wanted = text => {
        const ply = readPly(text);
        return choice.value ? ply.rescued === choice.value && ply.at === places.value : !ply.rescued;
      };
      done(texts.find(wanted) ?? null);
    }, { once: true }));
  }

  async wish(wish) {
    const state = await this.send(`${this.base}/do?eyes=${look.get("eyes")}`, { wish });
    if (wish === "rematch" && state?.next) location.href = `/game/${state.next}`;
    if (wish === "replay" && state) this.analyses = true;
    this.openAnalysis();
  }

  // Whoever asked for the analysis gets it as soon as it is made.
  openAnalysis() {
    if (!this.analyses || this.state.replay === "making") return;
    this.analyses = false;
    if (this.state.replay === "made") location.href = find("replay-link").href;
  }

  async send(path, body) {
    if (this.busy) return null;
    this.busy = true;
    this.note("");
    try {
      const state = await post(path, body);
      this.busy = false;
      this.accept(state);
      return state;
    } catch (error) {
      this.busy = false;
      this.fail(error);
      if (this.state) this.redraw();
    }
    return null;
  }

  // What is going on, in one line.
  drawStatus() {
    const state = this.state, status = find("status");
    status.className = "";
    if (state.stage === "over") {
      const { head, why } = tellOutcome(state.outcome);
      status.className = "over";
      return say(status, `${head}. ${why}`);
    }
    if (state.trouble) return say(status, tellTrouble(state.trouble));
    if (state.paused) return say(status, "Paused.");
    const turn = capital(state.due ?? "");
    if (state.yours) {
      status.className = "yours";
      return say(status, state.shared ? `${turn}: your move.` : `Your move: you play ${state.eyes}.`);
    }
    if (state.shared) return say(status, `Done. Hand the screen to ${turn}.`);
    say(status, state.thinking ? `${turn} is thinking …` : `${turn} is to move.`);
  }

  // What happened last: the own ply and the enemy's answer. Strikes stay in sight until the next ones.
  drawNews() {
    const { moves } = this.state, eyes = this.you(), news = find("news");
    const strikes = moves.map((text, index) => ({ text, index })).filter(ply => ply.text.includes("="));
    const latest = strikes.filter(ply => ply.index >= moves.length - 2);
    const shown = latest.length ? latest : strikes.slice(-1);
    const line = ({ text, index }) => {
      const ply = readPly(text), fresh = index >= moves.length - 2;
      const badge = (letter, side, fallen) => make("span", { class: fallen ? "fallen" : "" }, pieceOf(letter, side));
      return make("li", { class: fresh ? "fresh" : "" },
        badge(ply.striker, moverOf(index), ply.outcome !== "W"), make("span", { "aria-hidden": "true" }, "⚔"),
        badge(ply.defender, enemy(moverOf(index)), ply.outcome !== "L"),
        make("span", {}, tell(text, index, eyes)));
    };
    const key = JSON.stringify([shown, moves.length, eyes]);
    if (news.dataset.key === key) return;
    news.dataset.key = key;
    const last = moves.length - 1;
    const plain = last >= 0 && !moves[last].includes("=");
    const move = plain ? make("li", {}, make("span", {}, tell(moves[last], last, eyes))) : "";
    const none = moves.length ? "" : make("li", {}, "Nothing yet. Red moves first.");
    news.replaceChildren(...shown.map(line), move, none);
  }

  // What just happened, for screen readers: the plies that are new since the last time.
  sayNews() {
    const { moves, shared, eyes } = this.state, before = this.heard;
    this.heard = moves.length;
    if (before === undefined || before === moves.length || shared && !eyes) return;
    const fresh = moves.slice(Math.max(before, moves.length - 2));
    const text = fresh.map((ply, i) => tell(ply, moves.length - fresh.length + i, this.you())).join(" ");
    say(find("said"), before > moves.length ? "Taken back." : text);
  }

  drawButtons() {
    const state = this.state, over = state.stage === "over", plays = state.stage === "play";
    const person = state.seats.some(seat => seat.player === "person") && !state.loaded;
    show(find("hint"), plays && person && state.friendly);
    find("hint").disabled = !state.yours || state.hinting;
    show(find("take-back"), plays && person && state.friendly);
    find("take-back").disabled = !state.can_take_back;
    show(find("resign"), plays && person);
    this.drawOffer(plays && person);
    show(find("hand-over"), plays && state.shared && !state.yours);
    if (state.due) find("hand-over").textContent = `Hand over to ${capital(state.due)}`;
    show(find("pause"), plays && !person && !state.paused);
    show(find("go-on"), state.paused && !over);
    show(find("retry"), Boolean(state.trouble));
    show(find("after"), over);
    drawAfter(state, this.you());
    show(find("replay"), state.recorded && ["none", "failed"].includes(state.replay));
    show(find("record-link"), state.recorded);
    find("study-link").href = `/study#${this.base.split("/")[2]}-${state.moves.length}-${this.you() ?? "both"}`;
    show(find("replay-making"), state.replay === "making");
    show(find("replay-link"), state.replay === "made");
    show(find("learn-link"), state.replay === "made" && this.you() !== null);
    const analysis = find("replay-link").href.split("#")[0];
    find("replay-link").href = `${analysis}#mistake-${this.you() ?? ""}`;
    find("learn-link").href = `${analysis}#learn-${this.you()}`;
    if (state.progress) {
      const [done, all] = state.progress;
      Object.assign(find("replay-bar"), { max: Math.max(all, 1), value: done });
    }
    if (state.replay === "failed") this.note("The game could not be analysed.");
    show(find("next-link"), Boolean(state.next));
    if (state.next) find("next-link").href = `/game/${state.next}`;
    show(find("rematch"), over && !state.loaded && !state.next);
    const hint = find("hint-text");
    show(hint, Boolean(state.hint));
    if (state.hint) say(hint, tellHint(state.hint, state.pieces));
    show(find("restarted"), state.restarts > 0 && !state.trouble && plays);
    show(find("watching"), watched(state) && plays);
    find("step").disabled = !state.paused;
    if (watched(state) && plays && !this.paced) {
      this.paced = true;
      if (look.get("pace") !== "500") this.setPace();
    }
  }

  // Offers of a draw.
  drawOffer(plays) {
    const { eyes, draw_offered_by: by, draw_refused_by: refused } = this.state;
    const asked = by !== null && eyes !== null && by !== eyes;
    show(find("offer-draw"), plays);
    find("offer-draw").disabled = !this.state.can_offer_draw;
    show(find("draw"), plays && (by !== null || refused !== null));
    show(find("draw-answer"), asked);
    let text = "";
    if (asked) text = `${capital(by)} offers a draw. Moving declines it.`;
    else if (by) text = `${capital(by)} offers a draw. ${capital(enemy(by))} answers on its turn.`;
    else if (refused) text = `${capital(refused)} declined the draw. It can be offered again later.`;
    say(find("draw-text"), text);
  }

  // What runs: clocks, and how long somebody has been thinking.
  tick() {
    const state = this.state;
    if (!state) return;
    const gone = performance.now() - this.at;
    drawClocks(state, gone);
    const waits = (state.thinking && !state.yours && !state.paused) || state.hinting;
    const long = state.hinting ? gone : state.turn + gone;
    show(find("progress"), Boolean(waits) && state.stage === "play" && (long > SLOW || state.hinting));
    const what = state.hinting ? "Looking for a hint" : `${capital(state.due ?? "the engine")} is thinking`;
    say(find("progress-text"), `${what}: ${Math.floor(long / 1000)} s`);
  }
}
