import type { EventEnvelope } from "../catalog/envelope.js";

/** Tells older events of an object from newer ones. It holds ids of objects and times only. */
export interface ObjectOrder {
  /** Whether an event of the same object that was created later has been handled. */
  isOlder(event: EventEnvelope): Promise<boolean>;
  /** Is told of each event that was handled. */
  remember(event: EventEnvelope): Promise<void>;
}

/** How many objects are remembered by default. */
const DEFAULT_LIMIT = 100_000;

/**
 * Creates an order in the memory of this process: an event that is older than one of the same object, by `created_at`, is
 * answered 2xx and not handled.
 *
 * Only for handlers that copy the newest snapshot: a handler of `invoice.finalized` does not run once `invoice.paid` came
 * first. Two events of the same object that arrive together may both be handled, in any order. Events whose object has
 * no id, and events of the same time, are always handled. The objects that were heard of longest ago are forgotten first.
 *
 * @example
 * ```ts
 * createReceiver({ secret, store: memoryStore(), order: memoryOrder(), handlers });
 * ```
 */
export function memoryOrder({ limit = DEFAULT_LIMIT }: { limit?: number } = {}): ObjectOrder {
  if (!(limit >= 1)) throw new TypeError("memoryOrder: limit must be 1 or more.");
  const times = new Map<string, number>();
  return {
    isOlder: async (event) => {
      const newest = times.get(objectIdOf(event) ?? "");
      return newest !== undefined && Date.parse(event.created_at) < newest;
    },
    remember: async (event) => {
      const id = objectIdOf(event);
      const time = Date.parse(event.created_at);
      if (id === undefined || Number.isNaN(time)) return;
      const newest = Math.max(time, times.get(id) ?? time);
      // Last in the order of a Map is what was heard of last.
      times.delete(id);
      times.set(id, newest);
      if (times.size > limit) times.delete(times.keys().next().value ?? id);
    },
  };
}

/** The id of the snapshot; some, such as the preview of an invoice, have none. */
function objectIdOf({ data }: EventEnvelope): string | undefined {
  const { id } = (data["object"] ?? {}) as { id?: unknown };
  return typeof id === "string" && id !== "" ? id : undefined;
}
