import { readSwitches } from "./read-switches.ts";
import { withSwitches } from "./table.ts";

/** Makes what is written from the doc comments of the sandbox's options: the switches of its program and its page, and the tables of the guide. */
export function generateSwitches(): Map<string, string> {
  const switches = readSwitches();
  return new Map([
    ["packages/sandbox/src/generated/switches.json", `${JSON.stringify(switches, undefined, 1)}\n`],
    ...withSwitches(switches),
  ]);
}
