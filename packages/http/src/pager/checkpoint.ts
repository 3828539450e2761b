import * as z from "zod/mini";
import { inputProblem, type InputError } from "../errors/input-error.ts";

/**
 * A place in a list, behind what a walk has given. A small JSON value: keep it in a file or a database and pass it to
 * the same call as the option `checkpoint`. It holds the cursor as the server wrote it, the query of the first page as
 * it was sent, and hashes; no record.
 */
export interface Checkpoint {
  /** The form of the checkpoint. */
  readonly version: 1;
  /** The method, such as `accounts.rewards`. */
  readonly call: string;
  /** A hash of the base URL. */
  readonly server: string;
  /** A hash of the path. */
  readonly path: string;
  /** The query of the first page, which every page repeats beside its cursor. */
  readonly query: Readonly<Record<string, string>>;
  /** The cursor of the page that the last item is of; `null` for the first page. */
  readonly cursor: string | null;
  /** How many items of that page were given. */
  readonly offset: number;
  /** How many items were given in all. */
  readonly items: number;
  /** Hashes of the keys of the last items. */
  readonly anchor: readonly string[];
}

/** What a checkpoint must be of. */
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
/** A place in a list. */
export const placeSchema = z.object(place).check(hasAnchor);
/** What a checkpoint is of. */
export const identityFields = {
  call: z.string(),
  server: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.string()),
};
const schema = z.object({ version: z.literal(1), ...identityFields, ...place }).check(hasAnchor);

/**
 * Returns a checkpoint that fits the call, or throws an InputError that says what it belongs to instead.
 *
 * A filter that the call leaves out is that of the checkpoint; one that it names must be the same.
 */
export function checkCheckpoint(
  facts: { call: string; route: string },
  value: unknown,
  identity: QueryIdentity,
): Checkpoint {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw rejected(facts, "is not a checkpoint that this version wrote");
  checkIdentity(facts, parsed.data, identity);
  return parsed.data;
}

/** Checks what a checkpoint is of. */
export function checkIdentity(
  facts: { call: string; route: string },
  { call, server, path, query }: QueryIdentity,
  identity: QueryIdentity,
): void {
  const reject = (message: string): InputError => rejected(facts, message);
  if (call !== identity.call)
    throw reject(`belongs to ${/^[\w.]+$/.test(call) ? call : "another call"}`);
  if (server !== identity.server) throw reject("belongs to another server (another baseUrl)");
  if (path !== identity.path) throw reject("belongs to another list (other input)");
  const changed = Object.keys(identity.query).filter(
    (name) => query[name] !== identity.query[name],
  );
  if (changed.length > 0) {
    throw reject(
      `belongs to another query: leave ${changed.join(" and ")} out, which the checkpoint keeps, or pass the same`,
    );
  }
}

/** Says why a checkpoint is not accepted. */
export function rejected(facts: { call: string; route: string }, message: string): InputError {
  return inputProblem(facts, "options.checkpoint", message);
}
