import * as z from "../zod.ts";
import { driftCheck, driftIssue } from "./drift.ts";

const marks = z.registry<{ mark: "shown" | "seen"; mayBeNull?: boolean }>();

/** A field that may be absent or `null`, although the contract does not say so. */
type Lenient<S extends z.core.$ZodType> = z.ZodMiniOptional<z.ZodMiniNullable<S>>;

/**
 * Marks a field of a response that is as the contract shows it. Another type is an error under `validation: "strict"`.
 *
 * If the field is absent, {@link record} reports drift, and also if it is `null`, unless the schema is nullable because the contract
 * says so. It is never an error, because one odd record must not cost the whole list.
 */
export function shown<S extends z.core.$ZodType>(schema: S): Lenient<S> {
  const field = z.nullish(schema);
  marks.add(field, { mark: "shown", mayBeNull: schema._zod.def.type === "nullable" });
  return field;
}

/**
 * Marks a field of a response that running deployments send in another way than the contract shows. It accepts both without drift, and
 * its doc comment says what was observed.
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

/** Returns the check that reports each shown field that a record lacks; `undefined` if the record has none. */
export function presenceOf(shape: z.core.$ZodLooseShape): z.core.$ZodCheck<unknown> | undefined {
  // A field with a getter refers to its own record, which does not exist yet.
  const properties = Object.entries(Object.getOwnPropertyDescriptors(shape));
  const fields = properties.flatMap(([name, { value }]) => {
    const mark = value === undefined ? undefined : marks.get(value as z.core.$ZodType);
    return mark?.mark === "shown" ? [{ name, mayBeNull: mark.mayBeNull === true }] : [];
  });
  if (fields.length === 0) return undefined;
  return driftCheck((record) =>
    fields.flatMap(({ name, mayBeNull }) => {
      const found = record[name];
      if (found === undefined) return [driftIssue([name], "is missing")];
      return found === null && !mayBeNull ? [driftIssue([name], "is null")] : [];
    }),
  );
}
