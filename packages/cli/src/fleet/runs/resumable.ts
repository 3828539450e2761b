import { CallError } from "@fieldmesh/http";
import { CommandError } from "@fieldmesh/sandbox/internal/commands";
import type { Context } from "../../context.ts";
import { CliError, exitCodes } from "../../exit-codes.ts";
import { inWordsOfAShell } from "../../shell-words.ts";

/** Runs an apply. If it ends early, the error says how to resume. */
export async function resumable<T>({ signal }: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const advice = "Run the same command again to resume.";
    if (signal.aborted) throw new CliError(`Stopped. ${advice}`, exitCodes.interrupted);
    if (error instanceof CallError)
      throw new CliError(`${inWordsOfAShell(error.message)} ${advice}`, exitCodes.failed, {
        cause: error,
      });
    throw error;
  }
}
