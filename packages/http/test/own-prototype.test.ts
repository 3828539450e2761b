import { expect, test } from "vitest";
import { parseConsoleUplink } from "../../mapper-client/src/uplink.ts";
import { parseEvent } from "../../webhook-types/src/parse/index.ts";
import { sampleEvent } from "../../webhook-types/src/samples.ts";
import { expectClean, poisoned } from "../../../tools/testing/own-prototype.ts";

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
