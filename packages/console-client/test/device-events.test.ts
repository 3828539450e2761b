import { inspect } from "node:util";
import { stringifyJson } from "@fieldmesh/core";
import { expect, test } from "vitest";
import {
  isConfirmedUplinkEvent,
  isIntegrationEvent,
  isObservedEvent,
  isUplinkEvent,
  type Drift,
} from "../src/index.ts";
import { integrationEvent as handed, uplinkEvent as uplink } from "../src/samples/records.ts";
import { answering, ids } from "./answering.ts";

const device_id = ids.device;

/** Reads events under `strict`, and returns them with what drifted. */
async function read(events: unknown[]) {
  const drift: string[] = [];
  const onDrift = ({ problems }: Drift) => drift.push(...problems.map(({ path }) => path));
  const options = { validation: "strict", onDrift } as const;
  const { client } = answering(events, {}, options);
  return { events: await client.devices.events({ device_id }), drift };
}

const unconfirmed = { ...uplink, sub_category: "uplink_unconfirmed" };
const response = {
  ...handed,
  sub_category: "uplink_integration_res",
  data: {
    integration: handed.data.integration,
    res: { body: "ok", code: 200, headers: { "x-token": "canary-1", date: "canary-2" } },
  },
};

test("an unconfirmed uplink is an uplink, and only a confirmed one is confirmed", async () => {
  const { events, drift } = await read([uplink, unconfirmed, handed, response]);
  expect(events.map(isUplinkEvent)).toEqual([true, true, false, false]);
  expect(events.map(isConfirmedUplinkEvent)).toEqual([true, false, false, false]);
  expect(events.map(isIntegrationEvent)).toEqual([false, false, true, false]);
  expect(events.map(isObservedEvent)).toEqual([false, false, false, true]);
  expect(events.filter(isUplinkEvent).map(({ data }) => data.fcnt)).toEqual([412, 412]);
  expect(drift).toEqual([]);
});

// From the field notes: each of them occurs in running deployments.
const OBSERVED = [
  ["join_request", "undefined"],
  ["join_accept", "undefined"],
  ["uplink_dropped", "uplink_dropped_device_inactive"],
  ["uplink_dropped", "uplink_dropped_not_enough_dc"],
  ["uplink_dropped", "uplink_dropped_late"],
  ["uplink_dropped", "uplink_dropped_invalid"],
  ["downlink", "downlink_confirmed"],
  ["downlink", "downlink_unconfirmed"],
  ["downlink_dropped", "downlink_dropped_payload_size_exceeded"],
  ["downlink_dropped", "downlink_dropped_misc"],
  ["downlink", "downlink_queued"],
  ["downlink", "downlink_ack"],
  ["misc", "misc_integration_error"],
  ["uplink", "uplink_integration_res"],
  ["uplink", "uplink_unconfirmed"],
] as const;

test.for(OBSERVED)("no data of %s %s rejects the event", async ([category, sub_category]) => {
  const datas = [{}, null, "text", 7, [], { hotspot: 5, res: 5, dc: "x", fcnt: "x" }, uplink.data];
  for (const data of datas) {
    const { events } = await read([{ ...uplink, category, sub_category, data }]);
    expect(events).toMatchObject([{ sub_category, data }]);
  }
});

test("a hotspot of a join may be empty, or have only an id and a name, without drift", async () => {
  const join = { ...uplink, category: "join_request", sub_category: "undefined" };
  const hotspots = [{}, { id: "h", name: "calm-teal-heron" }, { lat: "unknown", long: "unknown" }];
  const sent = hotspots.map((hotspot) => ({ ...join, data: { hotspot, raw_packet: "AA==" } }));
  const { events, drift } = await read(sent);
  expect(events).toEqual(sent);
  expect(drift).toEqual([]);
});

test("the fields that the contract shows drift if they are absent, and what was observed does not", async () => {
  const { hotspot: _hotspot, mac: _mac, ...data } = uplink.data;
  const { description: _description, ...others } = uplink;
  const { drift } = await read([{ ...others, data }]);
  expect(drift.toSorted()).toEqual(["[0].data.hotspot", "[0].data.mac", "[0].description"]);
  const recorded = { ...handed, data: { ...handed.data, req: { body: "too long" } } };
  const short = { ...uplink, data: { ...uplink.data, hotspot: { id: "h", name: "n" } } };
  const nulls = { ...uplink, frame_up: null, frame_down: null };
  expect((await read([recorded, short, nulls])).drift).toEqual([]);
});

test("an event of a new kind may have any data, or none", async () => {
  const { data: _data, ...rest } = { ...uplink, sub_category: "brand_new" };
  const all = [rest, { ...rest, data: null }, { ...rest, data: "x" }, { ...rest, data: {} }];
  const { events, drift } = await read(all);
  expect(events).toEqual(all);
  expect(drift).toEqual(["[0].data", "[1].data"]);
  const { data: _none, ...bare } = response;
  expect((await read([bare, { ...response, data: { res: {} } }])).drift).toEqual([]);
});

test("integrationEvents has integration events only, and rejects others under strict", async () => {
  const calling = (answer: unknown[], validation: "strict" | "warn") =>
    answering(answer, {}, { validation, onDrift: () => undefined }).client.devices;
  const events = await calling([handed], "strict").integrationEvents({ device_id });
  expect(events.map(({ data }) => data.integration.name)).toEqual(["Data lake"]);
  await expect(calling([uplink], "strict").integrationEvents({ device_id })).rejects.toMatchObject({
    name: "ResponseValidationError",
  });
  expect(await calling([uplink], "warn").integrationEvents({ device_id })).toHaveLength(1);
});

test("the headers of a response of an integration are hidden, as those of a request", async () => {
  const { events } = await read([response]);
  expect(inspect(events, { depth: 9, showHidden: true }) + stringifyJson(events)).not.toContain(
    "canary",
  );
  expect(stringifyJson(events, { reveal: true })).toContain("canary-1");
});
