import * as samples from "../src/samples.ts";
import { expect, test } from "vitest";
import { createConsoleClient, type NewDevice } from "../src/index.ts";
import { deviceOf } from "./model-console.ts";
import { reset } from "./odd-console.ts";

const QUICK = { settleTime: 1, concurrency: 2 } as const;
const sample = samples.devices.list.output[0]!;
const fleetOf = (count: number) => Array.from({ length: count }, (_, number) => deviceOf(number));

/** A console that allows duplicates. `breaks` tells whether a request to create breaks, before or after its work. */
function startConsole(breaks: (number: number) => "before" | "after" | undefined) {
  const devices: (NewDevice & { id: string })[] = [];
  const counts = { creates: 0, lists: 0, finds: 0 };
  const client = createConsoleClient({
    baseUrl: "https://console.test",
    apiKey: "a-key-that-nobody-checks",
    retry: false,
    fetch: async (url, { method, body }) => {
      const { pathname, searchParams } = new URL(url);
      const wire = devices.map((each) => ({ ...sample, ...each }));
      if (pathname.endsWith("/organization"))
        return Response.json(samples.organization.list.output);
      if (method === "GET" && searchParams.size === 0) {
        counts.lists++;
        return Response.json(wire);
      }
      if (method === "GET") {
        counts.finds++;
        const found = wire.find(({ dev_eui }) => dev_eui === searchParams.get("dev_eui"));
        if (found !== undefined) return Response.json(found);
        return Response.json({ errors: { error: "Device not found" } }, { status: 404 });
      }
      const fault = breaks(counts.creates++);
      if (fault === "before") throw reset();
      const sent = (JSON.parse(body as string) as { devices: NewDevice[] }).devices;
      const added = sent.map((each) => ({ ...each, id: crypto.randomUUID() }));
      devices.push(...added);
      if (fault === "after") throw reset();
      return Response.json({ success: added, failure: [] });
    },
  });
  return { client, devices, counts };
}

test.for(["before", "after"] as const)(
  "with lookUp, devices of a request that broke %s its work are looked up, and none is doubled",
  async (fault) => {
    const console = startConsole((number) => (number === 1 ? fault : undefined));
    const options = { ...QUICK, concurrency: 1, chunkSize: 10, lookUp: true };
    const report = await console.client.devices.createMany(fleetOf(30), options);
    expect(report).toMatchObject({ created: 30, unknown: 0, failed: 0 });
    expect(console.devices).toHaveLength(30);
    expect(console.counts.lists).toBe(0);
    // Ten devices and five that certainly exist, twice if none of the ten is there.
    expect(console.counts.finds).toBe(fault === "before" ? 30 : 15);
  },
);

test("without lookUp, no key becomes part of a URL", async () => {
  const console = startConsole((number) => (number === 0 ? "after" : undefined));
  await console.client.devices.createMany(fleetOf(5), QUICK);
  expect(console.counts).toMatchObject({ finds: 0, lists: 1 });
});

test("more than 100 devices in doubt are searched in the list", async () => {
  for (const count of [100, 101]) {
    const console = startConsole((number) => (number === 0 ? "after" : undefined));
    const options = { ...QUICK, chunkSize: 200, lookUp: true };
    const report = await console.client.devices.createMany(fleetOf(count), options);
    expect(report.created).toBe(count);
    expect(console.devices).toHaveLength(count);
    expect(console.counts.finds).toBe(count === 100 ? 100 : 0);
  }
});

test("lookUp must be true or false", () => {
  const { devices } = startConsole(() => undefined).client;
  expect(() => devices.createMany([], { lookUp: "yes" as never })).toThrow("lookUp must be true");
});
