// The first and the last screen of the tour.
import { styleText } from "node:util";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { countPromises } from "./screen.ts";

/** A part of the tour. */
export interface Chapter {
  readonly number: number;
  readonly title: string;
  readonly about: string;
  /** The file whose code it shows, in `examples/tour`. */
  readonly file: string;
  readonly run: (sandbox: RunningSandbox) => Promise<void>;
}

const MAP = `
  ┌─────────┐ uplinks ┌────────────────┐  HTTP   ┌───────────┐      ┌─────┐
  │ devices │────────▶│ device console │────────▶│ forwarder │─────▶│ map │
  └─────────┘         └────────────────┘    7    └───────────┘  7   └─────┘
                              ▲ 1 2 3 4
                      ┌───────┴───────┐    5    ┌────────┐
                      │ your back end │────────▶│ ledger │
                      └───────────────┘         └────────┘
                            7 │ ▲ 6  webhooks
                              ▼ │
                      ┌────────────────┐
                      │ mobile service │
                      └────────────────┘
`;

/** The commands to try after the tour. */
const NEXT = [
  ["npm run sandbox", "starts the same services, for your own calls"],
  [
    "npx @fieldmesh/cli devices import inventory.csv --sandbox",
    "imports your file into a temporary sandbox",
  ],
  ["npm install @fieldmesh/console-client", "then docs/guides/getting-started.md"],
] as const;

/** Prints the services and the chapters. */
export function printMap(chapters: readonly Chapter[]): void {
  console.log(styleText(["bold", "cyan"], "fieldmesh: four services, seven chapters, one machine"));
  console.log(MAP);
  for (const { number, title, about } of chapters)
    console.log(
      `  ${styleText("cyan", String(number))}  ${title.padEnd(11)} ${styleText("dim", about)}`,
    );
}

/** Prints what the tour has shown, and what to do next. */
export function printEnd(): void {
  const { kept, broken } = countPromises();
  console.log(`\n${styleText(["bold", "cyan"], "That was the tour")}`);
  if (kept + broken > 0)
    console.log(`${kept} of ${kept + broken} promises kept, each with its proof above.`);
  console.log("Next:\n");
  for (const [command, why] of NEXT)
    console.log(`  ${styleText("bold", command)}\n    ${styleText("dim", why)}`);
  if (broken > 0) process.exitCode = 1;
}
