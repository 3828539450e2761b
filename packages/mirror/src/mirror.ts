import type { Clock } from "@fieldmesh/core";
import type { PersonalField } from "@fieldmesh/webhook-types/internal/mirror";
import type { InboxOrder } from "@fieldmesh/webhook-types/receiver";

/** Options of a mirror. */
export interface MirrorOptions {
  /**
   * The personal fields to store, as family and path. All others are never stored.
   *
   * @default none
   */
  readonly personal?: readonly PersonalField[] | undefined;
  /**
   * The fields to store that the spec does not declare and whose name is that of something personal or secret, as family and path,
   * such as `sim.full_name`. Without it they are left out. All other undeclared fields are stored.
   *
   * @default none
   */
  readonly undeclared?: readonly string[] | undefined;
}

/**
 * A table with the newest state of each object. It is the order of a receiver: it writes in the transaction of each event, before the
 * handlers.
 */
export interface Mirror extends InboxOrder {
  /**
   * Computes the rows from the stored events, and compares them with the table. Pass `client.events.list()`, or any other list of
   * events.
   *
   * You can run it while deliveries arrive. It keeps the newest event of each object in memory, and the ids of all events. Rejects if
   * the list or the database cannot be read.
   *
   * @example
   * ```ts
   * const { differs, missing, notChecked } = await mirror.verify(client.events.list());
   * ```
   */
  verify(events: StoredEvents, options?: VerifyOptions): Promise<MirrorReport>;
  /**
   * Like `verify`, with a plan of what to write. It writes nothing: pass the plan to `apply`.
   *
   * Rejects if the events and the table have no object in common, because they are then probably of different services.
   *
   * @example
   * ```ts
   * const plan = await mirror.repair(client.events.list());
   * if (plan.changes.length < 100) await mirror.apply(plan);
   * ```
   */
  repair(events: StoredEvents, options?: VerifyOptions): Promise<MirrorPlan>;
  /**
   * Writes the rows of a plan, each in its own transaction. Leaves a row alone if it has changed since the plan was made, deletes
   * none, and never replaces a state by an older one.
   *
   * Throws a TypeError for a plan of another mirror. If it rejects, make a new plan.
   */
  apply(plan: MirrorPlan): Promise<MirrorRepair>;
}

/** Events of a service, parsed or not. */
export type StoredEvents = Iterable<unknown> | AsyncIterable<unknown>;

/** Options of `verify` and `repair` of a {@link Mirror}. */
export interface VerifyOptions {
  /** The tenant of the events, if the receiver has the secrets of many. @default the rows without a tenant */
  readonly tenant?: string | undefined;
  /** The clock of the receiver, which says which dates are ahead. @default that of the machine */
  readonly clock?: Clock | undefined;
}

/** A row, and what is wrong with it. It has nothing of the state, so you may log it. */
export interface MirrorFinding {
  readonly family: string;
  readonly id: string;
  readonly livemode: boolean;
  /** The names of the columns that differ. Empty for any other finding. */
  readonly columns: readonly string[];
}

/** The result of a comparison. */
export interface MirrorReport {
  /** Rows that do not show what the events say. */
  readonly differs: readonly MirrorFinding[];
  /** Objects without a row. */
  readonly missing: readonly MirrorFinding[];
  /** Rows that are right, and for which the events do not say which of two states is the last. */
  readonly ambiguous: readonly MirrorFinding[];
  /**
   * Objects with an event whose `created_at` is more than 5 minutes ahead, or was when it was claimed. They are not compared, and
   * `repair` leaves them alone, because nothing says where that event belongs. Read these objects from the API.
   */
  readonly wrongDates: readonly MirrorFinding[];
  /** How many rows were compared. */
  readonly checked: number;
  /** How many rows show an event that is not among the stored ones. The service may have dropped it. */
  readonly notChecked: number;
  /** How many events were read. */
  readonly events: number;
  /** How many events have an object without an id, or no time, so that they have no row. */
  readonly withoutRow: number;
  /** How many items of the list are not events. */
  readonly notParsed: number;
}

/** What `apply` would write. */
export interface MirrorPlan {
  readonly report: MirrorReport;
  /** The rows that differ or are missing. */
  readonly changes: readonly MirrorFinding[];
}

/** What `apply` has done. */
export interface MirrorRepair {
  /** How many rows it has written. */
  readonly written: number;
  /** The rows that it has left alone, because they have changed since the plan was made. */
  readonly changedSince: readonly MirrorFinding[];
}
