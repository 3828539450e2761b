// Why it is so: docs/decisions/09-secrets-have-a-type.md
import type * as z from "../zod.ts";
import { stringifyJson } from "../json.ts";
import { isSecret, Secret } from "../secret.ts";
import { isSecretName, type NameContext } from "../secret-names.ts";
import { isOpen, isPlainObject, mapChildren } from "./children.ts";
import { childrenOf, isNamed, kindsOf } from "./declared.ts";

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

function hide(kinds: readonly z.core.$ZodTypes[], value: unknown, context: HideContext): unknown {
  // A record that declares credentials is that of an integration.
  const own = hasField(kinds, "credentials") ? { ...context, inRequest: true } : context;
  return mapChildren(value, (child, key) => {
    const isContainer = typeof child === "object" && child !== null;
    const name = String(key);
    const isNameless = key !== name || hasField(kinds, name);
    if (isNameless && !isContainer) return child;
    if (context.keepsMetadata === true && key === "metadata") return child;
    const fields = kinds
      .flatMap((kind) => childrenOf(kind, key))
      .flatMap((field) => kindsOf(field).kinds);
    if (!isNameless && isSecretName(name, own) && isHideable(child) && fields.every(isOpen))
      return toSecret(child);
    return hide(fields, child, REQUESTS.has(name) ? { ...own, inRequest: true } : own);
  });
}

function hasField(kinds: readonly z.core.$ZodTypes[], key: string): boolean {
  return kinds.some((kind) => isNamed(kind, key));
}

/** What is below these names says where the console sends to, and what it sends. */
const REQUESTS: ReadonlySet<string> = new Set(["req", "request", "integration", "integrations"]);

/** A flag such as `has_pin` holds no secret. */
function isHideable(value: unknown): boolean {
  return value != null && typeof value !== "boolean" && !isSecret(value);
}

/** Turns a value into a secret, whatever it is. A list or an object becomes one secret with its JSON. */
export function toSecret(value: unknown): unknown {
  if (value == null || isSecret(value)) return value;
  // A part that is hidden already keeps its Secrets. As JSON they would be "[redacted]".
  if (holdsSecret(value)) return mapChildren(value, toSecret);
  return new Secret(typeof value === "string" ? value : stringifyJson(value));
}

function holdsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isSecret(item) || holdsSecret(item));
  return isPlainObject(value) && holdsSecret(Object.values(value));
}
