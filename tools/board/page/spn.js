// SPN, the text of a position as one player knows it, or with both armies.

import { enemy } from "./words.js";

const ORDER = "BS23456789MF", FIRST = "B".charCodeAt(0), FILES = "abcdefghij";
const LAKES = new Set(["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"]);
const SIDES = { r: "red", b: "blue", "-": null };
const PART = /(\d+)|_|([A-Ya-y?])(\+?)(\*?)(\[[^\]]*\])?/g;

export const EMPTY = "10/10/10/10/2__2__2/2__2__2/10/10/10/10 r - -,- 0 0 preset=isf";

// A piece by its letter, the marks behind it, and whose knowledge it is.
function readPiece([, , letter, moved, rescued, set], viewer) {
  const rest = { moved: moved === "+", rescued: rescued ?? "", set: set ?? "" };
  if (letter === "?") return { side: enemy(viewer ?? "blue"), letter, open: false, ...rest };
  const place = letter.toUpperCase().charCodeAt(0) - FIRST, open = letter !== letter.toUpperCase();
  return { side: place < ORDER.length ? "red" : "blue", letter: ORDER[place % ORDER.length], open, ...rest };
}

function writePiece({ side, letter, open, moved, rescued, set }) {
  const place = ORDER.indexOf(letter) + (side === "blue" ? ORDER.length : 0);
  const found = letter === "?" ? letter : String.fromCharCode(FIRST + place);
  return (open ? found.toLowerCase() : found) + (moved ? "+" : "") + (rescued ?? "") + (set ?? "");
}

// What a text holds: the pieces by square, who is to move, whose knowledge it is (null: both armies), and the rest of
// the fields as they stand. The server says what is wrong with a text.
export function readSpn(text) {
  const [board, turn, viewer, ...rest] = text.trim().split(/\s+/), pieces = new Map();
  board.split("/").slice(0, 10).forEach((line, index) => {
    let file = 0;
    for (const part of line.matchAll(PART)) {
      if (part[2]) pieces.set(FILES[file] + (10 - index), readPiece(part, SIDES[viewer]));
      file += part[1] ? Number(part[1]) : 1;
    }
  });
  return { pieces, turn: SIDES[turn] ?? "red", viewer: SIDES[viewer] ?? null, rest };
}

export function writeSpn({ pieces, turn, viewer, rest }) {
  const rows = Array.from({ length: 10 }, (_, index) => {
    const squares = [...FILES].map(file => file + (10 - index)).map(at =>
      LAKES.has(at) ? "_" : pieces.has(at) ? writePiece(pieces.get(at)) : " ");
    return squares.join("").replace(/ +/g, gap => String(gap.length));
  });
  return [rows.join("/"), turn[0], viewer ? viewer[0] : "-", ...rest].join(" ");
}
