// The board: squares that can be clicked, dragged between, and walked with the arrow keys.

import { make, say } from "./dom.js";
import { NAMES, whose } from "./words.js";

const FILES = "abcdefghij", ROWS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
const LAKES = new Set(["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"]);
const DRAG = 6;

// A piece, for eyes: what it is stands beside it in words. `add` and `drawTile` are of the script that all pages share.
export function pieceOf(letter, side, { open = false, moved = false } = {}) {
  const kind = `piece ${side} ${open ? "open" : "hidden"} ${moved && !open ? "moved" : ""}`;
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of [["class", kind], ["viewBox", "0 0 100 100"], ["aria-hidden", "true"]]) {
    holder.setAttribute(key, value);
  }
  drawTile(holder, letter, side, { moved: moved && !open });
  return holder;
}

// Keys with a modifier belong to the browser.
export const ofBrowser = event => event.ctrlKey || event.altKey || event.metaKey;

export class Board {
  // `actor` tells what can be picked up (`sources`), where it can go (`targets`: a Map from square to "move" or
  // "strike"), and does it (`drop`). `tray` is another place to pick up from and drop on, if there is one. Of a board
  // that is `own` there are only the rows of the one who sits before it.
  constructor(root, actor, { own = false } = {}) {
    Object.assign(this, { root, actor, own, cells: new Map(), turned: null, focused: null });
    Object.assign(this, { chosen: null, carried: null, dropped: null });
    // Whether the focus came by keys: then the arrows walk from square to square.
    this.byKeys = true;
    root.addEventListener("keydown", event => this.key(event));
    root.addEventListener("focusin", () => { this.byKeys = !this.pressing; });
    document.addEventListener("pointerdown", event => this.press(event));
  }

  build(turned) {
    if (this.turned === turned) return;
    this.turned = turned;
    // The keys begin in the middle of one's own front row.
    if (this.own || !this.focused) this.focused = turned ? "f7" : "e4";
    this.cells.clear();
    const shown = turned ? [...ROWS].reverse() : ROWS, files = turned ? [...FILES].reverse() : [...FILES];
    const rows = (this.own ? shown.slice(6) : shown).map(row => make("div", { role: "row" },
      make("span", { class: "name", "aria-hidden": "true" }, String(row)), ...files.map(file => this.cell(file + row))));
    const names = files.map(file => make("span", { class: "name" }, file));
    rows.push(make("div", { class: "names", "aria-hidden": "true" }, make("span", { class: "name" }), ...names));
    this.root.replaceChildren(...rows);
    for (const at of turned ? ["d5", "h5"] : ["c6", "g6"]) this.cells.get(at)?.append(this.lake());
  }

  cell(at) {
    const cell = make("div", { role: "gridcell", tabindex: at === this.focused ? 0 : -1, "data-at": at },
      make("span", { class: "unseen" }));
    cell.dataset.kind = LAKES.has(at) ? "square lake" : (FILES.indexOf(at[0]) + Number(at.slice(1))) % 2 ? "square dark"
      : "square";
    this.cells.set(at, cell);
    return cell;
  }

  // A drawing that begins on a square, for eyes.
  over(kind, size) {
    const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [key, value] of [["class", kind], ["viewBox", `0 0 ${size} ${size}`], ["aria-hidden", "true"]]) {
      holder.setAttribute(key, value);
    }
    return holder;
  }

  // The drawing of a lake, on the first of its squares.
  lake() {
    const holder = this.over("water", 200);
    add(holder, "use", { href: "#lake", width: 200, height: 200 });
    return holder;
  }

  // `pieces` is a Map from square to { letter, side, open, moved, label }; `marks` a Map from square to a class; `heat`
  // one from square to { text, share }, which lies over the piece; `notes` one to a letter in its corner.
  draw(pieces, marks, turned, heat = new Map(), notes = new Map()) {
    this.build(turned);
    const targets = this.chosen ? this.actor.targets(this.chosen) : new Map();
    if (this.chosen && !this.actor.sources().has(this.chosen)) this.chosen = null;
    for (const [at, cell] of this.cells) {
      const piece = pieces.get(at), target = this.chosen ? targets.get(at) : null;
      const key = piece ? `${piece.letter}${piece.side}${piece.open}${piece.moved}` : "";
      if (cell.dataset.piece !== key) {
        cell.querySelector(".piece")?.remove();
        // Heat and notes lie over it.
        if (piece) cell.querySelector(".unseen").after(pieceOf(piece.letter, piece.side, piece));
        cell.dataset.piece = key;
      }
      this.warm(cell, heat.get(at));
      this.letter(cell, notes.get(at));
      const lake = LAKES.has(at);
      cell.className = [cell.dataset.kind, marks.get(at) ?? "", target ? `target ${target}` : "",
        at === this.chosen ? "chosen" : "", at === this.carried ? "lifted" : "",
        this.actor.sources().has(at) ? "source" : ""].join(" ");
      const chance = heat.has(at) ? `, ${heat.get(at).text}` : "";
      const noted = notes.has(at) ? `, your note: ${NAMES[notes.get(at)]}` : "";
      const what = lake ? "lake" : piece ? piece.label + chance + noted : "empty";
      const can = target === "strike" ? ", strike here" : target ? ", move here" : "";
      say(cell.querySelector(".unseen"), `${at}, ${what}${can}`);
      cell.setAttribute("aria-selected", String(at === this.chosen));
    }
  }

  // An arrow from a square to another one, or none.
  point(way) {
    const key = way ? `${way.from} ${way.to} ${this.turned}` : "";
    if (this.pointed === key) return;
    this.pointed = key;
    this.root.querySelector(".pointer")?.remove();
    if (!way) return;
    const holder = this.over("pointer", 100), sign = this.turned ? -1 : 1;
    const right = FILES.indexOf(way.to[0]) - FILES.indexOf(way.from[0]);
    drawArrow(holder, sign * right, sign * (Number(way.from.slice(1)) - Number(way.to.slice(1))), "better");
    this.cells.get(way.from).append(holder);
  }

  warm(cell, heat) {
    let over = cell.querySelector(".heat");
    if (!heat) return over?.remove();
    if (!over) cell.append(over = make("span", { class: "heat", "aria-hidden": "true" }));
    if (over.textContent !== heat.text) over.textContent = heat.text;
    over.style.setProperty("--heat", heat.share);
  }

  letter(cell, letter) {
    let note = cell.querySelector(".noted");
    if (!letter) return note?.remove();
    if (!note) cell.append(note = make("span", { class: "noted", "aria-hidden": "true" }));
    if (note.textContent !== letter) note.textContent = letter;
  }

  choose(place) {
    this.chosen = place;
    this.actor.chose?.();
    this.actor.redraw();
  }

  // A click, or Enter: first what to move, then where to.
  touch(place) {
    if (this.chosen && this.actor.targets(this.chosen).has(place)) {
      const from = this.chosen;
      this.chosen = null;
      this.actor.drop(from, place);
    } else if (this.actor.sources().has(place) && place !== this.chosen) {
      this.choose(place);
    } else if (this.chosen) {
      this.choose(null);
    } else {
      this.actor.useless?.(place);
    }
  }

  // After another part of the page had the focus and is gone.
  takeFocus() {
    if (this.focused) this.focus(this.focused);
  }

  focus(at) {
    this.cells.get(this.focused)?.setAttribute("tabindex", -1);
    this.focused = at;
    const cell = this.cells.get(at);
    cell.setAttribute("tabindex", 0);
    cell.focus({ preventScroll: true });
  }

  key(event) {
    const at = event.target.dataset?.at;
    if (!at || ofBrowser(event)) return;
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (step && !this.byKeys && this.actor.stepped?.(event.key)) {
      // The arrows of somebody with a mouse step through the game.
    } else if (step) {
      const way = this.turned ? -1 : 1;
      const file = FILES.indexOf(at[0]) + way * step[0], row = Number(at.slice(1)) + way * step[1];
      if (this.cells.has(FILES[file] + row)) this.focus(FILES[file] + row);
    } else if (event.key === "Enter" || event.key === " ") {
      this.touch(at);
    } else if (this.actor.typed?.(at, event.key)) {
      // It was a note.
    } else if (["Delete", "Backspace"].includes(event.key) && this.actor.remove) {
      this.actor.remove(at);
    } else if (event.key === "Escape") {
      this.choose(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  place(element) {
    const found = element?.closest?.("[data-at], [data-tray], #tray");
    return found?.dataset.at ?? found?.dataset.tray ?? (found ? "tray" : null);
  }

  press(event) {
    const place = this.place(event.target);
    if (!place || place === "tray" || event.button !== 0 || this.root.closest("[hidden], [inert]")) return;
    this.pressing = true;
    if (this.cells.has(place)) this.focus(place);
    this.pressing = false;
    if (!this.actor.sources().has(place)) return this.whenReleased(event, place);
    this.drag(event, place);
  }

  // Not to be picked up: a click on it may still be where the chosen piece goes.
  // A finger that moves on scrolls the page and touches nothing.
  whenReleased(start, place) {
    const end = event => {
      if (event.pointerId !== start.pointerId) return;
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > DRAG;
      if (event.type === "pointerup" && !far) this.touch(place);
    };
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }

  // Marks the square that a dragged piece would fall on.
  showOver(from, element) {
    const over = this.place(element);
    for (const cell of this.root.querySelectorAll(".over")) cell.classList.remove("over");
    if (over && this.actor.targets(from).has(over)) this.cells.get(over)?.classList.add("over");
  }

  // The piece that is carried: at least as large as on its square, with its name.
  ghost(source) {
    const size = 1.15 * source.getBoundingClientRect().width, name = NAMES[source.querySelector(".rank")?.textContent];
    const ghost = make("div", { class: "ghost", "aria-hidden": "true" }, source.cloneNode(true),
      name ? make("span", {}, name) : null);
    ghost.style.width = `${size}px`;
    document.body.append(ghost);
    return ghost;
  }

  // Where a carried piece came from.
  lifted(from, away) {
    this.carried = away ? from : null;
    this.cells.get(from)?.classList.toggle("lifted", away);
  }

  drag(start, from) {
    start.preventDefault();
    const before = this.chosen;
    // A press on a piece that the chosen one can go to is that move: nothing of one's own is both.
    if (before && before !== from && this.actor.targets(before).has(from)) return this.touch(from);
    const source = start.target.closest("[data-at], [data-tray]").querySelector(".piece");
    let ghost = null;
    // A finger hides what is below it: the piece hangs above.
    const lift = start.pointerType === "touch" ? "-120%" : "-50%";
    const move = event => {
      if (event.pointerId !== start.pointerId) return;
      const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > DRAG;
      if (!ghost && far && source) {
        this.choose(from);
        ghost = this.ghost(source);
        this.lifted(from, true);
      }
      if (!ghost) return;
      ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, ${lift})`;
      this.showOver(from, document.elementFromPoint(event.clientX, event.clientY));
    };
    const end = event => {
      if (event.pointerId !== start.pointerId) return;
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      const dragged = ghost !== null;
      ghost?.remove();
      this.lifted(from, false);
      this.showOver(from, null);
      if (event.type === "pointercancel") return this.choose(null);
      if (!dragged) return this.touch(from);
      const to = this.place(document.elementFromPoint(event.clientX, event.clientY));
      this.dropped = to;
      if (to && to !== from && this.actor.targets(from).has(to)) this.touch(to);
      else this.choose(to === from ? from : null);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }
}

// A piece in words, as a side sees it; `you` is the side of the person before the page, if one plays.
export const label = (piece, eyes, you) => {
  const owner = whose(piece.side, you);
  const known = piece.side === eyes && piece.open ? ", known to the enemy" : "";
  const may = piece.may ? `, one of ${[...piece.may].join(" ")}` : "";
  return `${owner} ${NAMES[piece.rank]}${known}${piece.moved && piece.rank === "?" ? ", has moved" : ""}${may}`;
};
