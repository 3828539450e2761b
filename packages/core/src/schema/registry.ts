import * as z from "../zod.ts";

/** Why a field must not reach a log: it grants access, or it identifies a person. */
export type Sensitivity = "secret" | "personal";

/**
 * The list of all fields that must not reach a log. Redaction, the docs and the machine-readable schemas read it. {@link
 * sensitive} and {@link secret} add a schema.
 */
export const sensitiveFields = z.registry<{ sensitivity: Sensitivity }>();

/** Returns why a field must not reach a log. A schema derived from a marked one, by a rule or a description, is marked too. */
export function sensitivityOf(schema: z.core.$ZodType): Sensitivity | undefined {
  return sensitiveFields.get(schema)?.sensitivity;
}

/** Marks a schema as sensitive and returns it. */
export function sensitive<S extends z.core.$ZodType>(sensitivity: Sensitivity, schema: S): S {
  sensitiveFields.add(schema, { sensitivity });
  return schema;
}
