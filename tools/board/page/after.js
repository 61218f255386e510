// After a game: a rematch, or the next level. What is proposed depends on how it went.

import { find, show } from "./dom.js";
import { local, recalled } from "./kept.js";
import { post } from "./server.js";

const STRONGEST = 20, OPTIONS = "outflank-options";

// The level that comes after this game: the next one after a win, else the one below after a loss.
export function nextLevel(state, you) {
  const engine = state.seats.find(seat => seat.player === "engine");
  if (!you || !engine || state.outcome.winner === "none") return null;
  const step = { [you]: 1, draw: 0 }[state.outcome.winner] ?? -1, level = engine.level + step;
  return step && level >= 1 && level <= STRONGEST ? level : null;
}

export function drawAfter(state, you) {
  const over = state.stage === "over", level = over && !state.loaded ? nextLevel(state, you) : null;
  const button = find("next-level"), won = over && state.outcome.winner === you;
  show(button, level !== null);
  button.classList.toggle("main", won);
  find("rematch").classList.toggle("main", !won || level === null);
  if (level === null) return;
  button.textContent = won ? `Play level ${level}` : `Try level ${level}`;
  button.onclick = () => begin(state, level, button);
}

// A game like this one at another level. The page does not know by which clock it was played: the lobby keeps that.
async function begin(state, level, button) {
  button.disabled = true;
  const kept = recalled(OPTIONS, {}), clock = state.clocks.some(left => left !== null) && kept.clock;
  local.set(OPTIONS, JSON.stringify({ ...kept, level: String(level) }));
  const seats = state.seats.map(seat => seat.player === "engine" ? { ...seat, level } : seat);
  const options = { rules: state.rules, seats, eyes: state.eyes, friendly: state.friendly,
    clock: clock ? clock.split("+").map(Number) : null };
  try {
    const { token } = await post("/new", options);
    location.href = `/game/${token}`;
  } catch { button.disabled = false; }
}
