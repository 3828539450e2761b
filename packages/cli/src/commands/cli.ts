import { exitCodes } from "../exit-codes.ts";
import { main, reportFailure } from "./main.ts";
import { readFileSync } from "node:fs";

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

/** The signals that end a command after it has cleaned up, with their exit codes. `nohup` ignores a hangup. */
function endingSignals(): Readonly<Partial<Record<NodeJS.Signals, number>>> {
  const usual = { SIGINT: exitCodes.interrupted, SIGTERM: 143 };
  return isHangupIgnored() ? usual : { ...usual, SIGHUP: 129 };
}

/** A listener would replace what `nohup` has set, and Node does not say what that is. */
function isHangupIgnored(): boolean {
  try {
    const [, ignored = "0"] =
      /^SigIgn:\s*(\w+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    // Without /proc. `nohup` leaves no terminal.
    return ![process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  }
}
