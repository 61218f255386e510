// What things are called.

export const LETTERS = ["M", "9", "8", "7", "6", "5", "4", "3", "2", "S", "B", "F"];

export const NAMES = {
  F: "flag", S: "spy", 2: "scout", 3: "miner", 4: "sergeant", 5: "lieutenant", 6: "captain", 7: "major",
  8: "colonel", 9: "general", M: "marshal", B: "bomb", "?": "unknown piece",
};

// What a newcomer has to know of a rank.
export const NOTES = {
  F: "Never moves. Whoever takes it wins.",
  S: "Beats the marshal, but only when the spy strikes first. Loses to everything else that moves.",
  2: "Moves any number of empty squares in a line.",
  3: "Removes bombs.",
  B: "Never moves. Beats every striker but the miner.",
  M: "The highest rank. Only a bomb, another marshal, or a spy that strikes first removes it.",
};

export const capital = text => text[0].toUpperCase() + text.slice(1);
const SIDES = ["red", "blue"];
export const enemy = side => side === "red" ? "blue" : "red";
// Red makes the first ply, but where a game began from a position with Blue to move.
let first = 0;
export const beginsWith = side => { first = SIDES.indexOf(side); };
export const moverOf = index => SIDES[(index + first) % 2];

export function rankName(letter) {
  return letter === "?" ? NAMES["?"] : `${NAMES[letter]} (${letter})`;
}

// e4xe5=W95 and its like.
export function readPly(text) {
  const found = /^([a-j]\d+)x?([a-j]\d+)(?:\+(.)@([a-j]\d+))?(?:=([WLT])(.)(.))?$/.exec(text);
  if (!found) return null;
  const [, from, to, rescued, at, outcome, striker, defender] = found;
  return { from, to, rescued, at, outcome, striker, defender };
}

// Who owns something, as the person before the page says it.
export function whose(side, eyes) {
  if (!eyes) return `${capital(side)}’s`;
  return side === eyes ? "your" : `${capital(side)}’s`;
}

// A ply in words, as its reader saw it.
export function tell(text, index, eyes) {
  const ply = readPly(text);
  if (!ply) return text;
  const mover = moverOf(index), rescue = ply.rescued
    ? ` ${capital(whose(mover, eyes))} ${rankName(ply.rescued)} comes back on ${ply.at}.` : "";
  if (!ply.outcome) return `${capital(mover)} moved ${ply.from} to ${ply.to}.${rescue}`;
  const striker = `${whose(mover, eyes)} ${rankName(ply.striker)}`;
  const defender = `${whose(enemy(mover), eyes)} ${rankName(ply.defender)}`;
  const end = ply.defender === "F" ? `takes ${defender}`
    : { W: `beats ${defender}`, L: `falls to ${defender}`, T: `and ${defender} both fall` }[ply.outcome];
  return `On ${ply.to} ${striker} ${end}.${rescue}`;
}

// What kind of moment a strike is, and what stands below the two pieces.
export function momentOf({ outcome, striker, defender }) {
  if (outcome === "T") return ["tie", "Both fall"];
  if (defender === "F") return ["flag", "The flag!"];
  if (defender === "B") return outcome === "W" ? ["defused", "Defused"] : ["bomb", "Bomb!"];
  if (striker === "S" && defender === "M") return ["spy", "Assassinated"];
  const [winner, loser] = outcome === "W" ? [striker, defender] : [defender, striker];
  const name = letter => letter === "?" ? "unknown" : NAMES[letter];
  return ["plain", `${capital(name(winner))} beats ${name(loser)}`];
}

// What an action does: who moves or strikes, and where.
function describe(text, pieces) {
  const { from, to } = readPly(text), on = at => pieces.find(piece => piece.at === at);
  const own = NAMES[on(from)?.rank ?? "?"], target = on(to);
  if (!target) return `move the ${own} from ${from} to ${to}`;
  return `strike the ${NAMES[target.rank]} on ${to} with the ${own} from ${from}`;
}

const percent = permille => `${Math.round(permille / 10)}%`;

// What a hidden piece that is struck is believed to be, and how the strike may end.
function tellStruck({ likeliest, win, loss }) {
  const ranks = likeliest.map(([letter, chance]) => `${NAMES[letter]} (${percent(chance)})`).join(" or ");
  return ` It is likeliest a ${ranks}: the strike wins ${percent(win)} of the time and loses ${percent(loss)}.`;
}

// A hint in words: what to do and why, its danger, what the engine expects of it, and what it finds as good.
export function tellHint({ action, chances, others, reasons, struck, danger }, pieces) {
  const on = at => pieces.find(piece => piece.at === at), own = NAMES[on(readPly(action).from)?.rank ?? "?"];
  const liked = reasons.length ? ` What speaks for it: ${reasons.join("; ")}.`
    : struck ? "" : " Its search prefers it; no single reason stands out.";
  const feared = danger ? ` The danger: the ${NAMES[on(danger.at)?.rank ?? "?"]} on ${danger.at} stands beside it and ` +
    `beats the ${own}${danger.chance === 1000 ? "" : ` ${percent(danger.chance)} of the time`}.` : "";
  const expects = chances ? ` It expects a win in ${percent(chances[0])} and a draw in ${percent(chances[1])}.` : "";
  const alike = others.length ? ` As good: ${others.map(text => describe(text, pieces)).join("; ")}.` : "";
  return `The engine would ${describe(action, pieces)}.${struck ? tellStruck(struck) : ""}${liked}${feared}${expects}` +
    alike;
}

// Why no engine answers, by the word that the server has for it.
export function tellTrouble(word) {
  const why = {
    unstartable: "its program cannot be started", crashed: "its program ended by itself",
    hung: "it does not answer", late: "it answered too late", illegal: "what it did is against the rules",
    garbage: "what it says cannot be read", flooded: "it says too much", closed: "it hung up", silent: "it does not answer",
    host: "this computer lacks the files, memory or threads for it",
  }[word] ?? word;
  return `The engine does not play: ${why}. The terminal that the server runs in says more.`;
}

export function tellOutcome(outcome) {
  if (outcome.reason === "unfinished") return { head: "Unfinished", why: "The game has no result." };
  const winner = outcome.winner, loser = winner === "draw" ? "" : capital(enemy(winner));
  const why = {
    flag: `${capital(winner)} took the flag.`,
    stuck: winner === "draw" ? "Neither side can move." : `${loser} cannot move.`,
    attrition: winner === "draw" ? "Neither side has a piece left that moves."
      : `${loser} has no piece left that moves.`,
    quiet: "Too many moves without a strike.", plies: "Too many moves.",
    resigned: `${loser} gave up.`, time: `${loser}’s clock ran out.`, agreed: "Both agreed.",
  }[outcome.reason] ?? `${capital(outcome.reason)}.`;
  return { head: winner === "draw" ? "A draw" : `${capital(winner)} wins`, why };
}
