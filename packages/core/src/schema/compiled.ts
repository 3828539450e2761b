// Why it is so: docs/decisions/22-schemas-are-compiled-by-zod.md
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { within } from "../within.ts";
import * as z from "../zod.ts";

/** To load the compiler and to compile a schema costs about as much as to decode so many records without it. */
const MANY_RECORDS = 300;
/** Milliseconds. A list does not wait longer for the compiler, which a slow server may deliver to a browser. */
const LONGEST_WAIT = 1_000;

let records = 0;
let loading: Promise<void> | undefined;
let compile: (<S extends z.core.$ZodType>(schema: S) => S) | undefined;
const schemas = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** Counts records that are to be decoded. After many in this process, loads the compiler of {@link compiled} once, and returns when it is there. */
export function countRecords(count: number): Promise<void> | undefined {
  records += count;
  if (records < MANY_RECORDS || isJitless()) return undefined;
  // Without the file, the schemas stay as they are.
  return (loading ??= within(LONGEST_WAIT, load, "").catch(() => undefined));
}

/** Tries it once: under a Content-Security-Policy, the browser reports each attempt, even though zod catches the error. */
async function load(): Promise<void> {
  const loaded = await import("#compile");
  const probe = z.string();
  if (loaded.compile(probe) !== probe) ({ compile } = loaded);
}

/**
 * Returns the schema compiled by zod if this process has decoded many records, and may generate code. Returns the schema itself
 * otherwise. Both accept, reject and return the same.
 */
export function compiled<S extends z.core.$ZodType>(schema: S): S {
  if (compile === undefined || isJitless()) return schema;
  return getOrInsertComputed(schemas, schema, compile) as S;
}

/** An application may forbid it, also later. */
function isJitless(): boolean {
  return z.config().jitless === true;
}
