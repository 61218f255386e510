// Learning from mistakes: each costly action of a side is a question on the board, as that side knew it. The page can
// judge what was played, what its search prefers and what is nearly as good; of other actions it has no cost.

// Whose mistakes (-1: nobody is asked), the plies that are asked about, which of them is asked, how each ended (by
// ENDS), and what the reader tried last: from where, where to, and how good it is.
const lesson = { side: -1, plies: [], at: 0, ends: [], tried: null, drawn: "" };
const ENDS = [["right", "found at once"], ["later", "found later"], ["shown", "shown to you"], ["skipped", "skipped"]];
const WORTH = 3;

// What is asked about: mistakes and blunders as they were made; then, of a side's costliest, what is less than a mistake.
function questionsOf(side) {
  const mistakes = Array.from({ length: plies }, (_, index) => index + 1)
    .filter(ply => moverOf(ply) === side && lossOf(ply) >= WORTH);
  return [...mistakes, ...costliest(side).filter(ply => lossOf(ply) < WORTH)];
}

const questionPly = () => (lesson.side >= 0 && lesson.at < lesson.plies.length ? lesson.plies[lesson.at] : 0);
// Whether the board stands at the question, in the eyes of the one who is asked.
const asks = () => questionPly() > 0 && state.ply === questionPly() - 1 && state.eyes === lesson.side;
const isOpen = () => asks() && !lesson.ends[lesson.at];
const isDone = end => end === "right" || end === "later";

// --- What may be tried. Repetition rules aside, which the search has kept.

const SCOUT = LETTERS.indexOf("2"), WAYS = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const scoutsCharge = /scout=on/.test(data.rules) || !/scout=off|1961/.test(data.rules);

// Where a piece can go: a Map from square to "move" or "strike".
function targetsOf(piece, ply) {
  const side = sideOf(piece), rank = rankFor(side, piece, ply), from = squareOf(piece, ply), found = new Map();
  if (from === GONE || rank === FLAG || rank === BOMB) return found;
  for (const [right, up] of WAYS) {
    for (let far = 1; far <= (rank === SCOUT ? 9 : 1); far++) {
      const file = from % 10 + far * right, row = Math.floor(from / 10) + far * up, square = 10 * row + file;
      if (file < 0 || file > 9 || row < 0 || row > 9 || isLake(square)) break;
      const other = pieceAt(square, ply);
      if (other === undefined) found.set(square, "move");
      else if (sideOf(other) !== side && (far === 1 || scoutsCharge)) found.set(square, "strike");
      if (other !== undefined) break;
    }
  }
  return found;
}

const mayMove = piece => isOpen() && piece >= 0 && sideOf(piece) === lesson.side;
const goals = () => (mayMove(state.piece) ? targetsOf(state.piece, state.ply) : new Map());

// --- Reasons, by what the mover knew and believed before the ply.

// How likely a piece has a rank of which something holds, as a byte.
function chance(other, ply, holds) {
  return Math.min(255, beliefOf(other, ply).reduce((sum, byte, rank) => sum + (holds(rank) ? byte : 0), 0));
}

// An enemy's piece as the side sees it: its rank, or the likeliest ones.
function enemyName(other, ply) {
  const side = 1 - sideOf(other), rank = rankFor(side, other, ply), at = squareName(squareOf(other, ply));
  if (rank >= 0) return `the ${WORDS[rank]} on ${at}`;
  const row = beliefOf(other, ply), likeliest = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 2);
  const guess = likeliest.filter(rank => row[rank]).map(rank => `${WORDS[rank]} ${percent(row[rank])}`).join(", ");
  return `the unknown piece on ${at} (${guess})`;
}

// The enemy's piece beside a square that a rank has most to fear from there, or can best strike: [piece, byte].
function beside(square, ply, rank, fears) {
  const near = WAYS.map(([right, up]) => [square % 10 + right, Math.floor(square / 10) + up])
    .filter(([file, row]) => file >= 0 && file < 10 && row >= 0 && row < 10)
    .map(([file, row]) => pieceAt(10 * row + file, ply));
  const enemies = near.filter(piece => piece !== undefined && sideOf(piece) === moverOf(ply));
  const holds = other => (fears ? beats(other, rank) : beats(rank, other));
  const found = enemies.map(piece => [piece, chance(piece, ply, holds)]);
  return found.sort((one, other) => other[1] - one[1])[0] ?? [-1, 0];
}

// From which chance on a danger or a prospect is named: a quarter.
const NAMED = 64;

// What an action does before a ply, in words for the one who played it.
function actionWords(text, ply) {
  const { from, to, strike, back, home } = readMove(text), side = moverOf(ply);
  const own = WORDS[rankFor(side, pieceAt(squareAt(from), ply - 1), ply - 1)];
  const rescue = home ? `, which brings ${named(back)} back on ${home}` : "";
  const other = strike ? pieceAt(squareAt(to), ply - 1) : -1;
  return strike ? `the ${own} from ${from} strikes ${enemyName(other, ply - 1)}${rescue}`
    : `the ${own} goes from ${from} to ${to}${rescue}`;
}

// What a strike at a piece may bring.
function strikeWords(rank, other, ply) {
  const win = chance(other, ply, one => beats(rank, one)), tie = chance(other, ply, one => one === rank && !aggressor);
  const loss = Math.max(0, 255 - win - tie);
  if (tie === 255) return "Both fall.";
  if (win === 255 || loss === 255) return `It surely ${win ? "wins" : "loses"}.`;
  return `It wins ${percent(win)} of the time${tie ? `, ties ${percent(tie)}` : ""} and loses ${percent(loss)}.`;
}

const often = byte => (byte === 255 ? "" : ` ${percent(byte)} of the time`);

// What speaks for an action or against it: who is struck, whom it meets, whom it leaves.
function reasonsFor(text, ply) {
  const { from, to, strike } = readMove(text), before = ply - 1, [start, end] = [from, to].map(squareAt);
  const rank = rankFor(moverOf(ply), pieceAt(start, before), before), said = [];
  if (strike) said.push(strikeWords(rank, pieceAt(end, before), before));
  const [hunter, feared] = beside(start, before, rank, true), [danger, risk] = beside(end, before, rank, true);
  const [prey, hope] = beside(end, before, rank, false);
  if (hunter >= 0 && feared >= NAMED && hunter !== danger && risk < feared && hunter !== pieceAt(end, before)) {
    said.push(`It gets away from ${enemyName(hunter, before)}, which beats it${often(feared)}.`);
  }
  if (danger >= 0 && risk >= NAMED) {
    said.push(`The danger: beside it stands ${enemyName(danger, before)}, which beats it${often(risk)}.`);
  }
  if (!strike && prey >= 0 && hope >= 2 * NAMED) {
    said.push(`It attacks ${enemyName(prey, before)}, which it beats${often(hope)}.`);
  }
  return said.map(sentence => ` ${sentence}`).join("");
}

// Why the search prefers its action: what it does, what it is worth, and what is expected next.
function betterWords(ply) {
  const { line, other } = searched(ply), next = line.split(" ");
  const follows = next[0] === other.better && next.length > 1 ? ` Expected then: ${next.slice(1, 4).join(" ")}.` : "";
  const worth = ` It is worth ${shareOf(other.best).toFixed(1)}% of the points, what was played ` +
    `${shareOf(other.played).toFixed(1)}%.`;
  return `${other.better}: ${actionWords(other.better, ply)}.${reasonsFor(other.better, ply)}${worth}${follows}`;
}

// What was played, and what it risked.
function playedWords(ply) {
  const text = data.moves[ply - 1], { strike, from, to } = readMove(text), plain = from + (strike ? "x" : "") + to;
  const shown = showedRank(ply) ? " It showed the enemy a rank." : "";
  const left = !strike && leftInReach(ply) ? " It left a piece beside one that is known to beat it." : "";
  return `${plain} was played: ${actionWords(plain, ply)}.${reasonsFor(plain, ply)}${left}${shown} It gave away ` +
    `${lossOf(ply).toFixed(1)}% of the points.`;
}

// --- Asking.

function learn(side) {
  stop();
  Object.assign(lesson, { side, plies: questionsOf(side), ends: [] });
  ask(0);
  // The question begins beside the board or under it, and is what has to be in sight.
  for (const part of [find("board"), find("lesson-text").firstElementChild, find("lesson-title")]) {
    part?.scrollIntoView({ block: "nearest" });
  }
  cells.at.get(cells.focused).focus({ preventScroll: true });
}

function ask(at) {
  Object.assign(lesson, { at, tried: null });
  state.piece = -1;
  if (at < lesson.plies.length) toQuestion();
  else draw();
}

function toQuestion() {
  stop();
  state.ply = questionPly() - 1;
  see(lesson.side);
}

// The reader tries an action.
function attempt(from, to) {
  const ply = questionPly(), { better, alike = [] } = searched(ply).other;
  const [first, last] = [squareName(from), squareName(to)];
  const same = text => { const move = readMove(text); return move.from === first && move.to === last; };
  const kinds = [["right", same(better)], ["alike", alike.some(same)], ["played", same(data.moves[ply - 1])]];
  const verdict = kinds.find(([, holds]) => holds)?.[0] ?? "other";
  const before = lesson.tried;
  lesson.tried = { from, to, verdict };
  if (verdict === "right" || verdict === "alike") lesson.ends[lesson.at] = before ? "later" : "right";
  state.piece = -1;
  draw();
}

function finish(end) {
  lesson.ends[lesson.at] = end;
  if (end === "skipped") return ask(lesson.at + 1);
  state.piece = -1;
  draw();
}

function close() {
  lesson.side = -1;
  state.piece = -1;
  draw();
}

// --- Showing it.

// Where an action begins in the drawing, and how many squares it goes to the right and down.
const drawnAt = (text, turned) => {
  const { from, to } = readMove(text), [[x1, y1], [x2, y2]] = [from, to].map(at => corner(squareAt(at), turned));
  return { x: x1, y: y1, right: (x2 - x1) / SIZE, down: (y2 - y1) / SIZE };
};

// Where the chosen piece can go, what was played and what is better.
function drawQuestion(drawing, turned) {
  for (const [square, kind] of goals()) {
    const [x, y] = corner(square, turned), middle = { cx: x + SIZE / 2, cy: y + SIZE / 2 };
    add(drawing, "circle", { ...middle, r: kind === "strike" ? 44 : 16, class: `goal ${kind}` });
  }
  if (!asks()) return;
  const ply = questionPly(), closed = lesson.ends[lesson.at], arrows = [];
  if (closed) arrows.push({ kind: "better", ...drawnAt(searched(ply).other.better, turned) });
  if (closed || lesson.tried?.verdict === "played") {
    arrows.push({ kind: "worse", ...drawnAt(data.moves[ply - 1], turned) });
  }
  // The longer one lies below.
  arrows.sort((one, other) => Math.hypot(other.right, other.down) - Math.hypot(one.right, one.down));
  for (const { kind, x, y, right, down } of arrows) {
    drawArrow(add(drawing, "svg", { x, y, width: SIZE, height: SIZE, overflow: "visible" }), right, down, kind);
  }
}

const button = (text, act, main = false) => {
  add(find("lesson-buttons"), "button", { type: "button", ...(main ? { class: "main" } : {}) }, text)
    .addEventListener("click", act);
};

const say = (text, kind = "") => add(find("lesson-text"), "p", kind ? { class: kind } : {}, text);

// Beside the board where there is room, else under it.
function placeLesson() {
  const box = find("lesson"), beside = columns.matches;
  if (beside === Boolean(box.closest("#beside"))) return;
  if (beside) find("beside").prepend(box);
  else find("board").after(box);
}

function drawLesson() {
  // What is read out changes only when there is something new.
  const now = JSON.stringify([{ ...lesson, drawn: "" }, asks(), columns.matches]);
  if (now === lesson.drawn) return;
  lesson.drawn = now;
  const box = find("lesson"), had = find("lesson-buttons").contains(document.activeElement);
  box.hidden = lesson.side < 0;
  placeLesson();
  find("lesson-text").replaceChildren();
  find("lesson-buttons").replaceChildren();
  if (lesson.side < 0) {
    if (had) cells.at.get(cells.focused).focus();
    return;
  }
  if (questionPly()) drawQuestionText();
  else drawSummary();
  if (had) find("lesson-buttons").querySelector("button").focus();
}

// What is said of the last try.
function verdictWords(ply) {
  const { verdict, from, to } = lesson.tried, text = squareName(from) + squareName(to);
  if (verdict === "played") return playedWords(ply);
  if (verdict === "alike") return `${text} is nearly as good: at most 1% of the points less than the best.`;
  if (verdict === "right") return "Right: the engine would have played it too.";
  return `${text} is not among what the search finds best. What it costs was not searched.`;
}

function drawQuestionText() {
  const ply = questionPly(), end = lesson.ends[lesson.at], left = lesson.plies.length - lesson.at - 1;
  const togo = left ? `${left} more after it` : "the last one";
  find("lesson-title").textContent = `Question ${lesson.at + 1} of ${lesson.plies.length}, ${togo}`;
  if (!asks()) {
    say("You look at another moment.");
    button("Back to the question", toQuestion, true);
    return button("Close", close);
  }
  if (!lesson.tried && !end) {
    say(`${SIDES[lesson.side]}'s move ${Math.ceil(ply / 2)} gave away ${lossOf(ply).toFixed(1)}% of the points. Find a ` +
      "better one on the board: a piece, then a square. An enemy's piece shows what was believed of it.");
  }
  if (lesson.tried && (!end || isDone(end))) say(verdictWords(ply), "verdict");
  if (end) {
    say(`${lesson.tried?.verdict === "right" ? "" : "The engine would have played "}${betterWords(ply)}`);
    if (lesson.tried?.verdict !== "played") say(playedWords(ply));
    button(left ? "Next" : "Summary", () => ask(lesson.at + 1), true);
  } else {
    if (lesson.tried) say("Try again, or see the better one.");
    button("See the better one", () => finish("shown"));
    button("Skip", () => finish("skipped"));
  }
  button("Close", close);
}

function drawSummary() {
  find("lesson-title").textContent = `${SIDES[lesson.side]}'s mistakes: the end`;
  const count = end => lesson.ends.filter(one => one === end).length;
  const parts = ENDS.filter(([end]) => count(end)).map(([end, words]) => `${count(end)} ${words}`);
  say(parts.length ? `Of ${lesson.plies.length}: ${parts.join(", ")}.` : "There is nothing to ask.");
  const missed = lesson.plies.filter((_, at) => !isDone(lesson.ends[at]));
  if (missed.length) {
    button(`Once more: ${missed.length} not found`, () => {
      Object.assign(lesson, { plies: missed, ends: [] });
      ask(0);
    }, true);
  }
  const other = 1 - lesson.side;
  if (costliest(other).length) button(`${SIDES[other]}'s mistakes`, () => learn(other));
  button("Close", close);
}

// A piece that is dragged follows the pointer; where it falls is a try.
function dragPiece(press) {
  const at = press.target.closest(".cell")?.dataset.at, piece = at ? pieceAt(squareAt(at), state.ply) : undefined;
  if (piece === undefined || !mayMove(piece) || press.button !== 0) return;
  const board = find("board"), { left, top, width } = board.getBoundingClientRect(), scale = WHOLE / width;
  const place = event => [(event.clientX - left) * scale, (event.clientY - top) * scale];
  let moving = null;
  const move = event => {
    const [x, y] = place(event), far = Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > 6;
    if (!moving && far) {
      if (state.piece !== piece) choosePiece(piece);
      moving = board.querySelector(`.piece[data-at="${at}"]`);
      moving.parentElement.append(moving);
    }
    moving?.setAttribute("x", x - SIZE / 2);
    moving?.setAttribute("y", y - SIZE / 2);
  };
  const end = event => {
    for (const [name, act] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) {
      document.removeEventListener(name, act);
    }
    if (!moving) return;
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell")?.dataset.at;
    const goal = over && event.type === "pointerup" ? squareAt(over) : -1;
    if (goals().has(goal)) attempt(squareOf(piece, state.ply), goal);
    else draw();
  };
  for (const [name, act] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) {
    document.addEventListener(name, act);
  }
}
