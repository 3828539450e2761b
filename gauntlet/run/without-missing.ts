import { isInstalled } from "../parts/program.ts";
import type { Case } from "./cases.ts";
import type { Program } from "../parts/row.ts";

const PROGRAMS: readonly Program[] = ["nginx", "haproxy"];

/** Leaves out the cases whose program is not installed, and prints a line for each such program. */
export function withoutMissing(cases: readonly Case[], say: (line: string) => void): Case[] {
  const missing = new Set(PROGRAMS.filter((program) => !isInstalled(program)));
  for (const program of missing) {
    const count = cases.filter(({ needs }) => needs === program).length;
    if (count > 0) say(`${count} calls skipped, because ${program} is not installed`);
  }
  return cases.filter(({ needs }) => needs === undefined || !missing.has(needs));
}
