import { readCheckpoint, rejectedCheckpoint } from "@fieldmesh/core/internal";
import * as z from "@fieldmesh/core/internal/zod";

const count = z.int().check(z.gte(0));
/** The most problems in a checkpoint, which is written often. */
export const MAX_PROBLEMS = 1_000;
/** The longest error of a problem, in characters. */
export const MAX_ERROR = 200;

const digest = z.string().check(z.maxLength(20));

const checkpointFields = z.strictObject({
  /** The version of the format. */
  version: z.literal(1),
  /** The method that wrote it, such as `devices.createMany`. */
  call: z.string(),
  /** A hash of the base URL. */
  server: z.string(),
  /** A hash of the organization of the API key. */
  organization: z.string(),
  /** Devices in one request. */
  chunkSize: z.int().check(z.gte(1), z.lte(1_000)),
  /** A hash of the devices of each settled chunk, by its number; empty for one that is not settled. */
  done: z.array(digest),
  /** Chunks whose request was sent and whose outcome is not certain yet. */
  open: z.array(
    z.strictObject({
      /** The number of the chunk, counted from 0. */
      chunk: count,
      /** A hash of its devices. */
      digest,
      /** The number of its devices. */
      size: count,
      /**
       * Why its outcome is not certain. `at_work`: the server may still be working on a request, after a timeout, an abort or a
       * kill. `responded`: a 2xx does not name all of its devices. `broken`: the request has ended without a response. `maybe`: an
       * earlier owner of the lease may have sent it. Devices of the first two kinds are not sent again.
       */
      kind: z.enum(["at_work", "responded", "broken", "maybe"]),
      /** When its last request has certainly ended by its own time limit, in milliseconds since 1970. */
      until: count,
      /** A random name of the process whose clock shows `until`. */
      writer: z.string().check(z.maxLength(40)),
      /** The places in the input of the devices that may have been carried out. Omitted if these are all of the chunk. */
      items: z.optional(z.array(count)),
    }),
  ),
  /** Devices that are in the console. */
  created: count,
  /** Devices that the console rejected. */
  failed: count,
  /** Devices whose outcome is unknown. */
  unknown: count,
  /** Devices of the open chunks, which were sent and have no result yet. A resumed run settles them. */
  unsettled: count,
  /** Devices that were in the console already. */
  skipped: count,
  /** Devices that are done, for a method that creates no devices. */
  changed: count,
  /** Devices that were sent and rejected, or whose outcome is unknown: the first 1,000. */
  problems: z.array(
    z.strictObject({
      /** The place of the device in the input, counted from 0. */
      index: count,
      /** What became of it. */
      status: z.literal(["failed", "unknown"]),
      /** What is wrong. */
      error: z.string().check(z.maxLength(MAX_ERROR)),
    }),
  ),
  /** A hash of all other fields, whatever their order. It detects damage, and is not a signature. */
  checksum: z.string(),
});

/**
 * The place of a run of `devices.createMany`, or of another method for many devices. A small JSON value of about 17 bytes per
 * chunk. It contains no key and no device. For up to 1,000 devices that the console rejected, it contains the index and the
 * error.
 *
 * Store it as JSON: keys may change their order, and a checksum detects any other change. To resume in another process, pass it with the same devices in the same order. It belongs to one method,
 * one server and one organization.
 */
export interface BulkCheckpoint extends z.output<typeof checkpointFields> {}

/** A chunk whose outcome is not certain yet, as the next run finds it. */
export type OpenChunk = BulkCheckpoint["open"][number];

/** The place where a run changes devices. */
export type BulkTarget = Pick<BulkCheckpoint, "server" | "organization">;

/** Checks a checkpoint from a file or from JavaScript code. */
export function checkCheckpoint(
  value: unknown,
  method: string,
  chunkSize: number | undefined,
): BulkCheckpoint {
  const checkpoint = readCheckpoint(checkpointFields, value, { call: method });
  const made = checkpoint.chunkSize;
  if (chunkSize !== undefined && chunkSize !== made) {
    const advice = "Omit chunkSize, set the same";
    throw rejectedCheckpoint("other_input", method, `was made with chunkSize ${made}`, advice);
  }
  return checkpoint;
}
