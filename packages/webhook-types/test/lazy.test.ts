import { beforeAll, expect, test, vi } from "vitest";
import type * as CoreSchema from "@fieldmesh/core/schema";
import type { EventType } from "../src/index.ts";

/** The source of every function that was made from text, and the schemas that were compiled, in that order. */
const { made, compiled } = vi.hoisted(() => {
  const record = { made: [] as string[], compiled: [] as unknown[] };
  globalThis.Function = new Proxy(Function, {
    construct: (target, source: string[], newTarget) => {
      record.made.push(source.at(-1) ?? "");
      return Reflect.construct(target, source, newTarget) as object;
    },
  });
  return record;
});
vi.mock("@fieldmesh/core/schema", async (original) => {
  const core = await original<typeof CoreSchema>();
  return {
    ...core,
    compileAnswer: (schema: never) => {
      compiled.push(schema);
      return core.compileAnswer(schema);
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
let parse: (type: string) => unknown;
let dataOf: (type: EventType) => unknown;

beforeAll(async () => {
  await import("../src/index.ts");
  const { parseEvent, eventSchema } = await import("../src/parse/index.ts");
  parse = (type) => parseEvent(JSON.stringify({ ...envelope, type }));
  dataOf = (type) => (eventSchema(type) as unknown as WithShape)._zod.def.shape.data;
});

test("importing compiles no schema, and the first event of a type compiles that one only", () => {
  expect(compiled).toEqual([]);
  expect(made.filter((source) => source !== "")).toEqual([]);
  for (let i = 0; i < 3; i += 1) parse("port.created");
  expect(compiled).toEqual([dataOf("port.created")]);
  // The envelope, the record, and the data around it.
  expect(made.filter((source) => source !== "")).toEqual([
    expect.stringContaining('"idempotency_key"'),
    expect.stringContaining('"status_reason_code"'),
    expect.stringContaining('"previous_attributes"'),
  ]);
});

test("types of one record share what it is compiled to", () => {
  parse("port.submitted");
  expect(compiled).toEqual([dataOf("port.created")]);
});

test("unknown types share one", () => {
  for (const type of ["a.b", "c.d", "constructor"]) parse(type);
  expect(compiled).toHaveLength(2);
});

interface WithShape {
  readonly _zod: { readonly def: { readonly shape: { readonly data: unknown } } };
}
