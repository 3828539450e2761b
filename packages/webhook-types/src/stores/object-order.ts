import { dateOfStamp } from "@fieldmesh/core";
import type { EventEnvelope } from "../events/envelope.ts";
import { familyOf } from "../events/pattern.ts";

/**
 * Distinguishes older from newer events of an object. It stores the kinds and ids of objects, and times. Two events concern the
 * same object if their types have the same part before the first dot, and `data.object` has the same id.
 */
export interface ObjectOrder {
  /** Whether a newer event of the same object was already handled. */
  isOlder(event: EventEnvelope): Promise<boolean>;
  /** Receives each handled event. */
  remember(event: EventEnvelope): Promise<void>;
}

/** An object, as an event shows it. */
export interface Sighting {
  /** For example `sim.sim_01JD3YF3T9`. The spec does not say that an id is unique among all kinds of objects. */
  readonly key: string;
  /** When the event was created, in milliseconds since 1970. A time without a zone is UTC. */
  readonly time: number;
}

/** Returns `undefined` if the object cannot be identified: some snapshots, such as the preview of an invoice, have no id. */
export function sightingOf({ type, data, created_at }: EventEnvelope): Sighting | undefined {
  const { id } = (data["object"] ?? {}) as { id?: unknown };
  const time = dateOfStamp(created_at).getTime();
  if (typeof id !== "string" || id === "" || Number.isNaN(time)) return undefined;
  return { key: `${familyOf(type)}.${id}`, time };
}
