// The drawings of pieces and lakes, for pages of recorded games and for the page to play on. Each is drawn once as a
// symbol; a piece is put together from them in a square of 100 by 100.

const SVG = "http://www.w3.org/2000/svg";

// A new element inside another one. Text is set as text, never as HTML: names may be anything.
function add(parent, name, attributes = {}, text = null) {
  const inSvg = parent.namespaceURI === SVG;
  const element = inSvg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== null) element.textContent = text;
  parent.appendChild(element);
  return element;
}

// Red's tiles have square battlements, Blue's round ones: nobody needs the colour.
const OUTLINES = {
  red: "M5 8H27V17H38V8H62V17H73V8H95V88Q95 94 89 94H11Q5 94 5 88Z",
  blue: "M5 22Q5 6 17 6T29 17H37Q37 6 50 6T63 17H71Q71 6 83 6T95 22V74Q95 94 75 94H25Q5 94 5 74Z",
};

const EMBLEMS = {
  F: `<path d="M5 2h2.4v20H5z"/><path d="M8.4 3q4-2.4 7 0t6.6 0v10q-3.6 2.2-6.6 0t-7 0z"/>`,
  S: `<path fill-rule="evenodd"
    d="M1 12C5 4.8 19 4.8 23 12 19 19.2 5 19.2 1 12zm11-4.6a4.6 4.6 0 1 0 0 9.2 4.6 4.6 0 1 0 0-9.2z"/>
    <circle cx="12" cy="12" r="2.5"/>`,
  2: `<g transform="rotate(-35 12 12)"><rect y="7.6" width="9.4" height="8.8" rx="1.2"/>
    <rect x="10.2" y="9" width="6.6" height="6"/><rect x="17.6" y="10.2" width="6.2" height="3.6"/></g>`,
  3: `<g transform="rotate(40 12 12) translate(-2.2 -2.2) scale(1.18)"><rect x="7.4" y="1.4" width="9.2" height="2.8"
    rx="1.2"/><path d="M10.6 4h2.8v8.6h4.8v3.6c0 3.2-2.8 5-6.2 6.9-3.4-1.9-6.2-3.7-6.2-6.9v-3.6h4.8z"/></g>`,
  4: `<path d="M3 2.4l9 5.4 9-5.4v3.7l-9 5.4-9-5.4zM3 9l9 5.4L21 9v3.7l-9 5.4-9-5.4zM3 15.6L12 21l9-5.4v3L12
    24l-9-5.4z"/>`,
  5: `<path d="M12 1.5l9.5 8.5v4.5L12 6 2.5 14.5V10zM12 11l9.5 8.5V24L12 15.5 2.5 24v-4.5z"/>`,
  6: `<g transform="rotate(40 12 12) translate(-1.8 -1.8) scale(1.15)"><path d="M12 0l2.6 3.4v11.8H9.4V3.4z"/>
    <rect x="4.8" y="15" width="14.4" height="2.9" rx="1.2"/><path d="M10.4 17.5h3.2V21h-3.2z"/>
    <circle cx="12" cy="21.6" r="2.2"/></g>`,
  7: `<path d="M3.4 17.4L1.4 6.4l6 5L12 3.2l4.6 8.2 6-5-2 11z"/><rect x="3.4" y="18.6" width="17.2"
    height="2.8"/>`,
  8: `<path fill-rule="evenodd" d="M12 1l9.6 3v7c0 6.2-4.8 9.8-9.6 12.2C7.2 20.8 2.4 17.2 2.4 11V4zm-1.5
    4.4v4.3H6.4v3h4.1v6h3v-6h4.1v-3h-4.1V5.4z"/>`,
  9: `<g id="sword"><g transform="rotate(45 12 12) translate(2 2) scale(.83)"><path d="M12-3l1.6 3v17h-3.2V0z"/>
    <path d="M7.6 17h8.8v2.4H7.6zM11 19.4h2V26h-2z"/></g></g>
    <use href="#sword" transform="matrix(-1 0 0 1 24 0)"/>`,
  M: `<path d="M12 .8l2.9 8.1 8.5.3-6.7 5.2 2.4 8.2-7.1-4.8-7.1 4.8 2.4-8.2L.6 9.2l8.5-.3z"/>`,
  B: `<circle cx="9.8" cy="15" r="8.4"/><path d="M13.4 6.4l3.6 3.6 1.8-1.8-3.6-3.6z"/>
    <path d="M16.8 6c1.4-2 3-2.6 4.6-2.2" fill="none" stroke="currentColor" stroke-width="1.8"/>
    <circle cx="22" cy="3.6" r="1.7"/>`,
};

// What is on the back of a piece whose rank nobody shows.
const BACKS = {
  red: `<path d="M50 36L66 56 50 76 34 56z" fill="none" stroke-width="6"/><path d="M50 48l6 8-6 8-6-8z"/>`,
  blue: `<circle cx="50" cy="56" r="23" fill="none" stroke-width="5"/>
    <path d="M50 38l5 13 13 5-13 5-5 13-5-13-13-5 13-5z"/>`,
};

const tile = side => `<symbol id="tile-${side}" viewBox="0 0 100 100"><path d="${OUTLINES[side]}" class="shadow"/>
  <path d="${OUTLINES[side]}" fill="var(--${side})"/><path d="${OUTLINES[side]}" fill="url(#sheen)"/></symbol>
  <symbol id="back-${side}" viewBox="0 0 100 100"><path d="${OUTLINES[side]}" fill="url(#weave-${side})"/>
  <g class="crest">${BACKS[side]}</g></symbol>`;

const DRAWINGS = `<defs><linearGradient id="sheen" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".22"/>
  <stop offset=".55" stop-color="#fff" stop-opacity="0"/><stop offset=".9" stop-opacity=".1"/>
  <stop offset=".9" stop-opacity=".42"/></linearGradient>
  <radialGradient id="water" cx=".5" cy=".4" r=".75"><stop class="near"/>
  <stop offset="1" class="deep"/></radialGradient>
  <pattern id="weave-red" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
  <path d="M0 0H14M0 0V14" class="weave"/></pattern>
  <pattern id="weave-blue" width="12" height="12" patternUnits="userSpaceOnUse"><path d="M0 9q3-5 6 0t6 0" class="weave"/>
  </pattern></defs>${tile("red")}${tile("blue")}
  <symbol id="lake" viewBox="0 0 200 200"><rect x="5" y="5" width="190" height="190" rx="72" fill="var(--sand)"/>
  <rect x="16" y="16" width="168" height="168" rx="62" fill="url(#water)"/>
  <path d="M44 74q11-10 22 0t22 0 22 0M94 112q11-10 22 0t22 0 22 0M52 146q11-10 22 0t22 0" class="wave"/></symbol>` +
  Object.entries(EMBLEMS).map(([letter, drawn]) =>
    `<symbol id="emblem-${letter}" viewBox="0 0 24 24">${drawn}</symbol>`).join("");

// Puts the symbols into the page, once.
function layDrawings() {
  const holder = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ class: "drawings", "aria-hidden": "true", width: 0, height: 0 })) {
    holder.setAttribute(key, value);
  }
  holder.innerHTML = DRAWINGS;
  document.body.prepend(holder);
}

// Draws a piece into an element of SVG: its face if the rank is known to the reader, else its back. `moved` puts a dot
// on it.
function drawTile(group, letter, side, { moved = false } = {}) {
  const whole = { width: 100, height: 100 };
  add(group, "use", { href: `#tile-${side}`, ...whole });
  if (letter === "?") add(group, "use", { href: `#back-${side}`, ...whole });
  else {
    const face = { class: "face", x: 11, y: 24, width: 78, height: 62, rx: side === "blue" ? 18 : 4 };
    add(group, "rect", face);
    add(group, "text", { class: letter === "M" ? "rank wide" : "rank", x: 32, y: 56 }, letter);
    add(group, "use", { href: `#emblem-${letter}`, class: "emblem", x: 50, y: 38, width: 34, height: 34 });
  }
  if (moved) add(group, "circle", { class: "dot", cx: 86, cy: 13, r: 8 });
}

// Draws an arrow of a kind from the middle of a square of 100 by 100 to that of another one, so many squares to the
// right and down.
function drawArrow(square, right, down, kind) {
  const far = Math.hypot(right, down), turn = Math.atan2(down, right) * 180 / Math.PI, end = 100 * far - 12;
  const d = `M16 -7H${end - 34}V-24L${end} 0L${end - 34} 24V7H16Z`;
  add(square, "path", { d, class: `arrow ${kind}`, transform: `translate(50 50) rotate(${turn})` });
}

layDrawings();
