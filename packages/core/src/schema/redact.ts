import type * as z from "zod";
import { isSecret } from "../secret.js";
import { mapChildren, unwrap } from "./children.js";
import { sensitiveFields } from "./registry.js";

const REDACTED = "[redacted]";

// For fields that no schema declares: better one harmless value hidden than one key shown.
const SENSITIVE_NAME = /(^|[_-])(key|pin|code|authorization|email|phone|msisdn|iccid)$|secret|token|passw|credential|_key\b/i;

/**
 * Copies a value with everything sensitive replaced by `[redacted]`, whichever side of the schema
 * (wire or user) the value is on.
 *
 * A declared field is judged by the registry; an undeclared one by its name.
 *
 * @example
 * ```ts
 * redact(NewDevice, { name: "tank 7", app_key: "2B7E…" }); // { name: "tank 7", app_key: "[redacted]" }
 * ```
 */
export function redact(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (isSecret(value)) return REDACTED;
  if (schema === undefined) return mapChildren(undefined, value, redactUndeclared);
  if (sensitiveFields.has(schema as z.ZodType)) return value == null ? value : REDACTED;
  const bare = unwrap(schema);
  if (bare !== schema) return redact(bare, value);
  const def = (bare as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe") return redact(declaresFields(def.out) ? def.out : def.in, value);
  if (def.type === "union") return redactUnion(def.options, value);
  return mapChildren(bare, value, redactChild);
}

function redactChild(schema: z.core.$ZodType | undefined, value: unknown, key: string): unknown {
  return schema === undefined ? redactUndeclared(schema, value, key) : redact(schema, value);
}

function redactUndeclared(_: z.core.$ZodType | undefined, value: unknown, key: string): unknown {
  if (value != null && SENSITIVE_NAME.test(key)) return REDACTED;
  return redact(undefined, value);
}

/** What any member of the union hides is hidden: which member it is may depend on a value that does not fit. */
function redactUnion(options: readonly z.core.$ZodType[], value: unknown): unknown {
  return options.reduce((left, option) => redact(option, left), value);
}

function declaresFields(schema: z.core.$ZodType): boolean {
  const bare = unwrap(schema);
  return ["object", "array", "record", "union", "pipe"].includes((bare as z.core.$ZodTypes)._zod.def.type);
}
