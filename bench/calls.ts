// Measures what a GET costs with a client, beside fetch, ky, undici, node:http and three well-known clients: npm run bench -- calls
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import type { HeapProfiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { text } from "node:stream/consumers";
import { createConsoleClient } from "@fieldmesh/console-client";
import { dispatchFetch } from "@fieldmesh/console-client/undici";
import { Octokit } from "@octokit/core";
import ky from "ky";
import OpenAI from "openai";
import { Stripe } from "stripe";
import { request } from "undici";
import { nextMessage, startChild } from "./support/child.ts";
import { takeTurns } from "./support/measure.ts";
import { finish, limit, note, table } from "./support/report.ts";

const ROUNDS = 15;
const CALLS = 640;
// Below it, the compiler is still at work on the functions of a call, which costs up to twice as much.
const WARM_UP = 3_000;
const PATH = "/api/v1/labels";
/** The limits for the time over a GET of ky, by the number of calls in progress. */
const MOST = { 1: { fetch: 1.25, dispatchFetch: 0.92 }, 32: { fetch: 1.38, dispatchFetch: 0.65 } };
const SAMPLED_BYTES = 4_096;

const server = startChild("calls/server.ts", undefined);
const baseUrl = `http://127.0.0.1:${await nextMessage<number>(server)}`;
const url = `${baseUrl}${PATH}`;

const fieldmesh = createConsoleClient({ baseUrl, apiKey: "bench-key" });
const unlimited = createConsoleClient({ baseUrl, apiKey: "bench-key", rateLimit: false });
const dispatched = createConsoleClient({ baseUrl, apiKey: "bench-key", fetch: dispatchFetch() });
const agent = new Agent({ keepAlive: true });
const octokit = new Octokit({ baseUrl });
const openai = new OpenAI({ baseURL: baseUrl, apiKey: "bench-key" });
const stripe = new Stripe("sk_test_bench", {
  host: "127.0.0.1",
  port: new URL(baseUrl).port,
  protocol: "http",
  telemetry: false,
});

const clients = {
  fetch: async () => (await fetch(url)).json(),
  ky: () => ky.get(url).json(),
  fieldmesh: () => fieldmesh.labels.list(),
  "fieldmesh, rateLimit: false": () => unlimited.labels.list(),
  "fieldmesh, dispatchFetch": () => dispatched.labels.list(),
  octokit: () => octokit.request(`GET ${PATH}`),
  openai: () => openai.get(PATH),
  stripe: () => stripe.rawRequest("GET", PATH),
  undici: async () => (await request(url)).body.json(),
  "node:http": getThroughHttp,
} satisfies Readonly<Record<string, () => Promise<unknown>>>;

note(
  `A GET of four labels from a server in another process. The tables show the CPU time of this process per call: the median of ${ROUNDS} rounds of ${CALLS} calls. Only fieldmesh validates the response.`,
);
for (const call of Object.values(clients)) for (let n = 0; n < WARM_UP; n++) await call();
for (const concurrency of [1, 32] as const) {
  const times = await takeTurns(clients, ROUNDS, (call) => measureCpu(call, concurrency));
  table(
    Object.entries(times).map(([client, µs]) => ({
      [`${concurrency} in progress`]: client,
      µs,
      "ratio to ky": µs / times.ky,
    })),
  );
  const { fetch: most, dispatchFetch: mostDispatched } = MOST[concurrency];
  const of = (how: string) =>
    `CPU of a validated GET${how}, ratio to ky, ${concurrency} in progress`;
  limit(of(""), times.fieldmesh / times.ky, { most });
  limit(of(" with dispatchFetch"), times["fieldmesh, dispatchFetch"] / times.ky, {
    most: mostDispatched,
  });
}
note(
  "Memory that a call allocates, as a sampling profiler sees it. Nearly all of it is garbage after the call.",
);
const allocated = await takeTurns(clients, 3, measureMemory);
table(
  Object.entries(allocated).map(([client, bytes]) => ({
    client,
    KB: bytes / 1_000,
    "ratio to ky": bytes / allocated.ky,
  })),
);
server.disconnect();
finish();

async function getThroughHttp(): Promise<unknown> {
  const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
  return JSON.parse(await text(response));
}

async function measureCpu(call: () => Promise<unknown>, concurrency: number): Promise<number> {
  const start = process.cpuUsage();
  await repeat(call, concurrency);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / CALLS;
}

async function repeat(call: () => Promise<unknown>, concurrency: number): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let n = 0; n < CALLS / concurrency; n++) await call();
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

/** The sampling profiler of V8 also counts memory that was freed again. */
async function measureMemory(call: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: SAMPLED_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await repeat(call, 1);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  return bytesOf(profile.head) / CALLS;
}

/** The memory that a function and its callees allocated. */
function bytesOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + bytesOf(child), selfSize);
}
