import { FIELDS, type MappingField } from "./fields.ts";
import { isSpelledOut, NAMES, numberOf, plainName } from "./find-field.ts";

/** A number in a decoded payload, and the names that it has. */
interface Leaf {
  readonly path: string;
  readonly names: readonly string[];
  /** Whether its own name says what it is, and not a string beside it. */
  readonly isNamed: boolean;
}

const DEEPEST = 6;
/** A payload has some tens of values. Anyone may send a larger one. */
const MOST_LEAVES = 200;

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
    names.some((each) => plainName(each) === name)
  );
}

function collect(value: unknown, path: readonly string[], leaves: Leaf[]): void {
  if (typeof value !== "object" || value === null || path.length > DEEPEST) return;
  for (const [key, child] of Object.entries(value)) {
    if (leaves.length >= MOST_LEAVES) return;
    // Such a path could not be written, or may be a value.
    if (!/^[\w-]{1,40}$/.test(key)) continue;
    const inner = [...path, key];
    if (numberOf(child) === undefined) {
      collect(child, inner, leaves);
      continue;
    }
    // Trackers return `{ type: "Latitude", measurementValue: "49.3" }` (observed).
    const isValue = /value$/i.test(key);
    const labels = isValue ? [...path.slice(-1), ...textsOf(value)] : [];
    leaves.push({ path: inner.join("."), names: [key, ...labels], isNamed: !isValue });
  }
}

function textsOf(value: object): string[] {
  return Object.values(value).filter((each) => typeof each === "string");
}
