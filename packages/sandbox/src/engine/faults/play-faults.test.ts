import http from "node:http";
import { createConsoleClient } from "@fieldmesh/console-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type RunningSandbox, startSandbox } from "../../server/start-sandbox.ts";
import type { SandboxOptions } from "../sandbox/sandbox-options.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import type { InProcessFetch } from "../serve/in-process-fetch.ts";
import type { FaultRule } from "./fault-script.ts";

let running: RunningSandbox;
const inProcess = createSandbox();

beforeAll(async () => {
  running = await startSandbox();
});
afterAll(() => running.close());
beforeEach(() => {
  running.reset();
  inProcess.reset();
});

const ways: [name: string, get: () => { sandbox: Sandbox; fetch: InProcessFetch }][] = [
  ["over a socket", () => ({ sandbox: running, fetch })],
  ["in the same process", () => ({ sandbox: inProcess, fetch: inProcess.console.fetch })],
];

describe.each(ways)("%s", (_, get) => {
  /** Creates a label once with a fault. Returns the result of the client, and what the server did. */
  async function createUnder(fault: FaultRule) {
    const { sandbox, fetch } = get();
    const { baseUrl } = sandbox.console;
    const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey, retry: false });
    sandbox.setFaults([fault]);
    const got = await client.labels.create({ name: "Pumps" }).catch((error: unknown) => error);
    const [request] = sandbox.log.requests();
    const exists = [...sandbox.console.state.labels.values()].some(({ name }) => name === "Pumps");
    return { got, exists, request };
  }

  test("a reset happens before the work: no response, no label", async () => {
    const { got, exists, request } = await createUnder({ kind: "reset" });
    expect(got).toMatchObject({ name: "ConnectionError", outcome: "unknown" });
    expect(exists).toBe(false);
    expect(request).toMatchObject({ status: undefined, done: false, fault: { kind: "reset" } });
  });

  test("a lost response happens after the work: no response, but a label", async () => {
    const { got, exists, request } = await createUnder({ kind: "lost" });
    expect(got).toMatchObject({ name: "ConnectionError", outcome: "unknown" });
    expect(exists).toBe(true);
    expect(request).toMatchObject({ status: undefined, done: true, fault: { kind: "lost" } });
  });

  test("a truncated response breaks off in the middle, after the work", async () => {
    for (const clean of [false, true]) {
      get().sandbox.reset();
      const { got, exists, request } = await createUnder({ kind: "truncate", bytes: 10, clean });
      expect(got).toMatchObject({ name: "ConnectionError", outcome: "unknown" });
      expect(exists).toBe(true);
      expect(request).toMatchObject({ status: 201, done: true, fault: { kind: "truncate" } });
    }
  });

  test("a truncated response has the configured number of bytes, but never all of them", async () => {
    const { sandbox, fetch } = get();
    const read = async (fault: FaultRule) => {
      sandbox.setFaults([fault]);
      const headers = { key: sandbox.apiKey };
      return await (
        await fetch(`${sandbox.console.baseUrl}/api/v1/organization`, { headers })
      ).text();
    };
    const whole = await read({ kind: "delay", ms: 0 });
    expect(await read({ kind: "truncate", bytes: 10, clean: true })).toBe(whole.slice(0, 10));
    expect(await read({ kind: "truncate", clean: true })).toBe(
      whole.slice(0, Math.floor(whole.length / 2)),
    );
    expect(await read({ kind: "truncate", bytes: 9_999, clean: true })).toBe(whole.slice(0, -1));
    await expect(read({ kind: "truncate", bytes: 0 })).rejects.toThrow("terminated");
  });

  test("garbage is a successful status with an unreadable body", async () => {
    const { sandbox, fetch } = get();
    const { baseUrl, state } = sandbox.console;
    const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey, retry: false });
    sandbox.setFaults([{ kind: "garbage" }]);
    const got = await client.integrations
      .createHttp({ name: "Lake", endpoint: "https://lake.test", method: "post" })
      .catch((error: unknown) => error);
    expect(got).toMatchObject({ name: "ResponseValidationError", outcome: "applied" });
    expect([...state.integrations.values()].map(({ name }) => name)).toContain("Lake");
    expect(sandbox.log.requests()[0]).toMatchObject({ status: 201, done: true });
  });

  // See docs/decisions/36-what-a-write-resolves-to.md
  test("the client looks the record up after garbage if the contract does not define the response", async () => {
    const { got, exists, request } = await createUnder({ kind: "garbage" });
    expect(got).toMatchObject({ name: "Pumps" });
    expect(exists).toBe(true);
    expect(request).toMatchObject({ status: 201, done: true, fault: { kind: "garbage" } });
  });

  test("a status is sent instead of the work, or after it", async () => {
    const before = await createUnder({ kind: "status", status: 503 });
    expect(before.got).toMatchObject({ name: "ApiError", status: 503 });
    expect(before.exists).toBe(false);
    expect(before.request).toMatchObject({ status: 503, done: false });

    get().sandbox.reset();
    const after = await createUnder({ kind: "status", status: 504, afterWork: true });
    expect(after.got).toMatchObject({ name: "ApiError", status: 504 });
    expect(after.exists).toBe(true);
    expect(after.request).toMatchObject({ status: 504, done: true });
  });
});

test("in the same process, fetch rejects with the same errors as that of Node", async () => {
  const { baseUrl, fetch } = inProcess.console;
  const labels = async () => await (await fetch(`${baseUrl}/api/v1/labels`)).text();
  const cause = { code: "ECONNRESET", message: "read ECONNRESET" };
  inProcess.setFaults([{ kind: "reset" }]);
  await expect(labels()).rejects.toMatchObject({ message: "fetch failed", cause });
  inProcess.setFaults([{ kind: "truncate" }]);
  await expect(labels()).rejects.toMatchObject({ message: "terminated", cause });
});

describe("a status", () => {
  const answerUnder = async (fault: FaultRule) => {
    inProcess.setFaults([fault]);
    const response = await inProcess.console.fetch(`${inProcess.console.baseUrl}/api/v1/labels`);
    const { status, headers } = response;
    return { status, headers: Object.fromEntries(headers), text: await response.text() };
  };

  test("has the body of typical servers, without a content-type", async () => {
    const status = 429;
    expect(await answerUnder({ kind: "status", status })).toEqual({
      status,
      headers: {},
      text: "Too many requests",
    });
  });

  test("sends a given string or value, with the given content-type", async () => {
    const page = {
      kind: "status",
      status: 502,
      body: "<h1>Bad Gateway</h1>",
      contentType: "text/html",
    } as const;
    expect(await answerUnder(page)).toEqual({
      status: 502,
      headers: { "content-type": "text/html" },
      text: page.body,
    });
    const value = { kind: "status", status: 422, body: { errors: { name: ["is odd"] } } } as const;
    const json = { status: 422, text: '{"errors":{"name":["is odd"]}}' };
    const headers = { "content-type": "application/json; charset=utf-8" };
    expect(await answerUnder(value)).toEqual({ ...json, headers });
    expect(await answerUnder({ ...value, contentType: "" })).toEqual({ ...json, headers: {} });
  });

  test("sends Retry-After in seconds, as a date, or as any string", async () => {
    const retryAfter = async (when: number | Date | string) =>
      (await answerUnder({ kind: "status", status: 503, retryAfter: when })).headers["retry-after"];
    expect(await retryAfter(7)).toBe("7");
    expect(await retryAfter(new Date("2026-11-20T08:01:00Z"))).toBe(
      "Fri, 20 Nov 2026 08:01:00 GMT",
    );
    expect(await retryAfter("soon")).toBe("soon");
  });
});

describe("a delay", () => {
  const labels = () =>
    inProcess.console.fetch(`${inProcess.console.baseUrl}/api/v1/labels`, {
      headers: { key: inProcess.apiKey },
    });
  const work = () => inProcess.log.requests("labels.list").at(-1);

  test("lasts in real time", async () => {
    inProcess.setFaults([{ kind: "delay", ms: 60 }]);
    const before = performance.now();
    expect((await labels()).status).toBe(200);
    // Timers may be a millisecond early.
    expect(performance.now() - before).toBeGreaterThan(58);
  });

  test("waits for a virtual clock of the sandbox, before the work or after it", async () => {
    for (const afterWork of [false, true]) {
      inProcess.reset();
      inProcess.setFaults([{ kind: "delay", ms: 60_000, virtual: true, afterWork }]);
      const response = labels();
      await inProcess.clock.advance(59_999);
      expect(work()).toMatchObject({ status: undefined, done: afterWork });
      await inProcess.clock.advance(1);
      expect((await response).status).toBe(200);
      expect(work()).toMatchObject({ status: 200, done: true });
    }
  });
});

/** How the work becomes slow. A virtual clock is advanced after the caller has left. */
const slow: readonly (readonly [string, SandboxOptions])[] = [
  ["a delay", { faults: [{ kind: "delay", ms: 60 }] }],
  ["a delay by the clock", { faults: [{ kind: "delay", ms: 60, virtual: true }] }],
  ["latency", { latency: 60 }],
];
const post = { method: "POST", body: '{"name":"Late"}' } as const;
/** How a caller leaves while its request is at work. */
const leaving: Readonly<
  Record<string, (url: string, headers: Record<string, string>, sandbox: Sandbox) => () => unknown>
> = {
  aborts: (url, headers) => aborting(fetch, url, headers),
  "aborts in the same process": (url, headers, sandbox) =>
    aborting(sandbox.console.fetch, url, headers),
  // The system closes the connections of a process that is killed.
  "is killed": (url, headers) => {
    const sent = http.request(url, { ...post, headers }).on("error", () => {});
    sent.end(post.body);
    return () => sent.destroy();
  },
};

function aborting(send: InProcessFetch, url: string, headers: Record<string, string>) {
  const leave = new AbortController();
  send(url, { ...post, headers, signal: leave.signal }).catch(() => {});
  return () => leave.abort();
}

describe.each(slow)("%s: what is at work is carried out", (_, options) => {
  test.each(Object.entries(leaving))("if its caller %s", async (_leaves, begin) => {
    await using sandbox = await startSandbox(options);
    const { apiKey: key, log } = sandbox;
    const headers = { key, "content-type": "application/json" };
    const leave = begin(`${sandbox.console.baseUrl}/api/v1/labels`, headers, sandbox);
    const isDone = () => log.requests("labels.create")[0]?.done;
    await vi.waitFor(() => expect(isDone()).toBe(false), { interval: 2 });
    leave();
    await sandbox.clock.advance(60);
    await vi.waitFor(() => expect(isDone()).toBe(true));
    const names = [...sandbox.console.state.labels.values()].map(({ name }) => name);
    expect(names).toContain("Late");
  });
});
