import type { Command } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { wrapFor, writeTo, type Terminal } from "../output/output.ts";
import { rowCommands } from "../rows/row-commands.ts";
import { rowPaths, withService } from "../rows/with-service.ts";
import { commands, groups } from "./commands.ts";
import { createProgram, parse } from "./program.ts";
import manifest from "../../package.json" with { type: "json" };

/** The command that the scripts of `fieldmesh completion` call. Help does not list it. */
const COMPLETE = "complete";

/** Runs a command line, reports its failure, and returns the exit code. A program and a test call it alike. */
export async function main(
  typed: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  try {
    await run(typed, terminal, signal);
    return exitCodes.done;
  } catch (error) {
    return await reportFailure(error, typed, terminal, signal);
  }
}

async function run(
  typed: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
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
    columns: terminal.stdout.columns || undefined,
    async run(command, globals, input) {
      const { runCommand } = await import("./run-command.ts");
      await runCommand(command, globals, input, { ...terminal, signal });
    },
  });
  if (isCompletion) {
    const { complete } = await import("./complete.ts");
    const candidates = await complete(program, [...args, words.at(-1) ?? ""], terminal.env);
    printed = candidates.map((candidate) => `${candidate}\n`).join("");
  } else await parse(program, args, allPaths);
  if (printed !== "") await writeTo(terminal.stdout, printed);
}

/** Prints what went wrong on stderr, and returns the exit code. */
export async function reportFailure(
  error: unknown,
  typed: readonly string[],
  { stderr }: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { describeFailure, formatReport } = await import("./failure.ts");
  const { exitCode, report } = await describeFailure(error);
  const isInterrupted = signal.aborted && (error as Error).name === "AbortError";
  const shown = isInterrupted ? { name: "AbortError", message: "Interrupted." } : report;
  // The command line may be what is wrong, so it is not read by the program.
  const isJson = typed.includes("--json");
  if (shown !== undefined) {
    const written = formatReport(shown, isJson);
    stderr.write(isJson ? written : wrapFor(stderr, written));
  }
  return exitCode;
}

async function allPaths(): Promise<readonly string[]> {
  return [...commands.map(({ path }) => path), ...(await rowPaths())];
}
