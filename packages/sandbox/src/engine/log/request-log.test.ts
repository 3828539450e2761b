import { inspect } from "node:util";
import { expect, test } from "vitest";
import { textResponse } from "../serve/responses.ts";
import { newDevice, NOBODY, openConsole } from "../testing/console.ts";
import { keepResponses } from "./kept-calls.ts";

test("the log contains every request, with what was sent and its outcome", async () => {
  const { sandbox, client, send } = openConsole();
  await client.labels.create({ name: "Pumps" });
  await client.labels.find({ name: "Pumps" });
  await client.labels.get({ label_id: NOBODY }).catch(() => {});
  await send("PATCH /api/v1/labels", { name: "x" });

  const [create, find, missing, nowhere] = sandbox.log.requests();
  expect(create).toMatchObject({
    time: sandbox.clock.now(),
    service: "console",
    row: "labels.create",
    method: "POST",
    path: "/console/api/v1/labels",
    body: '{"name":"Pumps"}',
    headers: { key: sandbox.apiKey, "content-type": "application/json" },
    status: 201,
    done: true,
    fault: undefined,
    error: undefined,
  });
  expect(find).toMatchObject({
    row: "labels.find",
    url: "/console/api/v1/labels?name=Pumps",
    body: "",
  });
  expect(missing).toMatchObject({ row: "labels.get", status: 404, done: false });
  expect(nowhere).toMatchObject({ row: undefined, method: "PATCH", status: 404, done: false });
});

test("the log contains requests that were rejected because of their key", async () => {
  const { sandbox, send } = openConsole();
  await send("GET /api/v1/labels", undefined, { key: "wrong" });
  expect(sandbox.log.requests("labels.list")).toMatchObject([
    { status: 401, done: false, headers: { key: "wrong" } },
  ]);
});

test("a printed entry shows no key, body or query", async () => {
  const { sandbox, client } = openConsole();
  const { app_key, dev_eui, app_eui } = newDevice();
  await client.devices.create(newDevice());
  await client.devices.find({ dev_eui, app_eui, app_key });
  const entries = sandbox.log.requests();
  expect(entries[0]?.body).toContain(app_key);
  expect(entries[1]?.url).toContain(app_key);

  const everything = {
    depth: Number.POSITIVE_INFINITY,
    showHidden: true,
    getters: true,
    customInspect: false,
  };
  const printed = [
    JSON.stringify(entries),
    inspect(entries, { depth: 9 }),
    JSON.stringify(Object.entries(entries[0] ?? {})),
    inspect(structuredClone({ ...entries[0] }), everything),
  ].join("\n");
  expect(printed).toContain("devices.create");
  expect(printed).not.toContain(app_key);
  expect(printed).not.toContain(sandbox.apiKey);
});

test.each([
  [0, []],
  [1, ["9"]],
  [3, ["7", "8", "9"]],
  [9, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]],
  [Infinity, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]],
])("a log of size %d keeps the last requests, and counts all of them", async (logSize, kept) => {
  const { sandbox, client } = openConsole({ logSize });
  for (let i = 0; i < 10; i++) await client.labels.find({ name: `${i}` }).catch(() => {});
  expect(sandbox.log.requests().map(({ url }) => url.at(-1))).toEqual(kept);
  expect(sandbox.log.count).toBe(10);
  sandbox.log.clear();
  expect([sandbox.log.requests(), sandbox.log.count]).toEqual([[], 0]);
});

test("a printed log shows the last requests, and that there were more", async () => {
  const { sandbox, client } = openConsole({ faults: [{ kind: "lost", on: "labels.create" }] });
  await client.labels.create({ name: "Pumps" }).catch(() => {});
  const printed = {
    number: 1,
    time: sandbox.clock.now(),
    service: "console",
    row: "labels.create",
    method: "POST",
    path: "/console/api/v1/labels",
    status: undefined,
    fault: "lost",
    done: true,
    headers: "[redacted]",
    body: "[redacted]",
  };
  const [entry] = sandbox.log.requests();
  expect(JSON.parse(JSON.stringify(entry))).toEqual(JSON.parse(JSON.stringify(printed)));
  expect(inspect(entry)).toBe(inspect(printed));
});

/** The longest body that is kept. */
const LONGEST = 65_536;
const longest = "x".repeat(LONGEST);

test("of a body that is too long, only the length is kept", () => {
  const keep = keepResponses();
  expect(keep(textResponse(longest))).toEqual({ headers: {}, body: longest, length: LONGEST });
  expect(keep(textResponse(`${longest}x`))).toEqual({
    headers: {},
    body: undefined,
    length: LONGEST + 1,
  });
});

test("beyond 16 million characters, the older half of the bodies is forgotten, and lengths stay", () => {
  const keep = keepResponses();
  // One that is not kept takes no room.
  keep(textResponse(`${longest}x`));
  const kept = Array.from({ length: 256 }, () => keep(textResponse(longest)));
  const forgotten = () => kept.filter(({ body }) => body === undefined).length;
  expect(forgotten()).toBe(0);
  kept.push(keep(textResponse("x")));
  expect(forgotten()).toBe(129);
  expect(kept.findLastIndex(({ body }) => body === undefined)).toBe(128);
  expect(kept[0]).toEqual({ headers: {}, body: undefined, length: LONGEST });
  // What was forgotten has left room for as much.
  for (let sent = 0; sent < 128; sent++) kept.push(keep(textResponse(longest)));
  expect(forgotten()).toBe(129);
  kept.push(keep(textResponse(longest)));
  expect(forgotten()).toBeGreaterThan(129);
});
