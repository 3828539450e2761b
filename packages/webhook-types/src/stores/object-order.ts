import type { EventEnvelope } from "../events/envelope.ts";
import { familyOf } from "../events/pattern.ts";

/**
 * Tells older events of an object from newer ones. It holds the kinds and ids of objects, and times. Two events are of one
 * object where the part of their type before the first dot is the same, and the id of `data.object` too.
 */
export interface ObjectOrder {
  /** Whether an event of the same object that was created later has been handled. */
  isOlder(event: EventEnvelope): Promise<boolean>;
  /** Receives each event that was handled. */
  remember(event: EventEnvelope): Promise<void>;
}

/** An object as an event shows it. */
export interface Sighting {
  /** Such as `sim.sim_01JD3YF3T9`: the spec does not say that an id is of one kind of object only. */
  readonly key: string;
  /** When the event was created, in milliseconds since 1970. */
  readonly time: number;
}

/** `undefined` where nothing can be told: some snapshots, such as the preview of an invoice, have no id. */
export function sightingOf({ type, data, created_at }: EventEnvelope): Sighting | undefined {
  const { id } = (data["object"] ?? {}) as { id?: unknown };
  const time = Date.parse(created_at);
  if (typeof id !== "string" || id === "" || Number.isNaN(time)) return undefined;
  return { key: `${familyOf(type)}.${id}`, time };
}
