import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { driftOf } from "@fieldmesh/core/internal/schema";
import { eventTypes, type EventType } from "@fieldmesh/webhook-types";
import { eventSchema } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test, vi } from "vitest";
import type * as z from "zod";
import { documents, readDocument } from "../../tools/documents.ts";
import {
  fieldAt,
  fullValues,
  withWrongValue,
  type JsonSchema,
  type Place,
} from "../../tools/json-schema/full-value.ts";
import type { Json } from "./shapes.ts";
import DRAFT_7 from "ajv/dist/refs/json-schema-draft-07.json" with { type: "json" };

const folder = join(documents, "schemas");

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".json"),
);

test("Ajv with its default options accepts every schema, without a warning and without another schema", () => {
  expect(files.length).toBeGreaterThan(eventTypes.length);
  const warn = vi.spyOn(console, "warn");
  const log = vi.spyOn(console, "log");
  // It throws for an unknown keyword or format, and for a reference to what is not in the schema.
  expect(files.map((file) => typeof validatorOf(file))).toEqual(files.map(() => "function"));
  expect([...warn.mock.calls, ...log.mock.calls]).toEqual([]);
});

test("Ajv for draft 2020-12 accepts every schema once it knows draft 7", () => {
  const ajv = new Ajv2020();
  ajv.addMetaSchema(DRAFT_7);
  expect(files.map((file) => typeof ajv.compile(read(file)))).toEqual(files.map(() => "function"));
});

test("every event's schema takes its sample, and nothing of another type", () => {
  for (const [index, type] of eventTypes.entries()) {
    const validate = validatorOf(join("events", `${type}.json`));
    const sample = parseJson(stringifyJson(sampleEvent(type), { reveal: true })) as Json;
    expect({ type, ok: validate(sample), errors: validate.errors }).toEqual({
      type,
      ok: true,
      errors: null,
    });
    const other = eventTypes[(index + 1) % eventTypes.length];
    const wrong = [
      { ...sample, type: other },
      { ...sample, data: {} },
    ];
    expect({ type, taken: wrong.filter((event) => validate(event) === true) }).toEqual({
      type,
      taken: [],
    });
  }
});

test.for(eventTypes)(
  "the parser agrees with the schema of %s, and names a field of another type",
  (type) => {
    const schema: Published = read(`events/${type}.json`);
    const values = fullValues(schema, (reference) => {
      const found = schema.definitions?.[reference.split("/").at(-1) ?? ""];
      if (found === undefined) throw new Error(`${type} has no ${reference}`);
      return found;
    });
    for (const { value, places } of values) {
      expect(misfitsOf(type, value)).toEqual([]);
      const isNamed = (place: Place): boolean =>
        misfitsOf(type, withWrongValue(value, place)).join().includes(fieldAt(place));
      const unnamed = places.filter((place) => !isNamed(place));
      expect(unnamed.map(({ path }) => path.join("."))).toEqual([]);
    }
  },
);

type Published = JsonSchema & { readonly definitions?: Readonly<Record<string, JsonSchema>> };

/** Returns the paths where the event has another form than the parser expects. A JSON Schema does not say what a status must be. */
function misfitsOf(type: EventType, event: unknown): string[] {
  const issues = eventSchema(type)["~standard"].validate(event) as { issues?: z.core.$ZodIssue[] };
  return (issues.issues ?? [])
    .filter((issue) => driftOf(issue) === undefined)
    .map(({ path }) => path.join("."));
}

test("what is secret or personal says so", () => {
  const secrets = (file: string): unknown[] =>
    readFileSync(join(folder, file), "utf8").match(/"\$comment": "sensitivity: \w+"/g) ?? [];
  expect(secrets("console/Device.json")).toHaveLength(3);
  expect(secrets("events/sim.activated.json")).toEqual(
    expect.arrayContaining([
      '"$comment": "sensitivity: secret"',
      '"$comment": "sensitivity: personal"',
    ]),
  );
});

const zero = { latitude: 0, longitude: 0, altitude: 0, accuracy: 0 };

test("an amount may be an integer of any size, or text", () => {
  const validate = validatorOf("ledger/Reward.json");
  expect(validate({ amount: 2 ** 60 })).toBe(true);
  expect(validate({ amount: "-12345678901234567890" })).toBe(true);
  expect(validate({ amount: 1.5 })).toBe(false);
  expect(validate({ amount: "1.5" })).toBe(false);
});

test.for<[string, object]>([
  ["console/NewLabel.json", { name: "x".repeat(51), color: "red" }],
  ["console/NewHttpIntegration.json", { name: "a", type: "http", endpoint: "a", method: "DELETE" }],
  ["mobile/NewSubscriber.json", { phone: 7 }],
  ["mobile/NewSubscription.json", {}],
  ["mapper/NetworkServerSubmission.json", { object: { ...zero } }],
])(
  "%s accepts what the contract accepts, and states the observed rules in a $comment",
  ([file, input]) => {
    expect(validatorOf(file)(input)).toBe(true);
    expect(JSON.stringify(read(file))).toContain('"$comment":"observed: {');
  },
);

type Validator = ReturnType<Ajv["compile"]>;

const compiled = new Map<string, Validator>();

function validatorOf(file: string): Validator {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  // An instance each, so that no schema needs another.
  const validator = new Ajv().compile(read(file));
  compiled.set(file, validator);
  return validator;
}

function read(file: string): Json {
  return readDocument(`schemas/${file}`);
}
