import type * as ZodMini from "zod/mini";
import { expect, test, vi } from "vitest";

const { compiled } = vi.hoisted(() => ({ compiled: [] as unknown[] }));
vi.mock("zod/mini", async (original) => {
  const z = await original<typeof ZodMini>();
  return {
    ...z,
    compile: (schema: never) => {
      compiled.push(schema);
      return z.compile(schema);
    },
  };
});

test("importing compiles no schema, and the first event of a type compiles that one only", async () => {
  const { parseEvent, eventSchema } = await import("../src/parse/index.js");
  await import("../src/index.js");
  expect(compiled).toEqual([]);
  const envelope = {
    id: "evt_1",
    created_at: "2026-11-20T08:30:00Z",
    livemode: true,
    idempotency_key: "i",
    data: { object: {} },
  };
  const parse = (type: string): unknown => parseEvent(JSON.stringify({ ...envelope, type }));
  for (let i = 0; i < 3; i += 1) parse("plan.created");
  const { data } = (eventSchema("plan.created") as unknown as WithShape)._zod.def.shape;
  expect(compiled).toEqual([expect.objectContaining({ type: "object" }), data]);
  // Types of one record share it.
  parse("plan.updated");
  expect(compiled).toHaveLength(2);
  for (const type of ["a.b", "c.d", "constructor"]) parse(type);
  expect(compiled).toHaveLength(3);
  // A value that the caller has parsed is read without.
  parseEvent({ ...envelope, type: "sim.synced" });
  expect(compiled).toHaveLength(3);
});

interface WithShape {
  readonly _zod: { readonly def: { readonly shape: { readonly data: unknown } } };
}
