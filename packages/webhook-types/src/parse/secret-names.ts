import { isRecord, isSecret, parseJson, Secret, stringifyJson } from "@fieldmesh/core/internal";
import { isKnownType } from "./event-schema.ts";

/**
 * Hides secrets in place by the name of their field, wherever in the payload they are. A payload that does not fit has them at
 * other places than the schema, and an event of an unknown type has no schema.
 */
export function hideNamedSecrets(type: string, data: unknown): void {
  hide(data, namesOf(type));
}

/** In other events, a `code` may be anything, such as the code of a referral. */
export function namesOf(type: string): readonly string[] {
  const mayHoldCode = !isKnownType(type) || type.startsWith("cpni.");
  return mayHoldCode ? ["activation_code", "code"] : ["activation_code"];
}

function hide(value: unknown, names: readonly string[]): void {
  if (Array.isArray(value)) return value.forEach((item) => hide(item, names));
  if (!isRecord(value)) return;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    if (names.includes(key)) record[key] = toSecret(record[key]);
    else hide(record[key], names);
  }
}

/** Same as core for a secret field: a list or an object becomes one secret with its JSON. */
function toSecret(value: unknown): unknown {
  if (value === null || isSecret(value)) return value;
  return new Secret(typeof value === "string" ? value : stringifyJson(value, { reveal: true }));
}

function isText(value: unknown): value is string | number | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

/** A shorter code would occur in many other fields. */
const SHORTEST = 4;
export const REDACTED = "[redacted]";

/** Returns the codes of an event, parsed or not, that are long enough to be searched for in it. */
export function codesOf(event: { readonly type: string }): string[] {
  return textsIn(event, namesOf(event.type), false).filter(({ length }) => length >= SHORTEST);
}

function textsIn(value: unknown, names: readonly string[], isCode: boolean): string[] {
  if (isSecret(value)) return [value.reveal(), ...textsIn(listIn(value.reveal()), names, true)];
  if (isText(value)) return isCode ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, names, isCode));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    textsIn(child, names, isCode || names.includes(key)),
  );
}

/** Returns the list or object that a secret contains as JSON. */
function listIn(text: string): unknown {
  try {
    return /^[[{]/.test(text) ? parseJson(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Copies a value. Replaces codes that a field, a string or a name repeats with `[redacted]`. */
export function hideRepeated(value: unknown, codes: readonly string[]): unknown {
  if (codes.length === 0) return value;
  if (typeof value === "string")
    return codes.reduce((text, code) => text.replaceAll(code, REDACTED), value);
  if (isText(value)) return codes.includes(String(value)) ? REDACTED : value;
  if (Array.isArray(value)) return value.map((item) => hideRepeated(item, codes));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      String(hideRepeated(key, codes)),
      hideRepeated(child, codes),
    ]),
  );
}
