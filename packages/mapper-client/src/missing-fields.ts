import type { Problem } from "@fieldmesh/http";
import { FIELDS, type MappingField } from "./fields.ts";
import { NAMES } from "./find-field.ts";
import { suggestFields } from "./suggest-fields.ts";

/**
 * Describes the missing fields: those in another place together, because they have one cause. The first problem has all that
 * `fields` needs.
 */
export function describeMissing(
  payload: unknown,
  path: string,
  missing: readonly MappingField[],
  fields: Readonly<Partial<Record<MappingField, string | number | undefined>>>,
): Problem[] {
  if (missing.length === 0) return [];
  const open = missing.filter((field) => fields[field] === undefined);
  const { found, unfit, other } = suggestFields(payload, open, String(fields.latitude ?? ""));
  const names = Object.keys(found);
  const broken = Object.entries(unfit);
  if (names.length + broken.length === 0 && open.includes("latitude") && open.includes("longitude"))
    return [{ path, message: NO_POSITION }];
  const meters = Object.entries(METERS).filter(([field]) =>
    missing.includes(field as MappingField),
  );
  const all = { ...fields, ...Object.fromEntries(meters), ...found };
  const written = FIELDS.filter((field) => all[field] !== undefined).map(
    (field) => `${field}: ${JSON.stringify(all[field])}`,
  );
  const example = `fields: { ${written.join(", ")} }`;
  const places = other === undefined ? "another place" : "several places";
  const choice = other === undefined ? "" : `, or the paths beside ${other}`;
  const order = /(^|\.)coordinates\.1$/.test(found.latitude ?? "") ? GEO_JSON : "";
  const elsewhere = `has ${listOf(names)} in ${places}: pass ${example}${choice}${order}`;
  const gaps = missing.filter((field) => !(field in found) && !(field in unfit));
  const first = names.length > 0 ? undefined : gaps.find((field) => field in METERS);
  return [
    ...(names.length > 0 ? [{ path, message: elsewhere }] : []),
    ...broken.map(([field, place]) => ({
      path: `${path}.${place}`,
      message: `is out of range: let the decoder divide it, and return decimal degrees as ${field}`,
    })),
    ...gaps.map((field) => {
      const option = field === first ? `pass meters, such as ${example}` : "pass meters in fields";
      const advice = field in METERS ? `; let it return one, or ${option}` : "";
      const tried = fields[field] ?? NAMES[field].join(", ");
      const message = `is missing: the decoder returns none of ${tried}${advice}`;
      return { path: `${path}.${field}`, message };
    }),
  ];
}

const NO_POSITION =
  "has no position: let the decoder return latitude, longitude, altitude and accuracy, or pass the paths of these fields in fields";
const GEO_JSON = ", if the list begins with the longitude, as in GeoJSON";

/** What to write for a decoder that returns no such field. */
const METERS: Readonly<Partial<Record<MappingField, number>>> = { altitude: 0, accuracy: 10 };

function listOf(names: readonly string[]): string {
  return names.join(", ").replace(/, (\w+)$/, names.length > 2 ? ", and $1" : " and $1");
}
