import { isDate } from "../realm.ts";
import type * as z from "../zod.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { isSecret } from "../secret.ts";
import { shownAddresses } from "../shown-addresses.ts";
import { isPlainObject } from "./children.ts";
import { CONTAINERS, childrenOf, isNamed, kindsOf } from "./declared.ts";
import type { HoldsSecret } from "./secret-check.ts";

const REDACTED = "[redacted]";
/** Replaces a value that no schema declares, and a name that does not look like the name of a field. */
const UNDECLARED = "[undeclared]";
/** Replaces values nested deeper than any record. A body of 100,000 brackets would exhaust the stack. */
const TOO_DEEP = "[too deep]";
const MAX_DEPTH = 100;

/** Why a value was hidden: its schema marks it as sensitive, or no schema declares it. */
export type WhyHidden = "sensitive" | "undeclared";

type OnHidden = (text: string, why: WhyHidden) => void;

/**
 * Copies the parts of a value that may be logged: the declared fields that are not marked as sensitive. The value may be in wire
 * format or decoded.
 *
 * - A sensitive value becomes `[redacted]`.
 * - An undeclared value becomes `[undeclared]`, because no list of secret names can be complete. So does a value of another kind
 *   than declared, such as a string in place of a record.
 * - A value nested more than 100 levels deep becomes `[too deep]`.
 * - Of undeclared fields, `livemode` and the times `created_at` and `updated_at` are shown: they say nothing about a person.
 * - Of an address, the query and the user information become `[redacted]`.
 * - `null` is shown.
 *
 * `onHidden` receives each string and number that was hidden, so that you can hide it elsewhere too.
 */
export function redact(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  onHidden: OnHidden = () => undefined,
): unknown {
  return redactBy(schema === undefined ? [] : [schema], value, onHidden, MAX_DEPTH);
}

/** Copies a value. Replaces each string, number and name that contains a secret with `[redacted]`. */
export function scrub(value: unknown, holdsSecret: HoldsSecret): unknown {
  // The records of a page share their names and many of their values.
  const known = new Map<string, boolean>();
  return scrubBy(value, (text) => getOrInsertComputed(known, text, holdsSecret), MAX_DEPTH);
}

function scrubBy(value: unknown, holdsSecret: HoldsSecret, depth: number): unknown {
  if (typeof value === "string") return holdsSecret(value) ? REDACTED : value;
  if (typeof value === "number" || typeof value === "bigint")
    return holdsSecret(String(value)) ? REDACTED : value;
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return value;
  if (depth === 0) return TOO_DEEP;
  const scrubChild = (child: unknown): unknown => scrubBy(child, holdsSecret, depth - 1);
  if (isList) return value.map(scrubChild);
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [scrubChild(key), scrubChild(child)]),
  );
}

/** `schemas` declare the value. In a union, each member may. */
function redactBy(
  schemas: readonly z.core.$ZodType[],
  value: unknown,
  onHidden: OnHidden,
  depth: number,
): unknown {
  const hide = (why: WhyHidden): string => {
    eachText(value, (text) => onHidden(text, why));
    return why === "sensitive" ? REDACTED : UNDECLARED;
  };
  if (isSecret(value)) return hide("sensitive");
  if (value === null || value === undefined) return value;
  const kinds = schemas.map(kindsOf);
  if (kinds.some(({ sensitivity }) => sensitivity !== undefined)) return hide("sensitive");
  const declared = kinds.flatMap(({ kinds: each }) => each);
  const isContainer = declared.some(({ _zod }) => CONTAINERS.has(_zod.def.type));
  if (depth === 0 && typeof value === "object") {
    hide("undeclared");
    return TOO_DEEP;
  }
  const redactChild = (child: unknown, key: string | number): unknown =>
    redactBy(
      declared.flatMap((kind) => childrenOf(kind, key)),
      child,
      onHidden,
      depth - 1,
    );
  if (Array.isArray(value) && isContainer) return value.map(redactChild);
  if (isPlainObject(value) && isContainer)
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => {
        const isDeclared = declared.some((kind) => isNamed(kind, key));
        const isShown = isFieldName(key) || isDeclared;
        const isPlain = !isDeclared && isHarmless(key, child);
        return [isShown ? key : UNDECLARED, isPlain ? child : redactChild(child, key)];
      }),
    );
  const isScalar = typeof value !== "object" || isDate(value);
  // `count()` is a custom schema, whose values are integers.
  const kindsOfValue = typeof value === "bigint" || Number.isInteger(value) ? COUNTS : SCALARS;
  const isDeclared = isScalar && declared.some(({ _zod }) => kindsOfValue.has(_zod.def.type));
  if (!isDeclared) return hide("undeclared");
  return typeof value === "string"
    ? shownAddresses(value, (part) => onHidden(part, "sensitive"))
    : value;
}

/** Tells whether a field that every record of a service may have says nothing about a person, by its name and its form. */
function isHarmless(name: string, value: unknown): boolean {
  if (name === "livemode") return typeof value === "boolean";
  return /^(?:created|updated)_at$/.test(name) && typeof value === "string" && TIME.test(value);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/;

const SCALARS: ReadonlySet<string> = new Set([
  "string",
  "number",
  "bigint",
  "boolean",
  "date",
  "literal",
  "enum",
  "template_literal",
]);

const COUNTS: ReadonlySet<string> = new Set([...SCALARS, "custom"]);

/** Walks a value of any depth with its own stack: values too deep to be shown may still hold a secret. */
function eachText(whole: unknown, visit: (text: string) => void): void {
  // A Set iterates over values added during the loop, and visits each object once.
  const values = new Set([whole]);
  for (const value of values) {
    if (isSecret(value)) visit(value.reveal());
    else if (typeof value === "string") visit(value);
    // Every date contains numbers of fewer digits.
    else if ((typeof value === "number" || typeof value === "bigint") && value >= LEAST_TOLD)
      visit(String(value));
    else if (typeof value === "object" && value !== null)
      for (const child of Object.values(value)) values.add(child);
  }
}

const LEAST_TOLD = 100_000;

/** Tells whether a string looks like the name of a field: mostly letters, few digits. A key, an EUI or a number has more digits. */
export function isFieldName(key: string): boolean {
  return /^[a-z_$][\w$-]{0,39}$/i.test(key) && key.replace(/\D/g, "").length <= 3;
}
