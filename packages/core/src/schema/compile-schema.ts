// Why it is so: docs/decisions/22-schemas-are-compiled-by-zod.md
import * as z from "../zod.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";

const compiled = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * Returns the schema compiled by zod where the runtime allows generated code, and the schema itself elsewhere.
 *
 * Both accept, reject and return the same. A schema is compiled once, on the first call, so call it only when there is something
 * to parse.
 */
export function compileSchema<S extends z.core.$ZodType>(schema: S): S {
  if (z.config().jitless === true || !canGenerateCode()) return schema;
  return getOrInsertComputed(compiled, schema, z.compile) as S;
}

let isGenerated: boolean | undefined;

/** Tries it once: under a Content-Security-Policy, the browser reports each attempt, even though zod catches the error. */
function canGenerateCode(): boolean {
  if (isGenerated !== undefined) return isGenerated;
  const probe = z.string();
  return (isGenerated = z.compile(probe) !== probe);
}
