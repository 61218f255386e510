"use strict";
// Reading the page's data. Pieces are numbered 0..83, Red's first, 42 a side (two may come back by rescues); squares
// are row * 10 + file, 0..99; ranks are 0..11 in the order of LETTERS; a set of ranks has a bit for each. Sides are 0
// (Red) and 1 (Blue).

const LETTERS = "FS23456789MB";
const WORDS = ["Flag", "Spy", "Scout", "Miner", "Sergeant", "Lieutenant", "Captain", "Major", "Colonel", "General",
  "Marshal", "Bomb"];
const SIDES = ["Red", "Blue"];
const COLOURS = ["red", "blue"];
const PIECES = 84, A_SIDE = 42, RANKS = 12, GONE = 255, COUNTS = 255, TRUTH = 2;

const data = JSON.parse(document.getElementById("data").textContent);
const plies = data.moves.length;
const sideOf = piece => (piece < A_SIDE ? 0 : 1);
const squareName = square => "abcdefghij"[square % 10] + (Math.floor(square / 10) + 1);

// The rank of a set that has one, or -1.
function single(bits) {
  return bits && (bits & (bits - 1)) === 0 ? 31 - Math.clz32(bits) : -1;
}

// A reader of packed bytes.
function reader(text) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  let at = 0;
  return { byte: () => bytes[at++], pair: () => bytes[at++] + 256 * bytes[at++] };
}

// Reads the bytes of a set of ranks into a row.
function readRow(from, rows, start) {
  const changed = from.pair();
  for (let rank = 0; rank < RANKS; rank++) {
    if (changed >> rank & 1) rows[start + rank] = from.byte();
  }
}

// The square of each piece after each ply, and whether it has moved by then.
function readBoard() {
  const from = reader(data.board), size = (plies + 1) * PIECES;
  const squares = new Uint8Array(size).fill(GONE), moved = new Uint8Array(size);
  for (let ply = 0; ply <= plies; ply++) {
    const start = ply * PIECES;
    if (ply > 0) {
      squares.copyWithin(start, start - PIECES, start);
      moved.copyWithin(start, start - PIECES, start);
    }
    for (let count = from.byte(); count > 0; count--) {
      const piece = from.byte(), square = from.byte();
      if (squares[start + piece] !== GONE && square !== GONE) moved[start + piece] = 1;
      squares[start + piece] = square;
    }
  }
  return { squares, moved };
}

// Spreads a list of [ply, piece, set of ranks] over all plies.
function spread(list) {
  const sets = new Uint16Array((plies + 1) * PIECES);
  let next = 0;
  for (let ply = 0; ply <= plies; ply++) {
    const start = ply * PIECES;
    if (ply > 0) sets.copyWithin(start, start - PIECES, start);
    for (; next < list.length && list[next][0] === ply; next++) sets[start + list[next][1]] = list[next][2];
  }
  return sets;
}

// What a side believes of each of the enemy's 42 pieces after each ply: twelve bytes each, 255 for certain.
function readBelief(text) {
  const from = reader(text), size = A_SIDE * RANKS, rows = new Uint8Array((plies + 1) * size);
  for (let ply = 0; ply <= plies; ply++) {
    const start = ply * size;
    if (ply > 0) rows.copyWithin(start, start - size, start);
    for (let count = from.byte(); count > 0; count--) readRow(from, rows, start + from.byte() * RANKS);
  }
  return rows;
}

// For each ply the rows of the explanation of the piece that moved: [label, twelve bytes].
function readWhy(text) {
  const from = reader(text), all = [];
  for (let ply = 0; ply <= plies; ply++) {
    const rows = [];
    let row = new Uint8Array(RANKS);
    for (let count = from.byte(); count > 0; count--) {
      const likelihood = from.byte();
      row = row.slice();
      readRow(from, row, 0);
      rows.push([likelihood === COUNTS ? "facts and counts" : "+ " + data.likelihoods[likelihood], row]);
    }
    all.push(rows);
  }
  return all;
}

const board = readBoard();
const views = data.views.map(view => ({
  facts: spread(view.facts), learned: spread(view.learned), belief: readBelief(view.belief), why: readWhy(view.why),
  moves: view.moves || {},
}));

const squareOf = (piece, ply) => board.squares[ply * PIECES + piece];
const hasMoved = (piece, ply) => board.moved[ply * PIECES + piece] === 1;
// Whether there was such a piece by then: one that came back by a rescue was not there before, and the one that had
// fallen is not there any longer.
const exists = (piece, ply) => views[sideOf(piece)].facts[ply * PIECES + piece] !== 0;
// Its rank, or -1 where the one who looks (0, 1, or TRUTH) cannot tell.
const rankFor = (eyes, piece, ply) => single(views[eyes === TRUTH ? sideOf(piece) : eyes].facts[ply * PIECES + piece]);
// Whether its enemy can tell its rank by the rules, as far as the one who looks knows.
function isKnown(eyes, piece, ply) {
  const side = sideOf(piece), place = ply * PIECES + piece;
  return single(eyes === 1 - side ? views[eyes].facts[place] : views[side].learned[place]) >= 0;
}
// The twelve bytes that its enemy believes of it.
function beliefOf(piece, ply) {
  const start = (ply * A_SIDE + piece % A_SIDE) * RANKS;
  return views[1 - sideOf(piece)].belief.subarray(start, start + RANKS);
}
// The text of a ply (from 1) as the one who looks was shown it.
const moveText = (eyes, ply) => (eyes !== TRUTH && views[eyes].moves[ply]) || data.moves[ply - 1];

// A ply's text taken apart.
function readMove(text) {
  const parts = /^([a-j]\d+)(x?)([a-j]\d+)(?:\+(.)@([a-j]\d+))?(?:=([WLT])(.)(.))?$/.exec(text);
  const [, from, strike, to, back, home, outcome, striker, defender] = parts;
  return { from, to, strike: strike === "x", back, home, outcome, striker, defender };
}

const moverOf = ply => (ply + 1) % 2;
const isStrike = ply => ply >= 1 && ply <= plies && data.moves[ply - 1].includes("x");
const squareAt = name => "abcdefghij".indexOf(name[0]) + 10 * (Number(name.slice(1)) - 1);
const percent = byte => (byte === 0 ? "0%" : byte < 2 ? "<1%" : Math.round(byte / 2.55) + "%");
