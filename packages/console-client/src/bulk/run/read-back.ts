import type { RunContext } from "./bulk-settings.ts";
import { take, unknownOf } from "./chunks.ts";
import type { AnyResult, Chunk, Look, PendingItem, Verb } from "./run-parts.ts";

// The device list may be delayed by this many times `settleTime`.
const MAX_ROUNDS = 16;

/**
 * Finds the outcome of chunks whose requests broke, with one device list for all of them. Returns the inputs that were not
 * carried out, to be sent again.
 *
 * Inputs that the list shows as carried out get a result. The others are decided by the second of two lists that are `settleTime`
 * apart: both must contain everything that the run knows to be carried out, and the second one must show nothing new.
 */
export async function readBack<Item extends PendingItem>(
  verb: Verb<Item>,
  chunks: readonly Chunk<Item>[],
  context: RunContext,
): Promise<Item[]> {
  await waitSettled(chunks, context);
  const look = await verb.look(chunks, context);
  const found = chunks.flatMap((chunk) => take(chunk, look.resultOf));
  verb.know(found);
  const isFinal = !look.lags && found.length === 0;
  return chunks.flatMap((chunk) => {
    chunk.rounds++;
    const isDecided = isFinal && (chunk.isRead || context.settleTime === 0);
    chunk.isRead ||= !look.lags;
    if (isDecided) take(chunk, (item) => endOf(verb, look, item));
    if (chunk.rounds >= MAX_ROUNDS) take(chunk, (item) => unknownOf(item, NOT_SHOWN));
    const missing = chunk.pending.filter(
      ({ rejection }) => isDecided || (verb.repeatable && rejection === undefined),
    );
    if (missing.length > 0) chunk.isRead = false;
    chunk.until = context.clock.now();
    return missing;
  });
}

/** Waits until the server has most likely finished the requests of broken chunks. */
async function waitSettled(
  chunks: readonly Pick<Chunk, "until" | "error">[],
  { clock, settleTime, signal, during }: RunContext,
): Promise<void> {
  const settledAt = Math.max(...chunks.map(({ until }) => until)) + settleTime;
  const wait = settledAt - clock.now();
  if (wait > 0) await during(whyWait(chunks), () => clock.sleep(wait, signal), settledAt);
}

function whyWait(chunks: readonly Pick<Chunk, "error">[]): string {
  const broken = chunks.find(({ error }) => error !== undefined);
  const cause =
    broken?.error?.message ?? "An earlier request may be in progress until its time limit.";
  return `${cause} The device list is read after \`settleTime\`.`;
}

const NOT_SHOWN =
  "requests with it broke, and the device list does not show its outcome: check later, and send it again only if it does not exist";
const AT_WORK =
  "a request with it timed out, or was left before its response, and the device list does not show it as carried out: check later, and send it again only when the server has finished";
const NOT_NAMED =
  "the console responded with success but does not name it, and the device list does not show it: check later, and send it again only if it does not exist";
const UNCLEAR =
  "requests with it broke, and the device list shows its EUIs without a whole key, so it may be another device with the same EUIs: check in the console";

/** Creates the result of an input that the list does not show and that must not be sent again. */
function endOf<Item extends PendingItem>(
  { repeatable }: Verb<Item>,
  { rejectedOf, isUnclear }: Look<Item>,
  item: Item,
): AnyResult | undefined {
  if (item.rejection !== undefined) return rejectedOf(item, item.rejection);
  if (item.doubt === "responded") return unknownOf(item, NOT_NAMED);
  if (isUnclear(item)) return unknownOf(item, UNCLEAR);
  return item.doubt === "at_work" && !repeatable ? unknownOf(item, AT_WORK) : undefined;
}
