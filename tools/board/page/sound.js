// Sounds, quiet ones: made here, so that no file is loaded. While they are off there is no audio at all.

import { look } from "./look.js";
import { momentOf } from "./words.js";

const LOUD = 0.07, RISE = 0.005, SILENT = 0.0001;

// The tones of a sound: shape, hertz at the beginning and at the end, when it begins and how long it lasts, in seconds.
const SOUNDS = {
  move: [["triangle", 330, 260, 0, 0.08]],
  plain: [["square", 170, 120, 0, 0.08], ["triangle", 95, 70, 0.06, 0.22]],
  tie: [["square", 150, 90, 0, 0.12], ["square", 140, 80, 0.12, 0.16]],
  bomb: [["sawtooth", 110, 30, 0, 0.55], ["square", 60, 25, 0.02, 0.6]],
  defused: [["square", 900, 1300, 0, 0.04], ["square", 1300, 900, 0.09, 0.04], ["triangle", 520, 780, 0.16, 0.2]],
  spy: [["sine", 880, 220, 0, 0.35], ["triangle", 110, 80, 0.3, 0.3]],
  flag: [["triangle", 523, 523, 0, 0.14], ["triangle", 659, 659, 0.13, 0.14], ["triangle", 784, 784, 0.26, 0.4]],
  end: [["triangle", 392, 392, 0, 0.2], ["triangle", 494, 494, 0.18, 0.2], ["triangle", 587, 587, 0.36, 0.45]],
};

export class Sounds {
  constructor() {
    this.audio = null;
    look.changed.push(name => { if (name === "sounds") this.turned(); });
    // Browsers let a page be heard once somebody has touched it.
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => this.wake());
  }

  get on() { return look.get("sounds"); }

  turned() {
    if (this.on) return this.play("move");
    this.audio?.close();
    this.audio = null;
  }

  wake() {
    if (!this.on) return;
    this.audio ??= new AudioContext();
    if (this.audio.state === "suspended") this.audio.resume();
  }

  ply(ply) { this.play(ply.outcome ? momentOf(ply)[0] : "move"); }

  play(name) {
    if (!this.on) return;
    this.wake();
    // What is played to a page that may not be heard yet would come all at once later.
    if (this.audio.state === "suspended") return;
    for (const tone of SOUNDS[name]) this.tone(...tone);
  }

  tone(shape, high, low, begin, length) {
    const { audio } = this, start = audio.currentTime + begin, source = audio.createOscillator();
    const volume = audio.createGain();
    source.type = shape;
    source.frequency.setValueAtTime(high, start);
    source.frequency.exponentialRampToValueAtTime(low, start + length);
    volume.gain.setValueAtTime(SILENT, start);
    volume.gain.linearRampToValueAtTime(LOUD, start + RISE);
    volume.gain.exponentialRampToValueAtTime(SILENT, start + length);
    source.connect(volume);
    volume.connect(audio.destination);
    source.start(start);
    source.stop(start + length);
  }
}
