import * as z from "zod/mini";
import { stringifyJson } from "../json.ts";
import { isSecret, Secret } from "../secret.ts";
import { mapChildren, unwrap } from "./children.ts";
import { isGuess } from "./guess.ts";
import { sensitivityOf } from "./registry.ts";

/**
 * Decodes what fits its schema and hands over the rest as it came: for `validation: "warn"`.
 *
 * Conversions run wherever they can, so that a field typed `bigint` or `Secret` is one unless the wire
 * holds something else; a secret field of any wire type still becomes a {@link Secret}.
 *
 * @example
 * ```ts
 * decodeLeniently(Device, { ...wire, rx_delay: "1" }); // app_key a Secret, rx_delay "1"
 * ```
 */
export function decodeLeniently(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined || value == null) return value;
  const decoded = z.safeDecode(schema, value as never);
  if (decoded.success) return decoded.data;
  if (sensitivityOf(schema) === "secret") return hideAnyhow(value);
  const bare = unwrap(schema);
  if (bare !== schema) return decodeLeniently(bare, value);
  const def = (bare as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe") return decodeLeniently(def.out, decodePipeStart(def, value));
  if (def.type === "union") return decodeLeniently(bestOption(def.options, value), value);
  return mapChildren(bare, value, (child, item) => decodeLeniently(child.schema, item));
}

/**
 * Hands over a value as it came, but for its secrets: each becomes a {@link Secret}, and nothing else is converted.
 *
 * @example
 * ```ts
 * hideSecrets(Device, wire); // app_key a Secret, all else as in wire
 * ```
 */
export function hideSecrets(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined || value == null) return value;
  if (sensitivityOf(schema) === "secret") return decodeLeniently(schema, value);
  const bare = unwrap(schema);
  if (bare !== schema) return hideSecrets(bare, value);
  const def = (bare as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe") {
    // A record that is a list for the caller is one with a schema of theirs too.
    const isList = unwrap(def.out)._zod.def.type === "array";
    return hideSecrets(def.out, hideSecrets(def.in, isList ? decodePipeStart(def, value) : value));
  }
  if (def.type === "union")
    return def.options.reduce<unknown>((left, option) => hideSecrets(option, left), value);
  if (def.type === "intersection") return hideSecrets(def.right, hideSecrets(def.left, value));
  return mapChildren(bare, value, (child, item) => hideSecrets(child.schema, item));
}

function hideAnyhow(value: unknown): unknown {
  return isSecret(value)
    ? value
    : new Secret(typeof value === "string" ? value : stringifyJson(value));
}

/** A codec that reshapes (one record to a list) still does so when only a field inside does not fit. */
function decodePipeStart(def: z.core.$ZodPipeDef, value: unknown): unknown {
  const { transform } = def as { transform?: (value: unknown, payload: unknown) => unknown };
  if (transform === undefined || !z.safeParse(def.in, value).success) return value;
  try {
    return transform(value, { value, issues: [] });
  } catch {
    return value;
  }
}

/** The member with the fewest errors, and then the least drift, is the one that the server most likely meant. */
function bestOption(
  options: readonly z.core.$ZodType[],
  value: unknown,
): z.core.$ZodType | undefined {
  const misfitOf = (option: z.core.$ZodType): { errors: number; issues: number } => {
    const issues = z.safeDecode(option, value as never).error?.issues ?? [];
    return {
      errors: issues.filter((issue) => !isGuess(option, issue)).length,
      issues: issues.length,
    };
  };
  const misfits = options.map((option) => ({ option, ...misfitOf(option) }));
  return misfits.sort((a, b) => a.errors - b.errors || a.issues - b.issues)[0]?.option;
}
