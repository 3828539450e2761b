// npm run docs -- pictures: records the tour as a picture.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/packages.ts";
import { openTerminal } from "../../tools/terminal.ts";
import { drawTerminal } from "./terminal-svg.ts";

export const TOUR = {
  /** Below `docs/public`. */
  file: "tour.svg",
  /** What a screen reader says. */
  title: "The tour: an import is killed and resumed, and a webhook receiver survives a crash",
  columns: 80,
  rows: 30,
} as const;

const FIRST_PORT = 14010;

/** Runs two chapters of the tour, and returns what the terminal shows; of this machine it shows nothing. */
export async function runTour(): Promise<string> {
  const chapters = ["2", "6"];
  const tour = openTerminal([process.execPath, join(root, "examples/tour.ts"), ...chapters], {
    columns: TOUR.columns,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color" },
  });
  for (const next of ["start", "Webhooks", "the end"]) {
    await tour.until(`Enter: ${next}`);
    tour.type("\r");
  }
  await tour.ended;
  return hideMachine(promptOf(`npm start -- ${chapters.join(" ")}`) + tour.shown);
}

/** Replaces what differs between two runs by what a reader would have: paths, ports, times. */
function hideMachine(shown: string): string {
  const ports = new Map<string, number>();
  const portOf = (port: string): number => {
    if (!ports.has(port)) ports.set(port, FIRST_PORT + ports.size);
    return ports.get(port)!;
  };
  return shown
    .replaceAll(/127\.0\.0\.1:(\d{5})/g, (_, port: string) => `127.0.0.1:${portOf(port)}`)
    .replaceAll(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z(?= {2})/g, "2026-11-20T08:00:00.000Z")
    .replaceAll(/ {2}\d+ ms\r/g, "  5 ms\r");
}

/** A line as it is typed, after a prompt that waits. */
function promptOf(line: string): string {
  return `\u001B[32m$\u001B[39m \r\u001B[32m$\u001B[39m \u001B[1m${line}\u001B[22m\r\n`;
}

if (import.meta.main) {
  const svg = await drawTerminal(await runTour(), TOUR);
  writeFileSync(join(import.meta.dirname, "..", "public", TOUR.file), svg);
  console.log(`written: docs/public/${TOUR.file}, ${Math.round(svg.length / 1000)} KB`);
}
