// Talking to the server.

import { local, recalled } from "./kept.js";

export class Refused extends Error {}

// No answer came.
export class Unreachable extends Error {}

async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Unreachable(error.message);
  }
}

async function read(response) {
  const text = await response.text();
  let body = null;
  try { body = JSON.parse(text); } catch { /* not JSON: the status tells enough */ }
  if (!response.ok) throw new Refused(body?.error ?? `The server refuses: ${text || response.status}`);
  return body;
}

export async function get(path, signal) {
  return read(await reach(path, { signal, cache: "no-store" }));
}

export async function post(path, body = {}, signal = undefined) {
  const headers = { "Content-Type": "application/json" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return read(await reach(path, { method: "POST", headers, body: text, signal }));
}

// A browser has six connections to a server, for all its windows together. So only so many of them wait for news at a
// time, each on a connection of its own; the others ask once in a while, and what one does in any window goes through.
const WAITING = 3, BREAK = 1000;

const sleep = time => new Promise(done => setTimeout(done, time));

// Has `ask` ask: with `true` where it may wait for an answer.
export async function inTurn(ask) {
  for (let place = 0; place < WAITING; place++) {
    let began = false;
    const go = async lock => {
      began = lock !== null;
      return began ? { answer: await ask(true) } : null;
    };
    try {
      const done = await navigator.locks.request(`outflank-wait-${place}`, { ifAvailable: true }, go);
      if (done) return done.answer;
    } catch (error) {
      if (began) throw error;
      break; // No locks in a browser that keeps nothing.
    }
  }
  const answer = await ask(false);
  await sleep(BREAK);
  return answer;
}

// The games of this browser. The server lists none: whoever does not know a game's address does not find it.
const KEY = "outflank-games", MOST = 200;

export function games() {
  const found = recalled(KEY, []);
  return Array.isArray(found) ? found : [];
}

// Notes how far a game is; `more` tells the level and the result of one against the engine.
export function remember(token, label, more) {
  const others = games().filter(game => game.token !== token);
  keep([{ token, label, time: Date.now(), ...more }, ...others].slice(0, MOST));
}

// How the games against each level went, the strongest first.
export function record() {
  const levels = new Map();
  for (const { level, result } of games().filter(game => game.level && game.result)) {
    const results = levels.get(level) ?? { won: 0, drawn: 0, lost: 0 };
    results[result] += 1;
    levels.set(level, results);
  }
  return [...levels].sort(([one], [other]) => other - one);
}

// A browser that keeps nothing has the game in its address bar all the same.
function keep(list) { local.set(KEY, JSON.stringify(list)); }

export function forget(token) {
  keep(games().filter(game => game.token !== token));
}
