import type { EventEnvelope } from "@fieldmesh/webhook-types";
import type { ShownRow } from "./subject.ts";
import type { Effect } from "./world.ts";

/** One delivery of a run, and what its sender saw. */
export interface Delivery {
  readonly event: EventEnvelope;
  /** The status of the response; `undefined` if none arrived. */
  readonly status: number | undefined;
  /** Signed with another secret than that of the service. */
  readonly isForged: boolean;
  /** The time of the receiver's clock when the response arrived, or when nothing waited for it any more. */
  readonly at: number;
}

/** What happened in a run, once the sender has retried everything that was not accepted. */
export interface History {
  /** The deliveries, in the order in which they were sent. */
  readonly deliveries: readonly Delivery[];
  /** The effects, in the order in which they happened. */
  readonly effects: readonly Effect[];
  /** The event that each row shows. */
  readonly rows: ReadonlyMap<string, EventEnvelope>;
  /** The rows of your own table, as the function `rows` returned them. */
  readonly ownRows: readonly ShownRow[];
  /** The ids of the events that are kept in a poison store. */
  readonly setAside: ReadonlySet<string>;
  /** When the receiver first saw each event, by its clock: in a genuine delivery, or in the stored events. */
  readonly firstSeen: ReadonlyMap<string, number>;
}

/**
 * A rule that must hold after every run. It returns a sentence that says what is wrong, or throws. It returns nothing if the
 * rule holds.
 */
export type Invariant = (history: History) => string | void | Promise<string | void>;

export function isAccepted(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
