import { isFieldmeshError, type Secret } from "@fieldmesh/core";
import {
  catchUp,
  CheckpointError,
  type CatchUpReport,
  type CatchUpTotals,
} from "@fieldmesh/mobile-client";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { type CommandContext, type CommandOutput, type RunCommand, textOf } from "../command.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { readReceiverUrl, readSecret } from "../read-input.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import { type Lock, withLock } from "../with-lock.ts";
import { checkFolderOf, placeFile, type PlaceFile } from "./catch-up-place.ts";
import { post } from "./post.ts";
import { printable } from "./printable.ts";

export const run: RunCommand = async (context, input) => {
  const url = readReceiverUrl("to", textOf(input, "to"));
  const since = readSince(textOf(input, "since"));
  const file = textOf(input, "checkpoint");
  if (file !== undefined) await checkFolderOf(file);
  const secret = await readSecret(context, input);
  if (file === undefined) return send(context, { url, since, secret });
  const work = async (lock: Lock): Promise<void> => {
    try {
      const place = placeFile(file, url, since, lock);
      await send({ ...context, signal: lock.signal }, { url, since, secret, place });
    } catch (error) {
      // The client is that of another service.
      const { cause } = error as Error;
      if (!(cause instanceof CheckpointError)) throw error;
      throw new UsageError(
        `${file} belongs to another server, or was changed. Choose another --checkpoint for each service.`,
      );
    }
  };
  const { signal, output } = context;
  await withLock(file, work, { signal, note: (line) => output.note(line) });
};

interface Task {
  readonly url: URL;
  readonly since: Date;
  readonly secret: Secret;
  readonly place?: PlaceFile;
}

async function send(context: CommandContext, { url, since, secret, place }: Task): Promise<void> {
  const { output, signal } = context;
  const checkpoint = await place?.read();
  const client = await context.client("mobile");
  output.note(`Receiver  ${shownUrl(url)}`);
  // If the receiver does not respond to one event, it would not respond to the others.
  const stopped = new AbortController();
  const ended = AbortSignal.any([signal, stopped.signal]);
  const dispatch = async (event: { readonly type: string }): Promise<void> => {
    const sent = post(event, { url, secret, signal });
    sent.catch((error: unknown) => stopped.abort(error));
    const { status, isAccepted } = await sent;
    if (!isAccepted) throw new CommandError(`responded ${status}`);
  };
  let printed = Promise.resolve();
  const print = (report: CatchUpReport): void => {
    // If the output is no longer read, no further event is sent.
    printed = printed
      .then(() => show(output, report))
      .catch((error: unknown) => stopped.abort(error));
  };
  try {
    const totals = await catchUp({
      client,
      since,
      router: { dispatch },
      store: memoryStore(),
      validation: "off",
      signal: ended,
      onOutcome: print,
      ...(place && { checkpoint, onCheckpoint: (next) => place.write(next) }),
    });
    await printed;
    stopped.signal.throwIfAborted();
    if (totals.wholeList !== undefined)
      output.note(`Read the whole list: ${WHOLE_LIST[totals.wholeList]}.`);
    const open = totals.failed + totals.not_parsed;
    output.note(`${totals.handled} accepted, ${open} left open.`);
    if (open > 0)
      throw new CommandError(
        `${open} events were not accepted. Run the same command again: a receiver with a store skips the others.`,
      );
  } catch (error) {
    await printed;
    if (signal.aborted)
      return output.note(
        "Interrupted. Run the same command again: a receiver with a store skips the events that it has handled.",
      );
    if (stopped.signal.aborted) throw stopped.signal.reason;
    throw isFieldmeshError(error) ? new CommandError(error.message, 1, { cause: error }) : error;
  }
}

const WHOLE_LIST: Readonly<Record<NonNullable<CatchUpTotals["wholeList"]>, string>> = {
  no_order: "its events are in no order",
  order_changed: "its order has changed since the last run",
  cursor_rejected: "the service has rejected the cursor of the last run",
};

function readSince(text: string | undefined): Date {
  const since = new Date(text ?? Number.NaN);
  if (Number.isNaN(since.getTime()))
    throw new UsageError("--since needs a time, such as 2026-11-20T08:30:00Z.");
  return since;
}

async function show(output: CommandOutput, report: CatchUpReport): Promise<void> {
  const { id, type, outcome, error } = report;
  const accepted = outcome === "handled" ? "accepted" : outcome;
  if (output.isJson) return output.records([{ id, type, outcome: accepted }]);
  // Only the message of a failed post is shown.
  const reason = error instanceof CommandError ? `: ${error.message}` : "";
  await output.line(printable(`${type}  ${id}  ${accepted}${reason}`));
}
