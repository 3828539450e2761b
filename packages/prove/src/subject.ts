import type { PoisonStore } from "@fieldmesh/webhook-types/receiver";
import type { Effect, World } from "./world.ts";
import type { EventEnvelope } from "@fieldmesh/webhook-types";

/** A receiver in a process: a function from Request to Response, and what can be read from your own database. */
export interface Subject {
  readonly receive: (request: Request) => Promise<Response>;
  /** Returns the effects that your own database shows: an event and a name for each. */
  readonly effects?: (() => Iterable<Effect> | Promise<Iterable<Effect>>) | undefined;
  /** Returns the rows of your own table that show the state of an object, for the rule "the newest state wins". */
  readonly rows?: (() => Iterable<ShownRow> | Promise<Iterable<ShownRow>>) | undefined;
  /**
   * Handles the stored events, as your nightly job does: `() => catchUp({ client: createMobileClient(world.mobile), … })`. It runs beside
   * deliveries. Stored events lack the codes that only a delivery has.
   */
  readonly catchUp?: (() => unknown) | undefined;
  /** Where your receiver sets events aside, if that is not a value of `world.survives`: what it keeps is not lost. */
  readonly poison?: Pick<PoisonStore, "list"> | undefined;
}

/** A row of your own table. */
export interface ShownRow {
  /** The id of the object that it shows. */
  readonly object: string;
  /** The `created_at` of the event that it was last written from. */
  readonly created_at: string | Date;
  /** The kind of the object, such as `sim`: the first part of its event types. @default - any, if you have one table */
  readonly family?: string | undefined;
}

/** Builds the receiver of one process: called at the start of each run, and again after each crash. */
export type Build = (
  world: World,
) => Subject["receive"] | Subject | Promise<Subject["receive"] | Subject>;

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
