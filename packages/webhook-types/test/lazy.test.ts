import { beforeAll, expect, test, vi } from "vitest";
import type * as CoreSchema from "@fieldmesh/core/internal/schema";
import type { EventType } from "../src/index.ts";

/** The source of each function that was made from a string, in order, and the compiled schemas. */
const { made, compiled } = vi.hoisted(() => {
  const record = { made: [] as string[], compiled: new Set<unknown>() };
  globalThis.Function = new Proxy(Function, {
    construct: (target, source: string[], newTarget) => {
      record.made.push(source.at(-1) ?? "");
      return Reflect.construct(target, source, newTarget) as object;
    },
  });
  return record;
});
vi.mock("@fieldmesh/core/internal/schema", async (original) => {
  const core = await original<typeof CoreSchema>();
  return {
    ...core,
    compiled: (schema: never) => {
      compiled.add(schema);
      return core.compiled(schema);
    },
  };
});

const envelope = {
  id: "evt_1",
  created_at: "2026-11-20T08:30:00Z",
  livemode: true,
  idempotency_key: "i",
  data: { object: {} },
};
const MANY = 300;
let parse: (type: string) => unknown;
let compiledOf: (type: string) => unknown;
let eventTypes: readonly EventType[];

beforeAll(async () => {
  const { countRecords, limited } = await import("@fieldmesh/core/internal/schema");
  await countRecords(MANY);
  // The schema that showed that the compiler works.
  made.length = 0;
  ({ eventTypes } = await import("../src/index.ts"));
  const { parseEvent } = await import("../src/parse/index.ts");
  parse = (type) => parseEvent(JSON.stringify({ ...envelope, type }), { onDrift: () => undefined });
  const { schemaOf } = await import("../src/parse/event-schema.ts");
  compiledOf = (type) => limited(schemaOf(type));
});

test("importing compiles no schema, and the first event of a type compiles only its schema, once", () => {
  expect([...compiled]).toEqual([]);
  expect(made.filter((source) => source !== "")).toEqual([]);
  parse("port.created");
  const { length } = made;
  for (let i = 0; i < 3; i += 1) parse("port.created");
  expect([...compiled]).toEqual([compiledOf("port.created")]);
  expect(made[length - 1]).toContain('"idempotency_key"');
  expect(made).toHaveLength(length);
});

test("unknown types share one compiled schema", () => {
  for (const type of ["a.b", "c.d", "constructor"]) parse(type);
  expect(compiled.size).toBe(2);
});

test("types with the same data share one compiled schema", () => {
  for (const type of ["port.submitted", "port_out.completed"]) parse(type);
  expect(compiled.size).toBe(2);
  for (const type of eventTypes) parse(type);
  // A type about which the spec says more than its form has a schema of its own.
  expect(compiled.size).toBeLessThan(eventTypes.length * 0.6);
});
