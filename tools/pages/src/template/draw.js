// Drawing the board and the curve.

const SIZE = 100, EDGE = 40, WHOLE = 10 * SIZE + 2 * EDGE;

// How light a colour is, from 0 to 1 (WCAG 2.2). Black stands out from what is lighter than 0.179, white from the rest.
function light(rgb) {
  const linear = rgb.map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

// White for 0 over pink and violet to near black for 1: darker is likelier, whatever colours one sees.
function ramp(share) {
  const stops = [[255, 255, 255], [228, 170, 206], [150, 80, 170], [60, 20, 90]];
  const place = Math.min(share, 0.999) * 3, index = Math.floor(place), part = place - index;
  const mixed = stops[index].map((from, i) => Math.round(from + (stops[index + 1][i] - from) * part));
  return { fill: `rgb(${mixed.join(" ")})`, ink: light(mixed) > 0.179 ? "#000" : "#fff" };
}

// The corner of a square on the board as it is turned.
function corner(square, turned) {
  const file = square % 10, row = Math.floor(square / 10);
  return [EDGE + SIZE * (turned ? 9 - file : file), EDGE + SIZE * (turned ? row : 9 - row)];
}

const isLake = square => [4, 5].includes(Math.floor(square / 10)) && [2, 3, 6, 7].includes(square % 10);

function drawSquares(svg, turned, touched) {
  add(svg, "rect", { width: WHOLE, height: WHOLE, rx: 18, class: "frame" });
  for (let square = 0; square < 100; square++) {
    const [x, y] = corner(square, turned), dark = (square + Math.floor(square / 10)) % 2 ? "" : "dark";
    add(svg, "rect", { x, y, width: SIZE, height: SIZE, class: `square ${dark}` });
    if (touched.includes(square)) add(svg, "rect", { x, y, width: SIZE, height: SIZE, class: "touched" });
  }
  for (const square of turned ? [53, 57] : [52, 56]) {
    const [x, y] = corner(square, turned);
    add(svg, "use", { href: "#lake", x, y, width: 2 * SIZE, height: 2 * SIZE });
  }
  for (let i = 0; i < 10; i++) {
    const middle = EDGE + SIZE * (turned ? 9 - i : i) + SIZE / 2;
    for (const edge of [EDGE / 2, WHOLE - EDGE / 2]) {
      add(svg, "text", { x: middle, y: edge, class: "name" }, "abcdefghij"[i]);
      add(svg, "text", { x: edge, y: WHOLE - middle, class: "name" }, i + 1);
    }
  }
}

function ownerAndRank(eyes, piece, ply) {
  const rank = rankFor(eyes, piece, ply);
  return `${SIDES[sideOf(piece)]}'s ${rank < 0 ? "piece of unknown rank" : WORDS[rank]}`;
}

// What a piece is, in words.
function pieceName(eyes, piece, ply) {
  const square = squareOf(piece, ply);
  return ownerAndRank(eyes, piece, ply) + (square === GONE ? "" : ` on ${squareName(square)}`);
}

// What the heat map says of a hidden piece: [rank, its byte], or null.
function heatOf(state, piece) {
  const { eyes, ply, heat } = state;
  if (heat === "" || eyes === sideOf(piece) || isKnown(eyes, piece, ply)) return null;
  const row = beliefOf(piece, ply);
  const rank = heat === "best" ? row.indexOf(Math.max(...row)) : Number(heat);
  return [rank, row[rank]];
}

function drawPiece(svg, state, piece) {
  const { eyes, ply, turned } = state, side = sideOf(piece), square = squareOf(piece, ply);
  const [x, y] = corner(square, turned), rank = rankFor(eyes, piece, ply), letter = rank >= 0 ? LETTERS[rank] : "?";
  const hidden = !isKnown(eyes, piece, ply), heat = heatOf(state, piece);
  const kind = `piece ${COLOURS[side]} ${hidden ? "hidden" : "open"}`, place = { x, y, width: SIZE, height: SIZE };
  const group = add(svg, "svg", { class: kind, viewBox: "0 0 100 100", "data-at": squareName(square), ...place });
  drawTile(group, letter, COLOURS[side], { moved: hidden && hasMoved(piece, ply) });
  if (heat) drawHeat(group, heat, state.heat === "best" ? LETTERS[heat[0]] + "?" : letter);
  if (piece === state.piece) add(group, "rect", { x: 3, y: 3, width: 94, height: 94, rx: 10, class: "chosen" });
}

// Over the face: what it is, or is likeliest to be; below how likely.
function drawHeat(group, [, byte], above) {
  const { fill, ink } = ramp(byte / 255);
  group.classList.add("heated");
  add(group, "rect", { x: 8, y: 21, width: 84, height: 68, rx: 8, class: "heat" }).style.fill = fill;
  add(group, "text", { x: 50, y: 39, class: "small" }, above).style.fill = ink;
  add(group, "text", { x: 50, y: 70, class: "chance" }, percent(byte)).style.fill = ink;
}

// The drawing is made anew for each ply. Nobody clicks, focuses or reads it: that is done with the cells over it.
function drawBoard(svg, state) {
  layCells(svg, state.turned);
  const drawing = svg.querySelector(".drawing");
  drawing.replaceChildren();
  const move = state.ply > 0 ? readMove(moveText(state.eyes, state.ply)) : null;
  const touched = move ? [squareAt(move.from), squareAt(move.to)] : [];
  drawSquares(drawing, state.turned, touched);
  if (move) {
    const [[x1, y1], [x2, y2]] = touched.map(square => corner(square, state.turned).map(edge => edge + SIZE / 2));
    add(drawing, "line", { x1, y1, x2, y2, class: "way" });
    add(drawing, "circle", { cx: x1, cy: y1, r: 16, class: "begin" });
  }
  const pieces = new Map();
  for (let piece = 0; piece < PIECES; piece++) {
    if (squareOf(piece, state.ply) !== GONE) pieces.set(squareOf(piece, state.ply), piece);
  }
  for (const piece of pieces.values()) drawPiece(drawing, state, piece);
  drawQuestion(drawing, state.turned);
  labelCells(state, pieces);
}

// The cells by square, and how the board was turned when they were laid.
const cells = { turned: null, at: new Map(), focused: squareAt("e4") };

// Lays a cell over each square. They stay when the ply changes, and so does the focus.
function layCells(svg, turned) {
  if (cells.turned === turned) return;
  const focused = cells.at.get(cells.focused) === document.activeElement;
  cells.turned = turned;
  svg.replaceChildren();
  add(svg, "g", { class: "drawing", "aria-hidden": "true" });
  for (let i = 0; i < 10; i++) {
    const row = add(svg, "g", { role: "row" });
    for (let j = 0; j < 10; j++) {
      const square = 10 * (turned ? i : 9 - i) + (turned ? 9 - j : j), [x, y] = corner(square, turned);
      const cell = add(row, "rect", { x: x + 3, y: y + 3, width: SIZE - 6, height: SIZE - 6, class: "cell",
        role: "gridcell", tabindex: square === cells.focused ? 0 : -1, "data-at": squareName(square) });
      cells.at.set(square, cell);
    }
  }
  if (focused) cells.at.get(cells.focused).focus();
}

// What stands on a square, in words.
function cellName(state, square, piece) {
  const name = squareName(square), { eyes, ply } = state, goal = goals().get(square);
  const can = goal ? `, ${goal} here` : "";
  if (piece === undefined) return `${name}, ${isLake(square) ? "lake" : "empty"}${can}`;
  const hidden = isKnown(eyes, piece, ply) ? "" : ", hidden from its enemy";
  const moved = hidden && hasMoved(piece, ply) ? ", has moved" : "", heat = heatOf(state, piece);
  const chance = heat ? `, ${WORDS[heat[0]]} ${percent(heat[1])}` : "";
  return `${name}, ${ownerAndRank(eyes, piece, ply)}${hidden}${moved}${chance}${can}`;
}

function labelCells(state, pieces) {
  for (const [square, cell] of cells.at) {
    const piece = pieces.get(square), label = cellName(state, square, piece);
    cell.setAttribute("aria-label", label);
    cell.classList.toggle("full", piece !== undefined);
    cell.classList.toggle("source", piece !== undefined && mayMove(piece));
    if (piece !== undefined && piece === state.piece) cell.setAttribute("aria-selected", "true");
    else cell.removeAttribute("aria-selected");
    cell.replaceChildren();
    if (piece !== undefined) add(cell, "title", {}, label);
  }
}

// The focus goes to another cell, a step right and up as the reader sees the board.
function stepFocus(right, up) {
  const way = cells.turned ? -1 : 1;
  const file = cells.focused % 10 + way * right, row = Math.floor(cells.focused / 10) + way * up;
  if (file < 0 || file > 9 || row < 0 || row > 9) return;
  cells.at.get(cells.focused).setAttribute("tabindex", -1);
  cells.focused = 10 * row + file;
  cells.at.get(cells.focused).setAttribute("tabindex", 0);
  cells.at.get(cells.focused).focus();
}

// The curve: where plies and values lie in a picture of this width.
const PLOT = { height: 210, left: 46, right: 10, top: 10, bottom: 160 };
const plotX = (ply, width) => PLOT.left + (width - PLOT.left - PLOT.right) * ply / Math.max(plies, 1);
const plotY = share => PLOT.bottom - (PLOT.bottom - PLOT.top) * share;

// The points of a curve as [ply, share of the height]; `value` gives a share or null.
function points(value) {
  const found = [];
  for (let ply = 0; ply <= plies; ply++) {
    const share = value(ply);
    if (share !== null && share !== undefined) found.push([ply, share]);
  }
  return found;
}

function path(list, width) {
  return list.map(([ply, share], i) => `${i ? "L" : "M"}${plotX(ply, width).toFixed(1)} ${plotY(share).toFixed(1)}`)
    .join("");
}

// The area between two curves with the same plies.
function area(low, high, width) {
  return low.length ? path(low, width) + path([...high].reverse(), width).replace("M", "L") + "Z" : "";
}

// What the player of a side expected when it was its turn, in shares: [win, win or draw].
function expected(side, ply) {
  if (moverOf(ply + 1) !== side) return null;
  const value = data.curve.values[ply];
  if (value === null || value === undefined) return null;
  return data.curve.kind === "search" ? [value.wdl[0] / 1000, (value.wdl[0] + value.wdl[1]) / 1000] : [value / 1000];
}

// The share of the points that a side expected.
function score(side, ply) {
  const shares = expected(side, ply);
  return shares && (shares.length === 2 ? (shares[0] + shares[1]) / 2 : shares[0]);
}

function drawMaterial(svg, width) {
  const values = data.curve.values, most = Math.max(100, ...values.map(Math.abs));
  const part = value => 0.5 + value / most / 2;
  const line = points(ply => part(values[ply])), even = points(() => 0.5);
  const above = points(ply => part(Math.max(values[ply], 0))), below = points(ply => part(Math.min(values[ply], 0)));
  add(svg, "path", { d: area(even, above, width), class: "area-red" });
  add(svg, "path", { d: area(even, below, width), class: "area-blue" });
  add(svg, "path", { d: path(line, width), class: "line-red", style: "stroke: var(--ink)" });
  drawScale(svg, width, [[1, `+${most}`], [0.5, "0"], [0, `−${most}`]]);
}

function drawChances(svg, width, side) {
  const win = points(ply => expected(side, ply)?.[0]), upTo = points(ply => expected(side, ply)?.[1]);
  const ends = share => win.map(([ply]) => [ply, share]);
  add(svg, "path", { d: area(ends(0), win, width), class: `win-${COLOURS[side]}` });
  add(svg, "path", { d: area(win, upTo, width), class: "draw" });
  add(svg, "path", { d: area(upTo, ends(1), width), class: `win-${COLOURS[1 - side]}` });
  drawScale(svg, width, [[1, "100"], [0.5, "50"], [0, "0%"]]);
}

function drawScores(svg, width, eyes) {
  const of = eyes === 1 ? 1 : 0;
  for (const side of [0, 1].filter(side => eyes === TRUTH || eyes === side)) {
    const shares = points(ply => {
      const value = score(side, ply);
      return value === null || side === of ? value : 1 - value;
    });
    add(svg, "path", { d: path(shares, width), class: `line-${COLOURS[side]}` });
  }
  drawScale(svg, width, [[1, "100"], [0.5, "50"], [0, "0%"]]);
}

function drawScale(svg, width, marks) {
  for (const [share, label] of marks) {
    const y = plotY(share);
    add(svg, "line", { x1: PLOT.left, x2: width - PLOT.right, y1: y, y2: y, class: "grid" });
    add(svg, "text", { x: PLOT.left - 4, y: y + 4, "text-anchor": "end" }, label);
  }
}

// Strikes in two rows under the curve, Red's above Blue's.
function drawStrikes(svg, width) {
  add(svg, "text", { x: PLOT.left - 4, y: 178, "text-anchor": "end" }, "✕ R");
  add(svg, "text", { x: PLOT.left - 4, y: 196, "text-anchor": "end" }, "✕ B");
  for (let ply = 1; ply <= plies; ply++) {
    if (!isStrike(ply)) continue;
    const x = plotX(ply, width), y = moverOf(ply) === 0 ? 167 : 185;
    add(svg, "line", { x1: x, x2: x, y1: y, y2: y + 14, class: `strike-${COLOURS[moverOf(ply)]}` });
  }
}

function drawCurve(svg, eyes) {
  const width = Math.max(svg.clientWidth, 300), kind = data.curve.kind;
  svg.replaceChildren();
  svg.setAttribute("viewBox", `0 0 ${width} ${PLOT.height}`);
  if (kind === "material") drawMaterial(svg, width);
  else if (kind === "search" && eyes !== TRUTH) drawChances(svg, width, eyes);
  else drawScores(svg, width, eyes);
  drawStrikes(svg, width);
  add(svg, "line", { y1: 4, y2: 202, class: "now" });
  moveCursor(svg, 0);
}

function moveCursor(svg, ply) {
  const x = plotX(ply, svg.viewBox.baseVal.width), line = svg.querySelector(".now");
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}

// What the curve is, in words.
function curveLabel(eyes) {
  const strikes = " Strikes are marked below it.", { kind, nodes } = data.curve;
  if (kind === "material") {
    return "Material by the truth, whatever view is chosen: Red's points less Blue's. The record holds no scores, " +
      "and no search was run for this page." + strikes;
  }
  const by = kind === "search" ? `searches of ${nodes} nodes made for this page` : "the scores in the record";
  if (eyes === TRUTH) {
    return `The share of the points that Red may expect: by Red's own knowledge (red line), and by Blue's (blue, ` +
      `dashed); from ${by}.` + strikes;
  }
  const what = kind === "search" ? "win (below), draw (grey), loss (above)" : "the share of the points";
  return `${SIDES[eyes]}'s expectation by its own knowledge: ${what}; from ${by}.` + strikes;
}
