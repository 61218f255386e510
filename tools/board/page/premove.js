// Moves that may be planned while the enemy thinks: whatever the piece could do once the enemy has moved.

const LAKES = new Set(["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"]);
const WAYS = [[1, 0], [-1, 0], [0, 1], [0, -1]];

// A Map from square to a Map from target to "move" or "strike", of the pieces of the one whose eyes these are.
export function premoves({ pieces, eyes }) {
  const at = new Map(pieces.map(piece => [piece.at, piece])), found = new Map();
  for (const piece of pieces.filter(piece => piece.side === eyes && !"FB".includes(piece.rank))) {
    const targets = new Map();
    for (const [across, up] of WAYS) {
      for (let far = 1; far <= (piece.rank === "2" ? 9 : 1); far++) {
        const file = piece.at.charCodeAt(0) + across * far, row = Number(piece.at.slice(1)) + up * far;
        const square = String.fromCharCode(file) + row, there = at.get(square);
        if (file < 97 || file > 106 || row < 1 || row > 10 || LAKES.has(square) || there?.side === eyes) break;
        targets.set(square, there ? "strike" : "move");
      }
    }
    if (targets.size) found.set(piece.at, targets);
  }
  return found;
}
