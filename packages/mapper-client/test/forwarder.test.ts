import {
  createForwarder,
  createMapperClient,
  type ForwarderOptions,
  type ForwardReport,
  fromNetworkServer,
} from "@fieldmesh/mapper-client";
import { mapper } from "@fieldmesh/mapper-client/samples";
import { describe, expect, test } from "vitest";
import { createSandbox, type MapperOptions } from "../../sandbox/src/index.ts";

const uplink = (fields: object = {}, payload: object = {}) => ({
  dev_eui: "0004A30B001C0530",
  fcnt: 1,
  hotspots: [{ name: "calm-teal-heron", reported_at: 1_795_165_173_796 }],
  decoded: {
    payload: { latitude: 47.3769, longitude: 8.5417, altitude: 408, accuracy: 3.5, ...payload },
  },
  ...fields,
});

function open(options: MapperOptions = {}, forwarding: Partial<ForwarderOptions> = {}) {
  const sandbox = createSandbox({ mapper: options });
  const { baseUrl, fetch } = sandbox.mapper;
  const client = createMapperClient({ baseUrl, fetch, retry: false });
  const reports: ForwardReport[] = [];
  const forward = createForwarder({
    client,
    authorization: "none",
    clock: sandbox.clock,
    onReport: (report) => reports.push(report),
    ...forwarding,
  });
  const deliver = (message: unknown) =>
    forward(
      new Request("https://backend.test/", { method: "POST", body: JSON.stringify(message) }),
    );
  return { sandbox, client, forward, deliver, reports };
}

describe("the forwarder", () => {
  test("forwards mappable uplinks, corrects small mistakes, and reports which uplinks it skipped and why", async () => {
    const { deliver, reports, sandbox, forward } = open();
    expect(await (await deliver(uplink({}, { altitude: 408.4 }))).json()).toEqual({
      outcome: "forwarded",
      form: "uplink of the console",
      changes: ["altitude: rounded to whole meters"],
      problems: [],
    });
    const out = await deliver(uplink({}, { latitude: 0 }));
    expect([out.status, reports[1]]).toMatchObject([
      200,
      {
        outcome: "left_out",
        dev_eui: "0004A30B001C0530",
        problems: [{ path: "decoded.payload.latitude" }],
      },
    ]);
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
    expect(forward.totals()).toEqual({
      forwarded: 1,
      not_an_uplink: 0,
      left_out: 1,
      rejected: 0,
      unknown: 0,
      not_sent: 0,
    });
  });

  test("accepts the uplinks of a network server through their builder", async () => {
    const { deliver, reports, sandbox } = open({}, { build: fromNetworkServer });
    const { object, ...message } = mapper.ingest.input as { object: Record<string, number> };
    const { latitude, longitude, ...rest } = object;
    const response = await deliver({
      ...message,
      object: { ...rest, lat: latitude, lng: longitude },
    });
    expect([response.status, reports[0]]).toMatchObject([
      200,
      { outcome: "forwarded", dev_eui: "0004a30b001c0530" },
    ]);
    expect(sandbox.mapper.state.uplinks[0]!.position).toEqual(object);
    await deliver(uplink());
    expect(reports[1]).toMatchObject({ outcome: "left_out", problems: [{ path: "" }] });
  });

  test("keeps the rate limit of the map: 150 deliveries at once are forwarded within 3 min, 0 rejected", async () => {
    const { deliver, sandbox, reports } = open({}, { maxWaiting: 200 });
    const began = sandbox.clock.now();
    const all = Promise.all(Array.from({ length: 150 }, (_, fcnt) => deliver(uplink({ fcnt }))));
    await sandbox.clock.advance(3 * 60_000);
    await all;
    expect(reports.every(({ outcome }) => outcome === "forwarded")).toBe(true);
    expect(sandbox.log.requests("mapper.ingest").map(({ status }) => status)).toEqual(
      Array.from({ length: 150 }, () => 200),
    );
    expect(sandbox.mapper.state.uplinks.at(-1)!.at - began).toBe(2 * 60_000);
  });

  test("resubmits uplinks that were never sent, because the client retries them", async () => {
    const noConnection = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" }),
    });
    const { sandbox } = open();
    const { baseUrl, fetch } = sandbox.mapper;
    const through = async (failures: number) => {
      const client = createMapperClient({
        baseUrl,
        retry: { baseDelay: 1, maxDelay: 2 },
        fetch: async (...request) => {
          if (failures-- > 0) throw noConnection;
          return await fetch(...request);
        },
      });
      const { deliver, reports } = open({}, { client });
      const { status } = await deliver(uplink());
      return [status, reports[0]!.outcome];
    };
    expect(await through(2)).toEqual([200, "forwarded"]);
    expect(await through(9)).toEqual([503, "not_sent"]);
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
  });

  test("never resends a submission that the map may have accepted: the caller decides that", async () => {
    const { deliver, sandbox, reports, client } = open();
    sandbox.setFaults([{ on: "mapper.ingest", kind: "lost", times: 1 }]);
    expect((await deliver(uplink())).status).toBe(200);
    expect(reports[0]).toMatchObject({ outcome: "unknown" });
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
    await client.ingest(reports[0]!.uplink!);
    expect(sandbox.mapper.state.uplinks).toHaveLength(2);
  });

  test("asks the sender to retry if nothing was sent, and not if the map rejected the uplink", async () => {
    const { deliver, reports, sandbox } = open({ responses: "json" });
    sandbox.setFaults([
      {
        on: "mapper.ingest",
        kind: "status",
        status: 400,
        body: { error: ["accuracy is odd"] },
        times: 1,
      },
    ]);
    expect((await deliver(uplink())).status).toBe(200);
    expect(reports[0]).toMatchObject({
      outcome: "rejected",
      problems: [{ path: "", message: "accuracy is odd" }],
    });
    sandbox.setFaults([{ on: "mapper.ingest", kind: "status", status: 403, times: 1 }]);
    const response = await deliver(uplink());
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
  });
});
