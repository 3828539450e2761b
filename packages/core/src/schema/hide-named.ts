// Why it is so: docs/decisions/09-secrets-have-a-type.md
import type * as z from "../zod.ts";
import { stringifyJson } from "../json.ts";
import { isSecret, Secret } from "../secret.ts";
import { kindOfName, type NameContext } from "../secret-names.ts";
import { isPlainObject, mapChildren } from "./children.ts";
import { fieldOf, isNamed, itemOf, kindsOf } from "./declared.ts";

/** What surrounds a value whose secrets are hidden by name. */
export interface HideContext extends NameContext {
  /** The `metadata` of a record belongs to the user, and is returned unchanged. */
  readonly keepsMetadata?: boolean;
}

/**
 * Turns each value into a {@link Secret} whose name is that of a secret, wherever a schema lets any value through: undeclared
 * fields, maps, and parts of any type. Declared fields stay as they are. Returns the value itself if it has nothing to hide.
 */
export function hideNamed(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  context: HideContext = {},
): unknown {
  return hide(schema === undefined ? [] : kindsOf(schema).kinds, value, context);
}

type KindList = readonly z.core.$ZodTypes[];

function hide(kinds: KindList, value: unknown, context: HideContext): unknown {
  if (Array.isArray(value))
    return mapChanged(value, (item, index) =>
      typeof item === "object" && item !== null
        ? hide(kindsIn(kinds.flatMap((kind) => itemOf(kind, Number(index)))), item, context)
        : item,
    );
  if (!isPlainObject(value)) return value;
  const own = kinds.some((kind) => isNamed(kind, CREDENTIALS))
    ? { ...context, inRequest: true }
    : context;
  return mapChanged(value, (child, key) => {
    if (context.keepsMetadata === true && key === METADATA) return child;
    const fields = fieldsOf(kinds, key);
    if (isOpen(fields) && !kinds.some((kind) => isNamed(kind, key)) && isHidden(child, key, own))
      return toSecret(child);
    if (typeof child !== "object" || child === null) return child;
    return hide(fields, child, REQUESTS.has(key) ? { ...own, inRequest: true } : own);
  });
}

/** A record that declares them is the record of an integration. */
const CREDENTIALS = "credentials";
const METADATA = "metadata";
/** What is below these names says where the console sends to, and what it sends. */
const REQUESTS: ReadonlySet<string> = new Set(["req", "request", "integration", "integrations"]);
const ANYTHING: ReadonlySet<string> = new Set(["unknown", "any"]);

function fieldsOf(kinds: KindList, key: string): KindList {
  const [kind] = kinds;
  // Nearly every record has one kind.
  return kindsIn(
    kind !== undefined && kinds.length === 1
      ? fieldOf(kind, key)
      : kinds.flatMap((each) => fieldOf(each, key)),
  );
}

function kindsIn(schemas: readonly z.core.$ZodType[]): KindList {
  const [schema] = schemas;
  return schema !== undefined && schemas.length === 1
    ? kindsOf(schema).kinds
    : schemas.flatMap((each) => kindsOf(each).kinds);
}

function isOpen(kinds: KindList): boolean {
  return kinds.every(({ _zod }) => ANYTHING.has(_zod.def.type));
}

/** A flag such as `has_pin` holds no secret. */
function isHidden(value: unknown, key: string, context: HideContext): boolean {
  return (
    value != null &&
    typeof value !== "boolean" &&
    !isSecret(value) &&
    kindOfName(key, context) === "secret"
  );
}

/** Turns a value into a secret, whatever it is. A list or an object becomes one secret with its JSON. */
export function toSecret(value: unknown): unknown {
  if (value == null || isSecret(value)) return value;
  // A part that is hidden already keeps its Secrets. As JSON they would be "[redacted]".
  if (holdsSecret(value)) return mapChildren(undefined, value, (_, item) => toSecret(item));
  return new Secret(typeof value === "string" ? value : stringifyJson(value));
}

function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isSecret(item) || holdsSecret(item));
  return isPlainObject(value) && holdsSecret(Object.values(value));
}

/** Replaces children of a list or an object. Copies it only if one changes. */
function mapChanged(value: object, change: (child: unknown, key: string) => unknown): object {
  let copy: object | undefined;
  for (const [key, child] of Object.entries(value)) {
    const changed = change(child, key);
    if (changed === child) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    // A service may name a field `__proto__`.
    const field = { value: changed, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(copy, key, field);
  }
  return copy ?? value;
}
