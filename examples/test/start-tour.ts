import { join } from "node:path";
import { openTerminal } from "../../tools/terminal.ts";

/** What the headings of the chapters begin with. */
export const TITLES = [
  "First call",
  "Import",
  "Device",
  "Errors",
  "Ledger",
  "Webhooks",
  "Together",
];

/** Starts the tour on a terminal of this width. */
export function startTour(columns: number, ...args: string[]) {
  return openTerminal([process.execPath, join(import.meta.dirname, "../tour.ts"), ...args], {
    columns,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color" },
  });
}
