/** The task of a process that keeps a mirror. */
export interface MirrorTask {
  readonly secret: string;
  /** The URL of a PostgreSQL. */
  readonly database: string;
}

/** A table that known sync engines keep: an event is written where the stored time is older or equal. */
export const COMMON_RULE = "common_rule";
