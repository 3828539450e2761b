// Up to a hundred devices in doubt are looked up by their ids. More of them are searched in the list.
import * as samples from "../src/samples.ts";
import { expect, test } from "vitest";
import { createConsoleClient } from "../src/index.ts";
import { idOf } from "./model-console.ts";

const sample = samples.devices.list.output[0]!;
const LABEL = idOf(0xfff);
const QUICK = { settleTime: 1, chunkSize: 200 } as const;

/** A console that carries out each change and loses its first responses. */
function startConsole({
  count = 4,
  lost = Infinity,
  onGet = (): Response | undefined => undefined,
}) {
  const devices = new Map(
    Array.from({ length: count }, (_, index) => {
      const device = { ...sample, id: idOf(index + 1), active: true, labels: [] as object[] };
      return [device.id, device] as const;
    }),
  );
  const counts = { changes: 0, gets: 0, lists: 0 };
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "canary-key-77",
    retry: false,
    fetch: async (url, { method, body }) => {
      const { pathname } = new URL(url);
      if (pathname.endsWith("/organization"))
        return Response.json({ id: idOf(9), name: "Depot", dc_balance: 5 });
      const id = /devices\/([^/]+)/.exec(pathname)?.[1];
      if (method === "GET" && id === undefined) {
        counts.lists++;
        return Response.json([...devices.values()]);
      }
      const device = devices.get(id ?? "");
      if (method === "GET") {
        counts.gets++;
        const odd = onGet();
        if (odd !== undefined) return odd;
        return device === undefined
          ? new Response("Device not found", { status: 404 })
          : Response.json(device);
      }
      counts.changes++;
      if (device === undefined) return new Response("Device not found", { status: 404 });
      if (method === "DELETE") devices.delete(device.id);
      else if (pathname.endsWith("/labels")) device.labels = [{ id: LABEL, name: "Pumps" }];
      else device.active = (JSON.parse(body as string) as { active: boolean }).active;
      if (counts.changes > lost) return new Response("done");
      throw new TypeError("fetch failed", {
        cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
      });
    },
  });
  return { ...client.devices, devices, counts, ids: [...devices.keys()] };
}

test("addLabelMany looks up the devices of broken requests, and reads no list", async () => {
  const console = startConsole({});
  const changes = console.ids.map((device_id) => ({ device_id, label: LABEL }));
  expect(await console.addLabelMany(changes, QUICK)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts).toEqual({ changes: 4, gets: 4, lists: 0 });
});

test("addLabelMany looks up a device once for all of its labels", async () => {
  const console = startConsole({ count: 1 });
  const [device_id = ""] = console.ids;
  const changes = [LABEL, idOf(0xffe)].map((label) => ({ device_id, label }));
  const { done } = await console.addLabelMany(changes, { ...QUICK, concurrency: 1 });
  expect(done).toBeGreaterThan(0);
  expect(console.counts.lists).toBe(0);
});

test("deleteMany believes two look-ups that agree, or the 404 of its second request", async () => {
  const console = startConsole({});
  const all = console.ids.map((id) => ({ id }));
  expect(await console.deleteMany(all, QUICK)).toMatchObject({ done: 4, failed: 0, unknown: 0 });
  expect(console.devices.size).toBe(0);
  expect(console.counts).toEqual({ changes: 8, gets: 8, lists: 0 });
});

test("setActiveMany reads the list, because devices.get does not show whether a device is active", async () => {
  const console = startConsole({});
  const changes = console.ids.map((device_id) => ({ device_id, active: false }));
  expect(await console.setActiveMany(changes, QUICK)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts).toEqual({ changes: 4, gets: 0, lists: 1 });
});

test("more than a hundred devices in doubt are searched in the list", async () => {
  const console = startConsole({ count: 101 });
  const changes = console.ids.map((device_id) => ({ device_id, label: LABEL }));
  expect(await console.addLabelMany(changes, QUICK)).toMatchObject({ done: 101 });
  expect(console.counts).toEqual({ changes: 101, gets: 0, lists: 1 });
});

test("if a look-up fails, the list decides", async () => {
  const console = startConsole({ onGet: () => new Response("Bad Gateway", { status: 502 }) });
  const changes = console.ids.map((device_id) => ({ device_id, label: LABEL }));
  expect(await console.addLabelMany(changes, QUICK)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts.lists).toBe(1);
});

test("look-ups that do not show what was just carried out are not believed, and are repeated", async () => {
  let stale = 2;
  const console = startConsole({
    lost: 1,
    onGet: () => (stale-- > 0 ? Response.json({ ...sample, labels: [] }) : undefined),
  });
  const changes = console.ids.map((device_id) => ({ device_id, label: LABEL }));
  const options = { ...QUICK, concurrency: 1 };
  expect(await console.addLabelMany(changes, options)).toMatchObject({ done: 4, unknown: 0 });
  expect(console.counts).toEqual({ changes: 4, gets: 8, lists: 0 });
});
