import { open } from "node:fs/promises";
import { recordOf, stringifyJson } from "@fieldmesh/core/internal";
import { type parseEvent, redactEvent } from "@fieldmesh/webhook-types/parse";
import { CommandError, UsageError } from "../command-error.ts";
import { readFileOrPipe, jsonOrUndefined } from "../read-stream.ts";
import { shownPath } from "../shown-path.ts";
import { isSharedFile } from "../is-shared-file.ts";

/** A recorded delivery: the parts of its event that may be logged, without headers and body. */
export interface RecordedDelivery {
  /** ISO 8601. */
  readonly recorded_at: string;
  readonly event: RecordedEvent;
}

/** An event with `[redacted]` in place of codes and personal data. */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
}

const ONLY_THIS_USER = 0o600;
const LINE_BREAK = 10;

/** Opens a recording to add to it. Creates it if necessary, readable only by this user. */
export async function openRecording(path: string) {
  const file = await open(path, "a+", ONLY_THIS_USER).catch(() => {
    throw new UsageError(
      `${shownPath(path, "The file")} cannot be written. Choose another name for --out.`,
    );
  });
  if (await isSharedFile(path)) {
    await file.close();
    throw new UsageError(
      `Other users can read ${path}. Run chmod 600 on it, or choose another name for --out.`,
    );
  }
  // A killed process may have left half a line.
  let mark = (await endsInLine(file)) ? "" : "\n";
  let last = Promise.resolve();
  return {
    /** Adds a delivery. Throws a CommandError if it cannot be written. */
    add: (event: ReturnType<typeof parseEvent>): Promise<void> => {
      const line = { recorded_at: new Date().toISOString(), event: redactEvent(event) };
      last = last.then(async () => {
        try {
          await file.appendFile(`${mark}${stringifyJson(line)}\n`);
          mark = "";
        } catch {
          throw new CommandError(`${path} cannot be written: is the disk full?`);
        }
      });
      return last;
    },
    close: () => file.close(),
  };
}

async function endsInLine(file: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === LINE_BREAK;
}

/** Reads a recording. `skipped` counts lines that are not a delivery, such as an incomplete one. */
export async function readRecording(
  path: string,
  signal: AbortSignal,
): Promise<{ readonly deliveries: readonly RecordedDelivery[]; readonly skipped: number }> {
  const text = await readFileOrPipe(path, signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new UsageError(
      `${shownPath(path, "The file")} cannot be read: --from needs the file of a recording.`,
    );
  });
  const lines = text
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "");
  const deliveries = lines.map(readLine).filter((each) => each !== undefined);
  return { deliveries, skipped: lines.length - deliveries.length };
}

function readLine(line: string): RecordedDelivery | undefined {
  const delivery = recordOf(jsonOrUndefined(line));
  const { id, type } = recordOf(delivery["event"]);
  const isWhole = typeof id === "string" && typeof type === "string";
  return isWhole ? (delivery as unknown as RecordedDelivery) : undefined;
}
