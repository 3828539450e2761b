import type { EventContext } from "../router/event-context.ts";

/**
 * Remembers which events are done, and which are in progress. It holds ids and times, never a payload.
 *
 * An event is claimed for a lease: until the lease ends, no other process gets it. A token, new for every claim, tells
 * one claim from another; all four functions must be atomic. Reject where the store cannot be reached: the delivery is
 * then rejected with 503, and the sender retries it. A function that returns anything else than its type says, such as
 * nothing, has the same outcome, `store_failed`. A delivery waits for the store as long as it takes: give the client of your
 * database a time limit.
 */
export interface IdempotencyStore {
  /** Takes the event for `lease` milliseconds, unless it is done or in progress elsewhere. The same token gets it again. */
  claim(id: string, token: string, lease: number): Promise<Claim>;
  /** Moves the end of the lease to `lease` milliseconds from now; `false` where another one has the event. */
  extend(id: string, token: string, lease: number): Promise<boolean>;
  /** Marks the event as done; `false` where another one has it, who may be running its handlers again. */
  complete(id: string, token: string): Promise<boolean>;
  /** Gives the event back at once, after a failed handler; does nothing where another one has it. */
  release(id: string, token: string): Promise<void>;
}

/** What became of a claim. */
export type Claim =
  | {
      readonly status: "claimed";
      /** How often the event was claimed, this one included. */
      readonly attempt: number;
    }
  | { readonly status: "done" }
  | {
      readonly status: "in_progress";
      /** Milliseconds until the lease of the other one ends. */
      readonly endsIn: number;
    };

/**
 * A store that runs the handlers in one transaction with the mark, so that their effects in that database come exactly
 * once. It needs no lease: a process that dies takes its transaction along.
 */
export interface Inbox {
  /** Runs `work` and marks the event as done, both or neither. Rejects with what `work` throws, and undoes both. */
  run(id: string, work: (transaction: InboxTransaction) => Promise<void>): Promise<InboxOutcome>;
}

/** The transaction of one event. */
export interface InboxTransaction {
  /** Aborts when it cannot be committed any more. */
  readonly signal: AbortSignal;
  /** Lets handlers find the transaction by their context. */
  readonly enter: (context: EventContext) => void;
}

export type InboxOutcome = "committed" | "done" | "in_progress";

/** What a receiver remembers events in. */
export type EventStore = IdempotencyStore | Inbox;
