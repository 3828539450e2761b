import { isFieldmeshError, type Secret } from "@fieldmesh/core";
import { readStamp } from "@fieldmesh/core/internal";
import {
  catchUp,
  CheckpointError,
  type CatchUpOptions,
  type CatchUpReport,
  type CatchUpTotals,
  type DeliveryOnly,
} from "@fieldmesh/mobile-client";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import {
  type CommandContext,
  type CommandInput,
  type CommandOutput,
  type RunCommand,
  textOf,
} from "../command.ts";
import { CommandError, UsageError } from "../command-error.ts";
import { readInteger, readReceiverUrl, readSecret } from "../read-input.ts";
import { shownUrl } from "../../engine/webhooks/shown-url.ts";
import { type Lock, withLock } from "../with-lock.ts";
import { checkFolderOf, placeFile, type PlaceFile } from "./catch-up-place.ts";
import { post } from "./send-request.ts";
import { printable } from "./describe-delivery.ts";

export const run: RunCommand = async (context, input) => {
  const url = readReceiverUrl("to", textOf(input, "to"));
  const since = readSince(textOf(input, "since"));
  const rules = readRules(input);
  const file = textOf(input, "checkpoint");
  if (file !== undefined) await checkFolderOf(file);
  const secret = await readSecret(context, input);
  if (file === undefined) return send(context, { url, since, secret, rules });
  const work = async (lock: Lock): Promise<void> => {
    try {
      const place = placeFile(file, url, since, lock);
      await send({ ...context, signal: lock.signal }, { url, since, secret, rules, place });
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
  readonly rules: Pick<CatchUpOptions, "deliveriesEnd" | "deliveryOnly">;
  readonly place?: PlaceFile;
}

const HOUR = 3_600_000;
const LONGEST_HOURS = 8_760;
/** How long a receiver remembers an event, unless its store has another retention. What it has forgotten is not sent again. */
const REMEMBERED = 168 * HOUR;

async function send(context: CommandContext, task: Task): Promise<void> {
  const { url, secret, rules, place } = task;
  const { output, signal } = context;
  const checkpoint = await place?.read();
  const isUnordered = checkpoint?.order === "none";
  const since = new Date(Math.max(+task.since, isUnordered ? Date.now() - REMEMBERED : -Infinity));
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
  const shown = new Set<string>();
  const print = (report: CatchUpReport): void => {
    shown.add(report.id);
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
      store: { ...memoryStore(), remembers: REMEMBERED },
      ...rules,
      validation: "off",
      signal: ended,
      onOutcome: print,
      ...(place && { checkpoint, onCheckpoint: (next) => place.write(next) }),
    });
    await printed;
    stopped.signal.throwIfAborted();
    if (totals.wholeList !== undefined)
      output.note(`Read the whole list: ${WHOLE_LIST[totals.wholeList]}.`);
    if (totals.readFrom !== undefined)
      output.note(`Read on from ${printable(totals.readFrom)}, where the last run ended.`);
    for (const { id, type, reason } of totals.open)
      if (!shown.has(id)) output.note(printable(`Still open  ${type}  ${id}  ${reason}`));
    sumUp(output, totals);
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

/** Says how many are left. Only what waits for its delivery is not an error. */
function sumUp(output: CommandOutput, { handled, open, givenUp }: CatchUpTotals): void {
  const left = open.filter(({ reason }) => reason !== "waiting").length;
  const waiting = open.length - left;
  const more = [
    waiting > 0 && `, ${waiting} waiting for their delivery`,
    givenUp.length > 0 && `, ${givenUp.length} given up`,
  ];
  output.note(`${handled} accepted, ${left} left open${more.filter(Boolean).join("")}.`);
  const errors = [
    left > 0 &&
      `${left} events were not accepted. Run the same command again: a receiver with a store skips the others.`,
    givenUp.length > 0 &&
      `${givenUp.length} events were given up, and no later run sends them. Look them up by their ids.`,
  ].filter(Boolean);
  if (errors.length > 0) throw new CommandError(errors.join(" "));
}

function readRules({ options }: CommandInput): Task["rules"] {
  const { deliveriesEnd: hours, deliveryOnly } = options;
  return {
    ...(typeof hours === "string" && {
      deliveriesEnd: readInteger("deliveries-end", hours, LONGEST_HOURS) * HOUR,
    }),
    // The program has checked the names.
    ...(Array.isArray(deliveryOnly) && { deliveryOnly: deliveryOnly as readonly DeliveryOnly[] }),
  };
}

function readSince(text: string | undefined): Date {
  const since = readStamp(text);
  if ("time" in since) return new Date(since.time);
  throw new UsageError("--since needs a time, such as 2026-11-20T08:30:00Z.");
}

async function show(output: CommandOutput, report: CatchUpReport): Promise<void> {
  const { id, type, outcome, error } = report;
  const accepted = outcome === "handled" ? "accepted" : outcome;
  if (output.isJson) return output.records([{ id, type, outcome: accepted }]);
  // Only the message of a failed post is shown.
  const reason = error instanceof CommandError ? `: ${error.message}` : "";
  await output.line(printable(`${type}  ${id}  ${accepted}${reason}`));
}
