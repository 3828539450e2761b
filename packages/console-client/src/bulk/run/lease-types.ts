/** Where a run holds its lease. `redisStore`, `postgresStore` and `sqliteStore` of `@fieldmesh/webhook-types/stores` fit. */
export interface LeaseStore {
  /**
   * Takes the lease of `id` for some milliseconds. `attempt` counts who has held it, `endsIn` is what is left to its holder, and
   * `heldFor` how long the holder has had it.
   */
  claim(
    id: string,
    token: string,
    duration: number,
  ): Promise<
    | { readonly status: "claimed"; readonly attempt: number }
    | {
        readonly status: "in_progress";
        readonly endsIn: number;
        readonly heldFor?: number | undefined;
      }
    | { readonly status: "done" }
  >;
  /** Extends the lease of this token. Returns false if it has another holder. */
  extend(id: string, token: string, duration: number): Promise<boolean>;
  /** Ends the lease of this token after a run that was interrupted: the next owner looks up what it may have sent. */
  release(id: string, token: string): Promise<void>;
  /** Ends the lease of this token after a run that has finished: the next owner is the first one again, with attempt 1. */
  forget(id: string, token: string): Promise<void>;
}

/** The lease of a run: only one run at a time sends requests for an id. */
export interface BulkLease {
  /**
   * Identifies the work, such as the id of its job.
   *
   * @default a hash of the devices, the method, the server and the organization, so that two users cannot run one list at the same
   * time. An input without a length is read once, so it needs an id, such as a hash of its file
   */
  id?: string | undefined;
  /** The store that all processes share. */
  store: LeaseStore;
  /**
   * Milliseconds until another process may take over from one that was stopped or killed, at least 5,000. The run extends the
   * lease at a third of it. A request may take at most what is left of the lease, less a second.
   *
   * @default 60_000
   */
  duration?: number | undefined;
}

/** A lease with its default filled in. */
export interface CheckedLease extends BulkLease {
  duration: number;
}
