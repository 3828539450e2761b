import { options, within } from "@fieldmesh/core/internal";
import type { EventEnvelope } from "../events/envelope.ts";
import { showName } from "../events/show-name.ts";
import { markStored } from "../events/source.ts";
import { parseEvent, type ParseEventOptions } from "../parse/parse-event.ts";
import type { EventOutcome } from "./event-outcome.ts";
import { checkOrder } from "./ask-order.ts";
import { readPoison } from "./check-options.ts";
import { aboutEvent, checkEvent, handleChecked } from "./handle-event.ts";
import type { HandleEventOptions } from "./handle-event-options.ts";
import { askStore } from "./ask-store.ts";
import { decodePayload, type KeptBody } from "./payload.ts";
import { keyOf, tenantOfKey } from "./tenant-key.ts";
import type { PoisonOptions } from "./poison.ts";

/** Options of {@link runAgain}: those of the receiver that set the event aside. */
export interface RunAgainOptions extends HandleEventOptions {
  readonly poison: PoisonOptions;
  /** A parser from `createEventParser`, for your own schemas. @default parseEvent */
  readonly parse?: ((body: unknown, options?: ParseEventOptions) => EventEnvelope) | undefined;
}

/**
 * Runs the handlers of an event that was set aside, from the stored payload or from the result of `reload`.
 *
 * An event that succeeds, or was handled in the meantime, is removed from the list. One that fails again stays. Pass the store of
 * the receiver, so that the event is not handled twice. `sourceOf(event)` is `store` unless the payload was encrypted, because
 * the event then lacks its codes. Rejects for an id that is not in the list, and for an event that cannot be read again.
 *
 * @example
 * ```ts
 * for (const { id } of await poison.store.list())
 *   console.log(id, (await runAgain(id, { router, store, poison })).outcome);
 * ```
 */
export async function runAgain(id: string, given: RunAgainOptions): Promise<EventOutcome> {
  const own = readOptions(given);
  checkOrder(own);
  return runChecked(id, own);
}

const readOptions = /* @__PURE__ */ options<RunAgainOptions>("runAgain", {
  ...aboutEvent,
  poison: { required: (poison) => readPoison(poison) },
});

/** Runs an event again without the checks, because a receiver checks its options once. */
export async function runChecked(id: string, own: RunAgainOptions): Promise<EventOutcome> {
  const { poison, parse = parseEvent } = own;
  const { body, isComplete } = await readAgain(id, poison);
  // Without its codes, it is like a stored event.
  const event: EventEnvelope = parse(body, isComplete ? {} : { source: "store" });
  const tenant = event.id === id ? undefined : tenantOfKey(id, event.id);
  if (id !== keyOf(tenant, event.id))
    throw new Error(
      `The event that was read for ${showName(id)} is another one. Check what reload and parse return.`,
    );
  if (!isComplete) markStored(event);
  checkEvent(event);
  return handleChecked(event, { ...own, tenant }, { body, isKept: true });
}

/** It may read the event from the service, with retries. */
const LONGEST_RELOAD = 60_000;
const RELOAD_HANGS =
  "reload of poison did not settle within 60 s. Set a shorter timeout in it, and call runAgain again.";

async function readAgain(id: string, { store, reload }: PoisonOptions): Promise<KeptBody> {
  const kept = await askStore("get", () => store.get(id));
  if (kept === undefined)
    throw new Error(
      `No event ${showName(id)} is set aside. Call list() of the poison store to see the ids.`,
    );
  if (kept.payload !== undefined) return decodePayload(store.payload, id, kept.payload);
  const body: unknown = await within(LONGEST_RELOAD, () => reload?.(id), RELOAD_HANGS);
  if (body === undefined || body === null)
    throw new Error(
      `The payload of ${showName(id)} was not kept, and ${reload === undefined ? "there is no reload" : "reload returned none"}. Pass a reload that returns the event.`,
    );
  return { body, isComplete: false };
}
