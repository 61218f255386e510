// Choosing a game.

import { find, make, say, show } from "./dom.js";
import { pieceOf } from "./board.js";
import { local, recalled } from "./kept.js";
import "./look.js";
import { forget, games, post, record } from "./server.js";

const form = find("options");
const chosen = name => form.elements[name].value;

// Measured: each level beats the one below it in about 60% of the games, a level three below in about 80%.
const LEVELS = [[1, "a first opponent: beats only who plays at random"], [4, "for beginners"], [8, "for casual players"],
  [12, "for club players"], [16, "strong"], [20, "full strength"]];

function levelWords(level) {
  const [, words] = LEVELS.findLast(([least]) => least <= level);
  return `${level} of 20: ${words}`;
}

// What a rule system is about, in short: how often a piece may go to and fro, and what is unlike the others.
const PRESETS = {
  isf: "Tournament rules: three crossings of the same border running, no endless chase.",
  gravon: "As on the Gravon server: five crossings of the same border running, no endless chase.",
  gameboard: "The board game: two crossings of the same border running.",
  wiki: "Two crossings of the same border running, no endless chase.",
  1961: "The first American rules: a scout does not move and strike at once; a defender that wins takes the square.",
  vassal: "The Vassal module: five crossings of the same border running.",
  evaluator: "The public arena for programs: pieces go to and fro as often as they like.",
};

function describe() {
  const mode = chosen("mode");
  for (const part of form.querySelectorAll("[data-modes]")) show(part, part.dataset.modes.split(" ").includes(mode));
  for (const name of ["level", "level2"]) {
    const level = Number(chosen(name));
    say(find(`${name}-words`), levelWords(level));
  }
  say(find("preset-words"), PRESETS[chosen("preset")]);
  say(find("begin"), { engine: "Set up my army", shared: "Set up Red’s army", devices: "Invite", watch: "Watch" }[mode]);
  say(find("level-label"), mode === "watch" ? "Red’s level" : "Level");
  const army = chosen("army") === "barrage" ? ", Barrage" : "";
  const rules = chosen("preset") === "isf" ? "" : `, ${chosen("preset")}`;
  const colour = { red: "you are Red", blue: "you are Blue", random: "either colour" }[chosen("colour")];
  say(find("now-words"), `Level ${chosen("level")}, ${colour}${army}${rules}. The army comes from the book.`);
}

function rules() {
  const words = [chosen("preset")];
  if (chosen("army") === "barrage") words.push("barrage=on");
  for (const key of ["silent", "aggressor", "rescue"]) if (form.elements[key].checked) words.push(`${key}=on`);
  return words.join(" ");
}

function options(mode = chosen("mode")) {
  const person = { player: "person" };
  const engine = name => ({ player: "engine", level: Number(chosen(name)), movetime: Number(chosen("movetime")) });
  const colour = chosen("colour") === "random" ? ["red", "blue"][Math.floor(Math.random() * 2)] : chosen("colour");
  const seats = {
    engine: colour === "red" ? [person, engine("level")] : [engine("level"), person],
    shared: [person, person],
    devices: [person, person],
    watch: [engine("level"), engine("level2")],
  }[mode];
  const clock = chosen("clock") && mode !== "watch" ? chosen("clock").split("+").map(Number) : null;
  const devices = mode === "devices", friendly = form.elements.friendly.checked && !devices;
  return { rules: rules(), seats, eyes: mode === "watch" ? "red" : colour, friendly, clock, devices };
}

async function begin(path, body, { meanwhile = "", note = find("note"), then = async () => {} } = {}) {
  const wait = waits => { for (const id of ["begin", "play-now"]) find(id).disabled = waits; };
  wait(true);
  say(note, meanwhile);
  try {
    const { token } = await post(path, body);
    await then(`/game/${token}`);
    location.href = `/game/${token}`;
  } catch (error) {
    say(note, error.message);
    wait(false);
  }
}

// An army from the book, and the game begins.
async function standUp(game) {
  await post(`${game}/setup`, await post(`${game}/propose`));
}

// The games of a file: the only one at once, else those to choose from.
async function load(file) {
  show(find("found"), false);
  if (!file) return;
  const most = 3 << 20;
  const note = find("file-note");
  if (file.size > most) return say(note, `${file.name} is larger than 3 MB. Cut out some lines: each is a game.`);
  const text = await file.text();
  if (!text.trim()) return say(note, `${file.name} is empty.`);
  try {
    const { games, wrong, left_out: rest } = await post("/list", { text });
    if (games.length === 1 && !wrong && !rest) return await replay(games[0].record);
    const unread = wrong ? `${wrong} of the games in ${file.name} cannot be read.` : "";
    const unlisted = rest ? `The last ${rest} of its games are not listed.` : "";
    say(note, [unread, unlisted].filter(Boolean).join(" "));
    find("found-games").replaceChildren(...games.map(({ title, record }) => make("li", {},
      make("button", { type: "button", class: "small", onclick: () => replay(record) }, title))));
    show(find("found"), true);
    find("found-games").querySelector("button").focus();
  } catch (error) {
    say(note, `${file.name}: ${error.message}`);
  }
}

const replay = record => begin("/load", record, { meanwhile: "Replaying the game …", note: find("file-note") });

// How many games the list shows at first.
const FEW = 8;

function list(all = false) {
  const found = games(), shown = all ? found : found.slice(0, FEW);
  show(find("own"), found.length > 0);
  find("games").replaceChildren(...shown.map(game => make("li", {},
    make("a", { href: `/game/${game.token}` }, game.label),
    make("span", { class: `result ${game.result ?? ""}` }, game.result ?? ""),
    make("button", { type: "button", class: "small", "aria-label": `Take ${game.label} off the list`,
      onclick: () => { forget(game.token); list(all); } }, "✕"),
    make("span", { class: "hint" }, new Date(game.time).toLocaleString()))));
  show(find("all-games"), shown.length < found.length);
  find("all-games").textContent = `All ${found.length} games`;
  const levels = record();
  show(find("by-level"), levels.length > 0);
  find("by-level").tBodies[0].replaceChildren(...levels.map(([level, results]) => make("tr", {},
    make("th", { scope: "row" }, String(level)), ...["won", "drawn", "lost"].map(result =>
      make("td", {}, String(results[result]))))));
}

function draw() {
  const pieces = texts => texts.map(text => pieceOf(text[0], text.slice(1)));
  find("now-pieces").replaceChildren(...pieces(["Mred", "?blue"]));
  for (const scene of document.querySelectorAll("[data-scene]")) {
    scene.replaceChildren(...pieces(scene.dataset.scene.split(" ")));
  }
}

const KEPT = "outflank-options";

// The choices of last time.
function recall() {
  for (const [name, value] of Object.entries(recalled(KEPT, {}))) {
    const field = form.elements[name];
    if (!field) continue;
    if (typeof value === "boolean") field.checked = value; else field.value = value;
  }
}

function keep() {
  const values = {};
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type === "checkbox") values[field.name] = field.checked;
    else if (field.type !== "radio") values[field.name] = field.value;
    else if (field.checked) values[field.name] = field.value;
  }
  local.set(KEPT, JSON.stringify(values));
}

recall();
form.addEventListener("input", describe);
find("play-now").addEventListener("click", () => { keep(); begin("/new", options("engine"), { then: standUp }); });
find("all-games").addEventListener("click", () => list(true));
form.addEventListener("submit", event => { event.preventDefault(); keep(); begin("/new", options()); });
find("file").addEventListener("change", event => {
  const file = event.target.files[0];
  load(file);
  // Else the same file, mended meanwhile, would be no change.
  event.target.value = "";
});
describe();
draw();
list();
