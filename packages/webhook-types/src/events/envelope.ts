/** A record that may have more fields than the spec names. Declared fields have a type, and all others are `unknown`. */
export interface OpenRecord {
  [field: string]: unknown;
}

/**
 * The snapshot of a resource. The spec does not show its full field list; paths and other records name its id.
 *
 * The fields that the spec names are declared, so that a misspelled name does not compile. `fieldOf(event, name)` reads any other
 * field, as `unknown`. To read more fields with types, pass your own schema to `createEventParser`.
 */
export interface Resource {
  /** The id of the record. */
  id?: string | undefined;
}

/** Where a value does not fit, and what was expected. Never contains the value. */
export interface EventProblem {
  /** The path, such as `data.object.status`. Empty for the whole event. */
  readonly path: string;
  readonly message: string;
}

/** The fields of every event. */
export interface EventEnvelope {
  /**
   * The id of the event, with the prefix `evt_`. A delivery may arrive more than once (observed): use this id to handle each
   * event only once.
   */
  id: string;
  /** The event type, such as `sim.activated`. */
  type: string;
  /**
   * A time: ISO 8601, UTC. Deliveries may arrive in any order (observed), and the spec states no other. Receivers compare this
   * field to find the newer event of an object.
   */
  created_at: string;
  /** `false` for an event of the sandbox environment (observed). */
  livemode: boolean;
  /** The snapshot of the resource under `object`, and what changed. */
  data: OpenRecord;
  /** The idempotency key of the event. The spec says nothing more about it, so use `id` to recognize a repeated event. */
  idempotency_key: string;
  /**
   * Where the event differs from its type, or from what the spec says about it. Absent if it fits. The field is not part of the event on the wire:
   * JSON, spreads and comparisons omit it.
   */
  readonly drift?: readonly EventProblem[] | undefined;
}

/** The data of an event: the snapshot of its resource, and what changed. */
export interface EventData<Snapshot, Previous = OpenRecord> extends OpenRecord {
  /** The record as it was when the event fired. */
  object: Snapshot;
  /** The previous values of the fields that changed. */
  previous_attributes?: Previous | undefined;
  /** `true` if the event comes from a migration import. */
  imported?: boolean | undefined;
}

/** Like {@link EventData}, for events that always have previous values, according to the spec. */
export interface ChangeData<Snapshot, Previous> extends EventData<Snapshot, Previous> {
  previous_attributes: Previous;
}

/**
 * An event of one known type. Each row of a family's table uses it, with its own type arguments.
 *
 * A union of such references costs a compiler a tenth of the time of a type that is mapped over the catalog. A default of a type
 * parameter would cost time here, because the compiler would compute it for each type.
 */
export interface EventOf<Type extends string, Snapshot> extends EventEnvelope {
  type: Type;
  data: EventData<Snapshot>;
}

/** Like {@link EventOf}, for events that always have previous values, according to the spec. */
export interface ChangeOf<Type extends string, Snapshot, Previous> extends EventEnvelope {
  type: Type;
  data: ChangeData<Snapshot, Previous>;
}

/**
 * An event of a type that is newer than this version. New types may be added at any time, so such an event is a value and never
 * an error.
 *
 * Its `type` may be any string, so TypeScript cannot narrow a union that contains it: call `isKnownEvent` first.
 */
export interface UnknownEvent extends EventEnvelope {}

/** Like {@link EventOf}, for an event whose `data` has more members. */
export interface DataOf<Type extends string, Data extends OpenRecord> extends EventEnvelope {
  type: Type;
  data: Data;
}
