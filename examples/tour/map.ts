// The first and the last screen of the tour.
import { styleText } from "node:util";
import type { RunningSandbox } from "@fieldmesh/sandbox";
import { countPromises, printCommand, printPicture } from "./screen.ts";

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

/** Imports the file of the tour into an empty sandbox. */
export const IMPORT_COMMAND =
  "npm run fieldmesh -- devices import examples/data/inventory.csv --sandbox --create-labels";

/** The commands to try after the tour. */
const NEXT = [
  ["npm run sandbox", "starts the same services, for your own calls"],
  [IMPORT_COMMAND, "imports the same file into a temporary sandbox; then try your own"],
  [
    "npm run release -- pack console-client",
    "packs a client for your project; then read docs/guides/getting-started.md",
  ],
] as const;

/** Prints the services and the chapters. */
export function printMap(chapters: readonly Chapter[]): void {
  console.log(styleText(["bold", "cyan"], "fieldmesh: four services, seven chapters, one machine"));
  printPicture(MAP);
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
    console.log(
      broken === 0
        ? `${kept === 1 ? "The check" : `All ${kept} checks`} passed.`
        : `${broken} of ${kept + broken} checks failed.`,
    );
  console.log("Next:\n");
  for (const [command, why] of NEXT) printCommand(command, why);
  if (broken > 0) process.exitCode = 1;
}
