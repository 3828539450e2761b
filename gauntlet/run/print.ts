import type { Case } from "./cases.ts";
import type { Result } from "./run-cases.ts";

/** Cases of one row with the same result. */
interface Line {
  readonly of: Case;
  readonly doors: string[];
  readonly got: string;
  readonly passed: boolean;
}

/** Prints a line for each row and each end of it: the verdict, the row, the ways into the client, and how they ended. */
export function printResults(results: readonly Result[]): void {
  let family = "";
  for (const { of, doors, got, passed } of linesOf(results)) {
    if (of.family !== family) console.log(`\n${(family = of.family)}`);
    console.log(
      `  ${passed ? "✓" : "✗"} ${of.fault.padEnd(68)} ${shorten(doors).padEnd(28)} ${got}`,
    );
    if (!passed) console.log(`      expected ${of.expected}`);
  }
}

function linesOf(results: readonly Result[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { of, got, passed } of results) {
    const id = JSON.stringify([of.family, of.fault, of.expected, got]);
    const line = lines.get(id) ?? { of, doors: [], got, passed };
    line.doors.push(of.door);
    lines.set(id, line);
  }
  return [...lines.values()];
}

/** "GET request, GET method" is every GET. */
function shorten(doors: readonly string[]): string {
  return doors.join(", ").replaceAll(/(GET|POST) request, \1 method/g, "$1");
}

/** Prints the failed cases and the share that passed; returns true if that is all of them. */
export function printSummary(results: readonly Result[]): boolean {
  const failed = results.filter(({ passed }) => !passed);
  const counts = new Map<string, number>();
  for (const line of failed.map(failureLine)) {
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  console.log();
  for (const [line, count] of counts) console.log(count === 1 ? line : `${line} (${count} times)`);
  const passed = results.length - failed.length;
  // Never "100%" by rounding.
  const share = Math.floor((1_000 * passed) / results.length) / 10;
  console.log(
    `${share}%: ${passed} of ${results.length} calls ended as expected, in ${countRows(results)} rows`,
  );
  return failed.length === 0 && results.length > 0;
}

/** Says in a line which call failed, how it ended, and how it must end. */
export function failureLine({ of, got }: Result): string {
  return `✗ ${of.family}: ${of.fault}, ${of.door}: ${got}, expected ${of.expected}`;
}

export function countRows(results: readonly Result[]): number {
  return new Set(results.map(({ of }) => `${of.family}: ${of.fault}`)).size;
}
