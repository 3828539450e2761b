import type * as z from "zod/mini";
import { isSecret } from "../secret.ts";
import { mapChildren, unwrap, type Child } from "./children.ts";
import { sensitivityOf } from "./registry.ts";

const REDACTED = "[redacted]";

// For fields that no schema declares: better one harmless value hidden than one key shown. A recorded request of an
// integration carries its key in a header, a query parameter, or the URL for downlinks.
const SENSITIVE_NAME =
  /(^|[_\W])((key|pin|puk|otp|code)\d*$|headers$|(authorization|e?mail|phone|msisdn|iccid|imsi)\d*($|[_\W]))|secret|token|passw|credential|cookie|apikey|(first|last)_?name|^(url_params|downlink[_-]url)$/i;
/** A name in a string that is a form or JSON: `downlink_url=`, `"downlink_url":`. */
const NAME_IN_TEXT = /(?<![\w-])[\w-]{1,40}(?=\\*["']?\s{0,4}[=:])/g;
/** Where the next word of a name like `appSKey` begins. */
const WORD_ENDS = /[a-z\d](?=[A-Z])|.(?=[A-Z][a-z])/g;

/**
 * Copies a value with everything sensitive replaced by `[redacted]`, whichever side of the schema
 * (wire or user) the value is on.
 *
 * A declared field is judged by the registry; an undeclared one by its name, and an undeclared string, such as a form, by
 * the names in it. `onHidden` is told every text that was hidden, so that the same text can be hidden elsewhere too.
 *
 * @example
 * ```ts
 * redact(NewDevice, { name: "tank 7", app_key: "2B7E…" }); // { name: "tank 7", app_key: "[redacted]" }
 * ```
 */
export function redact(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  onHidden: (text: string) => void = () => undefined,
): unknown {
  return redactBy(schema, value, onHidden);
}

/**
 * Copies a value with the given texts replaced by `[redacted]` wherever they occur in its strings and names.
 *
 * @example
 * ```ts
 * scrub({ note: "key k3y was refused" }, ["k3y"]); // { note: "key [redacted] was refused" }
 * ```
 */
export function scrub(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === "string") return scrubText(value, texts);
  const scrubbed = mapChildren(undefined, value, (_, child) => scrub(child, texts));
  if (typeof scrubbed !== "object" || scrubbed === null || Array.isArray(scrubbed)) return scrubbed;
  return Object.fromEntries(
    Object.entries(scrubbed).map(([key, child]) => [scrub(key, texts), child]),
  );
}

/** Occurrences that overlap are hidden as one, so that no rest of a longer text stays visible. */
function scrubText(value: string, texts: readonly string[]): string {
  const found = texts
    .flatMap((text) => occurrences(value, text))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let shown = "";
  let end = 0;
  for (const [index, next] of found.entries()) {
    if (index === 0 || next.start >= end) shown += value.slice(end, next.start) + REDACTED;
    end = Math.max(end, next.end);
  }
  return shown + value.slice(end);
}

function occurrences(value: string, text: string): { start: number; end: number }[] {
  const found = [];
  if (text === "") return [];
  for (let start = value.indexOf(text); start !== -1; start = value.indexOf(text, start + 1))
    found.push({ start, end: start + text.length });
  return found;
}

type OnHidden = (text: string) => void;

function redactBy(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  onHidden: OnHidden,
): unknown {
  if (isSecret(value)) return hide(value.reveal(), onHidden);
  const visitChild = (child: Child, item: unknown, key: string): unknown =>
    !child.isNamed && item != null && isSensitiveName(key)
      ? hide(item, onHidden)
      : redactBy(child.schema, item, onHidden);
  const redactUndeclared = (): unknown =>
    namesSensitive(value) ? hide(value, onHidden) : mapChildren(undefined, value, visitChild);
  if (schema === undefined) return redactUndeclared();
  if (sensitivityOf(schema) !== undefined) return value == null ? value : hide(value, onHidden);
  const bare = unwrap(schema);
  if (bare !== schema) return redactBy(bare, value, onHidden);
  const def = (bare as z.core.$ZodTypes)._zod.def;
  if (def.type === "pipe")
    return redactBy(declaresFields(def.out) ? def.out : def.in, value, onHidden);
  // What any member of a union hides is hidden: which member it is may depend on a value that does not fit.
  if (def.type === "union")
    return def.options.reduce((left, option) => redactBy(option, left, onHidden), value);
  if (def.type === "intersection")
    return redactBy(def.right, redactBy(def.left, value, onHidden), onHidden);
  if (def.type === "unknown" || def.type === "any") return redactUndeclared();
  return mapChildren(bare, value, visitChild);
}

function namesSensitive(value: unknown): boolean {
  return typeof value === "string" && (value.match(NAME_IN_TEXT)?.some(isSensitiveName) ?? false);
}

function isSensitiveName(name: string): boolean {
  return SENSITIVE_NAME.test(name.replace(WORD_ENDS, "$&_"));
}

function hide(value: unknown, onHidden: OnHidden): string {
  // Another member of a union has hidden it already.
  if (value === REDACTED) return REDACTED;
  tellTexts(value, onHidden);
  return REDACTED;
}

function tellTexts(value: unknown, onHidden: OnHidden): void {
  if (isSecret(value)) onHidden(value.reveal());
  else if (typeof value === "string") onHidden(value);
  else if (typeof value === "object" && value !== null)
    Object.values(value).forEach((child) => tellTexts(child, onHidden));
}

function declaresFields(schema: z.core.$ZodType): boolean {
  const bare = unwrap(schema);
  return ["object", "array", "tuple", "record", "union", "intersection", "pipe"].includes(
    (bare as z.core.$ZodTypes)._zod.def.type,
  );
}
