import { showEvent } from "../events/show-name.ts";
import type { EventEnvelope } from "../events/envelope.ts";
import type { PoisonStore } from "../stores/poison-store.ts";
import { describeErrors } from "./describe-errors.ts";
import type { EventOutcome } from "./event-outcome.ts";
import { askStore } from "./ask-store.ts";
import { encodePayload } from "./payload.ts";

/** How to treat events whose handlers keep failing. */
export interface PoisonOptions {
  /** Where they are counted, listed and stored: `memoryPoison`, `sqlitePoison`, `postgresPoison`. */
  readonly store: PoisonStore;
  /** The number of failed attempts after which an event is set aside. @default 5 */
  readonly attempts?: number | undefined;
  /**
   * Returns the event with this id again, for example from the stored events of the service. Used if the store keeps no payload.
   *
   * With neither, an event that keeps failing is `not_set_aside`: it is reported, and the sender keeps retrying.
   */
  readonly reload?: ((id: string) => unknown) | undefined;
}

const DEFAULT_ATTEMPTS = 5;

/**
 * Counts a failed attempt, and sets the event aside after enough attempts. The store does not mark the event as done, so a later
 * attempt, by a delivery or by `runAgain`, is like any other.
 */
export async function recordFailure(
  { id, type }: Pick<EventEnvelope, "id" | "type">,
  error: unknown,
  poison: PoisonOptions,
  source: unknown,
): Promise<EventOutcome> {
  const { store, attempts = DEFAULT_ATTEMPTS, reload } = poison;
  try {
    const failed: unknown = await askStore("fail", () =>
      store.fail({ id, type, error: describeErrors(error) }),
    );
    if (typeof failed !== "number" || !(failed >= attempts)) return { outcome: "failed", error };
    const payload = await readPayload(id, poison, source);
    const canRunAgain = payload !== undefined || reload !== undefined;
    // Durable before the response: after a crash between the two, the sender retries an event that is also listed.
    const isKept: unknown =
      canRunAgain && (await askStore("setAside", () => store.setAside(id, payload)));
    return { outcome: isKept === true ? "set_aside" : "not_set_aside", error };
  } catch (problem) {
    const both = [error, problem];
    const message = `The handlers of ${showEvent({ id, type })} failed, and the event could not be set aside.`;
    return { outcome: "store_failed", error: new AggregateError(both, message) };
  }
}

async function readPayload(
  id: string,
  { store: { payload: payloads }, reload }: PoisonOptions,
  source: unknown,
): Promise<string | undefined> {
  if (payloads === undefined) return undefined;
  try {
    return await encodePayload(payloads, id, source);
  } catch (error) {
    // A body that only the user's parser can read.
    if (reload === undefined) throw error;
    return undefined;
  }
}
