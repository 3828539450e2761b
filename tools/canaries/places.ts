import * as z from "../../packages/core/src/zod.ts";
import { unwrap } from "../../packages/core/src/schema/index.ts";

// Every place where a schema lets any value through, and values of the wire format with canaries in all of them.

type Schema = z.core.$ZodType;

/** What lets any value through: undeclared fields of a record, a part of any type, or a map. */
type PlaceKind = "undeclared" | "any" | "map";
export type Place = `${string} ${PlaceKind}`;

/** A value that is planted in a place. */
export interface Planted {
  readonly place: Place;
  readonly canary: string;
  /** What the name of its field says: see `secret-names.ts` of core. */
  readonly kind: "secret" | "personal" | "unlisted";
}

/** Finds the canaries in what was printed. */
export const CANARY = /CANARY\d+x/g;

/** Returns every place of a schema. */
export function placesOf(schema: Schema, path = ""): Place[] {
  const kind = kindAt(schema);
  const below = partsOf(schema).flatMap(([step, part]) => placesOf(part, path + step));
  return [...new Set([...(kind === undefined ? [] : [`${path} ${kind}` as const]), ...below])];
}

/**
 * Returns sample values with canaries that together reach every place. There are several if a place is in a union whose members
 * exclude each other. The caller compares their places with {@link placesOf}.
 */
export function plantAll(
  schema: Schema,
  sample: unknown,
): { value: unknown; planted: Planted[] }[] {
  const missing = new Set(placesOf(schema));
  const values: { value: unknown; planted: Planted[] }[] = [];
  for (let member = 0; member < MOST_MEMBERS && missing.size > 0; member++) {
    const planted: Planted[] = [];
    values.push({ value: plant({ member, planted }, schema, sample, ""), planted });
    for (const { place } of planted) missing.delete(place);
  }
  return values;
}

const MOST_MEMBERS = 5;

interface Plan {
  /** Which member of each union the value is of. */
  readonly member: number;
  readonly planted: Planted[];
}

function plant(plan: Plan, wrapped: Schema, sample: unknown, path: string): unknown {
  const schema = unwrap(wrapped) as z.core.$ZodTypes;
  const { def } = schema._zod;
  const [first] = [sample].flat() as unknown[];
  const record = typeof first === "object" && first !== null ? first : {};
  const kind = kindAt(schema);
  const own = kind === undefined ? {} : canariesAt(plan, `${path} ${kind}`, !isTextMap(schema));
  switch (def.type) {
    case "unknown":
    case "any":
      // A record beside it in a union would accept an object.
      return [own];
    case "object": {
      const fields = Object.entries(def.shape).flatMap(([name, part]) => {
        const isThere = Object.hasOwn(record, name);
        if (!isThere && part._zod.optin === "optional" && placesOf(part).length === 0) return [];
        const value = (record as Readonly<Record<string, unknown>>)[name];
        return [[name, plant(plan, part, value, `${path}.${name}`)] as const];
      });
      return { ...record, ...Object.fromEntries(fields), ...own };
    }
    case "record":
      return kind === "map"
        ? { ...record, ...own }
        : {
            ...record,
            any_name: plant(plan, def.valueType, Object.values(record)[0], `${path}{}`),
          };
    case "array": {
      const rest = Array.isArray(sample) ? sample.slice(1) : [];
      return [plant(plan, def.element, first, `${path}[]`), ...rest];
    }
    case "union":
      return plant(plan, def.options[plan.member] ?? def.options.at(-1) ?? schema, sample, path);
    case "pipe":
      return plant(plan, placesOf(def.out).length > 0 ? def.out : def.in, sample, path);
    default:
      return scalarOf(wrapped, sample);
  }
}

/** The fields that are planted: names of the list in several notations, also further below, and names that are not on it. */
function canariesAt({ planted }: Plan, place: Place, isDeep: boolean): Record<string, unknown> {
  const canary = (kind: Planted["kind"]): string => {
    const text = `CANARY${(count += 1)}x`;
    planted.push({ place, canary: text, kind });
    return text;
  };
  const flat = {
    transferPin: canary("secret"),
    app_s_key: canary("secret"),
    webhook_token: canary("secret"),
    "Set-Cookie": canary("secret"),
    downlinkUrl: `https://x.test/${canary("secret")}?key=${canary("secret")}`,
    full_name: canary("personal"),
    left_over: canary("unlisted"),
  };
  if (!isDeep) return flat;
  const below = [
    { app_s_key: canary("secret"), left: { Otp1: canary("secret"), note: canary("unlisted") } },
  ];
  const deep = { ...flat, below, session_keys: { of: [canary("secret")] } };
  return /\.(req|integration)\b/.test(place)
    ? { ...deep, url: canary("secret"), headers: { any: canary("secret") } }
    : deep;
}

let count = 0;

function kindAt(schema: Schema): PlaceKind | undefined {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  if (isAny(schema)) return "any";
  if (def.type === "object" && isAny(def.catchall)) return "undeclared";
  return def.type === "record" && (isAny(def.valueType) || isTextMap(schema)) ? "map" : undefined;
}

function isAny(schema: Schema | undefined): boolean {
  return schema !== undefined && ["unknown", "any"].includes(unwrap(schema)._zod.def.type);
}

function isTextMap(schema: Schema): boolean {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  return def.type === "record" && unwrap(def.valueType)._zod.def.type === "string";
}

/** Returns the parts of a schema, with the step to each. Members of a union have the path of the union. */
export function partsOf(schema: Schema): (readonly [step: string, part: Schema])[] {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).map(([name, part]) => [`.${name}`, part] as const);
    case "array":
      return [["[]", def.element]];
    case "record":
      return isAny(def.valueType) ? [] : [["{}", def.valueType]];
    case "union":
      return def.options.map((part) => ["", part] as const);
    case "pipe":
      return [def.in, def.out].map((part) => ["", part] as const);
    default:
      if (CLOSED.has(def.type)) return [];
      throw new Error(`A schema of the type ${def.type} may have places: list its parts here.`);
  }
}

const CLOSED: ReadonlySet<string> = new Set(
  "any bigint boolean custom date enum literal null number string transform unknown".split(" "),
);

/** Returns the sample, or another value if the schema does not accept it: it may be of another member of a union. */
function scalarOf(schema: Schema, sample: unknown): unknown {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  const others = def.type === "literal" ? def.values : [null, "x", 1, true, UUID];
  return [sample, ...others].find((each) => z.safeParse(schema, each).success);
}

const UUID = "5f2d6f0e-3b7a-4c4a-8d55-0a1b2c3d4e5f";

/** Returns a copy in which the first string that is not planted is a record with canaries, so that a declared field drifts. */
export function withDrift(value: unknown, planted: Planted[]): unknown {
  let isDone = false;
  const change = (part: unknown): unknown => {
    if (isDone) return part;
    if (Array.isArray(part)) return part.map(change);
    if (typeof part === "object" && part !== null)
      return Object.fromEntries(Object.entries(part).map(([name, child]) => [name, change(child)]));
    if (typeof part !== "string" || part.includes("CANARY")) return part;
    isDone = true;
    return canariesAt({ member: 0, planted }, "(a declared field) any", true);
  };
  return change(value);
}
