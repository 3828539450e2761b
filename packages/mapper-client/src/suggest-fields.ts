import { FIELDS, RANGES, type MappingField } from "./fields.ts";
import { isSpelledOut, NAMES, numberOf, plainName } from "./find-field.ts";

/** A number in a decoded payload, and the names that it has. */
interface Leaf {
  readonly path: string;
  readonly value: number;
  /** Plain names. */
  readonly names: readonly string[];
  /** Whether its own name says what it is, and not a string beside it. */
  readonly isNamed: boolean;
}

const DEEPEST = 6;
/** A payload has some tens of values, and an item of a list has few. Anyone may send larger ones. */
const MOST_LEAVES = 200;
const MOST_LABELS = 8;
const LONGEST_NAME = 40;

/** Where a decoder returns fields. */
interface Suggestion {
  /** The paths of the fields in another place, or under a similar name. */
  readonly found: Partial<Record<MappingField, string>>;
  /** The paths of coordinates that cannot be degrees. */
  readonly unfit: Partial<Record<MappingField, string>>;
  /** The path of the latitude of another position. */
  readonly other: string | undefined;
}

/** Searches a payload for fields. Those near the latitude belong to it. */
export function suggestFields(
  payload: unknown,
  fields: readonly MappingField[],
  latitude: string,
): Suggestion {
  const leaves: Leaf[] = [];
  collect(payload, [], leaves);
  const found: Partial<Record<MappingField, string>> = {};
  const unfit: Partial<Record<MappingField, string>> = {};
  let other: string | undefined;
  for (const field of FIELDS.filter((each) => fields.includes(each))) {
    const called = [
      ...NAMES[field].flatMap((name) => leaves.filter((each) => isCalled(each, name))),
      ...leaves.filter(({ names }) => names.some((name) => isSpelledOut(field, name))),
    ];
    const [least, most] = RANGES[field];
    const near = found.latitude ?? latitude;
    const [leaf, ...others] = called
      .filter(({ value }) => value >= least && value <= most)
      .toSorted((a, b) => sharedPart(b.path, near) - sharedPart(a.path, near));
    if (leaf !== undefined) found[field] = leaf.path;
    // No path corrects degrees. Meters can be passed.
    else if (most !== Infinity && called[0] !== undefined) unfit[field] = called[0].path;
    if (leaf !== undefined && field === "latitude")
      other = others.find(({ path }) => parentOf(path) !== parentOf(leaf.path))?.path;
  }
  return { found, unfit, other };
}

/** Returns how many names two paths begin with in common. */
function sharedPart(path: string, near: string): number {
  const names = near.split(".");
  return path.split(".").findIndex((name, index) => name !== names[index]);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

/** At the top, only names that are spelled out are suggested: the others were found there, or are something else. */
function isCalled({ names, path, isNamed }: Leaf, name: string): boolean {
  return (
    path.includes(".") &&
    // The path of an `hdop` must end with this name.
    (isNamed || name !== "hdop") &&
    names.includes(name)
  );
}

function collect(value: unknown, path: readonly string[], leaves: Leaf[]): void {
  if (typeof value !== "object" || value === null || path.length > DEEPEST) return;
  const labels = [...path.slice(-1), ...labelsOf(value)];
  const order = path.at(-1)?.toLowerCase() === "coordinates" ? orderOf(value) : [];
  for (const [key, child] of Object.entries(value)) {
    if (leaves.length >= MOST_LEAVES) return;
    // Such a path could not be written, or may be a value.
    if (key.length > LONGEST_NAME || !/^[\w-]+$/.test(key)) continue;
    const inner = [...path, key];
    const number = numberOf(child);
    if (number === undefined) {
      collect(child, inner, leaves);
      continue;
    }
    // Trackers return `{ type: "Latitude", measurementValue: "49.3" }` (observed).
    const isValue = /value$/i.test(key);
    leaves.push({
      path: inner.join("."),
      value: number,
      names: [order[Number(key)] ?? key, ...(isValue ? labels : [])].map(plainName),
      isNamed: !isValue,
    });
  }
}

/** GeoJSON writes the longitude first. A list whose second number is too large for a latitude is in the other order. */
function orderOf(list: object): readonly MappingField[] {
  if (!Array.isArray(list) || (list.length !== 2 && list.length !== 3)) return [];
  return Math.abs(numberOf(list[1]) ?? 0) > RANGES.latitude[1]
    ? ["latitude", "longitude", "altitude"]
    : ["longitude", "latitude", "altitude"];
}

function labelsOf(value: object): string[] {
  const labels = [];
  for (const each of Object.values(value)) {
    if (typeof each === "string" && each.length <= LONGEST_NAME) labels.push(each);
    if (labels.length === MOST_LABELS) break;
  }
  return labels;
}
