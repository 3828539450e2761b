import * as z from "../zod.ts";
import { MAX_PROBLEMS } from "../first-problems.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { isRecord } from "../record.ts";
import { isDrift } from "./drift.ts";
import { replaceParts } from "./replace-parts.ts";

const cache = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * Returns a schema that accepts and returns the same values, but stops after a limited number of errors in each list and map.
 *
 * zod keeps an issue for each field of each item, which needs a thousand times the memory of a body such as `[{},{},…]`. The same
 * limit applies to guesses that do not fit, but the search for an error continues.
 */
export function limited<S extends z.core.$ZodType>(schema: S): S {
  return getOrInsertComputed(cache, schema, makeLimited) as S;
}

type Children = Record<PropertyKey, unknown>;

function makeLimited(schema: z.core.$ZodType): z.core.$ZodType {
  const copy = replaceParts(schema, limited);
  const { def } = copy._zod as z.core.$ZodTypes["_zod"];
  const ownCopy = (): z.core.$ZodType =>
    copy === schema ? z.clone(schema, schema._zod.def, { parent: true }) : copy;
  if (def.type === "object" && def.checks) return checkAlways(ownCopy(), def.checks);
  if (def.type !== "array" && def.type !== "record") return copy;
  const isList = def.type === "array";
  const child = def.type === "array" ? def.element : def.valueType;
  const isWholeGuess = isDrift(child, { path: [] } as never);
  const own = ownCopy();
  const internals = own._zod;
  const hasChecks = internals.run !== internals.parse;
  let parse = internals.parse.bind(internals);
  const limitedParse: typeof parse = (payload, context) => {
    if (!isContainer(payload.value) || Array.isArray(payload.value) !== isList)
      return parse(payload, context);
    const value = payload.value as Children;
    const output: Children = isList ? ([] as unknown as Children) : {};
    let errors = 0;
    let drift = 0;
    for (const key of isList ? (value as unknown as unknown[]).keys() : Object.keys(value)) {
      const one = isList ? [value[key]] : { [key]: value[key] };
      // No schema here is asynchronous.
      const parsed = parse({ value: one, issues: [] }, context) as z.core.ParsePayload<Children>;
      if (isList) output[key] = parsed.value[0];
      else Object.assign(output, parsed.value);
      for (const issue of parsed.issues) {
        const path = [key, ...(issue.path ?? []).slice(1)];
        const hasDrifted = isDrift(child, { ...issue, path: path.slice(1) } as z.core.$ZodIssue);
        if ((hasDrifted ? drift++ : errors++) <= MAX_PROBLEMS)
          payload.issues.push({ ...issue, path });
      }
      if (errors > MAX_PROBLEMS || (drift > MAX_PROBLEMS && isWholeGuess)) break;
    }
    payload.value = output;
    return payload;
  };
  // If the application has imported the whole of zod, a schema replaces its `parse` on its first use, and would lose the limit.
  Object.defineProperty(internals, "parse", {
    get: () => limitedParse,
    set: (replaced: typeof parse) => {
      parse = replaced;
    },
  });
  // With checks, `run` calls `parse`.
  if (!hasChecks) internals.run = limitedParse;
  return own;
}

/** Lets the checks of a record, which find its drift, also run if it has other issues. Reports no place twice. */
function checkAlways(
  own: z.core.$ZodType,
  checks: readonly z.core.$ZodCheck<never>[],
): z.core.$ZodType {
  const run = own._zod.run.bind(own._zod);
  own._zod.run = (payload, context) => {
    // No schema here is asynchronous.
    const result = run(payload, context) as z.core.ParsePayload;
    const { value, issues } = result;
    // Drift alone does not end the checks of zod.
    if (!isRecord(value) || issues.every((issue) => issue.continue === true)) return result;
    const drift: z.core.$ZodRawIssue[] = [];
    for (const { _zod: each } of checks) void each.check({ value, issues: drift } as never);
    const places = new Set(issues.map(({ path }) => String(path)));
    issues.push(...drift.filter(({ path }) => !places.has(String(path))));
    return result;
  };
  return own;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
