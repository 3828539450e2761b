import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createForwarder, createMapperClient } from "@fieldmesh/mapper-client";
import * as samples from "@fieldmesh/mapper-client/samples";
import { catchUp, createMobileClient } from "@fieldmesh/mobile-client";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import { createEventRouter } from "@fieldmesh/webhook-types/router";
import { bodyFor } from "../parts/label.ts";
import { type Respond, respondWell, sendJson, serve, startOrigin } from "../parts/origin.ts";
import type { Family } from "../parts/row.ts";
import { KEY } from "../run/canary.ts";
import { type Case, isClosed } from "../run/cases.ts";
import { describeError } from "../run/perform.ts";

// The status of an error settles what happened, whether or not its body can be read.

const BODIES = {
  "that is not the gzip it says": { headers: { "content-encoding": "gzip" }, ends: "now" },
  "that breaks off": { headers: { "content-length": "900" }, ends: "early" },
  "that never ends": { headers: {}, ends: "never" },
} as const;

/** What a status means: to a GET, and to a POST, which may have been carried out. */
const STATUSES: Readonly<Record<number, readonly [get: string, post: string]>> = {
  302: ["rejected ×1", "unknown ×1"],
  401: ["rejected ×1", "rejected ×1"],
  403: ["rejected ×1", "rejected ×1"],
  404: ["rejected ×1", "rejected ×1"],
  413: ["rejected ×1", "rejected ×1"],
  422: ["rejected ×1", "rejected ×1"],
  500: ["unknown ×3", "unknown ×1"],
  503: ["unknown ×3", "unknown ×1"],
};
const LIMIT = 429;

const faults = Object.entries(BODIES).flatMap(([body, { headers, ends }]) => {
  const respond =
    (status: number): Respond =>
    (_, response) => {
      response.writeHead(status, { "content-type": "text/html", "retry-after": "0", ...headers });
      response.write("<html>plain");
      if (ends === "now") response.end();
      if (ends === "early") setTimeout(() => response.destroy(), 15);
    };
  return [...Object.keys(STATUSES).map(Number), LIMIT].map((status) => ({
    status,
    fault: `${status}${status === LIMIT ? " once" : ""}, with a body ${body}`,
    respond: respond(status),
  }));
});

export const errorBodies: Family = {
  title: "Bodies of errors",
  rows: faults.map(({ status, fault, respond }) => {
    const [get, post] = STATUSES[status] ?? [];
    const once: Respond = (request, response, number) =>
      (number === 1 ? respond : respondWell)(request, response, number);
    return {
      fault,
      world: serve(status === LIMIT ? once : respond),
      get: get === undefined ? "ok ×2" : `ApiError ${status} ${get}`,
      post: post === undefined ? "ok ×2" : `ApiError ${status} ${post}`,
    };
  }),
};

const QUICK = { retry: { baseDelay: 1, maxDelay: 5 }, timeout: 5_000 };
const UPLINK = samples.mapper.ingest.input;

/** The other ways of calling. Each returns `ok`, or throws. */
const DOORS: Readonly<Record<string, (baseUrl: string) => Promise<string>>> = {
  async "devices.each"(baseUrl) {
    const { devices } = createConsoleClient({ baseUrl, apiKey: KEY, ...QUICK });
    for await (const device of devices.each()) void device;
    return "ok";
  },
  async "labels.find"(baseUrl) {
    const { labels } = createConsoleClient({ baseUrl, apiKey: KEY, ...QUICK });
    return (await labels.find({ name: "Pumps" })) === undefined ? "nothing" : "ok";
  },
  async "a list of the ledger"(baseUrl) {
    for await (const block of createLedgerClient({ baseUrl, ...QUICK }).blocks.list()) void block;
    return "ok";
  },
  async "mobile events"(baseUrl) {
    const client = createMobileClient({ baseUrl, apiKey: `sk_sandbox_${KEY}`, ...QUICK });
    const handling = { router: createEventRouter({}), store: memoryStore() };
    const { handled } = await catchUp({ client, since: "2020-01-01T00:00:00Z", ...handling });
    return handled === 0 ? "ok" : "other";
  },
  async "an uplink to the map"(baseUrl) {
    const { status } = await createMapperClient({ baseUrl, ...QUICK }).ingest(UPLINK);
    return status === "success" ? "ok" : "other";
  },
  async "the forwarder"(baseUrl) {
    const forward = createForwarder({
      client: createMapperClient({ baseUrl, ...QUICK }),
      authorization: { name: "x-key", value: KEY },
      build: () => ({
        isMappable: true,
        form: "uplink of ChirpStack v4",
        uplink: UPLINK,
        changes: [],
      }),
    });
    const init = { method: "POST", headers: { "x-key": KEY }, body: "{}" };
    const response = await forward(new Request("http://127.0.0.1/", init));
    return `${response.status} ${((await response.json()) as { outcome: string }).outcome}`;
  },
};
/** What a working service responds to them. */
const WELL: Readonly<Record<string, string>> = {
  "devices.each": "[]",
  "labels.find": bodyFor("POST"),
  "a list of the ledger": '{"data":[]}',
  "mobile events": '{"data":[]}',
  "an uplink to the map": '"Success"',
  "the forwarder": '"Success"',
};

function expectedOf(door: string, status: number): string {
  const [get, post] = STATUSES[status] ?? [];
  const isRejectedUplink = status === 422;
  if (door === "the forwarder") {
    if (post === undefined) return "200 forwarded ×2";
    return post.startsWith("unknown") || isRejectedUplink ? `200 ${post}` : "503 not_sent ×1";
  }
  if (post === undefined) return "ok ×2";
  if (door !== "an uplink to the map") return `ApiError ${status} ${get}`;
  return `${isRejectedUplink ? "MapperRejectedError" : "ApiError"} ${status} ${post}`;
}

export const errorBodyCases: readonly Case[] = faults.flatMap(({ status, fault, respond }) =>
  Object.entries(DOORS).map(([door, call]) => ({
    family: errorBodies.title,
    fault,
    door,
    expected: expectedOf(door, status),
    async run() {
      const origin = await startOrigin((request, response, number) => {
        if (status !== LIMIT || number === 1) return respond(request, response, number);
        sendJson(response, 200, WELL[door] ?? "");
      });
      try {
        const end = await call(origin.url).catch(describeError);
        return `${end} ×${origin.requests()}${(await isClosed(origin.leftOpen)) ? "" : " OPEN"}`;
      } finally {
        await origin[Symbol.asyncDispose]();
      }
    },
  })),
);
