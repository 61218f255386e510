// Outflank from Node, without any package: starts the engine, tells it a game, and asks for beliefs and a move.
//
//     node examples/node/play.mjs target/release/outflank

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const engine = spawn(process.argv[2] ?? "outflank", { stdio: ["pipe", "pipe", "inherit"] });
engine.on("error", (error) => {
  console.error(`the engine cannot be started: ${error.message}`);
  process.exit(1);
});
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

/** Says a line; returns the answers up to one that begins with `end`. Throws on an `error` line. */
async function ask(line, end = "readyok") {
  engine.stdin.write(end === "readyok" ? `${line}\nisready\n` : `${line}\n`);
  const answers = [];
  let failure = null;
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the engine has ended after ${line}`);
    const word = value.split(" ")[0];
    if (word === "error") failure = new Error(value);
    if (word === end) {
      if (failure) throw failure;
      return [...answers, value];
    }
    answers.push(value);
  }
}

await ask("newgame red rules isf");
const [setup] = await ask("go setup", "bestsetup");
await ask(`setup red ${setup.split(" ")[1]}`);
await ask("setup blue ?");

const chosen = (await ask("go movetime 200", "bestmove")).at(-1).split(" ")[1];
console.log("red moves", chosen);

const [a7] = await ask("belief a7");
console.log(a7);

try {
  await ask("play e3");
} catch (error) {
  console.log("refused:", error.message);
}

engine.stdin.write("quit\n");
const [status] = await once(engine, "exit");
console.log("ended with status", status);
