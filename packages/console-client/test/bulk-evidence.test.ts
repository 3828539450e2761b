// A device may be missing from a list although it was not deleted: the list lags, is cut off, or is empty because of a fault.
import * as samples from "../src/samples.ts";
import { expect, test } from "vitest";
import { createConsoleClient } from "../src/index.ts";
import { idOf } from "./model-console.ts";
import { reset } from "./odd-console.ts";

const sample = samples.devices.list.output[0]!;
const LABEL = idOf(0xfff);
const OTHER = idOf(0xffe);
type Wire = typeof sample;

/** What a console does with a change, a list or a look-up. Without a script, it does its work and responds. */
interface Script {
  /** @default 4 */
  readonly count?: number;
  /** What happens to each change, in order. */
  readonly changes?: readonly ("reset" | "lost" | "503" | "409")[];
  readonly lists?: readonly (((all: Wire[]) => Wire[]) | "exact")[];
  /** Replaces a look-up by its id. `503` by default, so that the list decides. */
  readonly lookUp?: () => Response | undefined;
}

/** A console with devices in one label. */
function startConsole({ count = 4, lookUp = unavailable, ...script }: Script) {
  const devices = new Map(
    Array.from({ length: count }, (_, index) => {
      const labels = [{ id: LABEL, name: "Pumps" }];
      const device: Wire = { ...sample, id: idOf(index + 1), labels };
      return [device.id, device];
    }),
  );
  const changes = [...(script.changes ?? [])];
  const lists = [...(script.lists ?? [])];
  const counts = { changes: 0, gets: 0, lists: 0 };
  async function fetch(
    url: string,
    { method, body }: { method: string; body?: unknown },
  ): Promise<Response> {
    const { pathname } = new URL(url);
    if (pathname.endsWith("/organization"))
      return Response.json({ id: idOf(9), name: "Depot", dc_balance: 5 });
    const [, id = ""] = /devices\/([^/]+)/.exec(pathname) ?? [];
    if (method === "GET" && id === "") {
      counts.lists++;
      const list = lists.shift() ?? "exact";
      const all = [...devices.values()];
      return Response.json(list === "exact" ? all : list(all));
    }
    const device = devices.get(id);
    const missing = new Response("Device not found", { status: 404 });
    if (method === "GET") {
      counts.gets++;
      return lookUp() ?? (device === undefined ? missing : Response.json(device));
    }
    counts.changes++;
    const fate = changes.shift();
    if (fate === "reset") throw reset();
    if (fate === "503") return unavailable();
    if (fate === "409") return new Response("The device is busy", { status: 409 });
    if (device === undefined) return missing;
    if (pathname.includes("/labels/")) devices.set(id, { ...device, labels: [] });
    else if (pathname.endsWith("/labels"))
      devices.set(id, { ...device, labels: [{ id: OTHER, name: "Valves" }] });
    else if (method === "DELETE") devices.delete(id);
    else devices.set(id, { ...device, ...(JSON.parse(String(body)) as { active: boolean }) });
    if (fate === "lost") throw reset();
    return new Response("done");
  }
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "canary-key-77",
    fetch,
    retry: false,
  });
  return { ...client.devices, devices, counts, ids: [...devices.keys()] };
}

function unavailable(): Response {
  return new Response("Service Unavailable", { status: 503 });
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
const always = <const T>(each: T): T[] => Array.from({ length: 240 }, () => each);

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
    expect(console.counts).toMatchObject({ changes: 2, lists: 1 });
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
  expect(console.counts).toMatchObject({ changes: 8, lists: 2 });
});

test("deleteMany trusts two lists that agree if no response arrives", async () => {
  const console = startConsole({ changes: ["lost", "503"], lists: [] });
  expect(await console.deleteMany([first], QUICK)).toMatchObject({ done: 1, unknown: 0 });
  expect(console.counts).toMatchObject({ changes: 2, lists: 2 });
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
  expect(exact.counts).toMatchObject({ changes: 1, lists: 1 });
  const faulty = startConsole({ changes: ["reset"], lists: [empty] });
  expect(await faulty.deleteMany([first], { settleTime: 0 })).toMatchObject({ done: 1 });
  expect(faulty.devices.has(first.id)).toBe(false);
});

test("removeLabelMany does not trust a single list without the label: it sends the request again", async () => {
  const console = startConsole({ changes: ["reset"], lists: [without("labels")] });
  const input = [{ device_id: idOf(1), label_id: LABEL }];
  expect(await console.removeLabelMany(input, QUICK)).toMatchObject({ done: 1, unknown: 0 });
  expect(console.devices.get(idOf(1))?.labels).toEqual([]);
  expect(console.counts).toMatchObject({ changes: 2, lists: 1 });
});

// Up to a hundred devices in doubt are looked up by their ids. More of them are searched in the list.

const AT_ONCE = { settleTime: 1, chunkSize: 200 } as const;
/** Each response to a change is lost, and look-ups work. */
const LOST: Script = { changes: always("lost"), lookUp: () => undefined };

test("addLabelMany looks up the devices of broken requests, and reads no list", async () => {
  const console = startConsole(LOST);
  const changes = console.ids.map((device_id) => ({ device_id, label: OTHER }));
  expect(await console.addLabelMany(changes, AT_ONCE)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts).toEqual({ changes: 4, gets: 4, lists: 0 });
});

test("addLabelMany looks up a device once for all of its labels", async () => {
  const console = startConsole({ ...LOST, count: 1 });
  const [device_id = ""] = console.ids;
  const changes = [OTHER, idOf(0xffd)].map((label) => ({ device_id, label }));
  const { done } = await console.addLabelMany(changes, { ...AT_ONCE, concurrency: 1 });
  expect(done).toBeGreaterThan(0);
  expect(console.counts.lists).toBe(0);
});

test("deleteMany believes two look-ups that agree, or the 404 of its second request", async () => {
  const console = startConsole(LOST);
  const all = console.ids.map((id) => ({ id }));
  expect(await console.deleteMany(all, AT_ONCE)).toMatchObject({ done: 4, failed: 0, unknown: 0 });
  expect(console.devices.size).toBe(0);
  expect(console.counts).toEqual({ changes: 8, gets: 8, lists: 0 });
});

test("setActiveMany reads the list, because devices.get does not show whether a device is active", async () => {
  const console = startConsole(LOST);
  const changes = console.ids.map((device_id) => ({ device_id, active: false }));
  expect(await console.setActiveMany(changes, AT_ONCE)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts).toEqual({ changes: 4, gets: 0, lists: 1 });
});

test("more than a hundred devices in doubt are searched in the list", async () => {
  const console = startConsole({ ...LOST, count: 101 });
  const changes = console.ids.map((device_id) => ({ device_id, label: OTHER }));
  expect(await console.addLabelMany(changes, AT_ONCE)).toMatchObject({ done: 101 });
  expect(console.counts).toEqual({ changes: 101, gets: 0, lists: 1 });
});

test("if a look-up fails, the list decides", async () => {
  const console = startConsole({ ...LOST, lookUp: unavailable });
  const changes = console.ids.map((device_id) => ({ device_id, label: OTHER }));
  expect(await console.addLabelMany(changes, AT_ONCE)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts.lists).toBe(1);
});

test("look-ups that do not show what was just carried out are not believed, and are repeated", async () => {
  let stale = 2;
  const console = startConsole({
    changes: ["lost"],
    lookUp: () => (stale-- > 0 ? Response.json({ ...sample, labels: [] }) : undefined),
  });
  const changes = console.ids.map((device_id) => ({ device_id, label: OTHER }));
  const options = { ...AT_ONCE, concurrency: 1 };
  expect(await console.addLabelMany(changes, options)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts).toEqual({ changes: 4, gets: 8, lists: 0 });
});
