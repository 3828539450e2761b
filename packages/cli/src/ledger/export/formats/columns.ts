import { stringifyJson } from "@fieldmesh/core";

/** `small` are integers of a JavaScript number, `integer` of 64 bits, `long` are longer ones; only `text` holds any value. */
export type Kind = "small" | "integer" | "long" | "real" | "boolean" | "text";

/** The kind of each column, in the order of the file. */
export type Columns = Readonly<Record<string, Kind>>;

/** A value in a format without nested values. */
export type Cell = string | number | bigint | boolean | null;

export type Item = Readonly<Record<string, unknown>>;

const INTEGERS: readonly Kind[] = ["small", "integer", "long"];
const MOST = 2n ** 63n;

/** Extends columns so that they can hold an item too. A new field becomes the last column. */
export function addToColumns(columns: Columns, item: Item): Columns {
  const added: Record<string, Kind> = {};
  for (const [name, value] of Object.entries(item)) {
    const known = Object.hasOwn(columns, name) ? columns[name] : undefined;
    const kind = value == null ? undefined : kindOf(value);
    const joined = kind === undefined ? (known ?? "text") : join(known ?? kind, kind);
    if (joined !== known) added[name] = joined;
  }
  return Object.keys(added).length === 0 ? columns : { ...columns, ...added };
}

function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? "small" : "real";
    case "bigint":
      return value < MOST && value >= -MOST ? "integer" : "long";
    case "boolean":
      return "boolean";
    default:
      return "text";
  }
}

/** Returns the narrowest kind that holds both exactly. */
function join(one: Kind, other: Kind): Kind {
  if (one === other) return one;
  const sizes = [one, other].map((kind) => INTEGERS.indexOf(kind));
  if (!sizes.includes(-1)) return INTEGERS[Math.max(...sizes)] as Kind;
  const isNumber = [one, other].every((kind) => kind === "small" || kind === "real");
  return isNumber ? "real" : "text";
}

/** Returns the value of a field for its column: integers beyond 64 bits as digits, and nested values as JSON. */
export function cellOf(item: Item, name: string, kind: Kind): Cell {
  const value = Object.hasOwn(item, name) ? (item[name] ?? null) : null;
  if (value === null) return null;
  switch (kind) {
    case "small":
    case "integer":
      return BigInt(value as number | bigint);
    case "real":
    case "boolean":
      return value as number | boolean;
    default:
      return typeof value === "string" ? value : stringifyJson(value);
  }
}
