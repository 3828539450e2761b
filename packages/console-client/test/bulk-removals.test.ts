// A device may be missing from a list although it was not deleted: the list lags, is cut off, or is empty because of a fault.
import * as samples from "../src/samples.ts";
import { expect, test } from "vitest";
import { createConsoleClient } from "../src/index.ts";
import { idOf } from "./model-console.ts";

const sample = samples.devices.list.output[0]!;
const LABEL = idOf(0xfff);
type Wire = typeof sample;

/** A console with four devices in one label. A script may replace its responses to changes and lists. */
function startConsole(script: {
  readonly changes: readonly ("reset" | "lost" | "503" | "409")[];
  readonly lists: readonly (((all: Wire[]) => Wire[]) | "exact")[];
}) {
  const devices = new Map(
    [1, 2, 3, 4].map((number) => {
      const device = { ...sample, id: idOf(number), labels: [{ id: LABEL, name: "Pumps" }] };
      return [device.id, device as Wire] as const;
    }),
  );
  const changes = [...script.changes];
  const lists = [...script.lists];
  let sent = 0;
  let read = 0;
  const reset = (): TypeError =>
    new TypeError("fetch failed", {
      cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
    });
  async function fetch(url: string, { method }: { method: string }): Promise<Response> {
    const { pathname } = new URL(url);
    if (pathname.endsWith("/organization"))
      return Response.json({ id: idOf(9), name: "Depot", dc_balance: 5 });
    // Without look-ups, the list decides.
    if (method === "GET" && !pathname.endsWith("/devices"))
      return new Response("Service Unavailable", { status: 503 });
    if (method === "GET") {
      read++;
      const list = lists.shift() ?? "exact";
      const all = [...devices.values()];
      return Response.json(list === "exact" ? all : list(all));
    }
    sent++;
    const fate = changes.shift();
    if (fate === "reset") throw reset();
    if (fate === "503") return new Response("Service Unavailable", { status: 503 });
    if (fate === "409") return new Response("The device is busy", { status: 409 });
    const id = /devices\/([^/]+)/.exec(pathname)?.[1] ?? "";
    const device = devices.get(id);
    if (device === undefined) return new Response("Device not found", { status: 404 });
    if (pathname.includes("/labels/")) devices.set(id, { ...device, labels: [] });
    else devices.delete(id);
    if (fate === "lost") throw reset();
    return new Response("done");
  }
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "canary-key-77",
    fetch,
    retry: false,
  });
  return {
    ...client.devices,
    devices,
    get seen() {
      return { sent, read };
    },
  };
}

const first = { id: idOf(1) };
const QUICK = { settleTime: 1 } as const;
const empty = (): Wire[] => [];
const lacks = (all: Wire[]): Wire[] => all.filter(({ id }) => id !== idOf(1));
const cutOff = (all: Wire[]): Wire[] => all.slice(2);
const without =
  (key: "labels") =>
  (all: Wire[]): Wire[] =>
    all.map((device) => ({ ...device, [key]: [] }));
const always = <const T>(each: T): T[] => Array.from({ length: 40 }, () => each);

test.for([
  ["is empty", empty],
  ["lacks only that device", lacks],
  ["is cut off", cutOff],
] as const)(
  "deleteMany does not trust a single list that %s: it sends the request again",
  async ([, list]) => {
    const console = startConsole({ changes: ["reset"], lists: [list] });
    expect(await console.deleteMany([first], QUICK)).toMatchObject({ done: 1, unknown: 0 });
    expect(console.devices.has(first.id)).toBe(false);
    expect(console.seen).toEqual({ sent: 2, read: 1 });
  },
);

test("deleteMany never relies on empty lists alone, however many of them agree", async () => {
  const console = startConsole({ changes: always("503"), lists: always(empty) });
  const { done, results } = await console.deleteMany([first], QUICK);
  expect([done, results.unknown.length]).toEqual([0, 1]);
  expect(console.devices.has(first.id)).toBe(true);
});

test("deleteMany does not trust lists that lack devices of an earlier list of the run", async () => {
  const lists = ["exact" as const, ...always(cutOff)];
  const console = startConsole({ changes: always("503"), lists });
  const { done, results } = await console.deleteMany([first], QUICK);
  expect([done, results.unknown.length]).toEqual([0, 1]);
});

test("deleteMany: a device is done if its response was lost and the retry receives a 404", async () => {
  const console = startConsole({ changes: always("lost").slice(0, 4), lists: [] });
  const all = [1, 2, 3, 4].map((number) => ({ id: idOf(number) }));
  expect(await console.deleteMany(all, QUICK)).toMatchObject({ done: 4, failed: 0, unknown: 0 });
  expect(console.devices.size).toBe(0);
  expect(console.seen).toEqual({ sent: 8, read: 2 });
});

test("deleteMany trusts two lists that agree if no response arrives", async () => {
  const console = startConsole({ changes: ["lost", "503"], lists: [] });
  expect(await console.deleteMany([first], QUICK)).toMatchObject({ done: 1, unknown: 0 });
  expect(console.seen).toEqual({ sent: 2, read: 2 });
});

test("deleteMany does not treat another 4xx as a 404: the list decides", async () => {
  const console = startConsole({ changes: ["reset", "409"], lists: [lacks] });
  const { results } = await console.deleteMany([first], QUICK);
  expect(results.unknown).toMatchObject([{ index: 0, error: expect.stringContaining("409") }]);
  expect(console.devices.has(first.id)).toBe(true);
});

test("deleteMany with `settleTime: 0` trusts a single list, unless it is empty", async () => {
  const exact = startConsole({ changes: ["lost"], lists: [] });
  expect(await exact.deleteMany([first], { settleTime: 0 })).toMatchObject({ done: 1 });
  expect(exact.seen).toEqual({ sent: 1, read: 1 });
  const faulty = startConsole({ changes: ["reset"], lists: [empty] });
  expect(await faulty.deleteMany([first], { settleTime: 0 })).toMatchObject({ done: 1 });
  expect(faulty.devices.has(first.id)).toBe(false);
});

test("removeLabelMany does not trust a single list without the label: it sends the request again", async () => {
  const console = startConsole({ changes: ["reset"], lists: [without("labels")] });
  const input = [{ device_id: idOf(1), label_id: LABEL }];
  expect(await console.removeLabelMany(input, QUICK)).toMatchObject({ done: 1, unknown: 0 });
  expect(console.devices.get(idOf(1))?.labels).toEqual([]);
  expect(console.seen).toEqual({ sent: 2, read: 1 });
});
