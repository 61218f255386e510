// Sounds, off until somebody wants them: made here, so that no file is loaded. While they are off there is no audio at
// all.

import { find } from "./dom.js";
import { local } from "./kept.js";

const KEY = "outflank-sounds", LOUD = 0.12, RISE = 0.005, SILENT = 0.0001;

// The tones of a sound: shape, hertz, and when it begins and how long it lasts, in seconds.
const MOVE = [["triangle", 330, 0, 0.08]];
const STRIKE = [["square", 150, 0, 0.09], ["triangle", 95, 0.06, 0.22]];
const END = [["triangle", 392, 0, 0.2], ["triangle", 494, 0.18, 0.2], ["triangle", 587, 0.36, 0.45]];

export class Sounds {
  constructor() {
    Object.assign(this, { audio: null, before: null, choice: find("sounds") });
    this.choice.checked = local.get(KEY) === "on";
    this.choice.addEventListener("change", () => this.turn());
    // Browsers let a page be heard once somebody has touched it.
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => this.wake());
  }

  get on() { return this.choice.checked; }

  turn() {
    local.set(KEY, this.on ? "on" : "off");
    if (this.on) return this.play(MOVE);
    this.audio?.close();
    this.audio = null;
  }

  wake() {
    if (!this.on) return;
    this.audio ??= new AudioContext();
    if (this.audio.state === "suspended") this.audio.resume();
  }

  // What has happened since the last state: the end, a strike, or a move.
  hear(state) {
    const before = this.before;
    this.before = { ply: state.ply, over: state.stage === "over" };
    if (!before || !this.on) return;
    if (this.before.over && !before.over) return this.play(END);
    if (state.ply > before.ply) this.play((state.moves.at(-1) ?? "").includes("=") ? STRIKE : MOVE);
  }

  play(sound) {
    this.wake();
    // What is played to a page that may not be heard yet would come all at once later.
    if (this.audio.state === "suspended") return;
    for (const tone of sound) this.tone(...tone);
  }

  tone(shape, hertz, begin, length) {
    const { audio } = this, start = audio.currentTime + begin, source = audio.createOscillator();
    const volume = audio.createGain();
    source.type = shape;
    source.frequency.value = hertz;
    volume.gain.setValueAtTime(SILENT, start);
    volume.gain.linearRampToValueAtTime(LOUD, start + RISE);
    volume.gain.exponentialRampToValueAtTime(SILENT, start + length);
    source.connect(volume);
    volume.connect(audio.destination);
    source.start(start);
    source.stop(start + length);
  }
}
