import { isRecord, Secret } from "@fieldmesh/core";
import { isKnownType } from "./event-schema.ts";

/**
 * Hides secrets in place by the name of their field, wherever in the payload they are: a payload that does not fit has them
 * in other places than the schema, and an event of an unknown type has no schema.
 */
export function hideNamedSecrets(type: string, data: unknown): void {
  // Elsewhere a `code` is one of many things, such as that of a referral.
  const mayHoldCode = !isKnownType(type) || type.startsWith("cpni.");
  hide(data, mayHoldCode ? ["activation_code", "code"] : ["activation_code"]);
}

function hide(value: unknown, names: readonly string[]): void {
  if (Array.isArray(value)) return value.forEach((item) => hide(item, names));
  if (!isRecord(value)) return;
  const record = value as Record<string, unknown>;
  for (const [key, child] of Object.entries(record)) {
    const isText = typeof child === "string" || typeof child === "number";
    if (isText && names.includes(key)) record[key] = new Secret(String(child));
    else hide(child, names);
  }
}
