// What the reader sees and does.

const find = id => document.getElementById(id);
// The ply, whose eyes (0, 1 or TRUTH), the chosen piece (-1: none), the rank of the heat map ("", "best" or a rank).
const state = { ply: 0, eyes: TRUTH, piece: -1, heat: "", turned: false, timer: null };
const drawn = { eyes: null };

// --- The belief: one piece's bars.

// A bar for each possible rank; with `before` two of them, one under the other.
function drawBars(parent, row, before, truth) {
  const bars = add(parent, "div", { class: "bars" });
  for (let rank = 0; rank < RANKS; rank++) {
    const was = before ? before[rank] : 0;
    if (row[rank] === 0 && was === 0) continue;
    const isTrue = rank === truth;
    add(bars, "span", isTrue ? { class: "true" } : {}, `${LETTERS[rank]} ${WORDS[rank]}${isTrue ? " (true)" : ""}`);
    const bar = add(bars, "span", { class: before ? "bar two" : "bar", "aria-hidden": "true" });
    if (before) add(bar, "span", { style: `width: ${was / 2.55}%` });
    add(bar, "span", { style: `width: ${row[rank] / 2.55}%` });
    add(bars, "span", { class: "number" }, (before ? `${percent(was)} → ` : "") + percent(row[rank]));
  }
}

function drawBelief() {
  const { eyes, ply, piece } = state, box = find("bars");
  box.replaceChildren();
  find("scale").hidden = state.heat === "";
  if (piece < 0 || !exists(piece, ply)) {
    add(box, "p", { class: "hint" }, "Choose a rank to see where it is believed to be, or choose or click a piece.");
    return;
  }
  const side = sideOf(piece), dead = squareOf(piece, ply) === GONE ? ", dead" : "";
  add(box, "p", {}, pieceName(eyes, piece, ply) + dead);
  if (eyes === side) {
    const bits = views[side].learned[ply * PIECES + piece];
    const letters = [...LETTERS].filter((_, rank) => bits >> rank & 1);
    const guess = `can tell by the rules only that it is one of ${letters.join(" ")}`;
    const text = single(bits) >= 0 ? "can tell its rank" : guess;
    add(box, "p", {}, `${SIDES[1 - side]} ${text}.`);
    return;
  }
  add(box, "p", { class: "hint" }, `What ${SIDES[1 - side]} believes of it:`);
  drawBars(box, beliefOf(piece, ply), null, eyes === TRUTH ? rankFor(TRUTH, piece, ply) : -1);
}

// In one column the bars of a chosen piece stand under the board, where one is looking; else in their section.
const columns = matchMedia("(min-width: 900px), (min-width: 700px) and (max-height: 500px)");

function placeBars() {
  const bars = find("bars"), under = !columns.matches && state.piece >= 0 && !mayMove(state.piece);
  const place = find(under ? "play" : "belief");
  if (bars.parentElement === place) return;
  if (under) find("board").after(bars);
  else place.append(bars);
}

function choosePiece(piece) {
  state.piece = piece === state.piece ? -1 : piece;
  draw();
  const under = find("play").contains(find("bars"));
  if (under && state.piece >= 0) find("bars").scrollIntoView({ block: "nearest" });
}

function chooseSquare(square) {
  if (goals().has(square)) return attempt(squareOf(state.piece, state.ply), square);
  for (let piece = 0; piece < PIECES; piece++) {
    if (squareOf(piece, state.ply) === square) return choosePiece(piece);
  }
}

// The list of pieces on the board, by name.
function listPieces() {
  const list = find("piece");
  if (document.activeElement === list) return;
  list.replaceChildren();
  add(list, "option", { value: -1 }, "none");
  for (let piece = 0; piece < PIECES; piece++) {
    const shown = squareOf(piece, state.ply) !== GONE || piece === state.piece && exists(piece, state.ply);
    if (shown) add(list, "option", { value: piece }, pieceName(state.eyes, piece, state.ply));
  }
  list.value = state.piece;
  if (list.selectedIndex < 0) list.value = -1;
}

// --- The move: what happened, and why.

const named = letter => (letter === "?" ? "a piece of unknown rank" : `a ${WORDS[LETTERS.indexOf(letter)]}`);

function describe(ply) {
  if (ply === 0) return "The setups stand. Red begins.";
  const move = readMove(moveText(state.eyes, ply)), who = SIDES[moverOf(ply)];
  const back = move.home ? `, and brings ${named(move.back)} back on ${move.home}` : "";
  if (!move.strike) return `${who} moves ${move.from} to ${move.to}${back}.`;
  const ends = { W: "and wins", L: "and loses", T: "and both fall" };
  return `${who} strikes with ${named(move.striker)} from ${move.from} ${named(move.defender)} on ${move.to} ` +
    `${ends[move.outcome]}${back}.`;
}

function drawStatus() {
  let text = `Ply ${state.ply} of ${plies}: ${describe(state.ply)}`;
  if (state.ply === plies) text += ` The end: ${ending()}.`;
  // Nobody can listen to many plies a second.
  find("status").setAttribute("aria-live", state.timer ? "off" : "polite");
  find("status").textContent = text;
}

function ending() {
  const { winner, reason, fault } = data.outcome;
  if (winner === "none") return `No result${fault ? `: ${fault}` : ""}`;
  const drawn = winner === "draw", [won, lost] = winner === "red" ? SIDES : [...SIDES].reverse();
  const words = {
    flag: `${won} took the flag`, stuck: drawn ? "neither side can move" : `${lost} cannot move`,
    attrition: drawn ? "neither side has a piece left that moves" : `${lost} has no piece left that moves`,
    quiet: "too long without a strike", plies: "too many plies", resigned: `${lost} gave up`,
    time: `${lost}'s clock ran out`, agreed: "both agreed",
  };
  return `${drawn ? "Draw" : `${won} wins`}: ${fault ? `${reason}: ${fault}` : words[reason] ?? reason}`;
}

// The pieces of the last ply: who went or struck, and who was struck.
function piecesOf(ply) {
  const move = readMove(data.moves[ply - 1]), found = [];
  for (const square of move.strike ? [move.from, move.to] : [move.from]) {
    for (let piece = 0; piece < PIECES; piece++) {
      if (squareOf(piece, ply - 1) === squareAt(square)) found.push(piece);
    }
  }
  return found;
}

function drawEffort(box, ply) {
  const said = [];
  if (data.nodes && data.nodes[ply - 1]) said.push(`${data.nodes[ply - 1]} nodes`);
  if (data.clocks && data.clocks[ply - 1]) said.push(`${data.clocks[ply - 1]} ms`);
  if (said.length) add(box, "p", { class: "hint" }, `It took ${said.join(", ")}.`);
}

// What the mover thought, if the one who looks may know it.
function drawThoughts(box, ply) {
  const mover = moverOf(ply);
  if (state.eyes !== TRUTH && state.eyes !== mover) return;
  const value = data.curve.kind === "search" && data.curve.values[ply - 1];
  if (value) {
    const [win, drawn, loss] = value.wdl.map(share => `${share / 10}%`);
    add(box, "p", {}, `A search of ${data.curve.nodes} nodes before it, by what ${SIDES[mover]} knew: win ${win}, ` +
      `draw ${drawn}, loss ${loss}; expected line ${value.line}.`);
  }
  const word = judged(state.eyes, ply);
  if (word) {
    const share = wdl => `${shareOf(wdl).toFixed(1)}%`, article = word === "inaccuracy" ? "An" : "A";
    add(box, "p", { class: "judged" }, `${article} ${word}: it gave away ${lossOf(ply).toFixed(1)}% of the points` +
      `${kindOf(ply)[2]}. What was played was worth ${share(value.other.played)}, ${value.other.better} ` +
      `${share(value.other.best)}.`);
  }
  const candidates = data.candidates && data.candidates[ply - 1];
  if (candidates) {
    const words = candidates.split(" "), list = [];
    for (let i = 0; i + 1 < words.length; i += 2) list.push(`${words[i]} ${words[i + 1] / 10}%`);
    add(box, "p", {}, `The best actions by the record, with the share of the points expected: ${list.join(", ")}.`);
  }
}

// The table of `why`: what each likelihood made of what is believed, in percent.
function drawTable(box, rows) {
  const ranks = [...LETTERS].map((_, rank) => rank).filter(rank => rows.some(([, row]) => row[rank] > 0));
  const table = add(add(box, "div", { class: "scroll", tabindex: "0" }), "table");
  add(table, "caption", { class: "hint" }, "Where the belief after it comes from, in percent");
  const head = add(table, "tr");
  add(head, "th", { scope: "col" }, "by");
  for (const rank of ranks) add(head, "th", { scope: "col" }, LETTERS[rank]);
  for (const [label, row] of rows) {
    const line = add(table, "tr");
    add(line, "th", { scope: "row" }, label);
    for (const rank of ranks) add(line, "td", {}, row[rank] ? percent(row[rank]).replace("%", "") : "–");
  }
}

function drawWhy() {
  const box = find("why"), { ply, eyes } = state;
  box.replaceChildren();
  if (ply === 0) {
    add(box, "p", { class: "hint" }, "Nothing has been played yet.");
    return;
  }
  add(box, "p", {}, describe(ply));
  drawEffort(box, ply);
  drawThoughts(box, ply);
  for (const piece of piecesOf(ply).filter(piece => sideOf(piece) !== eyes)) {
    const other = 1 - sideOf(piece), before = beliefOf(piece, ply - 1), after = beliefOf(piece, ply);
    if (before.every((byte, rank) => byte === after[rank]) && Math.max(...after) === 255) continue;
    add(box, "h3", {}, `What ${SIDES[other]} believes of ${pieceName(eyes, piece, ply - 1)}`);
    const keys = add(box, "p", { class: "hint" });
    add(keys, "span", { class: "key before" });
    add(keys, "span", {}, "before the move ");
    add(keys, "span", { class: "key after" });
    add(keys, "span", {}, "after it");
    drawBars(box, after, before, eyes === TRUTH ? rankFor(TRUTH, piece, ply) : -1);
    const rows = views[other].why[ply];
    if (rows.length && sideOf(piece) === moverOf(ply)) drawTable(box, rows);
  }
  if (data.curve.kind !== "search") {
    add(box, "p", { class: "hint" }, "No search was run for this page: what it can tell of a move is what was " +
      "believed of the enemy's pieces before and after it.");
  }
}

// --- The dead and the moves.

// How many of a side's pieces are off the board, by rank; -1 is the rank of those that the one who looks cannot tell.
function countDead(side) {
  const counts = new Map();
  const pieces = Array.from({ length: A_SIDE }, (_, number) => side * A_SIDE + number);
  for (const piece of pieces.filter(piece => exists(piece, state.ply))) {
    const rank = rankFor(state.eyes, piece, state.ply);
    if (squareOf(piece, state.ply) === GONE) counts.set(rank, (counts.get(rank) || 0) + 1);
  }
  return [...counts].sort(([a], [b]) => b - a);
}

function drawDead() {
  const box = find("dead");
  box.replaceChildren();
  for (const side of [0, 1]) {
    const line = add(box, "div", { class: "fallen" }), counts = countDead(side);
    add(line, "span", { class: "who" }, SIDES[side]);
    for (const [rank, count] of counts) {
      const text = (rank < 0 ? "?" : LETTERS[rank]) + (count > 1 ? ` ×${count}` : "");
      add(line, "span", { class: `badge ${COLOURS[side]}`, title: rank < 0 ? "of unknown rank" : WORDS[rank] }, text);
    }
    if (!counts.length) add(line, "span", { class: "hint" }, "none");
  }
}

// The list is made anew only when the view changes; its buttons are reached by click, the keys step anyway.
function listMoves() {
  const list = document.createElement("ol");
  for (let ply = 1; ply <= plies; ply += 2) {
    const line = add(list, "li");
    add(line, "span", { class: "turn" }, (ply + 1) / 2);
    for (const each of [ply, ply + 1].filter(each => each <= plies)) {
      const button = add(line, "button", { type: "button", tabindex: "-1", "data-ply": each });
      button.textContent = moveText(state.eyes, each);
      if (isStrike(each)) button.className = "strike";
      const word = judged(state.eyes, each);
      if (word) add(button, "span", { class: `judged ${word}` }, word);
    }
  }
  find("moves").replaceChildren(list);
  listGiven();
}

// What was given away, side by side; and each side's costliest moves as buttons, for whoever has no mouse too.
function listGiven() {
  const box = find("given"), { kind, nodes } = data.curve, { eyes } = state;
  box.replaceChildren();
  find("learn").replaceChildren();
  find("lessons").hidden = kind !== "search";
  if (kind !== "search") return;
  const sides = [0, 1].filter(side => eyes === TRUTH || eyes === side), columns = sides.map(given);
  for (const side of sides.filter(side => costliest(side).length)) {
    add(find("learn"), "button", { type: "button", "data-learn": side }, `Learn from ${SIDES[side]}'s mistakes`);
  }
  const [blunder, mistake, inaccuracy] = BOUNDS.map(([least]) => `${least}%`);
  add(box, "p", { class: "hint" }, `By searches of ${nodes} nodes and more with what the mover knew: an inaccuracy gives ` +
    `away ${inaccuracy} of the points, a mistake ${mistake}, a blunder ${blunder}.`);
  const table = add(box, "table"), head = add(table, "tr");
  add(head, "th", { scope: "col" }, "Points");
  for (const side of sides) add(head, "th", { scope: "col" }, SIDES[side]);
  columns[0].forEach(([name], row) => {
    const line = add(table, "tr");
    add(line, "th", { scope: "row" }, name);
    for (const column of columns) add(line, "td", {}, column[row][1]);
  });
  for (const side of sides) {
    const found = costliest(side), line = add(box, "p", { class: "costliest screen" });
    add(line, "span", {}, found.length ? `${SIDES[side]}'s costliest: ` : `${SIDES[side]} gave nothing away.`);
    for (const ply of found) {
      const text = `${Math.ceil(ply / 2)}. ${moveText(eyes, ply)} −${lossOf(ply).toFixed(1)}%`;
      add(line, "button", { type: "button", "data-ply": ply }, text);
    }
  }
}

function markMove() {
  const box = find("moves");
  box.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = box.querySelector(`[data-ply="${state.ply}"]`);
  if (!button) {
    box.scrollTop = 0;
    return;
  }
  button.setAttribute("aria-current", "true");
  const top = button.parentElement.offsetTop, bottom = top + button.parentElement.offsetHeight;
  if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
}

// --- Putting it together.

function draw() {
  if (drawn.eyes !== state.eyes) {
    drawn.eyes = state.eyes;
    listMoves();
    drawCurve(find("curve"), state.eyes);
    find("curve-label").textContent = curveLabel(state.eyes);
    find("curve").setAttribute("aria-label", curveLabel(state.eyes));
    for (const radio of document.getElementsByName("eyes")) radio.checked = Number(radio.value) === state.eyes;
  }
  drawBoard(find("board"), state);
  drawLesson();
  drawStatus();
  placeBars();
  drawBelief();
  drawWhy();
  drawDead();
  markMove();
  listPieces();
  moveCursor(find("curve"), state.ply);
  // Where the page is a part of the board, a link leads to what is looked at.
  const study = document.querySelector("header a[href*='/study#']");
  if (study) study.hash = study.hash.replace(/-\d+-\w+$/, `-${state.ply}-${COLOURS[state.eyes] ?? "both"}`);
  find("rank").value = state.heat;
  find("slider").value = state.ply;
  find("slider").setAttribute("aria-valuetext", find("status").textContent);
}

function go(ply) {
  state.ply = Math.max(0, Math.min(plies, ply));
  draw();
}

function see(eyes) {
  state.eyes = eyes;
  state.turned = eyes === 1;
  draw();
}

// The nearest strike before (-1) or after (1) the present ply, or the end of the game on that side.
function nearestStrike(step) {
  let ply = state.ply + step;
  while (ply > 0 && ply < plies && !isStrike(ply)) ply += step;
  return ply;
}

const jumps = {
  start: () => 0, end: () => plies, back: () => state.ply - 1, on: () => state.ply + 1,
  "last-strike": () => nearestStrike(-1), "next-strike": () => nearestStrike(1),
};

function stop() {
  clearInterval(state.timer);
  state.timer = null;
  find("run").textContent = "Play";
}

function playOrStop() {
  if (state.timer) return stop();
  if (state.ply === plies) go(0);
  find("run").textContent = "Stop";
  state.timer = setInterval(() => {
    go(state.ply + 1);
    if (state.ply === plies) stop();
  }, 1000 / Number(find("speed").value));
}

const stepBack = () => go(jumps.back()), stepOn = () => go(jumps.on());

// Keys that work wherever the focus is.
const keys = {
  ArrowLeft: stepBack, ArrowRight: stepOn, ",": stepBack, ".": stepOn, Home: () => go(0), End: () => go(plies),
  " ": playOrStop, v: () => see((state.eyes + 1) % 3), V: () => see((state.eyes + 1) % 3),
};
const withShift = { ArrowLeft: () => go(jumps["last-strike"]()), ArrowRight: () => go(jumps["next-strike"]()) };

// Keys on the board: from square to square.
const onBoard = {
  ArrowLeft: () => stepFocus(-1, 0), ArrowRight: () => stepFocus(1, 0),
  ArrowUp: () => stepFocus(0, 1), ArrowDown: () => stepFocus(0, -1),
  Enter: () => chooseSquare(cells.focused), " ": () => chooseSquare(cells.focused), Escape: () => choosePiece(-1),
};

// Keys do what they do everywhere but where they have a meaning of their own.
function onKey(event) {
  const at = event.target instanceof Element ? event.target : document.body;
  const arrow = event.key.startsWith("Arrow");
  if (event.ctrlKey || event.altKey || event.metaKey || at.matches("select")) return;
  const presses = event.key === " " && at.matches("button, input[type=radio], input[type=checkbox]");
  if (arrow && at.matches("input[type=radio]") || presses) return;
  const own = at.matches(".cell") ? onBoard : {};
  const act = event.shiftKey && withShift[event.key] || own[event.key] || keys[event.key];
  if (act) {
    event.preventDefault();
    act();
  }
}

// The ply under the pointer in the curve.
function plyAt(event) {
  const box = find("curve").getBoundingClientRect(), inside = box.width - PLOT.left - PLOT.right;
  return Math.round((event.clientX - box.left - PLOT.left) / inside * plies);
}

// The browser keeps how pieces look, unless it keeps nothing.
const KEPT = "outflank-emblems";

function turnEmblems(on) {
  document.documentElement.classList.toggle("numbers", !on);
  try { localStorage.setItem(KEPT, on ? "on" : "off"); } catch { /* as long as the page is open, then */ }
}

function recallEmblems() {
  try { find("emblems").checked = localStorage.getItem(KEPT) !== "off"; } catch { /* it keeps nothing */ }
  turnEmblems(find("emblems").checked);
}

function begin() {
  recallEmblems();
  find("red-name").textContent = data.players[0] + " (Red)";
  find("blue-name").textContent = data.players[1] + " (Blue)";
  const thought = data.inference_nodes
    ? ` Before it believed, each player thought about the enemy's moves (${data.inference_nodes} nodes).` : "";
  find("about").textContent = `Game ${data.game}, ${plies} plies. ${ending()}.`;
  find("rules").textContent = `Rules: ${data.rules}.${thought}`;
  const rank = find("rank");
  add(rank, "option", { value: "" }, "nothing");
  add(rank, "option", { value: "best" }, "the likeliest rank, and how sure it is");
  [...LETTERS].forEach((letter, index) => add(rank, "option", { value: index }, `${letter} ${WORDS[index]}`));
  find("slider").max = plies;

  document.addEventListener("keydown", onKey);
  document.querySelectorAll("[data-go]").forEach(button =>
    button.addEventListener("click", () => go(jumps[button.dataset.go]())));
  document.getElementsByName("eyes").forEach(radio => radio.addEventListener("change", () => see(Number(radio.value))));
  find("slider").addEventListener("input", () => go(Number(find("slider").value)));
  find("run").addEventListener("click", playOrStop);
  find("speed").addEventListener("change", () => { if (state.timer) { stop(); playOrStop(); } });
  find("turn").addEventListener("click", () => { state.turned = !state.turned; draw(); });
  find("emblems").addEventListener("change", () => turnEmblems(find("emblems").checked));
  rank.addEventListener("change", () => { state.heat = rank.value; draw(); });
  find("piece").addEventListener("change", () => { state.piece = Number(find("piece").value); draw(); });
  find("curve").addEventListener("click", event => go(plyAt(event)));
  // A click leaves the focus where it is: the arrow keys go on stepping.
  find("board").addEventListener("mousedown", event => {
    event.preventDefault();
    if (!find("board").contains(document.activeElement)) document.activeElement.blur();
  });
  find("board").addEventListener("click", event => {
    const cell = event.target.closest(".cell");
    if (cell) chooseSquare(squareAt(cell.dataset.at));
  });
  for (const id of ["moves", "given", "learn"]) {
    find(id).addEventListener("click", event => {
      const button = event.target.closest("button");
      if (button?.dataset.learn) learn(Number(button.dataset.learn));
      else if (button) go(Number(button.dataset.ply));
    });
  }
  find("board").addEventListener("pointerdown", dragPiece);
  window.addEventListener("resize", () => { drawn.eyes = null; draw(); });
  draw();
  open();
}

// What the address asks for: a ply, questions about a side's mistakes, or the first mistake, of a side or of either.
function open() {
  const [, what, of] = /^#(ply|learn|mistake)-(\w*)$/.exec(location.hash) ?? [], side = COLOURS.indexOf(of);
  if (what === "ply") return go(Number(of));
  if (!what || data.curve.kind !== "search") return;
  if (what === "learn") return side >= 0 && learn(side);
  const sides = side < 0 ? [0, 1] : [side];
  const found = sides.flatMap(side => questionsOf(side).slice(0, 1))
    .filter(ply => lossOf(ply) >= WORTH || sides.length === 1);
  if (found.length) go(Math.min(...found));
}

begin();
