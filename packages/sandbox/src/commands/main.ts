import { isFieldmeshError } from "@fieldmesh/core";
import manifest from "../../package.json" with { type: "json" };
import { CommandError } from "./command-error.ts";
import { createContext, type ProgramProcess } from "./program/context.ts";
import { helpOf } from "./program/help.ts";
import { readProgram } from "./program/read-program.ts";

/** Runs a command line, says what went wrong, and returns the exit code. A program and a test call it alike. */
export async function main(
  typed: readonly string[],
  { stdout, stderr, env }: ProgramProcess,
  signal: AbortSignal,
): Promise<number> {
  try {
    const request = readProgram(typed);
    if ("command" in request && "input" in request) {
      const { run } = await request.command.load();
      await run(createContext(request, { stdout, stderr, env }, signal), request.input);
    } else if (request.show === "help") stdout.write(helpOf(request.command, stdout.columns));
    else stdout.write(`${manifest.version}\n`);
    return 0;
  } catch (error) {
    // Ctrl-C has ended the work in progress.
    if (signal.aborted) return 0;
    // A bug has no message for the user, and its stack may show what the user typed.
    const message = error instanceof CommandError ? error.message : `Unexpected: ${String(error)}`;
    stderr.write(`fieldmesh-sandbox: ${message}\n`);
    if (!(error instanceof CommandError)) return 1;
    if (isFieldmeshError(error.cause)) stderr.write(`See ${error.cause.docs}\n`);
    return error.exitCode;
  }
}
