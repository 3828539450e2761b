import { hasMethod } from "@fieldmesh/core/internal";
import type { EventContext } from "../router/event-handlers.ts";

/**
 * Remembers which events are done, and which are in progress. It stores ids and times, never a payload.
 *
 * An event is claimed for a lease: until the lease ends, no other process gets it. A token, new for every claim, distinguishes
 * the claims. All four functions must be atomic. Reject if the store cannot be reached: the delivery then gets a 503, and the
 * sender retries it. If a function returns anything other than its type says, such as `undefined`, the outcome is `store_failed`
 * too, and also if it takes longer than ten seconds. A claim that succeeds later is released.
 */
export interface IdempotencyStore {
  /** Claims the event for `lease` milliseconds, unless it is done or in progress elsewhere. The same token can claim it again. */
  claim(id: string, token: string, lease: number): Promise<Claim>;
  /** Moves the end of the lease to `lease` milliseconds from now. Resolves with `false` if another process has the event. */
  extend(id: string, token: string, lease: number): Promise<boolean>;
  /** Marks the event as done. Resolves with `false` if another process has it, which may be running its handlers again. */
  complete(id: string, token: string): Promise<boolean>;
  /** Releases the event immediately, after a failed handler. Has no effect if another process has it. */
  release(id: string, token: string): Promise<void>;
  /** Forgets an event that is not done, with its attempts. Has no effect if another process has it. */
  forget?(id: string, token: string): Promise<void>;
  /** Whether it uses this client of a database, so that an order of the same client can share its round trips. */
  uses?(client: object): boolean;
  /** How many milliseconds a done event is remembered at least. `maxAge` of a queue worker uses it. @default not known */
  readonly remembers?: number | undefined;
}

/** A store that can forget, so that a run of `@fieldmesh/console-client` can hold its lease in it. */
export type LeasableStore = IdempotencyStore & Required<Pick<IdempotencyStore, "forget">>;

/** The result of `claim` of an {@link IdempotencyStore}. */
export type Claim =
  | {
      readonly status: "claimed";
      /** How often the event was claimed, including this time. */
      readonly attempt: number;
    }
  | { readonly status: "done" }
  | {
      readonly status: "in_progress";
      /** Milliseconds until the other lease ends. */
      readonly endsIn: number;
      /** Milliseconds since the other claim. @default not known */
      readonly heldFor?: number | undefined;
    };

/**
 * A store that runs the handlers of an event and marks it as done in one transaction, so that their effects in that database
 * happen exactly once. It needs no lease: if a process crashes, its transaction is rolled back.
 */
export interface Inbox {
  /**
   * Runs `work` and marks the event as done, both or neither. If `work` throws, undoes both and rejects with its error.
   *
   * After a conflict with another transaction, it may run `work` again in a new one, so a handler may run more than once for one
   * attempt. It must not do so once the signal has aborted. A receiver waits ten seconds at most for the work to begin, and as
   * long for the end after it.
   */
  run(
    id: string,
    work: (transaction: InboxTransaction) => Promise<void>,
    options?: {
      /** Aborts when the sender of the event has disconnected. */
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<InboxOutcome>;
  /**
   * Whether its transactions run on this client of a database, so that an `InboxOrder` of the same client can join them. Without
   * this method, the receiver accepts no order.
   */
  uses?(client: object): boolean;
  /** How many milliseconds a done event is remembered at least. `maxAge` of a queue worker uses it. @default not known */
  readonly remembers?: number | undefined;
}

/** The transaction of one event. */
export interface InboxTransaction {
  /** Aborts when the transaction can no longer be committed. */
  readonly signal: AbortSignal;
  /** Lets handlers find the transaction through their context. */
  readonly enter: (context: EventContext) => void;
  /** The transaction itself, which `claimObject` of an `InboxOrder` receives. */
  readonly transaction?: unknown;
}

/** What an {@link Inbox} did with an event: ran the handlers and committed, found it done, or found it in progress elsewhere. */
export type InboxOutcome = "committed" | "done" | "in_progress";

/** The store in which a receiver remembers events. */
export type EventStore = IdempotencyStore | Inbox;

export function isStore(value: unknown): value is EventStore {
  return hasMethod(value, "claim") || hasMethod(value, "run");
}

export function isInbox(store: EventStore): store is Inbox {
  return "run" in store;
}
