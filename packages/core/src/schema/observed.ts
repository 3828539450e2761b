import * as z from "zod/mini";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";

const contracts = z.registry<{ contract: () => unknown }>();

/**
 * Declares a rule of the input that running deployments enforce and the contract does not state.
 *
 * Returns a copy of `rule`, which a client checks unless its option `observedRules` is `false`; it then checks `contract`, which is
 * what the contract states. A rule may convert: with the contract alone, the value is sent as the caller wrote it.
 *
 * @example
 * ```ts
 * const labelName = observed(z.string().check(z.maxLength(50)), z.string());
 * ```
 */
export function observed<S extends z.core.$ZodType>(rule: S, contract: z.core.$ZodType): S {
  const marked = z.clone(rule, rule._zod.def, { parent: true });
  contracts.add(marked, { contract: () => contract });
  return marked;
}

const bare = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * Returns a schema without the observed rules in it, or the schema itself where it has none.
 *
 * @example
 * ```ts
 * z.encode(contractOf(NewLabel), { name: "x".repeat(51) });
 * ```
 */
export function contractOf<S extends z.core.$ZodType>(schema: S): S {
  return getOrInsertComputed(bare, schema, withoutRules) as S;
}

function withoutRules(schema: z.core.$ZodType): z.core.$ZodType {
  const contract = contracts.get(schema)?.contract();
  if (contract !== undefined) return contractOf(contract as z.core.$ZodType);
  const { def } = schema._zod;
  const changed = Object.entries(def)
    .filter(([key]) => HOLDS_SCHEMAS.has(key))
    .map(([key, part]) => [key, part, partWithoutRules(part)] as const)
    .filter(([, before, after]) => before !== after)
    .map(([key, , after]) => [key, after]);
  if (changed.length === 0) return schema;
  return z.clone(schema, { ...def, ...Object.fromEntries(changed) }, { parent: true });
}

/** Of an object, an array, a map, an optional value, a union and a codec. */
const HOLDS_SCHEMAS = new Set([
  "shape",
  "element",
  "valueType",
  "innerType",
  "options",
  "in",
  "out",
]);

/** A schema, a list of schemas, or schemas by name; the same one where nothing in it is observed. */
function partWithoutRules(part: object): object {
  if ("_zod" in part) return contractOf(part as z.core.$ZodType);
  const entries = Object.entries(part as Readonly<Record<string, z.core.$ZodType>>);
  const contract = entries.map(([key, schema]) => [key, contractOf(schema)] as const);
  if (contract.every(([, schema], index) => schema === entries[index]?.[1])) return part;
  return Array.isArray(part) ? contract.map(([, schema]) => schema) : Object.fromEntries(contract);
}
