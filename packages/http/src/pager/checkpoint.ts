import { isIntact, memberOf } from "@fieldmesh/core";
import * as z from "@fieldmesh/core/zod";
import { inputProblem, type InputError } from "../errors/input-error.ts";

/**
 * A place in a list, after the items that a walk has returned. A small JSON value: store it in a file or a database and pass it
 * to the same call as the option `checkpoint`. It contains the cursor of the server, the query of the first page as it was sent,
 * and hashes. It contains no record.
 *
 * A store may change the order of its keys. Any other change throws an InputError.
 */
export interface Checkpoint {
  /** The version of the format. */
  readonly version: 1;
  /** The method, such as `accounts.rewards`. */
  readonly call: string;
  /** A hash of the base URL. */
  readonly server: string;
  /** A hash of the path. */
  readonly path: string;
  /** The query of the first page, which every page repeats with its cursor. */
  readonly query: Readonly<Record<string, string>>;
  /** The cursor of the page that contains the last item. `null` for the first page. */
  readonly cursor: string | null;
  /** How many items of that page were returned. */
  readonly offset: number;
  /** How many items were returned in total. */
  readonly items: number;
  /** Hashes of the keys of the last items. */
  readonly anchor: readonly string[];
  /** A hash of all other fields, whatever their order. It detects damage, and is not a signature. */
  readonly checksum: string;
}

/** A place after the items that were returned. */
export type PlaceInList = Pick<Checkpoint, "cursor" | "offset" | "items" | "anchor">;

/** What a checkpoint must match. */
export interface QueryIdentity {
  /** The method, such as `accounts.rewards`. */
  readonly call: string;
  /** A hash of the base URL. */
  readonly server: string;
  /** A hash of the path. */
  readonly path: string;
  /** The query of the first page. */
  readonly query: Readonly<Record<string, string>>;
}

const count = z.int().check(z.minimum(0));
const place = {
  cursor: z.nullable(z.string()),
  offset: count,
  items: count,
  anchor: z.array(z.string()),
};
const hasAnchor = z.refine<{ items: number; offset: number; anchor: readonly string[] }>(
  ({ items, offset, anchor }) => (items === 0 && offset === 0) || anchor.length > 0,
);
/** The fields of a place in a list. */
export const placeSchema = z.strictObject(place).check(hasAnchor);
/** The fields that a checkpoint must match. */
export const identityFields = {
  call: z.string(),
  server: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
};
const schema = z
  .strictObject({ version: z.literal(1), ...identityFields, ...place, checksum: z.string() })
  .check(hasAnchor);

/**
 * Returns a checkpoint that matches the call. Otherwise throws an InputError that says what it belongs to.
 *
 * A filter that the call omits is that of the checkpoint. A filter in the call must be the same.
 */
export function checkCheckpoint(
  context: { call: string; route: string },
  value: unknown,
  identity: QueryIdentity,
): Checkpoint {
  const checkpoint = readIntact(context, schema, value);
  checkIdentity(context, checkpoint, identity);
  return checkpoint;
}

/** Parses a checkpoint. Rejects one that was not written by this version, or that has changed since. */
export function readIntact<T extends { readonly checksum: string }>(
  context: { call: string; route: string },
  checkpointSchema: z.ZodMiniType<T>,
  value: unknown,
): T {
  if (memberOf(value, "version") === 1 && memberOf(value, "checksum") === undefined)
    throw rejected(context, "has no checksum, so an older version wrote it: start without it");
  const parsed = checkpointSchema.safeParse(value);
  if (!parsed.success) throw rejected(context, "is not a checkpoint that this version wrote");
  if (!isIntact(parsed.data))
    throw rejected(
      context,
      "was changed or damaged since it was written: pass it as it was written, or start without it",
    );
  return parsed.data;
}

/** Checks what a checkpoint belongs to. */
export function checkIdentity(
  context: { call: string; route: string },
  { call, server, path, query }: QueryIdentity,
  identity: QueryIdentity,
): void {
  const reject = (message: string): InputError => rejected(context, message);
  if (call !== identity.call)
    throw reject(`belongs to ${/^[\w.]+$/.test(call) ? call : "another call"}`);
  if (server !== identity.server) throw reject("belongs to another server (another baseUrl)");
  if (path !== identity.path) throw reject("belongs to another list (other input)");
  const changed = Object.keys(identity.query).filter(
    (name) => query[name] !== identity.query[name],
  );
  if (changed.length > 0) {
    throw reject(
      `belongs to another query: omit ${changed.join(" and ")}, which the checkpoint stores, or pass the same`,
    );
  }
}

/** Creates the error for a rejected checkpoint. */
function rejected(context: { call: string; route: string }, message: string): InputError {
  return inputProblem(context, "options.checkpoint", message);
}
