// The small build: the parser of webhook events compiles its schemas with this too, and has 31 KB for all.
import * as z from "zod/mini";
import { compileCheck } from "./compile-check.ts";

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];
/** Makes of a checked value what the schema says, in place, or gives `z.INVALID`. */
type Convert = (value: never) => unknown;

/** A schema in two steps. */
interface Steps {
  /** What zod checks before. Unions that convert are left to `convert`, which must find their member anyway. */
  readonly check: Schema;
  readonly convert: Convert;
}

const keep: Convert = (value) => value;

/**
 * Compiles the schema of an answer: the function **takes the value over** and gives what the schema makes of it, or
 * `z.INVALID`; what is left of the value is then of no use.
 *
 * `z.compile` builds all records anew and copies their undeclared fields one by one, which costs several times what the
 * checks cost. An answer was parsed for one call alone, so its records can stay what they are, with only those fields
 * exchanged that are converted.
 *
 * @example
 * ```ts
 * const decodeReward = compileAnswer(record({ amount: bigInteger() }));
 * decodeReward(JSON.parse('{"amount":5,"new_field":true}')); // { amount: 5n, new_field: true }
 * ```
 */
export function compileAnswer(schema: Schema): (value: unknown) => unknown {
  const steps = stepsOf(schema);
  if (steps !== undefined) return decoderOf(steps);
  const compiled = z.compile(schema);
  return (value) => {
    const decoded = z.safeDecode(compiled as z.core.$ZodType<unknown, unknown>, value);
    return decoded.success ? decoded.data : z.INVALID;
  };
}

function decoderOf({ check, convert }: Steps): (value: unknown) => unknown {
  const fits = compileCheck(check);
  return convert === keep
    ? (value) => (fits(value) ? value : z.INVALID)
    : (value) => (fits(value) ? convert(value as never) : z.INVALID);
}

/** Undefined where the schema holds what only zod knows to run. */
function stepsOf(schema: Schema): Steps | undefined {
  const def = schema._zod.def as Def;
  const rewrites = def.checks?.some((check) => check._zod.def.check === "overwrite") ?? false;
  if (rewrites || ("coerce" in def && def.coerce)) return undefined;
  const steps = stepsOfKind(schema, def);
  // A rule of its own would see a value that is not converted yet.
  return def.checks?.length && steps?.check !== schema ? undefined : steps;
}

function stepsOfKind(schema: Schema, def: Def): Steps | undefined {
  switch (def.type) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
    case "null":
    case "undefined":
    case "literal":
    case "enum":
    case "custom":
    case "unknown":
    case "any":
      return { check: schema, convert: keep };
    case "object":
      return stepsOfObject(schema, def);
    case "array":
      return stepsOfArray(schema, def);
    case "optional":
    case "nullable":
      return stepsOfMaybe(schema);
    case "union":
      return def.inclusive === false ? undefined : stepsOfUnion(schema, def.options);
    case "pipe":
      return stepsOfCodec(def);
    default:
      return undefined;
  }
}

function stepsOfArray(schema: Schema, { element }: z.core.$ZodArrayDef): Steps | undefined {
  const steps = stepsOf(element);
  if (steps === undefined || steps.convert === keep)
    return steps && { check: schema, convert: keep };
  const { check, convert } = steps;
  return {
    check: withDef(schema, { element: check }),
    convert: (items: unknown[]) => {
      for (let at = 0; at < items.length; at++) {
        const item = items[at];
        const converted = convert(item as never);
        if (converted === z.INVALID) return z.INVALID;
        if (converted !== item) items[at] = converted;
      }
      return items;
    },
  };
}

/** Steps for both wrappers of a field that may be missing or null: one call less for each such field. */
function stepsOfMaybe(schema: Schema): Steps | undefined {
  let inner = schema;
  let isOptional = false;
  let isNullable = false;
  for (let def = inner._zod.def as Def; def.type === "optional" || def.type === "nullable";) {
    if (def.checks?.length) return undefined;
    isOptional ||= def.type === "optional";
    isNullable ||= def.type === "nullable";
    inner = def.innerType;
    def = inner._zod.def as Def;
  }
  const steps = stepsOf(inner);
  if (steps === undefined || steps.convert === keep)
    return steps && { check: schema, convert: keep };
  const { convert } = steps;
  const check = isNullable ? z.nullable(steps.check) : steps.check;
  if (isOptional && isNullable)
    return {
      check: z.optional(check),
      convert: (value) => (value == null ? value : convert(value)),
    };
  const nothing = isNullable ? null : undefined;
  return {
    check: isOptional ? z.optional(check) : check,
    convert: (value) => (value === nothing ? value : convert(value)),
  };
}

function stepsOfObject(schema: Schema, def: z.core.$ZodObjectDef): Steps | undefined {
  // Another record drops or refuses what it does not declare.
  if (def.catchall?._zod.def.type !== "unknown") return undefined;
  const shape: Record<string, Schema> = {};
  const converts: FieldConvert[] = [];
  for (const [key, field] of Object.entries(def.shape)) {
    const steps = stepsOf(field);
    if (steps === undefined) return undefined;
    shape[key] = steps.check;
    if (steps.convert !== keep) converts.push({ key, convert: steps.convert });
  }
  return converts.length === 0
    ? { check: schema, convert: keep }
    : { check: withDef(schema, { shape }), convert: convertFields(converts) };
}

interface FieldConvert {
  readonly key: string;
  readonly convert: Convert;
}

function convertFields(converts: readonly FieldConvert[]): Convert {
  return (record: Record<string, unknown>) => {
    for (const { key, convert } of converts) {
      const value = record[key];
      const converted = convert(value as never);
      if (converted === z.INVALID) return z.INVALID;
      if (converted !== value) record[key] = converted;
    }
    return record;
  };
}

function stepsOfUnion(schema: Schema, options: readonly Schema[]): Steps | undefined {
  const members: Steps[] = [];
  for (const option of options) {
    const steps = stepsOf(option);
    if (steps === undefined) return undefined;
    members.push(steps);
  }
  if (members.every(({ convert }) => convert === keep)) return { check: schema, convert: keep };
  const decoders = members.map(decoderOf);
  return { check: z.any(), convert: (value) => firstValid(decoders, value) };
}

function firstValid(decoders: readonly ((value: unknown) => unknown)[], value: unknown): unknown {
  for (const decode of decoders) {
    const decoded = decode(value);
    if (decoded !== z.INVALID) return decoded;
  }
  return z.INVALID;
}

function stepsOfCodec(def: z.core.$ZodPipeDef): Steps | undefined {
  const { transform } = def as Partial<z.core.$ZodCodecDef>;
  const from = stepsOf(def.in);
  const to = stepsOf(def.out);
  if (transform === undefined || from === undefined || to === undefined) return undefined;
  const decodeOutput = decoderOf(to);
  const convert = (value: never): unknown => {
    const payload = { value: from.convert(value), issues: [] };
    if (payload.value === z.INVALID) return z.INVALID;
    const output = transform(payload.value, payload);
    return payload.issues.length === 0 ? decodeOutput(output) : z.INVALID;
  };
  return { check: from.check, convert };
}

function withDef(schema: Schema, changes: object): Schema {
  return z.clone(schema, { ...schema._zod.def, ...changes } as never);
}
