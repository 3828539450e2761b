import * as z from "@fieldmesh/core/internal/zod";

/** The schema of a checkpoint. */
export const checkpointFields = z.strictObject({
  /** The version of the format. */
  version: z.literal(1),
  /** The method that wrote it: `devices.follow`. */
  call: z.string(),
  /** A hash of the base URL. */
  server: z.string(),
  /** A hash of the id of the device. */
  path: z.string(),
  /** Hashes of the last events that were returned, at most 200. Equal events have equal hashes. */
  seen: z.array(z.string().check(z.maxLength(20))),
  /** The `reported_at` of the last event that was returned. `null` if there was none. */
  newest: z.nullable(z.string()),
  /** A hash of all other fields, whatever their order. It detects damage, and is not a signature. */
  checksum: z.string(),
});

/**
 * A place in the events of a device. A small JSON value: store it in a file or a database, and pass it to `devices.follow` as the option
 * `checkpoint`. It contains hashes and a time, and nothing of the events.
 *
 * A store may change the order of its keys. Any other change throws a CheckpointError.
 */
export interface EventsCheckpoint extends Readonly<z.output<typeof checkpointFields>> {}
