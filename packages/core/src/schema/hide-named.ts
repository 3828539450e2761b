// Why it is so: docs/decisions/09-secrets-have-a-type.md
import type * as z from "../zod.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { stringifyJson } from "../json.ts";
import { recordOf } from "../record.ts";
import { isSecret, Secret } from "../secret.ts";
import { isSecretName, type NameContext } from "../secret-names.ts";
import { isOpen, isPlainObject, mapChildren } from "./children.ts";
import { childrenOf, kindsOf } from "./declared.ts";

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
  return hide(schema === undefined ? NOTHING : kindsOf(schema).kinds, value, context);
}

type Kinds = readonly z.core.$ZodTypes[];
const NOTHING: Kinds = [];

function hide(kinds: Kinds, value: unknown, context: HideContext): unknown {
  const named = getOrInsertComputed(parts, kinds, partsOf);
  // A record that declares credentials is that of an integration.
  const own = named.has("credentials") ? { ...context, inRequest: true } : context;
  return mapChildren(value, (child, key) => {
    const isContainer = typeof child === "object" && child !== null;
    const name = String(key);
    const declared = named.get(key === name ? name : ITEM);
    // Nearly all values are declared and hold no others.
    if (declared !== undefined && !isContainer) return child;
    if (context.keepsMetadata === true && key === "metadata") return child;
    const isSecretHere =
      declared === undefined &&
      isHideable(child) &&
      isSecretName(name === "value" ? labelOf(value) : name, own);
    if (!isContainer && !isSecretHere) return child;
    const inner = declared ?? kindsAt(kinds, key);
    if (isSecretHere && inner.every(isOpen)) return toSecret(child);
    return hide(inner, child, REQUEST.test(name) ? { ...own, inRequest: true } : own);
  });
}

/** Returns what names the value of a pair, such as `{ name: "authorization", value }` in a list of headers. */
function labelOf(pair: unknown): string {
  const { name, key, header } = recordOf(pair);
  const label = name ?? key ?? header;
  return typeof label === "string" ? label : "";
}

/** What schemas declare for the children of a value, computed once. No service has a list whose items differ by their index. */
const parts = new WeakMap<Kinds, ReadonlyMap<string | number, Kinds>>();

function partsOf(kinds: Kinds): ReadonlyMap<string | number, Kinds> {
  const names = kinds.flatMap(({ _zod: { def } }) =>
    def.type === "object" ? Object.keys(def.shape) : [],
  );
  return new Map([ITEM, ...names].map((name) => [name, kindsAt(kinds, name)]));
}

const ITEM = 0;

function kindsAt(kinds: Kinds, key: string | number): Kinds {
  const found = kinds
    .flatMap((kind) => childrenOf(kind, key))
    .flatMap((schema) => kindsOf(schema).kinds);
  // Always the same list, so that its parts are known.
  return found.every(isOpen) ? NOTHING : found;
}

/** What is below these names says where the console sends to, what it sends, and what it received. */
const REQUEST = /^(req|res|request|integrations?)$/;

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
