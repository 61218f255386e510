// The game ply by ply, from what the page knows: the pieces that stand now, and the plies as they were shown. The server
// is not asked.

import { enemy, moverOf, readPly } from "./words.js";

// Takes a ply back on a board of squares and pieces; the pieces keep who they are.
function takeBack(on, ply, mover) {
  const { from, to, rescued, at, outcome, striker, defender } = ply;
  if (rescued) on.delete(at);
  // A defender that won may have taken the striker's square.
  const moved = on.get(outcome === "L" && on.has(from) ? from : to);
  const fallen = (side, rank) => ({ side, rank, open: true });
  on.delete(to);
  on.set(from, outcome === "L" || outcome === "T" ? fallen(mover, striker) : moved);
  if (outcome === "W" || outcome === "T") on.set(to, fallen(enemy(mover), defender));
  if (outcome === "L") on.set(to, moved);
}

export class Timeline {
  constructor({ pieces, moves, eyes, stage, rules, recorded, dead }) {
    this.plies = moves.map(readPly);
    Object.assign(this, { moves, eyes: stage === "over" ? null : eyes, now: pieces });
    this.advances = rules.includes("advance=on");
    const on = new Map(pieces.map(piece => [piece.at, { ...piece }]));
    this.back = this.plies.map(ply => ply.rescued ? on.get(ply.at) : null);
    for (let index = moves.length - 1; index >= 0; index--) {
      if (this.plies[index].rescued) this.back[index] = on.get(this.plies[index].at);
      takeBack(on, this.plies[index], moverOf(index));
    }
    this.first = on;
    this.before = ["", ""];
    // A game that began from a position may have begun with some captured.
    if (!recorded) {
      const { red, blue } = this.fallen(moves.length);
      this.before = [red, blue].map((fell, side) => [...fell].reduce((left, one) => left.replace(one, ""), dead[side]));
    }
  }

  // The pieces as they stood after so many plies, with what had been shown by then.
  at(count) {
    if (count === this.moves.length) return this.now;
    return [...this.after(count)].map(([at, { piece, moved, shown }]) => this.seen(at, piece, moved, shown));
  }

  // By square the name of the piece that stands there now: the square where it began, or where and when it came back.
  names() { return new Map([...this.after(this.moves.length)].map(([at, { name }]) => [at, name])); }

  after(count) {
    const on = new Map([...this.first].map(([at, piece]) => [at, { piece, name: at, moved: false, shown: false }]));
    for (let index = 0; index < count; index++) this.play(on, index);
    return on;
  }

  play(on, index) {
    const { from, to, rescued, at, outcome, striker, defender } = this.plies[index];
    const one = on.get(from), other = on.get(to);
    on.delete(from);
    one.moved = true;
    if (Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) + Math.abs(from.slice(1) - to.slice(1)) > 1) one.shown = true;
    if (striker && striker !== "?") one.shown = true;
    if (other && defender !== "?") other.shown = true;
    if (outcome !== "L") on.delete(to);
    if (!outcome || outcome === "W") on.set(to, one);
    if (outcome === "L" && this.advances && defender !== "B") {
      on.delete(to);
      on.set(from, { ...other, moved: true });
    }
    // Who came back is known to be one that moves.
    if (rescued) on.set(at, { piece: this.back[index], name: `${at} from ply ${index}`, moved: true, shown: false });
  }

  seen(at, piece, moved, shown) {
    const known = !this.eyes || piece.side === this.eyes || shown;
    return { at, side: piece.side, rank: known ? piece.rank : "?", moved, open: shown && piece.open };
  }

  // The letters of those that had fallen after so many plies, by side.
  fallen(count) {
    const letters = { red: this.before[0], blue: this.before[1] };
    for (let index = 0; index < count; index++) {
      const { outcome, striker, defender, rescued } = this.plies[index], mover = moverOf(index);
      if (outcome === "L" || outcome === "T") letters[mover] += striker;
      if (outcome === "W" || outcome === "T") letters[enemy(mover)] += defender;
      if (rescued) letters[mover] = letters[mover].replace(rescued, "");
    }
    return letters;
  }
}
