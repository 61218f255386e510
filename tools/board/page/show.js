// What moves on the board: pieces that slide, and strikes, for which both pieces turn up side by side. A click or a key
// goes on at once; whoever asked the device for less motion sees none.

import { make } from "./dom.js";
import { pieceOf } from "./board.js";
import { look } from "./look.js";
import { enemy, momentOf, moverOf } from "./words.js";

const SLIDE = 160, FALL = 420;

// Some plies that are shown one after the other, until somebody does not want to wait.
class Run {
  constructor(board, sounds) { Object.assign(this, { board, sounds, running: [], stopped: false, goOn: null }); }

  stop() {
    this.stopped = true;
    for (const animation of this.running.splice(0)) animation.cancel();
    this.goOn?.();
    this.clear();
  }

  clear() {
    this.board.root.querySelector(".clash")?.remove();
    for (const cell of this.board.cells.values()) cell.classList.remove("going", "fighting");
  }

  wait(time) {
    if (time <= 0 || this.stopped) return null;
    return new Promise(done => {
      const timer = setTimeout(done, time);
      this.goOn = () => { clearTimeout(timer); done(); };
    });
  }

  // Runs an animation to its end.
  async move(element, frames, options) {
    if (!element || this.stopped) return;
    const animation = element.animate(frames, { easing: "ease-in-out", fill: "forwards", ...options });
    this.running.push(animation);
    await animation.finished.catch(() => null);
  }

  async ply(ply, index, draw) {
    const [from, to] = [ply.from, ply.to].map(at => this.board.cells.get(at));
    const [start, end] = [from, to].map(cell => cell.getBoundingClientRect());
    const way = `translate(${end.x - start.x}px, ${end.y - start.y}px)`;
    // A piece that was carried there by hand is there.
    const duration = this.board.dropped === ply.to ? 0 : SLIDE;
    this.board.dropped = null;
    from.classList.add("going");
    if (!ply.outcome) this.sounds.ply(ply);
    await this.move(from.querySelector(".piece"), [{ transform: "none" }, { transform: way }], { duration });
    if (ply.outcome && !this.stopped) await this.strike(ply, index, from, to);
    if (this.stopped) return;
    for (const animation of this.running.splice(0)) animation.cancel();
    this.clear();
    draw();
  }

  async strike(ply, index, from, to) {
    const [kind, caption] = momentOf(ply), mover = moverOf(index), sides = [mover, enemy(mover)];
    const letters = [ply.striker, ply.defender], loses = [ply.outcome !== "W", ply.outcome !== "L"];
    const fighters = letters.map((letter, which) =>
      make("span", { class: "fighter" }, pieceOf(letter, sides[which], { open: true })));
    const clash = make("div", { class: `clash ${kind}`, "aria-hidden": "true" }, make("span", { class: "burst" }),
      ...fighters, make("span", { class: "caption" }, caption));
    this.place(clash, to);
    this.sounds.ply(ply);
    for (const cell of [from, to]) cell.classList.add("fighting");
    const turn = [{ transform: "rotateY(90deg)" }, { transform: "none" }];
    await Promise.all(fighters.map(fighter => this.move(fighter, turn, { duration: SLIDE })));
    fighters.forEach((fighter, which) => fighter.classList.add(loses[which] ? "loses" : "wins"));
    await this.wait(look.strike - FALL);
    await Promise.all(fighters.map((fighter, which) =>
      loses[which] ? this.fall(fighter, sides[which], letters[which]) : null));
  }

  // The pieces stand over the square, and beside it where the board ends.
  place(clash, to) {
    const { root } = this.board, board = root.getBoundingClientRect(), cell = to.getBoundingClientRect();
    const size = Math.max(cell.width, 44), wide = 1.4 * size;
    const middle = cell.x + cell.width / 2 - board.x, high = cell.y + cell.height / 2 - board.y;
    clash.style.setProperty("--size", `${size}px`);
    clash.style.left = `${Math.min(Math.max(middle, wide), board.width - wide)}px`;
    clash.style.top = `${Math.min(Math.max(high, 0.9 * size), board.height - 1.2 * size)}px`;
    root.append(clash);
  }

  // Off the board, to where its side's losses are counted.
  fall(fighter, side, letter) {
    const target = document.querySelector(`#${side}-tally [data-rank="${letter}"] .piece`);
    const [start, end] = [fighter, target ?? fighter].map(element => element.getBoundingClientRect());
    const way = `translate(${end.x + end.width / 2 - start.x - start.width / 2}px, ${
      end.y + end.height / 2 - start.y - start.height / 2}px) scale(0.35) rotate(40deg)`;
    const frames = [{ transform: "none" }, { transform: way, opacity: target ? 0.7 : 0 }];
    return this.move(fighter, frames, { duration: FALL, easing: "ease-in" });
  }
}

export class Show {
  constructor(board, sounds) {
    Object.assign(this, { board, sounds, run: null, done: null, last: -Infinity });
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => this.finish(true), { capture: true });
    }
  }

  // Whether something is being shown.
  get on() { return this.run !== null; }

  // What is being shown is over, and what waited for it goes on in the same moment; `hurried` if somebody did not want
  // to wait.
  finish(hurried = false) {
    const { run, done } = this;
    if (!run) return;
    Object.assign(this, { run: null, done: null, last: performance.now() });
    run.stop();
    done(hurried);
  }

  // Shows the plies from `before` to `after` of a timeline, and then calls `done`. `draw` draws the board after so many
  // plies.
  async play(timeline, before, after, draw, done) {
    const run = new Run(this.board, this.sounds);
    Object.assign(this, { run, done });
    for (let index = before; index < after && !run.stopped; index++) {
      await run.wait(this.last + look.answer - performance.now());
      if (!run.stopped) await run.ply(timeline.plies[index], index, () => draw(index + 1));
      if (!run.stopped) this.last = performance.now();
    }
    if (!run.stopped) this.finish();
  }
}
