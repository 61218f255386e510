// What the page's searches say of a move: how much of the points it gave away, by what its player knew.

// What a move is called that gave away so many percent of the points, and how many of a side's are always named. Of 20
// games, of all levels and of people: who moves at random makes some 45 such moves, the engine at full strength one to
// ten.
const BOUNDS = [[7, "blunder"], [3, "mistake"], [1, "inaccuracy"]], COSTLIEST = 5;
const shareOf = ([win, drawn]) => (win + drawn / 2) / 10;

const searched = ply => (data.curve.kind === "search" && data.curve.values[ply - 1]) || null;
const lossOf = ply => (searched(ply)?.other?.cost ?? 0) / 10;

// In the enemy's view nothing is said of a move: it could not have judged it.
const mayJudge = (eyes, ply) => eyes === TRUTH || eyes === moverOf(ply);
const judged = (eyes, ply) => (mayJudge(eyes, ply) && BOUNDS.find(([least]) => lossOf(ply) >= least)?.[1]) || "";

// A side's costliest moves, the worst first.
function costliest(side) {
  const own = Array.from({ length: plies }, (_, i) => i + 1).filter(ply => moverOf(ply) === side && lossOf(ply) > 0);
  return own.sort((one, other) => lossOf(other) - lossOf(one)).slice(0, COSTLIEST);
}

const allPieces = Array.from({ length: PIECES }, (_, piece) => piece);
const pieceAt = (square, ply) => allPieces.find(piece => squareOf(piece, ply) === square);
const [FLAG, SPY, MINER, MARSHAL, BOMB] = [..."FS3MB"].map(letter => LETTERS.indexOf(letter));

// Whether a piece that strikes beats another one.
const aggressor = data.rules.includes("aggressor=on");
function beats(striker, defender) {
  if (striker === FLAG || striker === BOMB) return false;
  if (defender === BOMB) return striker === MINER;
  return striker > defender || (striker === SPY && defender === MARSHAL) || (aggressor && striker === defender);
}

// Whether the mover left a piece beside one that it knew to beat it.
function leftInReach(ply) {
  const mover = moverOf(ply), placed = allPieces.filter(piece => squareOf(piece, ply) !== GONE);
  const beside = (one, other) => {
    const [from, to] = [one, other].map(piece => squareOf(piece, ply));
    return Math.abs(from % 10 - to % 10) + Math.abs(Math.floor(from / 10) - Math.floor(to / 10)) === 1;
  };
  const enemies = placed.filter(piece => sideOf(piece) !== mover && rankFor(mover, piece, ply) >= 0);
  return placed.filter(piece => sideOf(piece) === mover).some(own => enemies.some(enemy =>
    beside(own, enemy) && beats(rankFor(mover, enemy, ply), rankFor(mover, own, ply))));
}

// Whether the enemy could tell the rank of a piece after the ply, and not before.
function showedRank(ply) {
  const mover = moverOf(ply), piece = pieceAt(squareAt(readMove(data.moves[ply - 1]).from), ply - 1);
  const learned = ply => single(views[mover].learned[ply * PIECES + piece]) >= 0;
  return learned(ply) && !learned(ply - 1);
}

function struckUnknown(ply) {
  const { strike, to } = readMove(data.moves[ply - 1]);
  return strike && rankFor(moverOf(ply), pieceAt(squareAt(to), ply - 1), ply - 1) < 0;
}

// By what points were given away, of all moves and of one; each is counted once.
const KINDS = [
  ["by strikes at unknown pieces", struckUnknown, " by a strike at an unknown piece"],
  ["by pieces left in reach", leftInReach, " by a piece left in reach"],
  ["by ranks that were shown", showedRank, " by a rank that was shown"],
  ["by other moves", () => true, ""],
];
const kindOf = ply => KINDS.find(([, holds]) => holds(ply));

// What the player of a ply expected at its next turn, or had at the end; null where the game has no result.
function shareAfter(ply) {
  const next = searched(ply + 2);
  if (next) return shareOf(next.wdl);
  return { [COLOURS[moverOf(ply)]]: 100, draw: 50, none: null }[data.outcome.winner] ?? (data.outcome.winner === "none"
    ? null : 0);
}

// What strikes at unknown pieces brought beyond what was expected of them.
function luckOf(side) {
  let luck = 0;
  for (let ply = 1; ply <= plies; ply++) {
    const value = moverOf(ply) === side && struckUnknown(ply) ? searched(ply) : null, after = shareAfter(ply);
    if (value && after !== null) luck += after - shareOf(value.other?.played ?? value.wdl);
  }
  return luck;
}

// The table of a side: [what, how much in percent of the points or how many moves].
function given(side) {
  const named = Array.from({ length: plies }, (_, i) => i + 1).filter(ply => moverOf(ply) === side && judged(side, ply));
  const sum = list => list.reduce((all, ply) => all + lossOf(ply), 0), points = share => `${share.toFixed(0)}%`;
  const kinds = new Map(KINDS.map(([name]) => [name, []]));
  for (const ply of named) kinds.get(kindOf(ply)[0]).push(ply);
  const luck = luckOf(side);
  return [["given away in all", points(sum(named))], ...[...kinds].map(([name, list]) => [name, points(sum(list))]),
    ...["blunder", "mistake", "inaccuracy"].map(word => [word === "inaccuracy" ? "inaccuracies" : `${word}s`,
      String(named.filter(ply => judged(side, ply) === word).length)]),
    ["luck of strikes at unknown pieces", `${luck < 0 ? "−" : "+"}${points(Math.abs(luck))}`]];
}
