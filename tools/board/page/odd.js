// What is odd about a setup, in sentences. Each of these faults has at most one in fourteen of the setups that were
// improved by results for the engine's book.

const WIDE = 10, LAKES = [2, 3, 6, 7], FRONT = 30;
const ROWS = ["the back row", "the second row", "the third row", "the front row"];

const rowOf = place => Math.floor(place / WIDE);

// Places beside this one, among one's own rows.
function beside(place) {
  const file = place % WIDE, found = [place - WIDE, place + WIDE];
  if (file > 0) found.push(place - 1);
  if (file < WIDE - 1) found.push(place + 1);
  return found.filter(other => other >= 0 && other < 4 * WIDE);
}

// Whether something may go from here before the enemy has moved.
const canMove = (cells, place) => !".FB".includes(cells[place]) && (beside(place).some(next => cells[next] === ".") ||
  place >= FRONT && !LAKES.includes(place % WIDE));

// `cells` are the 40 letters of a setup with its whole army, back row first; `name` tells what a place is called.
export function odd(cells, name) {
  const places = letter => cells.flatMap((other, place) => other === letter ? [place] : []);
  const inRows = (letter, ...rows) => places(letter).filter(place => rows.includes(rowOf(place))).length;
  const [flag] = places("F"), open = beside(flag).filter(next => cells[next] !== "B"), said = [];
  const tell = (fault, text) => { if (fault) said.push(text); };
  tell(!cells.some((_, place) => canMove(cells, place)), "No piece can move: the game would be lost at once.");
  // An army that fills the rows; the eight pieces of Barrage stand anywhere.
  const full = !cells.includes(".");
  tell(rowOf(flag) > (full ? 1 : 2), `The flag stands in ${ROWS[rowOf(flag)]}.`);
  if (!full) return said;
  if (open.length === beside(flag).length) tell(true, `No bomb stands beside the flag on ${name(flag)}.`);
  else tell(open.length > 1, `The flag on ${name(flag)} is open at ${open.map(name).join(" and ")}.`);
  tell(!inRows("3", 0, 1), "No miner waits in the two rows at the back: late in a game they open the way to the flag.");
  tell(!inRows("2", 0, 1), "No scout waits in the two rows at the back for the end of the game.");
  tell(inRows("2", 3) > 5, "Few pieces of the front row can hold it against a strike.");
  tell(inRows("B", 3) > 2, "The bombs of the front row bar the way of your own pieces.");
  tell(inRows("M", 0), "The marshal needs long to come out of the back row.");
  return said;
}
