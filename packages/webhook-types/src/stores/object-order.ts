import type { EventEnvelope } from "../events/envelope.ts";

/** Tells older events of an object from newer ones. It holds ids of objects and times only. */
export interface ObjectOrder {
  /** Whether an event of the same object that was created later has been handled. */
  isOlder(event: EventEnvelope): Promise<boolean>;
  /** Receives each event that was handled. */
  remember(event: EventEnvelope): Promise<void>;
}

/** An object as an event shows it. */
export interface Sighting {
  readonly id: string;
  /** When the event was created, in milliseconds since 1970. */
  readonly time: number;
}

/** `undefined` where nothing can be told: some snapshots, such as the preview of an invoice, have no id. */
export function sightingOf({ data, created_at }: EventEnvelope): Sighting | undefined {
  const { id } = (data["object"] ?? {}) as { id?: unknown };
  const time = Date.parse(created_at);
  return typeof id === "string" && id !== "" && !Number.isNaN(time) ? { id, time } : undefined;
}
