// What the page's searches say of a move: how much of the points its player gave away, by what that player knew.

// Percent of the points; less than a mistake is within the noise of so short a search.
const BLUNDER = 20, MISTAKE = 10;
const shareOf = ([win, drawn]) => (win + drawn / 2) / 10;

// What the player of a ply (from 1) expected at its next turn, or had at the end.
function shareAfter(ply) {
  const next = data.curve.values[ply + 1];
  if (next) return shareOf(next.wdl);
  // A game without a result lost nothing by its end.
  return { [COLOURS[moverOf(ply)]]: 100, draw: 50, none: 100 }[data.outcome.winner] ?? 0;
}

// How many percent of the points a ply (from 1) gave away. The search has to prefer another action by as much, which
// bad luck in a strike does not do; and the player's chances have to fall by as much, which they do not where the same
// good action is still there a turn later.
function lossOf(ply) {
  const value = data.curve.kind === "search" && data.curve.values[ply - 1];
  if (!value || !value.played) return 0;
  const before = shareOf(value.wdl);
  return Math.min(before - shareOf(value.played), before - shareAfter(ply));
}

// "blunder", "mistake" or nothing. In the enemy's view nothing is said: it could not have judged the move.
function judged(eyes, ply) {
  const loss = eyes === TRUTH || eyes === moverOf(ply) ? lossOf(ply) : 0;
  return loss >= BLUNDER ? "blunder" : loss >= MISTAKE ? "mistake" : "";
}
