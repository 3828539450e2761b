/** What a handler receives besides the event. */
export interface EventContext {
  /**
   * The same string in every delivery and attempt of one event: give it to the calls that your handler makes.
   *
   * It is the event's id. A handler that makes several calls appends a different suffix to each.
   */
  readonly idempotencyKey: string;
  /** Which attempt at the event this is, counted by the store; 1 without a store. */
  readonly attempt: number;
  /** The delivery that brought the event; `undefined` for one that was not delivered, but read from the stored events. */
  readonly delivery: EventDelivery | undefined;
  /** Aborts when another process may take the event over, so that this one must stop: its lease is lost. */
  readonly signal: AbortSignal;
}

/** One delivery, as its verified signature tells. */
export interface EventDelivery {
  /** Unix seconds; `undefined` for a scheme without time. */
  readonly signedAt: number | undefined;
  /** Which secret has signed: its index in `secrets`. The first that is still seen ends a rotation. */
  readonly secretIndex: number;
  /** The id of the message, for a scheme that signs one. */
  readonly messageId: string | undefined;
}

/** The context of an event that is dispatched by hand: a first attempt that nothing ends. */
export function contextByHand(id: string): EventContext {
  return {
    idempotencyKey: id,
    attempt: 1,
    delivery: undefined,
    signal: (neverAborted ??= new AbortController()).signal,
  };
}

// Made when it is first needed, so that importing does nothing.
let neverAborted: AbortController | undefined;
