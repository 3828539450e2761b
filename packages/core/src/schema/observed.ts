import * as z from "../zod.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { replaceParts } from "./replace-parts.ts";

const contracts = z.registry<{ contract: () => unknown }>();

/**
 * Declares an input rule that running deployments enforce but the contract does not state.
 *
 * Returns a copy of `rule`. A client checks it unless its option `observedRules` is `false`. It then checks `contract`, which is
 * what the contract states. A rule may convert the value; with the contract alone, the value is sent as you wrote it.
 */
export function observed<S extends z.core.$ZodType>(rule: S, contract: z.core.$ZodType): S {
  const marked = z.clone(rule, rule._zod.def, { parent: true });
  contracts.add(marked, { contract: () => contract });
  return marked;
}

const bare = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** Returns a schema without its observed rules. Returns the schema itself if it has none. */
export function contractOf<S extends z.core.$ZodType>(schema: S): S {
  return getOrInsertComputed(bare, schema, withoutRules) as S;
}

function withoutRules(schema: z.core.$ZodType): z.core.$ZodType {
  const contract = contracts.get(schema)?.contract();
  return contract === undefined
    ? replaceParts(schema, contractOf)
    : contractOf(contract as z.core.$ZodType);
}
