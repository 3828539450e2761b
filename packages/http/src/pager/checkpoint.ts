import * as z from "zod/mini";
import { InputError } from "../errors/input-error.ts";

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
  readonly call: string;
  readonly server: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

const count = z.int().check(z.minimum(0));
const schema = z
  .object({
    version: z.literal(1),
    call: z.string(),
    server: z.string(),
    path: z.string(),
    query: z.record(z.string(), z.string()),
    cursor: z.nullable(z.string()),
    offset: count,
    items: count,
    anchor: z.array(z.string()),
  })
  .check(
    z.refine(({ items, offset, anchor }) => (items === 0 && offset === 0) || anchor.length > 0),
  );

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
  const reject = (message: string): InputError =>
    new InputError(facts, [{ path: "options.checkpoint", message }]);
  if (!parsed.success) throw reject("is not a checkpoint that this version wrote");
  const { call, server, path, query } = parsed.data;
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
  return parsed.data;
}
