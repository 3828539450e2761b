import * as z from "zod/mini";
import { InputError } from "../errors/input-error.ts";

/**
 * A place in a list, behind what a walk has given. A small JSON value: keep it in a file or a database and give it to
 * the same call as the option `checkpoint`. It holds the cursor as the server wrote it, and hashes; no record.
 */
export interface Checkpoint {
  readonly version: 1;
  /** The method, such as `accounts.rewards`. */
  readonly call: string;
  /** A hash of the base URL. */
  readonly server: string;
  /** A hash of the path and the filters. */
  readonly query: string;
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
  readonly query: string;
}

const count = z.int().check(z.minimum(0));
const schema = z
  .object({
    version: z.literal(1),
    call: z.string(),
    server: z.string(),
    query: z.string(),
    cursor: z.nullable(z.string()),
    offset: count,
    items: count,
    anchor: z.array(z.string()),
  })
  .check(z.refine(({ items, anchor }) => items === 0 || anchor.length > 0));

/** Returns a checkpoint that fits the call, or throws an InputError that says what it belongs to instead. */
export function checkCheckpoint(
  facts: { call: string; route: string },
  value: unknown,
  identity: QueryIdentity,
): Checkpoint {
  const parsed = schema.safeParse(value);
  const reject = (message: string): InputError =>
    new InputError(facts, [{ path: "options.checkpoint", message }]);
  if (!parsed.success) throw reject("is not a checkpoint that this version wrote");
  const { call, server, query } = parsed.data;
  if (call !== identity.call)
    throw reject(`belongs to ${/^[\w.]+$/.test(call) ? call : "another call"}`);
  if (server !== identity.server) throw reject("belongs to another server (another baseUrl)");
  if (query !== identity.query) throw reject("belongs to another query (other input or filters)");
  return parsed.data;
}
