// How pieces look: with emblems beside the numbers, or with numbers alone. The page holds the drawings.

import { find } from "./dom.js";
import { local } from "./kept.js";

const KEY = "outflank-emblems", SVG = "http://www.w3.org/2000/svg";

// The emblem of a rank; screen readers are told the rank's name elsewhere.
export function emblem(letter) {
  const drawing = document.createElementNS(SVG, "svg"), use = document.createElementNS(SVG, "use");
  drawing.setAttribute("class", "emblem");
  drawing.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `#emblem-${letter}`);
  drawing.append(use);
  return drawing;
}

// The switch of the page.
export function lookAfterEmblems() {
  const choice = find("emblems");
  const look = () => document.documentElement.classList.toggle("numbers", !choice.checked);
  choice.checked = local.get(KEY) !== "off";
  choice.addEventListener("change", () => {
    local.set(KEY, choice.checked ? "on" : "off");
    look();
  });
  look();
}
