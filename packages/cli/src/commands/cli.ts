import type { Command } from "../command.ts";
import { commands } from "./commands.ts";
import { exitCodes } from "../exit-codes.ts";
import { writeTo } from "../output/sink.ts";
import { groups } from "./groups.ts";
import { rowCommands } from "../rows/row-commands.ts";
import { rowPaths, withService } from "../rows/with-service.ts";
import { createProgram, parse } from "./program.ts";
import manifest from "../../package.json" with { type: "json" };

const SIGNALS = { SIGINT: exitCodes.interrupted, SIGTERM: 143 } as const;

/** The command that the scripts of `fieldmesh completion` call. Help does not list it. */
const COMPLETE = "complete";

const controller = new AbortController();
let interruptedBy: keyof typeof SIGNALS | undefined;

for (const name of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[])
  process.on(name, () => {
    // The first signal gave the command time to clean up.
    if (interruptedBy !== undefined) process.exit(SIGNALS[name]);
    interruptedBy = name;
    controller.abort();
  });

// A write reports its own error. Without a listener, Node would end the process and print a stack.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

// An emitter without a listener throws here. No stack reaches the terminal.
process.on("uncaughtException", (error) => void report(error).then(() => process.exit()));

const typed = process.argv.slice(2);
const isCompletion = typed[0] === COMPLETE;
// The scripts type `complete -- <words>`.
const words = isCompletion ? typed.slice(2) : typed;
const args = await withService(
  isCompletion ? words.slice(0, -1) : words,
  commands.map(({ path }) => path),
);
const isNamed = ({ path }: Command): boolean => {
  const [group = path, ...more] = path.split(" ");
  return more.length === 0 || args.includes(group);
};
const rows = await rowCommands(args);
// Help, the version or candidates.
let printed = "";
const program = createProgram({
  version: manifest.version,
  // Describing all of them takes longer than printing the help of one group.
  commands: [...commands.filter(isNamed), ...rows.commands],
  groups: { ...groups, ...rows.groups },
  stdout: (text) => (printed += text),
  columns: process.stdout.columns || undefined,
  async run(command, globals, input) {
    const { runCommand } = await import("./run-command.ts");
    await runCommand(command, globals, input, controller.signal);
  },
});

try {
  if (isCompletion) await addCandidates([...args, words.at(-1) ?? ""]);
  else await parse(program, args, allPaths);
  if (printed !== "") await writeTo(process.stdout, printed);
} catch (error) {
  await report(error);
}
if (interruptedBy !== undefined) process.exitCode = SIGNALS[interruptedBy];

async function report(error: unknown): Promise<void> {
  const { describeFailure, formatReport } = await import("./failure.ts");
  const { exitCode, report: found } = await describeFailure(error);
  process.exitCode = exitCode;
  const isInterrupted = interruptedBy !== undefined && (error as Error).name === "AbortError";
  const shown = isInterrupted ? { name: "AbortError", message: "Interrupted." } : found;
  // The command line may be what is wrong, so it is not read by the program.
  if (shown !== undefined) process.stderr.write(formatReport(shown, args.includes("--json")));
}

async function allPaths(): Promise<readonly string[]> {
  return [...commands.map(({ path }) => path), ...(await rowPaths())];
}

async function addCandidates(line: readonly string[]): Promise<void> {
  const { complete } = await import("./complete.ts");
  for (const candidate of await complete(program, line, process.env)) printed += `${candidate}\n`;
}
