import * as z from "../zod.ts";
import { stringifyJson } from "../json.ts";
import { isSecret, Secret } from "../secret.ts";
import { isPlainObject, mapChildren, unwrap, type Child } from "./children.ts";
import { isGuess } from "./guess.ts";
import { limited } from "./limited.ts";
import { sensitivityOf } from "./registry.ts";
import { secretNames } from "./secret-names.ts";

/**
 * Decodes the parts that fit the schema and returns the rest as it was sent. `validation: "warn"` uses it.
 *
 * Conversions run wherever possible: a field typed `bigint` or `Secret` is one, unless the response contains something else. A
 * secret field of any wire type becomes a {@link Secret}.
 */
export function decodeLeniently(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  return schema === undefined ? value : decodeParts(schema, value, secretNames(schema));
}

function decodeParts(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  names: ReadonlySet<string>,
): unknown {
  if (schema === undefined || value == null) return hideNamed(value, names);
  const decoded = z.safeDecode(limited(schema), value as never, FIRST_ISSUE);
  if (decoded.success) return decoded.data;
  if (sensitivityOf(schema) === "secret") return hideAnyhow(value);
  const bare = unwrap(schema);
  if (bare !== schema) return decodeParts(bare, value, names);
  const def = (bare as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe") return decodeParts(def.out, decodePipeStart(def, value), names);
  if (def.type === "union") return decodeParts(bestOption(def.options, value), value, names);
  return mapChildren(bare, value, (child, item, key) =>
    isNamed(child, item, key, names) ? hideAnyhow(item) : decodeParts(child.schema, item, names),
  );
}

// zod's own `validate` parses with this, because the issues are not needed. Where it is ignored, the result is the same.
const FIRST_ISSUE = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

/**
 * Returns a value as it was sent, with each secret as a {@link Secret}, also where the schema has it at another place. Converts
 * nothing else.
 */
export function hideSecrets(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return value;
  return hideParts(schema, value, secretNames(schema));
}

/** Hides the secrets of a decoded value that are not at the place that the schema declares, such as in an envelope. */
export function hideMovedSecrets(schema: z.core.$ZodType, value: unknown): unknown {
  return secretNames(schema).size === 0 ? value : hideSecrets(schema, value);
}

function hideParts(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  names: ReadonlySet<string>,
): unknown {
  if (schema === undefined || value == null) return hideNamed(value, names);
  if (sensitivityOf(schema) === "secret")
    return isSecret(value) ? value : decodeParts(schema, value, names);
  const bare = unwrap(schema);
  const hide = (part: z.core.$ZodType, each: unknown): unknown => hideParts(part, each, names);
  if (bare !== schema) return hide(bare, value);
  const def = (bare as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe") {
    // A record that the codec turns into a list is declared on both sides.
    const isList = unwrap(def.out)._zod.def.type === "array";
    return hide(def.out, hide(def.in, isList ? decodePipeStart(def, value) : value));
  }
  if (def.type === "union")
    return def.options.reduce<unknown>((left, option) => hide(option, left), value);
  if (def.type === "intersection") return hide(def.right, hide(def.left, value));
  return mapChildren(bare, value, (child, item, key) =>
    isNamed(child, item, key, names) ? hideAnyhow(item) : hideParts(child.schema, item, names),
  );
}

/** Hides an undeclared value whose name is that of a secret field of the schema. */
function hideNamed(value: unknown, names: ReadonlySet<string>): unknown {
  if (names.size === 0) return value;
  return mapChildren(undefined, value, (child, item, key) =>
    isNamed(child, item, key, names) ? hideAnyhow(item) : hideNamed(item, names),
  );
}

function isNamed(child: Child, item: unknown, key: string, names: ReadonlySet<string>): boolean {
  return child.schema === undefined && item != null && names.has(key);
}

function hideAnyhow(value: unknown): unknown {
  if (value == null || isSecret(value)) return value;
  // A part that an earlier pass has hidden keeps its Secrets. As JSON they would be "[redacted]".
  if (holdsSecret(value)) return mapChildren(undefined, value, (_, item) => hideAnyhow(item));
  return new Secret(typeof value === "string" ? value : stringifyJson(value));
}

function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isSecret(item) || holdsSecret(item));
  return isPlainObject(value) && holdsSecret(Object.values(value));
}

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
      errors: issues.filter((issue) => !isGuess(option, issue)).length,
      issues: issues.length,
    };
  };
  const misfits = options.map((option) => ({ option, ...misfitOf(option) }));
  return misfits.sort((a, b) => a.errors - b.errors || a.issues - b.issues)[0]?.option;
}
