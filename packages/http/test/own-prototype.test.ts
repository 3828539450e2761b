import { expect, test } from "vitest";
import { parseConsoleUplink } from "@fieldmesh/mapper-client/uplink";
import { parseEvent } from "@fieldmesh/webhook-types/parse";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { isRecord } from "@fieldmesh/core/internal";
import { createConsoleClient } from "@fieldmesh/console-client";
import { callWithSample, rows } from "../../../tools/testing/services.ts";

// JSON may have a field named __proto__. A copy of such a record with Object.assign changes the prototype of the copy.

/** Returns JSON with the field in each of its records. */
function poisoned(value: unknown): string {
  return JSON.stringify(value, (key, child: unknown) =>
    isRecord(child) && key !== "__proto__" ? { ["__proto__"]: { isAdmin: true }, ...child } : child,
  );
}

/** Returns every object in a value. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

function expectClean(value: unknown): void {
  const objects = objectsIn(value);
  expect(objects.filter((object) => Object.hasOwn(object, "__proto__"))).toEqual([]);
  expect(objects.filter((object) => "isAdmin" in Object.assign({}, object))).toEqual([]);
}

test.for(rows.filter(({ row }) => typeof row.sample.output === "object"))(
  "$call omits a field __proto__ of a response",
  async (each) => {
    for (const validation of ["strict", "off"] as const) {
      const output = await callWithSample(each, {
        baseUrl: "https://service.test",
        validation,
        fetch: async () =>
          new Response(poisoned(each.row.sample.output), { status: each.row.status }),
      });
      expect(objectsIn(output).length).toBeGreaterThan(0);
      expectClean(output);
    }
  },
);

test("a field __proto__ of an event is omitted, in every form of the event", () => {
  expect(poisoned({ a: 1 })).toBe('{"__proto__":{"isAdmin":true},"a":1}');
  const json = poisoned({ ...sampleEvent("plan.created"), more: [{ deep: { a: 1 } }] });
  for (const validation of ["strict", "warn", "off"] as const)
    for (const body of [json, new TextEncoder().encode(json), JSON.parse(json) as unknown])
      expectClean(parseEvent(body, { validation }));
});

test("a field __proto__ of an uplink is omitted", async () => {
  const uplink = {
    dev_eui: "0004A30B001C0530",
    fcnt: 1,
    hotspots: [],
    decoded: { payload: { a: {} } },
  };
  expectClean(await parseConsoleUplink(poisoned(uplink)));
});

test("a count beyond 2^53 is a bigint", async () => {
  const id = crypto.randomUUID();
  const answer = `[{"id":"${id}","name":"Board","dc_balance":9007199254740993}]`;
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "key",
    fetch: async () => new Response(answer),
  });
  expect(await client.organization.list()).toEqual([
    { id, name: "Board", dc_balance: 9007199254740993n },
  ]);
});
