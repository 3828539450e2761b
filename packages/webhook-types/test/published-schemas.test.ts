import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  fieldAt,
  fullValues,
  withWrongValue,
  type JsonSchema,
  type Place,
} from "../../../tools/json-schema/full-value.ts";
import { eventTypes } from "../src/index.ts";
import { parseEvent } from "../src/parse/index.ts";
import { dataSamples } from "../src/events/generated/data-samples.ts";

type Published = JsonSchema & { readonly definitions?: Readonly<Record<string, JsonSchema>> };

const FOLDER = join(import.meta.dirname, "../../../docs/public/schemas/events");

function publishedSchema(type: string): Published {
  return JSON.parse(readFileSync(join(FOLDER, `${type}.json`), "utf8")) as Published;
}

/** Returns the paths where the event differs from what the parser expects. */
function driftOf(event: unknown): string[] {
  try {
    const options = { validation: "warn", onDrift: () => undefined } as const;
    return (parseEvent(event, options).drift ?? []).map(({ path }) => path);
  } catch (error) {
    return [String(error)];
  }
}

describe.each(eventTypes)("%s", (type) => {
  const schema = publishedSchema(type);
  const values = fullValues(schema, (reference) => {
    const found = schema.definitions?.[reference.split("/").at(-1) ?? ""];
    if (found === undefined) throw new Error(`${type} has no ${reference}`);
    return found;
  });

  test("has no drift with every field of its published schema, and names a field of another type", () => {
    for (const { value, places } of values) {
      expect(driftOf(value)).toEqual([]);
      const isNamed = (place: Place): boolean =>
        driftOf(withWrongValue(value, place)).join().includes(fieldAt(place));
      expect(places.filter((place) => !isNamed(place)).map(({ path }) => path.join("."))).toEqual(
        [],
      );
    }
  });
});

// Their records have no id, or the spec does not show one.
const WITHOUT_ID =
  /^(usage|fraud|event|referral\.reward)\.|^(invoice\.upcoming|sim_inventory\.low_stock)$/;
const families = new Map<string, string>();

describe.each(eventTypes)("the sample of %s", (type) => {
  const data = dataSamples[type] as { object: { id?: string }; previous_attributes?: object };

  test("has no empty strings", () => {
    expect(emptyStrings(data)).toEqual([]);
  });

  test("has the id of a record of its family", () => {
    const { id } = data.object;
    if (WITHOUT_ID.test(type)) return expect(id).toBeUndefined();
    expect(id).toMatch(/^[a-z]+_\w{6,}$/);
    const [prefix = ""] = id!.split("_");
    // The earlier catalog had a separate family for these.
    const family = type.split(".")[0]!.replace("port_out", "port");
    expect(families.get(prefix) ?? family).toBe(family);
    families.set(prefix, family);
  });

  test("has only earlier values that its record no longer has", () => {
    const { object, previous_attributes: previous } = data;
    if (previous !== undefined) expect(object).not.toMatchObject(previous);
    if (previous !== undefined) expect(previous).not.toEqual({});
  });
});

function emptyStrings(value: unknown, place = ""): string[] {
  if (value === "") return [place];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => emptyStrings(child, `${place}.${key}`));
}
