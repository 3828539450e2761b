import * as z from "../zod.ts";
import { childAt, mapChildren, unwrap } from "./children.ts";
import { isDrift } from "./drift.ts";
import { toSecret } from "./hide-named.ts";
import { limited } from "./limited.ts";
import { sensitivityOf } from "./registry.ts";

/**
 * Decodes the parts that fit the schema and returns the rest as it was sent. `validation: "warn"` uses it.
 *
 * Conversions run wherever possible: a field typed `bigint` or `Secret` is one, unless the response contains something else. A
 * secret field of any wire type becomes a {@link Secret}.
 */
export function decodeLeniently(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined || value == null) return value;
  const decoded = z.safeDecode(limited(schema), value as never, FIRST_ISSUE);
  if (decoded.success) return decoded.data;
  if (sensitivityOf(schema) === "secret") return toSecret(value);
  const bare = unwrap(schema);
  if (bare !== schema) return decodeLeniently(bare, value);
  const def = (bare as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe") return decodeLeniently(def.out, decodePipeStart(def, value));
  if (def.type === "union") return decodeLeniently(bestOption(def.options, value), value);
  return mapChildren(value, (item, key) => decodeLeniently(childAt(bare, key), item));
}

/** Returns a value as it was sent, but with a list where the schema turns one record into a list. */
export function asLists(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  const bare = unwrap(schema);
  const { def } = (bare as z.core.$ZodTypes)._zod;
  if (def.type === "object")
    return mapChildren(value, (item, key) => asLists(childAt(bare, key), item));
  return def.type === "pipe" && unwrap(def.out)._zod.def.type === "array"
    ? decodePipeStart(def, value)
    : value;
}

// zod's own `validate` parses with this, because the issues are not needed. Where it is ignored, the result is the same.
const FIRST_ISSUE = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

/** A codec that reshapes a value, such as one record to a list, still does so if only a field inside does not fit. */
function decodePipeStart(def: z.core.$ZodPipeDef, value: unknown): unknown {
  const { transform } = def as { transform?: (value: unknown, payload: unknown) => unknown };
  if (transform === undefined || !z.safeParse(limited(def.in), value).success) return value;
  try {
    return transform(value, { value, issues: [] });
  } catch {
    return value;
  }
}

/** Returns the member with the fewest errors, and then the least drift: most likely the one that the server meant. */
function bestOption(
  options: readonly z.core.$ZodType[],
  value: unknown,
): z.core.$ZodType | undefined {
  const misfitOf = (option: z.core.$ZodType): { errors: number; issues: number } => {
    // Stryker disable next-line ArrayDeclaration: A value that fits a member fits the union, which has been tried before.
    const issues = z.safeDecode(limited(option), value as never).error?.issues ?? [];
    return {
      errors: issues.filter((issue) => !isDrift(option, issue)).length,
      issues: issues.length,
    };
  };
  const misfits = options.map((option) => ({ option, ...misfitOf(option) }));
  return misfits.sort((a, b) => a.errors - b.errors || a.issues - b.issues)[0]?.option;
}
