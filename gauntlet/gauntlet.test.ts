import { expect, test } from "vitest";
import { resultTable } from "../tools/results.ts";
import { proxy, respondRaw } from "./parts/tcp-proxy.ts";
import { serveTwo } from "./parts/origin.ts";
import { allCases } from "./rows/index.ts";
import { showsKey, KEY } from "./run/canary.ts";
import { casesOf, fits } from "./run/cases.ts";
import { createChance } from "./parts/chance.ts";
import { familyCounts, FILES } from "./run/results.ts";
import { runCases } from "./run/run-cases.ts";

const QUICK = new Set([
  "no fault",
  "the connection is reset after the server has carried out the request",
  "the connection closes in the body",
  "302 to another origin",
  "twenty deliveries of one event at once",
  "two pages whose cursors lead to each other",
]);

test("a few rows of each kind end as required", async () => {
  const cases = allCases.filter(({ fault, needs }) => QUICK.has(fault) && needs === undefined);
  const results = await runCases(cases, createChance(1));
  expect(results).toHaveLength(cases.length);
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
});

test("a row that expects the wrong end, outcome, or number of requests fails", async () => {
  const world = proxy(({ client }) => client.resetAndDestroy());
  const row = (get: string) => ({ fault: get, world, get });
  const right = "ConnectionError ECONNRESET|UND_ERR_SOCKET unknown ×0";
  const expectations = [
    "ok ×1",
    right.replace("unknown", "not_sent"),
    right.replace("×0", "×1"),
    right.replace("ECONNRESET|UND_ERR_SOCKET", "ECONNREFUSED"),
    right,
  ];
  const cases = casesOf({ title: "wrong", rows: expectations.map(row) });
  const results = await runCases(cases, createChance(1));
  const passed = results.filter((result) => result.passed).map(({ of }) => of.expected);
  expect(passed).toEqual([right, right]);
});

test("a key that reaches another origin fails its row, whatever became of the call", async () => {
  const world = serveTwo((elsewhere) => async ({ headers }, response) => {
    await fetch(elsewhere, { headers: { key: String(headers["key"]) } });
    response.end("[]");
  });
  const rows = [{ fault: "carries the key away", world, get: "other ×1" }];
  const [result] = await runCases(casesOf({ title: "leak", rows }), createChance(1));
  expect(result).toMatchObject({ got: "other ×1 KEY-ELSEWHERE", passed: false });
});

test("a call that sends another request after it has ended fails its row", async () => {
  const rows = [
    { fault: "late", world: proxy(respondRaw("HTTP/1.1 204 Gone\r\n\r\n")), get: "nothing ×1" },
  ];
  const performTwice = async ({ url }: { url: string }) => {
    setImmediate(() => void fetch(url).catch(() => undefined));
    await fetch(url);
    return "nothing";
  };
  const [result] = await runCases(casesOf({ title: "late", rows }, performTwice), createChance(1));
  expect(result).toMatchObject({ got: "nothing ×2", passed: false });
});

test.each([
  ["ok ×1", "ok ×1", true],
  ["ok ×1", "ok ×1 LATE", false],
  ["ConnectionError HPE_*|NETWORK_ERROR unknown ×3", "ConnectionError HPE_CRLF unknown ×3", true],
  ["ConnectionError HPE_*|NETWORK_ERROR unknown ×3", "ConnectionError EPIPE unknown ×3", false],
  ["ok ×1 or ApiError 502 unknown ×3", "ApiError 502 unknown ×3", true],
  ["ok ×1 or ApiError 502 unknown ×3", "ApiError 502 unknown ×1", false],
  ["ok ×*", "ok ×12", true],
])("%s, got %s: %s", (expected, got, isRight) => {
  expect(fits(expected, got)).toBe(isRight);
});

test.each([
  ["as it is", KEY],
  ["in capitals", KEY.toUpperCase()],
  ["in base64", Buffer.from(KEY).toString("base64")],
  ["in hex", Buffer.from(KEY).toString("hex")],
  ["in part", KEY.slice(3, 11)],
])("the key is found %s, also in a cause, a header and a bag", (_, form) => {
  expect(showsKey(new Error("no", { cause: new Error(`with ${form}.`) }))).toBe(true);
  expect(showsKey({ headers: new Headers({ x: form }) })).toBe(true);
  expect(showsKey([new Map([["deep", { [form]: 1 }]])])).toBe(true);
  expect(showsKey(new Error("no"))).toBe(false);
});

test("the same seed makes the same choices, and another one others", () => {
  const choices = (seed: number) => {
    const chance = createChance(seed);
    return [
      chance.int(0, 1e6),
      ...chance.shuffle([1, 2, 3, 4, 5, 6, 7, 8]),
      chance.split(Buffer.alloc(99)).length,
    ];
  };
  expect(choices(7)).toEqual(choices(7));
  expect(choices(7)).not.toEqual(choices(8));
});

test("no two rows of a family have the same name", () => {
  const names = allCases.map(({ family, fault, door }) => `${family}: ${fault}, ${door}`);
  expect(new Set(names).size).toBe(names.length);
});

test("the page counts the rows as they are now: run npm run gauntlet -- --write", () => {
  const results = allCases.map((of) => ({ of, got: of.expected, passed: true }));
  expect(resultTable(FILES.rows, "family").rows).toEqual(familyCounts(results).rows);
});
