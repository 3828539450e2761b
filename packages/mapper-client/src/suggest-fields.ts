import { FIELDS, type MappingField } from "./fields.ts";
import { isSpelledOut, NAMES, numberOf, plainName } from "./find-field.ts";

/** A number in a decoded payload, and the names that it has. */
interface Leaf {
  readonly path: string;
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

/** Returns the paths of the fields that a decoder returns in another place, or under a similar name. */
export function suggestFields(
  payload: unknown,
  fields: readonly MappingField[],
): Partial<Record<MappingField, string>> {
  const leaves: Leaf[] = [];
  collect(payload, [], leaves);
  const found = FIELDS.filter((field) => fields.includes(field)).map((field) => {
    const leaf =
      NAMES[field]
        .map((name) => leaves.find((each) => isCalled(each, name)))
        .find((each) => each !== undefined) ??
      leaves.find(({ names }) => names.some((name) => isSpelledOut(field, name)));
    return [field, leaf?.path] as const;
  });
  return Object.fromEntries(found.filter(([, path]) => path !== undefined));
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
  for (const [key, child] of Object.entries(value)) {
    if (leaves.length >= MOST_LEAVES) return;
    // Such a path could not be written, or may be a value.
    if (key.length > LONGEST_NAME || !/^[\w-]+$/.test(key)) continue;
    const inner = [...path, key];
    if (numberOf(child) === undefined) {
      collect(child, inner, leaves);
      continue;
    }
    // Trackers return `{ type: "Latitude", measurementValue: "49.3" }` (observed).
    const isValue = /value$/i.test(key);
    leaves.push({
      path: inner.join("."),
      names: [key, ...(isValue ? labels : [])].map(plainName),
      isNamed: !isValue,
    });
  }
}

function labelsOf(value: object): string[] {
  const labels = [];
  for (const each of Object.values(value)) {
    if (typeof each === "string" && each.length <= LONGEST_NAME) labels.push(each);
    if (labels.length === MOST_LABELS) break;
  }
  return labels;
}
