import { exitCodes } from "../exit-codes.ts";
import { main, reportFailure } from "./main.ts";

const SIGNALS = { SIGINT: exitCodes.interrupted, SIGTERM: 143 } as const;

const controller = new AbortController();
let interruptedBy: keyof typeof SIGNALS | undefined;

for (const name of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[])
  process.on(name, () => {
    // The first signal gave the command time to clean up.
    if (interruptedBy !== undefined) process.exit(SIGNALS[name]);
    interruptedBy = name;
    controller.abort();
  });

// A write reports its own error. Without a listener, Node would end the process and print a stack.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const typed = process.argv.slice(2);

// An emitter without a listener throws here. No stack reaches the terminal.
process.on("uncaughtException", (error) => {
  void reportFailure(error, typed, process, controller.signal).then((code) => process.exit(code));
});

const exitCode = await main(typed, process, controller.signal);
// A command that did its work but could not save something has set another code than 0.
if (exitCode !== exitCodes.done) process.exitCode = exitCode;
if (interruptedBy !== undefined) process.exitCode = SIGNALS[interruptedBy];
