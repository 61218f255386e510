// The page of one game: follows the server's state and shows the stage that the game is at.

import { find, say, show } from "./dom.js";
import { look } from "./look.js";
import { Refused, Unreachable, get, inTurn, remember } from "./server.js";
import { SetupStage } from "./setup.js";
import { PlayStage } from "./play.js";
import { Sounds } from "./sound.js";
import { invite } from "./invite.js";
import { capital } from "./words.js";
import { post } from "./server.js";

const token = location.pathname.split("/")[2];
const base = `/game/${token}`;
let current = null, asked = null, wait = new AbortController();

const setup = new SetupStage(base, accept, fail);
const play = new PlayStage(base, accept, fail, new Sounds());

const at = ({ stage }) => ({ over: "", setup: ": setting up" }[stage] ?? ": under way");

function labelOf(state) {
  const engine = state.seats.find(seat => seat.player === "engine"), you = play.youOf(state);
  if (state.devices) return `Two people at two devices${you ? `, you as ${capital(you)}` : ""}${at(state)}`;
  const names = you && engine ? `Level ${engine.level}, you as ${capital(you)}` : state.shared ? "Two people"
    : `${state.names[0]} against ${state.names[1]}`;
  const barrage = state.rules.includes("barrage=on") ? ", Barrage" : "";
  return names + barrage + at(state);
}

// The level and the result of a game against the engine.
function resultOf(state) {
  const engine = state.seats.find(seat => seat.player === "engine"), you = play.youOf(state);
  if (!you || !engine || state.stage !== "over") return {};
  const { winner } = state.outcome, result = winner === you ? "won" : winner === "draw" ? "drawn" : "lost";
  return winner === "none" ? {} : { level: engine.level, result };
}

function accept(state) {
  show(find("offline"), false);
  // An answer that was overtaken by a newer one. A server that was started again counts anew.
  if (current && state.run === current.run && state.version < current.version) return;
  const begun = current !== null;
  const stageChanged = current?.stage !== state.stage || current?.eyes !== state.eyes;
  current = state;
  show(find("loading"), false);
  show(find("unsaved"), state.unsaved);
  const hands = state.shared && state.eyes === null && state.stage !== "over";
  const inviting = state.devices && state.eyes === null && state.stage !== "over";
  show(find("hands"), hands);
  show(find("invite"), inviting);
  show(find("setup"), !hands && !inviting && state.stage === "setup");
  show(find("play"), !hands && !inviting && state.stage !== "setup");
  if (inviting) {
    invite(base, state.awaited).catch(fail);
  } else if (hands) {
    const side = capital(state.due);
    say(find("hands-head"), `${side}, it is your turn`);
    const offers = state.draw_offered_by;
    say(find("hands-draw"), offers ? `${capital(offers)} offers a draw. ${side} answers after sitting down.` : "");
    say(find("sit-down"), `I am ${side}: show my side`);
  } else if (state.stage === "setup") {
    setup.update(state);
  } else {
    play.update(state);
  }
  if (stageChanged) remember(token, labelOf(state), resultOf(state));
  const lost = document.activeElement === document.body || document.activeElement?.closest("[hidden]");
  if (stageChanged && hands) find("sit-down").focus();
  else if (stageChanged && begun && lost && !inviting) (state.stage === "setup" ? setup : play).board.takeFocus();
  document.title = `${state.yours ? "● " : ""}${state.stage === "over" ? "Game over" : "Stratego"} – Outflank`;
  wait.abort();
}

// What stands in the way. That the server does not answer is said until it does.
function fail(error) {
  if (error instanceof Unreachable) return show(find("offline"), true);
  const known = error instanceof Refused;
  if (!known) console.error(error);
  const text = known ? error.message : "This page made a mistake. Reload it; the game is saved.";
  for (const id of ["note", "setup-note"]) say(find(id), text);
}

const sleep = time => new Promise(done => setTimeout(done, time));

async function visible() {
  const changed = done => document.addEventListener("visibilitychange", done, { once: true });
  while (document.hidden) await new Promise(changed);
}

// Asks for the next state; where it may wait, for one that is news to these eyes.
async function ask(waits) {
  const eyes = look.get("eyes"), news = current && waits && eyes === asked;
  const since = news ? `&since=${current.version}&run=${current.run}` : "";
  asked = eyes;
  accept(await get(`${base}/state?eyes=${eyes}${since}`, wait.signal));
}

// Asks for the next state for ever. A hidden page asks nothing, so that many can be open.
async function follow() {
  for (;;) {
    await visible();
    wait = new AbortController();
    try {
      const counts = current?.replay === "making";
      if (counts) {
        accept(await get(`${base}/state?eyes=${look.get("eyes")}`, wait.signal));
        await sleep(300);
      } else {
        await inTurn(ask);
      }
    } catch (error) {
      if (error.name === "AbortError") continue;
      if (error instanceof Refused && !current) return location.reload();
      fail(error);
      await sleep(1000);
    }
  }
}

look.changed.push(name => { if (name === "eyes") wait.abort(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) wait.abort(); });
find("sit-down").addEventListener("click", async () => {
  try { accept(await post(`${base}/do`, { wish: "sit-down" })); } catch (error) { fail(error); }
});
find("replay-link").href = `${base}/replay`;
look.join();
// The analysis leads here.
if (location.hash === "#rematch") {
  history.replaceState(null, "", location.pathname);
  play.wish("rematch");
}
find("record-link").href = `${base}/record`;
follow();
