// A card for each side: who plays, its clock, and by rank what it still has and what it lost.

import { find, make, say, show } from "./dom.js";
import { pieceOf } from "./board.js";
import { LETTERS, NAMES, NOTES, capital } from "./words.js";

const SIDES = ["red", "blue"];

export function drawNames(state, bottom) {
  for (const [index, side] of SIDES.entries()) {
    const you = state.eyes === side && state.seats[index].player === "person" && !state.shared && !state.loaded;
    const name = you ? "you" : state.shared ? "" : state.devices ? "the other one" : state.names[index];
    find(`${side}-player`).replaceChildren(make("span", { class: `side ${side}` }, capital(side)), ` ${name}`);
    find(`${side}-card`).className = `card ${side === bottom ? "us" : "them"} ${state.due === side ? "due" : ""}`;
  }
}

// What a side began with: an army, or what its position has.
function begun({ recorded, army, pieces, dead }, side) {
  if (recorded) return new Map(army);
  const letters = [...pieces.filter(piece => piece.side === side).map(piece => piece.rank), ...dead[SIDES.indexOf(side)]];
  return letters.reduce((counts, letter) => counts.set(letter, (counts.get(letter) ?? 0) + 1), new Map());
}

// What of each rank a side has left and has lost; those of unknown rank come last.
export function drawTallies(state, dead) {
  for (const side of SIDES) {
    const lost = letter => [...dead[side]].filter(other => other === letter).length;
    const has = begun(state, side), ranks = [...LETTERS, "?"].filter(letter => has.has(letter) || lost(letter));
    const key = JSON.stringify([[...has], dead[side]]), list = find(`${side}-tally`);
    if (list.dataset.key === key) continue;
    list.dataset.key = key;
    list.style.setProperty("--ranks", ranks.length);
    list.replaceChildren(...ranks.map(letter => {
      const gone = lost(letter), left = has.has(letter) ? has.get(letter) - gone : null;
      const words = `${NAMES[letter]}: ${left === null ? "" : `${left} left, `}${gone} lost`;
      return make("li", { class: left === 0 ? "none" : null, "data-rank": letter, title: words },
        make("span", { class: "unseen" }, words), pieceOf(letter, side),
        make("b", { "aria-hidden": "true" }, left === null ? "" : String(left)),
        make("i", { "aria-hidden": "true" }, gone ? `−${gone}` : ""));
    }));
  }
}

export function drawRanks(army) {
  const box = find("ranks");
  if (box.children.length) return;
  box.replaceChildren(...LETTERS.filter(letter => army.some(([rank]) => rank === letter)).map(letter =>
    make("tr", {}, make("th", { scope: "row" }, `${letter} ${NAMES[letter]}`),
      make("td", { class: "note" }, NOTES[letter] ?? ""))));
}

// What runs while nothing happens: the clocks, `gone` milliseconds after the state came.
export function drawClocks(state, gone) {
  for (const [index, side] of SIDES.entries()) {
    const left = state.clocks[index], clock = find(`${side}-clock`);
    show(clock, left !== null);
    if (left === null) continue;
    const runs = state.stage === "play" && state.due === side && !state.paused;
    const seconds = Math.max(0, Math.ceil((left - (runs ? gone : 0)) / 1000));
    say(clock, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    clock.classList.toggle("low", runs && seconds < 20);
  }
}
