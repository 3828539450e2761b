// The small build: the parser of webhook events has 31 KB for all.
import * as z from "zod/mini";

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes["_zod"]["def"];
type Check = (value: unknown) => boolean;

/**
 * Compiles a schema to a function that tells whether a value fits, and makes nothing of it.
 *
 * What `z.compile` makes has a closure for every field that may be missing, 3 KB for a record of 14: slow until the engine
 * has optimized it, and where dozens take turns, as those of event types do, that is late. Here a field is a comparison,
 * and a record that several schemas hold is compiled once. zod checks whatever has formats or rules of its own, and
 * everything where there is no eval.
 *
 * @example
 * ```ts
 * const fits = compileCheck(record({ id: z.string() }));
 * fits({ id: "sim_1", new_field: true }); // true
 * ```
 */
export function compileCheck(schema: Schema): Check {
  // Asked first, because a page with a strict policy reports every function that somebody tries to make of text.
  const hasEval = z.util.allowsEval.value;
  const check = hasEval ? checkOf(schema) : undefined;
  if (check !== undefined) return check;
  const compiled = hasEval ? z.compile(schema) : schema;
  return (value) => z.validate(compiled, value);
}

const known = new WeakMap<Schema, Check | "zod">();

/** Undefined where the schema holds what only zod knows to check. */
function checkOf(schema: Schema): Check | undefined {
  let check = known.get(schema);
  if (check === undefined) {
    // For a record that holds itself, which meets this on its way.
    known.set(schema, "zod");
    known.set(schema, (check = makeCheck(schema) ?? "zod"));
  }
  return check === "zod" ? undefined : check;
}

function makeCheck(schema: Schema): Check | undefined {
  const parts: Check[] = [];
  const def = schema._zod.def as Def;
  const test = def.type === "object" ? testOfRecord(def, parts) : testOf(schema, "value", parts);
  return test === undefined ? undefined : makeFunction(test, parts);
}

function makeFunction(test: string, parts: readonly Check[]): Check {
  // Not `new Function`: bundlers for edge runtimes refuse a file with that, even where it is never reached.
  const Make = Function;
  const names = parts.map((_, index) => nameOf(index));
  const make: unknown = new Make(...names, `return (value) => { let field; return ${test}; };`);
  return (make as (...values: readonly Check[]) => Check)(...parts);
}

function testOfRecord(def: z.core.$ZodObjectDef, parts: Check[]): string | undefined {
  if (!isPlain(def) || !isOpen(def)) return undefined;
  const tests = [isRecord("value")];
  for (const [key, schema] of Object.entries(def.shape)) {
    const test = testOf(schema, "field", parts);
    if (test === undefined) return undefined;
    const name = JSON.stringify(key);
    tests.push(`(field = value[${name}], ${test})`);
    // What takes undefined, such as z.unknown(), does not take that there is no such field.
    if (schema._zod.optin === undefined) tests.push(`(field !== undefined || ${name} in value)`);
  }
  return tests.join(" && ");
}

/** An expression on the variable; what is more than a comparison becomes one of the parts, which it calls. */
function testOf(schema: Schema, variable: string, parts: Check[]): string | undefined {
  const def = schema._zod.def as Def;
  if (!isPlain(def)) return undefined;
  const call = (check: Check | undefined): string | undefined =>
    check && `${nameOf(parts.push(check) - 1)}(${variable})`;
  switch (def.type) {
    case "string":
    case "boolean":
    case "bigint":
    case "undefined":
      return `typeof ${variable} === "${def.type}"`;
    case "number":
      return `Number.isFinite(${variable})`;
    case "null":
      return `${variable} === null`;
    case "unknown":
    case "any":
      return "true";
    case "literal":
    case "enum":
      return call(isOneOf(schema._zod.values));
    case "custom":
      return call((value) => isTruth(def.fn(value)));
    case "object":
      return isOpen(def) && Object.keys(def.shape).length === 0
        ? isRecord(variable)
        : call(checkOf(schema));
    case "array":
      return call(checkOfItems(def));
    case "optional":
      // One that takes no undefined.
      if (schema._zod.traits.has("$ZodExactOptional")) return undefined;
      return anyOf([`${variable} === undefined`, testOf(def.innerType, variable, parts)]);
    case "nullable":
      return anyOf([`${variable} === null`, testOf(def.innerType, variable, parts)]);
    case "union":
      if (def.inclusive === false) return undefined;
      return anyOf(def.options.map((option) => testOf(option, variable, parts)));
    default:
      return undefined;
  }
}

/** Without rules of its own, a format, or a conversion before the check. */
function isPlain(def: Def): boolean {
  if (def.checks?.length || ("coerce" in def && def.coerce)) return false;
  return !("check" in def) || (def.type === "custom" && def.when === undefined);
}

/** Another record drops or refuses what it does not declare. */
function isOpen({ catchall }: z.core.$ZodObjectDef): boolean {
  return catchall?._zod.def.type === "unknown";
}

function isRecord(variable: string): string {
  return `typeof ${variable} === "object" && ${variable} !== null && !Array.isArray(${variable})`;
}

function isOneOf(values: ReadonlySet<unknown> | undefined): Check | undefined {
  return values && ((value) => values.has(value));
}

/** A promise is no answer: zod throws for it. */
function isTruth(answer: unknown): boolean {
  return Boolean(answer) && !(answer instanceof Promise);
}

function checkOfItems({ element }: z.core.$ZodArrayDef): Check | undefined {
  const check = checkOf(element);
  return check && ((value) => Array.isArray(value) && value.every(check));
}

function anyOf(tests: readonly (string | undefined)[]): string | undefined {
  return tests.includes(undefined) ? undefined : `(${tests.join(" || ")})`;
}

function nameOf(index: number): string {
  return `part${index}`;
}
