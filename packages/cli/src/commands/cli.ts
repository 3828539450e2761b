import { exitCodes } from "../exit-codes.ts";
import { main, reportFailure } from "./main.ts";
import { endingSignals } from "./signals.ts";

const controller = new AbortController();
let interrupted: number | undefined;

for (const [name, code] of Object.entries(endingSignals()))
  process.on(name, () => {
    // The first signal gave the command time to clean up.
    if (interrupted !== undefined) process.exit(code);
    interrupted = code;
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
// What is piped or typed may still be open. All that was printed is written first.
if (interrupted !== undefined) process.stderr.write("", () => process.exit(interrupted));
