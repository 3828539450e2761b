import type * as z from "../zod.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { childAt, innerOf } from "./children.ts";
import { sensitivityOf, type Sensitivity } from "./registry.ts";

export const CONTAINERS: ReadonlySet<string> = new Set(["object", "array", "tuple", "record"]);

/** What a schema declares, without the wrappers for missing values and unions. */
export interface Kinds {
  readonly sensitivity: Sensitivity | undefined;
  readonly kinds: readonly z.core.$ZodTypes[];
}

const cache = new WeakMap<z.core.$ZodType, Kinds>();

/** Returns what a schema declares: one kind, or that of each member of a union. */
export function kindsOf(schema: z.core.$ZodType): Kinds {
  return getOrInsertComputed(cache, schema, () => {
    const parts = partsOf(schema);
    const own = sensitivityOf(schema);
    if (parts === undefined) return { sensitivity: own, kinds: [schema as z.core.$ZodTypes] };
    const all = parts.map(kindsOf);
    return {
      sensitivity: own ?? all.find(({ sensitivity }) => sensitivity !== undefined)?.sensitivity,
      kinds: all.flatMap(({ kinds }) => kinds),
    };
  });
}

function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] | undefined {
  const inner = innerOf(schema);
  if (inner !== undefined) return [inner];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "union") return def.options;
  if (def.type === "intersection") return [def.left, def.right];
  // If the wire format is a string that decodes to a record, the string declares no fields.
  if (def.type === "pipe")
    return kindsOf(def.out).kinds.some(({ _zod }) => CONTAINERS.has(_zod.def.type))
      ? [def.out]
      : [def.in, def.out];
  return undefined;
}

/** Returns the schemas of a child, by its name or its index. */
export function childrenOf(
  kind: z.core.$ZodTypes,
  key: string | number,
): readonly z.core.$ZodType[] {
  const { def } = kind._zod;
  // The response has a record in place of a list.
  if (def.type === "array" && typeof key === "string")
    return kindsOf(def.element).kinds.flatMap((each) => childrenOf(each, key));
  const child = childAt(kind, key);
  if (child === undefined) return [];
  return def.type === "record" ? valueOf(child) : [child];
}

/** The names in a map are not declared, so a string in it may be anything, such as a header. */
function valueOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { sensitivity, kinds } = kindsOf(schema);
  return sensitivity !== undefined
    ? [schema]
    : kinds.filter(({ _zod }) => _zod.def.type !== "string");
}

/** Tells whether a schema has a field of this name. */
export function isNamed({ _zod: { def } }: z.core.$ZodTypes, key: string): boolean {
  return def.type === "object" && Object.hasOwn(def.shape, key);
}
