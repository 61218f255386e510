// Talking to the server.

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

export async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json" };
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return read(await reach(path, { method: "POST", headers, body: text }));
}

// The games of this browser. The server lists none: whoever does not know a game's address does not find it.
const KEY = "outflank-games";

export function games() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; }
}

export function remember(token, label) {
  const others = games().filter(game => game.token !== token);
  keep([{ token, label, time: Date.now() }, ...others].slice(0, 20));
}

function keep(list) {
  try { localStorage.setItem(KEY, JSON.stringify(list)); }
  catch { /* a browser that keeps nothing: the address bar still has the game */ }
}

export function forget(token) {
  keep(games().filter(game => game.token !== token));
}
