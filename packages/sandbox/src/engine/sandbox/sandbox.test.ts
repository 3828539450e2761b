import { createConsoleClient } from "@fieldmesh/console-client";
import * as tables from "@fieldmesh/console-client/endpoints";
import * as z from "@fieldmesh/core/internal/zod";
import { responseSchema } from "@fieldmesh/http/internal";
import { describe, expect, test } from "vitest";
import type { ConsoleOptions } from "../console/console.ts";
import { openConsole } from "../testing/console.ts";
import { createSandbox } from "./sandbox.ts";

describe("the data at the start", () => {
  test("is a small fleet: labels, devices that send, devices that went silent, and spares", async () => {
    const { client, sandbox } = openConsole({});
    const devices = await client.devices.list();
    expect(await client.labels.list()).toHaveLength(4);
    expect(devices).toHaveLength(38);
    const heard = devices.filter(({ last_connected }) => last_connected !== "1970-01-01T00:00:00");
    const lately = heard.filter(({ last_connected }) => last_connected?.startsWith("2026-11-20"));
    expect([lately.length, heard.length - lately.length, devices.length - heard.length]).toEqual([
      30, 4, 4,
    ]);
    expect(new Set(devices.map(({ dev_eui }) => dev_eui)).size).toBe(38);
    await sandbox.clock.advance(600_000);
    const sent = (await client.devices.list()).filter(
      ({ dc_usage }, i) => dc_usage > (devices[i]?.dc_usage ?? 0),
    );
    expect(sent.map(({ id }) => id)).toEqual(
      lately.filter(({ active }) => active).map(({ id }) => id),
    );
  });

  test("is the same for the same seed, and differs for another seed", async () => {
    const read = async (seed: number | string) => {
      const { client, sandbox } = openConsole({ seed });
      const devices = await client.devices.list();
      return [sandbox.apiKey, devices, devices.map((device) => device.app_key.reveal())];
    };
    expect(await read(1)).toEqual(await read(1));
    const [one, two] = [await read(1), await read("two")];
    for (const [i, value] of one.entries()) expect(value).not.toEqual(two[i]);
  });

  test("may be only the organization", async () => {
    const { client } = openConsole({ console: { data: "empty" } });
    expect([
      await client.labels.list(),
      await client.devices.list(),
      await client.integrations.list(),
    ]).toEqual([[], [], []]);
    expect(await client.organization.list()).toMatchObject([
      { name: "Northern Water Board", dc_balance: 250_000 },
    ]);
  });
});

test("the organization is a list in the spec, and a record in other deployments", async () => {
  const organization = async (console: ConsoleOptions) => {
    const { client, send } = openConsole({ console });
    expect(await client.organization.list()).toHaveLength(1);
    return (await send("GET /api/v1/organization")).json();
  };
  const record = { dc_balance: 250_000, id: expect.any(String), name: "Northern Water Board" };
  expect(await organization({})).toEqual([record]);
  expect(await organization({ organization: "record" })).toEqual(record);
});

test("every response of both deployments is allowed by the spec or the notes on running deployments", async () => {
  for (const deployment of ["spec", "hosted"] as const) {
    const { client, sandbox, send } = openConsole({ console: { deployment } });
    const [device] = await client.devices.list();
    const { id: integration_id } = await client.integrations.createPrebuilt({
      name: "A",
      type: "partner1",
      token: "t",
    });
    await client.flows.create({ integration_id, device_id: device?.id ?? "" });
    await sandbox.clock.advance(3_600_000);
    const wire = async (path: string) => (await send(`GET /api/v1/${path}`)).json();
    const answers = [
      [tables.organization.list, await wire("organization")],
      [tables.labels.list, await wire("labels")],
      [tables.devices.list, await wire("devices")],
      [tables.devices.get, await wire(`devices/${device?.id}`)],
      [tables.devices.events, await wire(`devices/${device?.id}/events`)],
      [tables.integrations.list, await wire("integrations/")],
      [tables.flows.list, await wire(`flows?integration_id=${integration_id}`)],
    ] as const;
    for (const [row, response] of answers) {
      expect([row.route, z.safeParse(responseSchema(row), response).error]).toEqual([
        row.route,
        undefined,
      ]);
      expect(response).not.toEqual([]);
    }
  }
});

test.for([
  ["none", null],
  ["text/plain", "text/plain"],
] as const)(
  "a string response of a deployment with textType %s has that content-type",
  async ([textType, type]) => {
    const { client, send } = openConsole({ console: { textType } });
    const [label] = await client.labels.list();
    const deleted = await send(`DELETE /api/v1/labels/${label!.id}`);
    expect([deleted.status, deleted.headers.get("content-type")]).toEqual([200, type]);
    expect(await deleted.text()).toMatch(/deleted/);
    const list = await send("GET /api/v1/labels");
    expect(list.headers.get("content-type")).toContain("application/json");
    const rejected = await send("GET /api/v1/labels", undefined, { key: "wrong" });
    expect([rejected.status, rejected.headers.get("content-type")]).toEqual([401, type]);
  },
);

test("a request beyond the limit of the deployment for a minute is a 429 with a string", async () => {
  const { send, sandbox } = openConsole({
    console: { data: "empty", requestsPerMinute: 2 },
  });
  await send("GET /api/v1/labels");
  await send("GET /api/v1/labels", undefined, { key: "wrong" });
  const response = await send("GET /api/v1/labels");
  expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
    429,
    null,
    "Too many requests",
  ]);
  await sandbox.clock.advance(60_000);
  expect((await send("GET /api/v1/labels")).status).toBe(200);
});

test("the error of an implementation is in the log, and the client receives a 500 without details", async () => {
  const { client, sandbox } = openConsole();
  Object.assign(sandbox.console.state, { labels: undefined });
  await expect(client.labels.list()).rejects.toMatchObject({ status: 500 });
  expect(sandbox.log.requests()).toMatchObject([
    { status: 500, done: false, error: expect.any(TypeError) },
  ]);
});

test("latency is added to every request", async () => {
  const { client } = openConsole({ latency: 60, console: { data: "empty" } });
  const before = performance.now();
  await client.labels.list();
  // Timers may be a millisecond early.
  expect(performance.now() - before).toBeGreaterThan(58);
});

test("a reset restores data, ids, faults and rate limit, and keeps the key and the time", async () => {
  const { client, sandbox, send } = openConsole({
    faults: [{ kind: "status", status: 503 }],
    console: { data: "empty", requestsPerMinute: 3 },
  });
  const run = async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++)
      statuses.push((await send("POST /api/v1/labels", { name: `Label ${i}` })).status);
    return [statuses, [...sandbox.console.state.labels.keys()]];
  };
  const first = await run();
  expect(first[0]).toEqual([503, 201, 201, 201, 429]);
  await sandbox.clock.advance(1_000);
  const now = sandbox.clock.now();
  sandbox.reset();
  expect(sandbox.log.count).toBe(0);
  expect(await run()).toEqual(first);
  expect(sandbox.clock.now()).toBe(now);
  await expect(client.labels.list()).rejects.toMatchObject({ status: 429 });
});

test("faults can be replaced and removed while the sandbox runs", async () => {
  const { client, sandbox } = openConsole();
  sandbox.setFaults({ rate: 1, kinds: [503] });
  await expect(client.labels.list()).rejects.toMatchObject({ status: 503 });
  sandbox.setFaults(undefined);
  expect(await client.labels.list()).toEqual([]);
  expect(() => sandbox.setFaults({ rate: 2 })).toThrow("from 0 to 1");
  expect(() => createSandbox({ faults: { rate: 2 } })).toThrow("from 0 to 1");
});

test("an unknown option is rejected, because a test with it would pass", () => {
  expect(() => createSandbox({ sed: 1 } as never)).toThrow('no option "sed". Did you mean "seed"?');
});

describe("the fetch in the same process", () => {
  test("is sufficient for a client, with the address and key of the service", async () => {
    const { console: service, log } = createSandbox();
    const client = createConsoleClient({ ...service });
    expect(await client.labels.list()).toHaveLength(4);
    expect(log.requests()).toMatchObject([{ row: "labels.list", path: "/console/api/v1/labels" }]);
    expect(new URL(service.baseUrl).hostname).toBe("sandbox.invalid");
  });

  test("accepts a URL, a Request, and any host", async () => {
    const { console: service, apiKey } = createSandbox();
    const url = new URL("https://elsewhere.example.com/console/api/v1/labels");
    expect((await service.fetch(url, { headers: { key: apiKey } })).status).toBe(200);
    expect((await service.fetch(new Request(url, { headers: { key: apiKey } }))).status).toBe(200);
    expect((await service.fetch("https://elsewhere.example.com/api/v1/labels")).status).toBe(404);
  });

  test("rejects immediately when the signal aborts, before and during the request", async () => {
    const { console: service, log } = createSandbox({
      faults: [{ kind: "delay", ms: 1, virtual: true }],
    });
    const url = `${service.baseUrl}/api/v1/labels`;
    await expect(service.fetch(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(log.count).toBe(0);
    await expect(service.fetch(url, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    expect(log.count).toBe(1);
  });
});
