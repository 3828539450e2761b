import { readFileSync } from "node:fs";
import { exitCodes } from "../exit-codes.ts";

/** The signals that end a command after it has cleaned up, with their exit codes. `nohup` ignores a hangup. */
export function endingSignals(): Readonly<Partial<Record<NodeJS.Signals, number>>> {
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
