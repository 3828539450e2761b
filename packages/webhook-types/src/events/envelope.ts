/**
 * A record whose full field list the spec does not show: what it names is declared, anything else is `unknown`.
 *
 * Give `createEventParser` a schema of your own for a type to read more of its object with types.
 */
export interface OpenRecord {
  [field: string]: unknown;
}

/** The snapshot of a resource. The spec does not show its full field list; paths and other records name its id. */
export interface Resource extends OpenRecord {
  /** The id of the record. */
  id?: string | undefined;
}

/** Where a value does not fit, and what was expected. Never the value itself. */
export interface EventProblem {
  /** Such as `data.object.status`; empty for the whole event. */
  readonly path: string;
  readonly message: string;
}

/** What every event has. */
export interface EventEnvelope {
  /** Starts with `evt_`. Key idempotent work on it: a delivery may come more than once (observed). */
  id: string;
  /** The event type, such as `sim.activated`. */
  type: string;
  /** ISO 8601, UTC. Deliveries come in no particular order (observed); this tells what happened first. */
  created_at: string;
  /** `false` for what happened in the sandbox environment. */
  livemode: boolean;
  /** The snapshot of the resource under `object`, and what changed. */
  data: OpenRecord;
  /** The idempotency key of the event. The spec states no more: key idempotent work on `id`. */
  idempotency_key: string;
  /**
   * Where the payload differs from its type; absent where it fits. Not part of the event on the wire: JSON, spreads and
   * comparisons leave it out.
   */
  readonly drift?: readonly EventProblem[] | undefined;
}

/** What an event carries: the snapshot of its resource, and what changed. */
export interface EventData<Snapshot, Previous = OpenRecord> extends OpenRecord {
  /** The record as it was when the event fired. */
  object: Snapshot;
  /** Prior values of the fields that changed. */
  previous_attributes?: Previous | undefined;
  /** `true` where the event comes from a migration import. */
  imported?: boolean | undefined;
}

/** As {@link EventData}, where the spec says that prior values are there. */
export interface ChangeData<Snapshot, Previous> extends EventData<Snapshot, Previous> {
  previous_attributes: Previous;
}

/**
 * An event of one known type: what each row of a family's table names, with arguments of its own.
 *
 * A union of such references costs a consumer's compiler a tenth of what a type mapped over the catalog costs. A
 * default of a parameter is not for free here: it would be worked out for each type.
 */
export interface EventOf<Type extends string, Snapshot> extends EventEnvelope {
  type: Type;
  data: EventData<Snapshot>;
}

/** As {@link EventOf}, where the spec says that prior values are there. */
export interface ChangeOf<Type extends string, Snapshot, Previous> extends EventEnvelope {
  type: Type;
  data: ChangeData<Snapshot, Previous>;
}

/**
 * An event of a type that is newer than this version. Types are additive: it is a value, never a failure.
 *
 * Its `type` may be any text, so TypeScript cannot narrow a union that holds it: ask `isKnownEvent` first.
 */
export interface UnknownEvent extends EventEnvelope {}

/** As {@link EventOf}, of an event whose `data` has more members. */
export interface DataOf<Type extends string, Data extends OpenRecord> extends EventEnvelope {
  type: Type;
  data: Data;
}
