import { describe, expect, test } from "vitest";
import { eventTypes } from "../src/index.ts";
import { dataSamples } from "../src/events/generated/data-samples.ts";

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
