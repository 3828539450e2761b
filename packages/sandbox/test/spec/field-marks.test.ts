import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDrift } from "@fieldmesh/core/internal/schema";
import { responseSchema } from "@fieldmesh/http/internal";
import { describe, expect, test } from "vitest";
import * as z from "@fieldmesh/core/internal/zod";
import type { SampledRow } from "../../src/engine/serve/with-samples.ts";
import { services } from "../../src/services.ts";
import { root } from "../../../../tools/packages.ts";
import { type Cell, type Difference, shownRecords } from "./field-marks.ts";
import type { FieldNotes, SpecRow } from "./read-spec.ts";

const DIFFERENCES: readonly Difference[] = ["absent", "null", "another type"];
/** Calls whose output has another form than the response, or whose records have several forms. */
const ELSEWHERE = new Set(["flows.create", "devices.events", "devices.integrationEvents"]);
/** Sections about requests, and one whose records are in the tests of events. */
const NO_RESPONSE = new Set([
  "Integration types (value of body field type)",
  "Fields named by the catalog",
]);
const FORMS = ["array", "boolean", "integer", "number", "object", "string", "UUID"];
type Outcome = "fits" | "drift" | "error";

describe.each(Object.entries(shownRecords))("the responses of %s", (service, records) => {
  const rows = rowsOf(service);
  const places = records.flatMap((record) => record.at.map((at) => ({ ...record, at })));

  test.each(places)("have the marks of $at", ({ at, fields, sample, inside, isOpen }) => {
    const { row, path } = placeOf(rows, at);
    const outcomes = Object.entries(fields).flatMap(([field, cell]) =>
      DIFFERENCES.map((difference) => {
        const value = structuredClone(row.sample.output) as object;
        if (inside !== undefined) recordAt(value, ["data", "0"], inside);
        const record = recordAt(value, path, sample) as Record<string, unknown>;
        if (difference === "absent") delete record[field];
        else record[field] = difference === "null" ? null : otherType(cell);
        return [`${field}: ${difference}`, outcomeOf(row, value)];
      }),
    );
    const expected = Object.entries(fields).flatMap(([field, cell]) =>
      DIFFERENCES.map((difference) => [
        `${field}: ${difference}`,
        isOpen ? asDrift(expectedOf(cell, difference)) : expectedOf(cell, difference),
      ]),
    );
    expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(expected));
  });

  test("have no other field, unless it is a guess", () => {
    const listed = new Set(
      places.flatMap(({ at, fields }) =>
        Object.keys(fields).map((field) => `${at}${at.includes(" ") ? "." : " "}${field}`),
      ),
    );
    const stated = Object.entries(rows).filter(
      ([call, row]) => row.open === false && !ELSEWHERE.has(call),
    );
    const declared = stated.flatMap(([call, row]) =>
      declaredIn(responseSchema(row), []).map((path) => `${call} ${path.join(".")}`),
    );
    expect(declared.filter((each) => !listed.has(each))).toEqual([]);
  });
});

const list = JSON.parse(
  readFileSync(join(root, "tools/testing/spec-names.json"), "utf8"),
) as readonly SpecRow[];

test("every field of a response in the contract is in the table, with its type", () => {
  const records = Object.values(shownRecords).flat();
  const stated = list.flatMap(({ section, subject, type, null: mayBeNull, fields = [] }) => {
    const [, heading = ""] = /^Resources and their fields > (.*)/.exec(section) ?? [];
    // The contract has the fields of a body, but a body may be anything.
    const inner = subject.startsWith("req.body") ? [] : fields;
    const own = type === undefined ? [] : [{ name: subject, type, null: mayBeNull }];
    return NO_RESPONSE.has(heading) || heading === ""
      ? []
      : [...own, ...inner.filter(({ presence }) => presence !== "optional")].map((field) => ({
          heading,
          ...field,
        }));
  });
  const wrong = stated.flatMap(({ heading, name: path, type, null: mayBeNull }) => {
    const name = path.replace(/^(?:data|req)\./, "");
    const cells = records
      .filter(({ section }) => section === heading)
      .flatMap(({ fields }) => fields[name] ?? []);
    const word = FORMS.find((each) => type?.includes(each)) ?? "";
    const form = word.replace("UUID", "string") + (mayBeNull ? " or null" : "");
    const fits = cells.some((cell) => type === undefined || cell.form === form);
    return fits ? [] : [`${heading}: ${name} is ${form}`];
  });
  expect(wrong).toEqual([]);
  expect(stated.length).toBeGreaterThan(50);
});

const notes = JSON.parse(
  readFileSync(join(root, "tools/testing/field-notes.json"), "utf8"),
) as FieldNotes;

test("each observed form has its field note", () => {
  const known = new Set(Object.values(notes).flatMap((section) => Object.keys(section)));
  const used = Object.values(shownRecords)
    .flat()
    .flatMap(({ fields }) => Object.values(fields).flatMap(({ seen }) => seen?.note ?? []));
  expect(used.filter((note) => !known.has(note))).toEqual([]);
});

function rowsOf(service: string): Readonly<Record<string, SampledRow>> {
  const { tables } = services.find(({ name }) => name === service)!;
  return Object.fromEntries(
    Object.entries(tables).flatMap(([resource, table]) =>
      Object.entries(table).map(([method, row]) => [`${resource}.${method}`, row] as const),
    ),
  );
}

function placeOf(rows: Readonly<Record<string, SampledRow>>, at: string) {
  const [call = "", path = ""] = at.split(" ");
  return { row: rows[call]!, path: path === "" ? [] : path.split(".") };
}

/** Returns the record at a path of a sample, and puts one there if the sample has none. */
function recordAt(value: object, path: readonly string[], sample: object | undefined): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const parts = value as Record<string, object>;
  if (rest.length === 0 && sample !== undefined) parts[key] = structuredClone(sample);
  return recordAt(parts[key]!, rest, sample);
}

function otherType({ form }: Cell): unknown {
  return form.startsWith("array") || form.startsWith("object") ? "text" : { other: "type" };
}

function expectedOf({ form, mark, seen }: Cell, difference: Difference): Outcome {
  if (seen?.fits.includes(difference)) return "fits";
  if (difference === "null" && form.endsWith(" or null")) return "fits";
  return mark === "required" || difference === "another type" ? "error" : "drift";
}

function asDrift(outcome: Outcome): Outcome {
  return outcome === "error" ? "drift" : outcome;
}

/** What `validation: "strict"` does with a response. */
function outcomeOf(row: SampledRow, value: unknown): Outcome {
  const schema = responseSchema(row);
  const issues = z.safeDecode(schema, value).error?.issues ?? [];
  if (issues.length === 0) return "fits";
  return issues.every((issue) => isDrift(schema, issue)) ? "drift" : "error";
}

/** Lists the fields that a schema declares, without guesses and what is in them. */
function declaredIn(schema: z.core.$ZodType, path: readonly string[]): (readonly string[])[] {
  if (isDrift(schema, { code: "custom", path: [] } as never)) return [];
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
      return declaredIn(def.innerType, path);
    case "pipe":
      return declaredIn(def.out, path);
    case "array":
      return declaredIn(def.element, [...path, "0"]);
    case "union":
      return def.options.flatMap((option) => declaredIn(option, path));
    case "object":
      return Object.entries(def.shape).flatMap(([field, inner]) =>
        isDrift(inner, { code: "custom", path: [] } as never)
          ? []
          : [[...path, field], ...declaredIn(inner, [...path, field])],
      );
    default:
      return [];
  }
}
