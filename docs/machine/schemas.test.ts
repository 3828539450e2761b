import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import { eventTypes } from "@fieldmesh/webhook-types";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { publicFolder } from "./folders.ts";
import type { Json } from "./shapes.ts";

const folder = join(publicFolder, "schemas");

test("every schema stands alone and is one of draft 2020-12", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const schemas = files.filter((file) => file.endsWith(".json"));
  expect(schemas.length).toBeGreaterThan(eventTypes.length);
  // It throws for a schema that is none, or that refers to what is not in it.
  expect(schemas.map((file) => typeof validatorOf(file))).toEqual(schemas.map(() => "function"));
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

test("what is secret or personal says so", () => {
  const secrets = (file: string): unknown[] =>
    readFileSync(join(folder, file), "utf8").match(/"x-sensitivity": "\w+"/g) ?? [];
  expect(secrets("console/Device.json")).toHaveLength(3);
  expect(secrets("events/sim.activated.json")).toEqual(
    expect.arrayContaining(['"x-sensitivity": "secret"', '"x-sensitivity": "personal"']),
  );
});

test("an amount may be an integer of any size, or text", () => {
  const validate = validatorOf("ledger/Reward.json");
  expect(validate({ amount: 2 ** 60 })).toBe(true);
  expect(validate({ amount: "-12345678901234567890" })).toBe(true);
  expect(validate({ amount: 1.5 })).toBe(false);
  expect(validate({ amount: "1.5" })).toBe(false);
});

test("a name may be as long as the console takes it, counted in code points", () => {
  const validate = validatorOf("console/NewLabel.json");
  expect(validate({ name: "🦆".repeat(50) })).toBe(true);
  expect(validate({ name: "x".repeat(51) })).toBe(false);
});

type Validator = ReturnType<Ajv["compile"]>;

const compiled = new Map<string, Validator>();

function validatorOf(file: string): Validator {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  // Strict, so that a keyword that says nothing is found too; an instance each, so that no schema needs another.
  const ajv = new Ajv({ allowUnionTypes: true });
  addFormats(ajv);
  ajv.addKeyword("x-sensitivity");
  const validator = ajv.compile(JSON.parse(readFileSync(join(folder, file), "utf8")) as Json);
  compiled.set(file, validator);
  return validator;
}
