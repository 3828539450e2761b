import { isRecord, isSecret, isSecretName, parseJson } from "@fieldmesh/core/internal";
import type { HideContext } from "@fieldmesh/core/internal/schema";
import { signedLinks } from "../events/generated/hidden-fields.ts";
import { isKnownType } from "./event-schema.ts";

/** What the names of undeclared fields mean in an event. In other events, a `code` may be anything, such as that of a referral. */
export function namesIn(type: string): HideContext {
  return { keepsMetadata: true, hasCode: !isKnownType(type) || type.startsWith("cpni.") };
}

function isText(value: unknown): value is string | number | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

/** A shorter code would occur in many other fields. */
const SHORTEST = 4;
export const REDACTED = "[redacted]";

/**
 * Returns the secrets of an event, parsed or not, that are long enough to be searched for in it. A schema of the user may have
 * revealed one, so its name counts too.
 */
export function codesOf(event: { readonly type: string }): string[] {
  return textsIn(event, namesIn(event.type), false).filter(({ length }) => length >= SHORTEST);
}

function textsIn(value: unknown, names: HideContext, isCode: boolean): string[] {
  if (isSecret(value)) return [value.reveal(), ...textsIn(listIn(value.reveal()), names, true)];
  if (isText(value)) return isCode ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, names, isCode));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    textsIn(child, names, isCode || (!signedLinks.includes(key) && isSecretName(key, names))),
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
