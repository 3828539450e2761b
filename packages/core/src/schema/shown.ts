import * as z from "../zod.ts";
import type { AnyRecord } from "../record.ts";
import { driftIssue } from "./drift.ts";

interface Mark {
  readonly mark: "shown" | "seen";
  /** The form without drift, for a field that is or was {@link shown}. */
  readonly form?: () => unknown;
}

const marks = z.registry<Mark>();

/** A field that may be absent or `null`, although the contract does not say so. */
type Lenient<S extends z.core.$ZodType> = z.ZodMiniOptional<z.ZodMiniNullable<S>>;

/**
 * Marks a field of a response that is as the contract shows it. Another type is an error under `validation: "strict"`.
 *
 * If the field is absent, {@link record} reports drift, and also if it is `null`, unless the schema is optional or nullable. It is
 * never an error, because one odd record must not cost the whole list.
 */
export function shown<S extends z.core.$ZodType>(schema: S): Lenient<S> {
  const field = z.nullish(schema);
  marks.add(field, { mark: "shown", form: () => schema });
  return field;
}

/**
 * Marks a field of a response that running deployments send in another way than the contract shows. It accepts both without drift, and
 * its doc comment says what was observed. `seen(shown(z.nullable(…)))` accepts `null` without drift, and reports an absent field.
 */
export function seen<S extends z.core.$ZodType>(schema: S): S {
  const field = z.clone(schema, schema._zod.def, { parent: true });
  marks.add(field, { mark: "seen" });
  return field;
}

/** Returns whether a field is as the contract shows it or was observed otherwise; `undefined` for a plain field and for a guess. */
export function markOf(field: z.core.$ZodType): "shown" | "seen" | undefined {
  return marks.get(field)?.mark;
}

/** Returns the schema that a shown field has without drift. A copy has that of its original. */
export function formOf(field: z.core.$ZodType): z.core.$ZodType | undefined {
  return marks.get(field)?.form?.() as z.core.$ZodType | undefined;
}

/** Returns the check that reports each shown field that a record lacks; `undefined` if the record has none. */
export function presenceOf(shape: z.core.$ZodLooseShape): z.core.CheckFn<AnyRecord> | undefined {
  // A field with a getter refers to its own record, which does not exist yet.
  const properties = Object.entries(Object.getOwnPropertyDescriptors(shape));
  const fields = properties.flatMap(([name, { value }]) => {
    const form = value === undefined ? undefined : formOf(value as z.core.$ZodType);
    const type = form?._zod.def.type;
    return type === undefined
      ? []
      : [{ name, ifAbsent: type !== "optional", ifNull: type !== "nullable" }];
  });
  if (fields.length === 0) return undefined;
  return ({ value, issues }) => {
    for (const { name, ifAbsent, ifNull } of fields) {
      const found = value[name];
      if (found === undefined && ifAbsent) issues.push(driftIssue([name], "is missing"));
      if (found === null && ifNull) issues.push(driftIssue([name], "is null"));
    }
  };
}
