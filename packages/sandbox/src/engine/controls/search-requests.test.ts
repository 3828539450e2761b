import { expect, test } from "vitest";
import type { WritableLog } from "../log/request-log.ts";
import { call } from "../testing/all-state.ts";
import { type OpenControls, openControls } from "../testing/controls.ts";
import { searchRequests } from "./search-requests.ts";

const search = ({ sandbox }: OpenControls, words: string) =>
  searchRequests(sandbox.log as WritableLog, words, sandbox);

/** Four requests: a label, two searches for labels, and an uplink with a large integer. */
async function searchable(): Promise<OpenControls> {
  const all = openControls({
    faults: [{ kind: "status", status: 503, retryAfter: 7, on: "labels.list" }],
  });
  await call(all.sandbox, "console POST /api/v1/labels", { name: "Canal Lock" });
  await call(all.sandbox, "console GET /api/v1/labels?name=Canal&secret=canary");
  await call(all.sandbox, "console GET /api/v1/labels");
  await all.sandbox.mapper.fetch(`${all.sandbox.mapper.baseUrl}/api/v1/ingest/uplink`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    // No number of JavaScript.
    body: '{"hotspots":[{"id":"h","rssi":1152921504606846977}]}',
  });
  return all;
}

test.each<[words: string, numbers: number[]]>([
  ["canal", [1, 2]],
  ["CANAL", [1, 2]],
  ["canal lock", [1]],
  ["lock canal", [1]],
  [" lock\n\t canal  ", [1]],
  ["canallock", []],
  ["", [1, 2, 3, 4]],
  ["  ", [1, 2, 3, 4]],
  ["labels.list", [3]],
  ["503", [3]],
  ["retry-after", [3]],
  ["mapper.ingest", [4]],
  ["1152921504606846977", [4]],
  ["content-type tests", [1, 2]],
  // What is hidden: a query that no route declares, and a key.
  ["canary", []],
  ["sk_sandbox", []],
  // What the page adds: the options of a fault, and the program.
  ["retryafter", []],
  ["process.env", []],
])("a search for %j finds the requests that show every word", async (words, numbers) => {
  expect(await search(await searchable(), words)).toEqual(numbers);
});

/** A number of requests to no route. */
async function many(count: number): Promise<OpenControls> {
  const all = openControls({ console: { requestsPerMinute: Infinity } });
  for (let sent = 0; sent < count; sent++) await call(all.sandbox, "console GET /none");
  return all;
}

test.each([
  [99, ["search", "other"]],
  [100, ["other", "search"]],
])("with %d requests, the turn of other work is: %j", async (count, expected) => {
  const all = await many(count);
  const order: string[] = [];
  const other = new Promise<void>((resolve) => {
    setTimeout(() => {
      order.push("other");
      resolve();
    }, 0);
  });
  const found = await search(all, "none");
  order.push("search");
  await other;
  expect(found).toHaveLength(count);
  expect(order).toEqual(expected);
});

test("what is cleared during a search is not found", async () => {
  const all = await many(120);
  const found = search(all, "none");
  all.sandbox.log.clear();
  expect(await found).toEqual(Array.from({ length: 99 }, (_, at) => at + 1));
});
