/** Where the rows are, and through which client: `beside` has its order beside the transaction, which leaves old states. */
export type RaceKind = "pg" | "sqlite" | "beside";

/** The task of a process that keeps a table of states up to date. */
export interface RaceTask {
  readonly kind: RaceKind;
  readonly secret: string;
  /** The URL of a PostgreSQL, or the path of an SQLite file. */
  readonly database: string;
}

/** Handlers take from 0 to this many milliseconds. */
export const LONGEST_HANDLER_MS = 20;

/** One row for each object, with the time of the event that wrote it. */
export const STATES = "race_states";
export const RACE_EVENTS = "race_events";
export const RACE_OBJECTS = "race_objects";
