// Says which uplinks of a file the map would accept, without sending any: node examples/check-uplinks.ts uplinks.ndjson
//
// One uplink per line, as an HTTP integration of the console or of a network server delivers it.
import { readFile } from "node:fs/promises";
import { styleText } from "node:util";
import { check, fromConsoleUplink } from "@fieldmesh/mapper-client";

const [path] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: node examples/check-uplinks.ts uplinks.ndjson");
  process.exit(2);
}
const totals = { asItIs: 0, fixed: 0, leftOut: 0 };
const lines = (await readFile(path, "utf8")).split("\n");
for (const [index, line] of lines.entries()) if (line.trim() !== "") report(index + 1, line);
console.log(
  `${totals.asItIs} can be sent as they are, ${totals.fixed} once they are fixed, ${totals.leftOut} cannot be sent`,
);
process.exitCode = totals.leftOut > 0 ? 1 : 0;

function report(number: number, line: string): void {
  let uplink: unknown;
  try {
    uplink = JSON.parse(line);
  } catch {
    console.log(
      `line ${String(number).padStart(3)}  ${styleText("red", "cannot be sent")}\n          is not JSON`,
    );
    totals.leftOut++;
    return;
  }
  const problems = check(uplink);
  if (problems.length === 0) {
    totals.asItIs++;
    return;
  }
  const result = fromConsoleUplink(uplink);
  totals[result.isMappable ? "fixed" : "leftOut"]++;
  const word = result.isMappable
    ? styleText("yellow", "to be fixed")
    : styleText("red", "cannot be sent");
  console.log(`line ${String(number).padStart(3)}  ${word}`);
  const said = result.isMappable
    ? result.changes
    : result.problems.map((each) =>
        each.path === "" ? each.message : `${each.path} ${each.message}`,
      );
  for (const text of said) console.log(`          ${text}`);
}
