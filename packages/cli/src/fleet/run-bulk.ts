import {
  BulkChangeError,
  BulkError,
  CheckpointError,
  type BulkOptions,
  type RunProgress,
} from "@fieldmesh/console-client";
import { isFieldmeshError } from "@fieldmesh/core";
import { CommandError } from "@fieldmesh/sandbox/internal/commands";
import type { Context } from "../context.ts";
import { CliError, exitCodes } from "../exit-codes.ts";
import { inWordsOfAShell } from "../shell-words.ts";

type Watching = Pick<BulkOptions<RunProgress>, "onProgress" | "signal">;

export interface BulkWork<Report> {
  /** Such as `Importing`. */
  readonly what: string;
  readonly total: number;
  /** The file with the checkpoint of the run. */
  readonly stateFile?: string;
  /** How to resume, if not by the same command. */
  readonly resume?: string | undefined;
  readonly start: (options: Watching) => PromiseLike<Report>;
}

/** Runs over many devices with a progress bar. If it ends early, the error says how to resume. */
export async function runBulk<Report>(
  { output, signal }: Context,
  { what, total, stateFile, resume, start }: BulkWork<Report>,
): Promise<Report> {
  const bar = output.progress(what, total);
  let lastWait: string | undefined;
  try {
    return await start({
      signal,
      onProgress: ({ settled, failed, unknown, waiting }) => {
        bar.update(settled, { failed, unknown });
        if (waiting !== undefined && waiting.why !== lastWait)
          output.note(`Waiting: ${inWordsOfAShell(waiting.why)}`);
        lastWait = waiting?.why;
      },
    });
  } catch (error) {
    throw toCliError(error, signal, stateFile, resume);
  } finally {
    bar.end();
  }
}

const DAMAGED: ReadonlySet<CheckpointError["reason"]> = new Set(["invalid", "damaged"]);

/** Describes why a run ended early, and how to resume it. */
function toCliError(
  error: unknown,
  signal: AbortSignal,
  stateFile?: string,
  resume = "Run the same command again to resume.",
): unknown {
  if (error instanceof CheckpointError && DAMAGED.has(error.reason))
    return new CliError(`${stateFile} is damaged. Delete it, and run the command again.`);
  if (error instanceof CheckpointError && error.reason !== "no_organization")
    return new CliError(
      `${stateFile} belongs to an unfinished run with other devices, other labels or another console. Finish that run, or delete the file.`,
    );
  if (!(error instanceof BulkError) && !(error instanceof BulkChangeError)) return error;
  const { settled, total } = error.progress;
  const place = `${settled} of ${total ?? "the"} devices have a result. ${resume}`;
  if (signal.aborted) return new CliError(`Stopped: ${place}`, exitCodes.interrupted);
  const { cause } = error;
  if (cause instanceof CommandError)
    return new CliError(`${cause.message} ${place}`, cause.exitCode);
  const reason = isFieldmeshError(cause) ? inWordsOfAShell(cause.message) : "The run ended early.";
  return new CliError(`${reason} ${place}`, exitCodes.failed, { cause });
}
