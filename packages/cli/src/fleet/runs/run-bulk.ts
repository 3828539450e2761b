import {
  BulkChangeError,
  BulkError,
  CheckpointError,
  type BulkOptions,
  type BulkProgress,
  type ChangeProgress,
  type RunProgress,
} from "@fieldmesh/console-client";
import { isFieldmeshError } from "@fieldmesh/core";
import { CommandError } from "@fieldmesh/sandbox/internal/commands";
import type { Context } from "../../context.ts";
import { CliError, exitCodes } from "../../exit-codes.ts";
import { inWordsOfAShell } from "../../shell-words.ts";

type Watching = Pick<BulkOptions<RunProgress>, "onProgress" | "signal">;

type Numbers = BulkProgress | ChangeProgress;

export interface BulkWork<Progress extends Numbers, Report extends Progress> {
  /** Such as `Importing`. */
  readonly what: string;
  readonly total: number;
  /** The file with the checkpoint of the run. */
  readonly stateFile?: string;
  /** How to resume, if not by the same command. */
  readonly resume?: string | undefined;
  readonly start: (options: Watching) => PromiseLike<Report>;
  /** Prints the numbers of a run that ends early, for a program. */
  readonly record?: (progress: Progress) => Promise<void>;
}

/** Runs over many devices with a progress bar. If it ends early, the error says how to resume. */
export async function runBulk<Progress extends Numbers, Report extends Progress>(
  { output, signal }: Context,
  { what, total, stateFile, resume, start, record }: BulkWork<Progress, Report>,
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
    if (output.isJson && isRunError(error)) await record?.(error.progress as Progress);
    throw toCliError(error, signal, stateFile, resume);
  } finally {
    bar.end();
  }
}

/** Describes why a run ended early, and how to resume it. */
function toCliError(
  error: unknown,
  signal: AbortSignal,
  stateFile?: string,
  resume?: string,
): unknown {
  if (error instanceof CheckpointError && error.reason !== "no_organization")
    return new CliError(
      `${stateFile} belongs to an unfinished run with other devices or other labels. Finish that run, or delete the file.`,
    );
  if (!isRunError(error)) return error;
  const place = describePlace(error.progress, resume);
  if (signal.aborted) return new CliError(`Stopped: ${place}`, exitCodes.interrupted);
  const { cause } = error;
  if (cause instanceof CommandError)
    return new CliError(`${cause.message} ${place}`, cause.exitCode);
  const reason = isFieldmeshError(cause) ? inWordsOfAShell(cause.message) : "The run ended early.";
  return new CliError(`${reason} ${place}`, exitCodes.failed, { cause });
}

function isRunError(error: unknown): error is BulkError | BulkChangeError {
  return error instanceof BulkError || error instanceof BulkChangeError;
}

/** Says what became of each device, in numbers that add up, and how to resume. */
function describePlace(progress: Numbers, resume?: string): string {
  const { failed, unknown, unsettled, settled, total = settled + unsettled } = progress;
  const { created, done = 0, skipped = 0 } = progress as Partial<BulkProgress & ChangeProgress>;
  const others = { skipped, failed, unknown, "not sent": total - settled - unsettled };
  const counts = [
    created === undefined ? `${show(done)} done` : `${show(created)} created`,
    ...Object.entries(others).flatMap(([what, n]) => (n > 0 ? [`${show(n)} ${what}`] : [])),
  ].join(", ");
  if (unsettled === 0) return `${counts}. ${resume ?? "Run the same command again to resume."}`;
  const open = `${show(unsettled)} were sent and have no result yet`;
  return resume === undefined
    ? `${counts}; ${open}: run the same command again to settle them.`
    : `${counts}; ${open}. ${resume}`;
}

function show(count: number): string {
  return count.toLocaleString("en-US");
}
