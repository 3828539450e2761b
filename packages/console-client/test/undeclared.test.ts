import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { stringifyJson } from "../src/index.ts";
import { bare } from "../src/samples/integration-records.ts";
import { labels as samples } from "../src/samples/labels.ts";
import { created, integrationEvent } from "../src/samples/records.ts";
import { answering, ids } from "./answering.ts";

const label = samples.create.output as { id: string };

// Values that no schema declares, with names that the list knows.

const more = {
  session: { app_s_key: "CANARY1" },
  devices: [{ app_key: "CANARY2" }],
  integration: { url: "https://x.test/CANARY3", headers: { a: "CANARY4" } },
};
const req = {
  method: "post",
  url: "https://x.test/?token=CANARY5",
  headers: { authorization: "Bearer CANARY6" },
  qs: { key: "CANARY7" },
  url_params: { a: "CANARY8" },
  body: { downlink_url: "https://x.test/CANARY9" },
};
const event = { ...integrationEvent, data: { ...integrationEvent.data, req } };

type Call = (client: ReturnType<typeof answering>["client"]) => Promise<unknown>;
const device_id = ids.device;

const CALLS: readonly [string, unknown, Call][] = [
  ["devices.get", { ...created, ...more }, ({ devices }) => devices.get({ device_id })],
  [
    "devices.get with drift elsewhere",
    { ...created, ...more, oui: "x" },
    ({ devices }) => devices.get({ device_id }),
  ],
  ["devices.list", [{ ...created, ...more }], ({ devices }) => devices.list()],
  [
    "devices.each",
    [{ ...created, ...more }],
    async ({ devices }) => {
      const all: unknown[] = [];
      for await (const device of devices.each()) all.push(device);
      return all;
    },
  ],
  ["devices.events", [event], ({ devices }) => devices.events({ device_id })],
  ["labels.get", { ...label, ...more }, ({ labels }) => labels.get({ label_id: label.id })],
  ["labels.list", [{ ...label, ...more }], ({ labels }) => labels.list()],
  [
    "integrations.list",
    [{ ...bare, url: "https://x.test/CANARY1", headers: { a: "CANARY2" }, token: "CANARY3" }],
    ({ integrations }) => integrations.list(),
  ],
];

describe.each(["strict", "warn", "off"] as const)("with validation %s", (validation) => {
  test.each(CALLS)(
    "%s hides what the list names, and keeps it reachable",
    async (name, response, call) => {
      if (validation === "strict" && name.includes("drift")) return;
      const { client } = answering(response, {}, { validation, onDrift: () => {} });
      const result = await call(client);
      expect(JSON.stringify(result)).not.toContain("CANARY");
      expect(inspect(result, { depth: 12 })).not.toContain("CANARY");
      const planted = JSON.stringify(response).match(/CANARY\d/g);
      expect(
        stringifyJson(result, { reveal: true })
          .match(/CANARY\d/g)
          ?.sort(),
      ).toEqual(planted?.sort());
    },
  );
});
