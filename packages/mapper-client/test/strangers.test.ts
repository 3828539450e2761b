import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createForwarder, createMapperClient } from "../src/index.ts";
import { createUplinkReceiver } from "../src/uplink.ts";
import { consoleUplink } from "../../../tools/testing/uplinks.ts";

// What anyone can cause who knows the address of a forwarder or of an uplink receiver.

const authorization = { name: "x-key", value: "a-long-canary-of-this-test" };
const limits = { maxBytes: 4_000 };
const client = createMapperClient({
  baseUrl: "https://map.test",
  fetch: async () => new Response("Success"),
});
const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);
const receivers = {
  "a forwarder": (own: object) => createForwarder({ client, authorization, ...limits, ...own }),
  "an uplink receiver": (own: object) =>
    createUplinkReceiver({ authorization, handler: () => undefined, onError, ...limits, ...own }),
};

const printed: string[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  printed.length = errors.length = 0;
  const print = (...values: unknown[]) => void printed.push(values.map(String).join(" "));
  for (const name of ["warn", "error"] as const) vi.spyOn(console, name).mockImplementation(print);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const whole = JSON.stringify(consoleUplink());
const deep = `{"deep":${"[".repeat(5_000)}${"]".repeat(5_000)},${whole.slice(1)}`;
const known = { "x-key": authorization.value };

function requestOf(
  body: string | ReadableStream<Uint8Array> | undefined,
  headers: Record<string, string>,
): Request {
  const init = { method: body === undefined ? "GET" : "POST", body, headers, duplex: "half" };
  return new Request("https://backend.test/", init as RequestInit);
}

/** A body that ends with `end` after its first bytes, and what has happened to it. */
function streamOf(end?: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  const happened: string[] = [];
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        happened.push("read");
        if (!isFirst) return end === undefined ? new Promise<void>(() => {}) : end(controller);
        isFirst = false;
        controller.enqueue(new TextEncoder().encode("{"));
      },
      cancel: () => void happened.push("cancelled"),
    },
    { highWaterMark: 0 },
  );
  return { body, happened };
}

type Attempt = [what: string, status: number, make: () => Request, own?: object];
const attempts: Attempt[] = [
  ["a GET", 405, () => requestOf(undefined, known)],
  ["no header", 401, () => requestOf(whole, {})],
  ["another value", 401, () => requestOf(whole, { "x-key": "x" })],
  ["an announced length", 413, () => requestOf(whole, { ...known, "content-length": "1e9" })],
  ["a long body", 413, () => requestOf("x".repeat(4_001), known)],
  ["a longer value", 401, () => requestOf(whole, { "x-key": `${authorization.value}a` })],
  ["no JSON", 400, () => requestOf("canary", known)],
  ["no JSON, from anyone", 400, () => requestOf("canary", {}), { authorization: "none" }],
  [
    "a deep one, from anyone",
    400,
    () => requestOf(deep, {}),
    { authorization: "none", maxBytes: 1e6 },
  ],
  [
    "a body that breaks off",
    400,
    () => requestOf(streamOf((each) => each.error(new Error("canary"))).body, known),
  ],
  ["a body that stops", 408, () => requestOf(streamOf().body, known)],
];

for (const [name, create] of Object.entries(receivers))
  test.each(attempts)(
    `${name} prints a line a minute for %s, with the count`,
    async (what, status, make, own = {}) => {
      const receive = create(own);
      const sendAll = async (count: number) => {
        const all = Array.from({ length: count }, () => receive(make()));
        await vi.advanceTimersByTimeAsync(status === 408 ? 30_000 : 0);
        for (const response of await Promise.all(all)) expect(response.status).toBe(status);
      };
      await sendAll(100);
      expect(printed).toEqual([expect.stringContaining(` ${status}: `)]);
      await vi.advanceTimersByTimeAsync(60_000);
      await sendAll(1);
      expect(printed).toHaveLength(2);
      expect(printed[1]).toContain("(and 99 more since the last time");
      expect(printed.join()).not.toMatch(/canary|\n\s+at /);
      // A body that is not an uplink, of a sender with the header, is an error of the integration.
      const reaches = what === "no JSON" && name === "an uplink receiver" ? 101 : 0;
      expect(errors).toHaveLength(reaches);
    },
  );

test.each(Object.entries(receivers))(
  "%s reads no body without the header, and lets go of one that stops",
  async (_, create) => {
    const receive = create({});
    const unread = streamOf();
    expect((await receive(requestOf(unread.body, {}))).status).toBe(401);
    expect(unread.happened).toEqual([]);
    const stopped = streamOf();
    const response = receive(requestOf(stopped.body, known));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(stopped.happened).toEqual(["read", "read"]);
    await vi.advanceTimersByTimeAsync(1);
    expect((await response).status).toBe(408);
    expect(stopped.happened).toEqual(["read", "read", "cancelled"]);
  },
);

test.each(Object.entries(receivers))(
  "%s throws a TypeError for a Request that other code has read",
  async (_, create) => {
    const request = requestOf(whole, known);
    await request.text();
    await expect(create({})(request)).rejects.toThrow("Pass the Request to it first");
    expect(printed).toEqual([]);
  },
);

test("an uplink receiver prints the error of a handler once a minute", async () => {
  const handler = () => Promise.reject(new Error("no database"));
  const receive = createUplinkReceiver({ authorization, handler });
  for (let each = 0; each < 3; each++)
    expect((await receive(requestOf(whole, known))).status).toBe(500);
  expect(printed).toEqual(["Error: no database"]);
  await vi.advanceTimersByTimeAsync(60_000);
  await receive(requestOf(whole, known));
  expect(printed[1]).toBe("Error: no database (and 2 more since the last time)");
});
