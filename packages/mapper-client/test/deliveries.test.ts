import { inspect } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import {
  createForwarder,
  createMapperClient,
  isSecret,
  type ForwarderOptions,
} from "../src/index.ts";
import { createUplinkReceiver, parseConsoleUplink, UplinkParseError } from "../src/uplink.ts";
import { consoleUplink } from "../../../tools/testing/uplinks.ts";

// The responses that a sender receives, and the options that are accepted.

const url = "https://backend.test/";
const post = (body: string, headers: Record<string, string> = {}) =>
  new Request(url, { method: "POST", body, headers });

/** Returns a standard uplink of exactly this number of bytes. */
function uplinkOf(bytes: number): string {
  const text = JSON.stringify(consoleUplink({}, { padding: "" }));
  return text.replace('"padding":""', `"padding":"${"x".repeat(bytes - text.length)}"`);
}

function receiver(options: object = {}) {
  const handled: unknown[] = [];
  const receive = createUplinkReceiver({
    authorization: "none",
    handler: (uplink) => void handled.push(uplink),
    onError: () => undefined,
    ...options,
  });
  return { receive, handled };
}

describe("a body", () => {
  test.each<[string, object, number]>([
    ["the default limit", {}, 262_144],
    ["a configured limit", { maxBytes: 2_000 }, 2_000],
  ])("may have as many bytes as %s and no more", async (_which, options, limit) => {
    const { receive, handled } = receiver(options);
    expect((await receive(post(uplinkOf(limit)))).status).toBe(200);
    expect((await receive(post(uplinkOf(limit + 1)))).status).toBe(413);
    expect(handled).toHaveLength(1);
  });

  test("with a content-length above the limit is not read", async () => {
    const { receive } = receiver({ maxBytes: 2_000 });
    const announced = (bytes: number) =>
      post(JSON.stringify(consoleUplink()), { "content-length": String(bytes) });
    const [fits, large] = [announced(2_000), announced(2_001)];
    expect((await receive(fits)).status).toBe(200);
    expect((await receive(large)).status).toBe(413);
    expect([fits.bodyUsed, large.bodyUsed]).toEqual([true, false]);
  });
});

test("a GET receives the allowed method, and a delivery without the header receives a description", async () => {
  const authorization = { name: "X-Key", value: "canary one" };
  const { receive, handled } = receiver({ authorization });
  const got = await receive(new Request(url));
  expect([got.status, got.headers.get("allow"), await got.text()]).toEqual([
    405,
    "POST",
    "Send a POST.",
  ]);
  const body = JSON.stringify(consoleUplink());
  const denied = await receive(post(body, { "x-other": "canary one" }));
  expect([denied.status, await denied.text()]).toEqual([
    401,
    "The authorization header is missing or wrong.",
  ]);
  expect((await receive(post(body, { "x-key": "canary one" }))).status).toBe(200);
  expect(handled).toHaveLength(1);
});

test.each(["x", "Bearer one two", "a\tb"])(
  "createUplinkReceiver accepts the header value %j",
  (value) => {
    expect(() => receiver({ authorization: { name: "x-key_1.a~b", value } })).not.toThrow();
  },
);

const NAME = "authorization.name must be the name of a header";
const BLANK =
  "authorization.value has a line break, or begins or ends with a space, which headers do not allow";
test.each<[object, string]>([
  [{ authorization: undefined }, "authorization is missing"],
  [{ authorization: 7 }, 'authorization must be { name, value } or "none"; it is '],
  [{ authorization: { name: "key", value: "undefined" } }, "value is the word undefined"],
  [{ authorization: { name: "key", value: "canary\r\nx: y" } }, BLANK],
  [{ authorization: { name: "", value: "x" } }, NAME],
  [{ authorization: { name: 7, value: "x" } }, NAME],
  [{ authorization: { name: "key:", value: "x" } }, NAME],
  [{ authorization: { name: " key", value: "x" } }, NAME],
  [{ authorization: { name: "key", value: 7 } }, "authorization.value must be a non-empty string"],
  [{ authorization: { name: "key", value: "canary " } }, BLANK],
  [{ authorization: { name: "key", value: "canary\0" } }, BLANK],
  [{ authorization: { name: "key", value: "can\0ary" } }, BLANK],
  [{ authorization: { name: "key", value: "\0canary" } }, BLANK],
  [{ authorization: { name: "key", value: '"canary"' } }, "authorization.value is in quotes"],
  [{ maxBytes: -1 }, "maxBytes must be a number of bytes, 1 or more; it is a "],
  [{ maxBytes: Number.NaN }, "maxBytes must be a number of bytes, 1 or more; it is a "],
  [{ maxBytes: "9" }, "maxBytes must be a number of bytes, 1 or more; it is a "],
  [{ handler: "log" }, "handler must be a function; it is a string."],
])(
  "createUplinkReceiver rejects invalid options by name, without the secret: %#",
  (options, message) => {
    expect(() => receiver(options)).toThrow(message);
    expect(() => receiver(options)).not.toThrow("canary");
  },
);

describe("a forwarder", () => {
  const client = createMapperClient({
    baseUrl: "https://map.test",
    fetch: async () => new Response("Success"),
  });
  const open = (options: Partial<ForwarderOptions> = {}) => {
    const reports: Record<string, unknown>[] = [];
    const forward = createForwarder({
      client,
      authorization: "none",
      onReport: (report) => reports.push({ ...report }),
      ...options,
    });
    return {
      forward,
      reports,
      deliver: (message: unknown) => forward(post(JSON.stringify(message))),
    };
  };

  test.each<[Record<string, unknown>, string]>([
    [{ concurrency: 0 }, "concurrency must be an integer from 1 up; it is 0."],
    [{ perMinute: 1.5 }, "perMinute must be an integer from 1 up; it is 1.5."],
    [{ maxWaiting: 0 }, "maxWaiting must be an integer from 1 up; it is 0."],
    [
      { client: undefined },
      "client must be a client of the map, such as createMapperClient({ baseUrl }); it is undefined.",
    ],
    [{ client: {} }, "createMapperClient({ baseUrl }); it is an object."],
    [{ onReport: null }, "onReport must be a function; it is null."],
    [{ observedRules: 1 }, "observedRules must be true or false; it is a number."],
    [{ athorization: "none" }, 'createForwarder has no option "athorization".'],
  ])("rejects the options %j", (options, message) => {
    expect(() => open(options)).toThrow(message);
  });

  test("submits four uplinks at a time, queues a hundred, and asks the sender of the next one to retry", async () => {
    let started = 0;
    const ends: (() => void)[] = [];
    const slow = {
      ingest: () => {
        started++;
        return new Promise((resolve) => ends.push(() => resolve({ status: "success" })));
      },
    };
    const { deliver, reports } = open({ client: slow as never, perMinute: 1_000 });
    const responses = Array.from({ length: 105 }, (_, fcnt) =>
      deliver(consoleUplink({}, { fcnt })),
    );
    const [first] = await Promise.all([Promise.race(responses), Promise.resolve()]);
    expect([started, first.status, first.headers.get("retry-after")]).toEqual([4, 503, "60"]);
    expect(reports).toHaveLength(1);
    while (reports.length < 105) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await Promise.all(responses)).filter(({ status }) => status === 200)).toHaveLength(104);
  });

  test.each<[string, object, string | undefined]>([
    ["dev_eui", { dev_eui: "0004A30B001C0530" }, "0004A30B001C0530"],
    ["devEui", { deviceInfo: { devEui: "0004a30b001c0530" } }, "0004a30b001c0530"],
    ["no id", {}, undefined],
    ["an id that is a number", { dev_eui: 7 }, undefined],
    ["an id in base64", { devEUI: "AASjCwAcBTA=" }, "0004a30b001c0530"],
  ])("reports the device of a message with %s", async (_what, message, dev_eui) => {
    const { deliver, reports } = open();
    await deliver(message);
    expect(reports).toMatchObject([{ changes: [], uplink: undefined }]);
    expect(reports[0]?.["dev_eui"]).toBe(dev_eui);
  });

  test("submits an uplink three times if the map responds with 429, then asks the sender to retry", async () => {
    let asked = 0;
    const limited = createMapperClient({
      baseUrl: "https://map.test",
      retry: false,
      fetch: async () => {
        asked++;
        return new Response("", { status: 429, headers: { "retry-after": "0.01" } });
      },
    });
    const { deliver, reports } = open({ client: limited });
    expect((await deliver(consoleUplink())).status).toBe(503);
    expect(reports).toMatchObject([{ outcome: "not_sent", problems: [] }]);
    expect(asked).toBe(3);
  });

  test("sends nothing for five minutes after a 429 that names a year, and then the next uplink", async () => {
    const MINUTE = 60_000;
    let [now, asked] = [0, 0];
    const limited = createMapperClient({
      baseUrl: "https://map.test",
      retry: false,
      fetch: async () => {
        asked++;
        return new Response("", { status: 429, headers: { "retry-after": "31536000" } });
      },
    });
    const clock = { now: () => now, sleep: async () => undefined };
    const { deliver } = open({ client: limited, clock });
    for (const [time, requests] of [
      [0, 1],
      [5 * MINUTE - 1, 1],
      [5 * MINUTE, 2],
    ] as const) {
      now = time;
      expect((await deliver(consoleUplink())).status).toBe(503);
      expect(asked).toBe(requests);
    }
  });

  test("counts an uplink as forwarded if it was accepted with an unreadable response", async () => {
    const fetch = async (): Promise<Response> => new Response("Accepted");
    const own = createMapperClient({ baseUrl: "https://map.test", fetch });
    const { deliver, forward } = open({ client: own });
    expect(await (await deliver(consoleUplink())).json()).toMatchObject({ outcome: "forwarded" });
    expect(forward.totals()).toMatchObject({ forwarded: 1, unknown: 0, not_sent: 0 });
  });

  test("reports the submitted uplink only if its outcome is unknown", async () => {
    const statuses = [500, 200];
    const fetch = async (): Promise<Response> =>
      new Response("Success", { status: statuses.shift() ?? 200 });
    const own = createMapperClient({ baseUrl: "https://map.test", fetch });
    const { deliver, reports } = open({ client: own });
    for (const altitude of [408.4, 408.4]) await deliver(consoleUplink({ altitude }));
    expect(reports).toMatchObject([
      { outcome: "unknown", changes: ["altitude: rounded to whole meters"], problems: [] },
      { outcome: "forwarded", uplink: undefined },
    ]);
    expect(reports[0]?.["uplink"]).toEqual(consoleUplink({ altitude: 408 }));
  });

  test("rejects with an error of the client that is not an error of fieldmesh", async () => {
    const broken = { ingest: () => Promise.reject(new Error("a mistake")) };
    const { deliver, reports } = open({ client: broken as never });
    await expect(deliver(consoleUplink())).rejects.toThrow("a mistake");
    expect(reports).toEqual([]);
  });

  test("responds to a body that is not JSON without quoting it", async () => {
    const response = await open().forward(post("canary"));
    expect([response.status, await response.text()]).toEqual([
      400,
      "Not a standard uplink of the console: the body is not JSON. Check that the integration has no body template.",
    ]);
  });

  test("reads fields under configured names", async () => {
    const { deliver, reports } = open({ fields: { latitude: "gps.y" } });
    await deliver(consoleUplink({ latitude: undefined, gps: { y: 47.5 } }));
    expect(reports).toMatchObject([
      { outcome: "forwarded", changes: ["latitude: taken from gps.y"] },
    ]);
  });
});

describe("a forwarder", () => {
  const uplink = () => JSON.stringify(consoleUplink());

  test("does not submit an uplink whose sender gave up while it waited for its turn", async () => {
    const end = Promise.withResolvers<void>();
    let submitted = 0;
    const reports: string[] = [];
    const client = createMapperClient({
      baseUrl: "https://map.test",
      fetch: async () => {
        submitted += 1;
        await end.promise;
        return new Response("Success");
      },
    });
    const forward = createForwarder({
      client,
      authorization: "none",
      concurrency: 1,
      onReport: ({ outcome }) => reports.push(outcome),
    });
    const first = forward(post(uplink()));
    await vi.waitFor(() => expect(submitted).toBe(1));
    const gone = new AbortController();
    const second = forward(
      new Request(url, { method: "POST", body: uplink(), signal: gone.signal }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    gone.abort();
    expect((await second).status).toBe(503);
    end.resolve();
    expect((await first).status).toBe(200);
    expect([submitted, reports]).toEqual([1, ["not_sent", "forwarded"]]);
  });

  test.each([
    ["after a 429", false, { status: 503, outcome: "not_sent", onTheMap: 0 }],
    ["while the map works on it", true, { status: 200, outcome: "forwarded", onTheMap: 1 }],
  ] as const)("a sender that gives up %s", async (_when, isAccepted, expected) => {
    let asked = 0;
    let onTheMap = 0;
    const client = createMapperClient({
      baseUrl: "https://map.test",
      fetch: async () => {
        asked += 1;
        if (asked === 1 && !isAccepted)
          return new Response("", { status: 429, headers: { "retry-after": "1" } });
        await new Promise((resolve) => setTimeout(resolve, 50));
        onTheMap += 1;
        return new Response("Success");
      },
    });
    const outcomes: string[] = [];
    const forward = createForwarder({
      client,
      authorization: "none",
      onReport: ({ outcome }) => outcomes.push(outcome),
    });
    const gone = new AbortController();
    const first = forward(
      new Request(url, { method: "POST", body: uplink(), signal: gone.signal }),
    );
    await vi.waitFor(() => expect(asked).toBe(1));
    gone.abort();
    expect((await first).status).toBe(expected.status);
    expect([outcomes, onTheMap]).toEqual([[expected.outcome], expected.onTheMap]);
  });

  test.each([-3_600_000, 3_600_000, -315_360_000_000, 315_360_000_000])(
    "submits within its limit whatever the wall clock does: a jump of %i ms",
    async (jump) => {
      vi.useFakeTimers();
      try {
        let submitted = 0;
        const client = createMapperClient({
          baseUrl: "https://map.test",
          fetch: async () => ((submitted += 1), new Response("Success")),
        });
        const forward = createForwarder({ client, authorization: "none", perMinute: 1 });
        await forward(post(uplink()));
        vi.setSystemTime(Date.now() + jump);
        const second = forward(post(uplink()));
        await vi.advanceTimersByTimeAsync(59_000);
        expect(submitted).toBe(1);
        await vi.advanceTimersByTimeAsync(1_000);
        await second;
        expect(submitted).toBe(2);
      } finally {
        vi.useRealTimers();
      }
    },
  );
});

const authorization = { name: "authorization", value: "canary-secret-71aa" };
const known = (body: string) => post(body, { authorization: authorization.value });

test("passes a standard uplink to the handler, typed by a schema for its payload", async () => {
  const seen: unknown[] = [];
  const receive = createUplinkReceiver({
    authorization,
    decoded: z.object({ latitude: z.number() }),
    handler: ({ dev_eui, decoded }) => seen.push([dev_eui, decoded.payload.latitude]),
  });
  const response = await receive(known(JSON.stringify(consoleUplink())));
  expect([response.status, await response.text()]).toEqual([200, "Success"]);
  expect(seen).toEqual([["0004A30B001C0530", 47.3769]]);
});

test("responds after the handler has ended, and with a 500 if it throws", async () => {
  const errors: unknown[] = [];
  const order: string[] = [];
  const receive = createUplinkReceiver({
    authorization: "none",
    onError: (error) => errors.push(error),
    handler: async ({ fcnt }) => {
      await Promise.resolve();
      order.push("handled");
      if (fcnt === 6) throw new Error("no database");
    },
  });
  await receive(known(JSON.stringify(consoleUplink()))).then(() => order.push("answered"));
  expect(order).toEqual(["handled", "answered"]);
  expect((await receive(post(JSON.stringify(consoleUplink({}, { fcnt: 6 }))))).status).toBe(500);
  expect(errors).toEqual([new Error("no database")]);
});

test("a body that is too large, in another encoding, or not an uplink has its own error", async () => {
  const errors: unknown[] = [];
  const receive = createUplinkReceiver({
    authorization,
    maxBytes: 1_000,
    handler: () => expect.fail("called"),
    onError: (error) => errors.push(error),
  });
  const large = await receive(known(`{"a":"${"x".repeat(2_000)}"}`));
  expect([large.status, await large.text()]).toEqual([413, "Too large."]);
  const latin1 = Uint8Array.of(0x22, 0xe9, 0x22);
  await expect(parseConsoleUplink(latin1)).rejects.toMatchObject({
    problems: [{ path: "", message: "the body is not UTF-8" }],
  });
  await expect(parseConsoleUplink({ ...consoleUplink(), fcnt: "5" })).rejects.toThrow(
    "Not a standard uplink of the console: fcnt: expected number, got string. Check that",
  );
});

test("the error about anything but a Request names the function for node:http", async () => {
  const incoming = { method: "POST", headers: {} } as never;
  const unreadable = {
    get headers() {
      throw new Error("c4n4ry");
    },
  } as never;
  const client = createMapperClient({ baseUrl: "https://mapper.test" });
  for (const receive of [
    createUplinkReceiver({ authorization, handler: () => undefined }),
    createForwarder({ client, authorization }),
  ]) {
    await expect(receive(incoming)).rejects.toThrow("not an object. On node:http, serve it with");
    await expect(receive(undefined as never)).rejects.toThrow("not undefined");
    await expect(receive(unreadable)).rejects.toThrow(/^This receiver requires a Request/);
  }
});

test("parseConsoleUplink keeps undeclared fields and rounds no integer", async () => {
  const text = JSON.stringify(consoleUplink()).replace("{", '{"from_the_future":9007199254740993,');
  expect(await parseConsoleUplink(new TextEncoder().encode(text))).toMatchObject({
    from_the_future: 9_007_199_254_740_993n,
  });
  expect(await parseConsoleUplink(JSON.parse(text))).toMatchObject({ port: 2 });
});

test("fields that running deployments add are typed, and kept in any other form", async () => {
  const more = {
    type: "uplink",
    replay: false,
    uuid: "5f0c22eb-73f7-4adf-af99-8fa925000001",
    raw_packet: "QHiBAAA=",
    downlink_url: "https://console.example.com/down",
    dc: { balance: 1, nonce: 2 },
    metadata: { labels: [{ id: "a", name: "b" }], preferred_hotspots: [], rx_delay: 1 },
  };
  expect(await parseConsoleUplink(consoleUplink({}, more))).toMatchObject(more);
  const bare = await parseConsoleUplink({ dev_eui: "0004A30B001C0530", fcnt: 1, hotspots: [] });
  expect(bare).toEqual({ dev_eui: "0004A30B001C0530", fcnt: 1, hotspots: [] });
  for (const fields of [{ replay: "no" }, { raw_packet: 7 }, { metadata: { rx_delay: "1" } }])
    expect(await parseConsoleUplink(consoleUplink({}, fields))).toMatchObject(fields);
  // A secret of another type remains a Secret.
  const { downlink_url } = await parseConsoleUplink(consoleUplink({}, { downlink_url: 7 }));
  expect(isSecret(downlink_url)).toBe(true);
});

test("an error about a payload that does not match the schema does not quote the payload", async () => {
  const schema = z.object({ latitude: z.string().refine(() => false, "bad: 47.3769") });
  const error = await parseConsoleUplink(consoleUplink(), { decoded: schema }).catch(
    (reason: unknown) => reason,
  );
  expect(error instanceof UplinkParseError && error.problems[0]?.path).toBe(
    "decoded.payload.latitude",
  );
  expect(inspect(error)).not.toContain("47.3769");
});

test.each<[string, () => unknown]>([
  [
    "at once",
    () => {
      throw new Error("no database");
    },
  ],
  ["later", () => Promise.reject(new Error("no database"))],
])(
  "an error that onReport throws %s is printed, and the delivery succeeds",
  async (_when, onReport) => {
    const print = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => print.mockRestore());
    const client = createMapperClient({
      baseUrl: "https://map.test",
      fetch: async () => new Response(null, { status: 201 }),
    });
    const forward = createForwarder({ client, authorization, onReport });
    const response = await forward(known(JSON.stringify(consoleUplink())));
    expect([response.status, await response.json()]).toMatchObject([200, { outcome: "forwarded" }]);
    await vi.waitFor(() =>
      expect(print).toHaveBeenCalledWith(
        expect.stringContaining("onReport"),
        new Error("no database"),
      ),
    );
  },
);

describe("a body that is not a standard uplink", () => {
  const problemsOf = async (body: unknown, options = {}) => {
    const error = await parseConsoleUplink(body, options).catch((thrown: unknown) => thrown);
    if (!(error instanceof UplinkParseError)) throw error;
    expect(error.message).toBe(
      `Not a standard uplink of the console: ${error.problems
        .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
        .join("; ")}. Check that the integration has no body template.`,
    );
    return error.problems;
  };

  test.each<[unknown, { path: string; message: string }[]]>([
    ["{", [{ path: "", message: "the body is not JSON" }]],
    [new TextEncoder().encode("canary"), [{ path: "", message: "the body is not JSON" }]],
    ["7", [{ path: "", message: "expected object, got number" }]],
    [
      { hotspots: [{ rssi: "x" }] },
      [
        { path: "dev_eui", message: "is missing" },
        { path: "fcnt", message: "is missing" },
        { path: "hotspots[0].rssi", message: "expected number, got string" },
      ],
    ],
  ])("causes an UplinkParseError with its problems: %j", async (body, problems) => {
    expect(await problemsOf(body)).toEqual(problems);
  });
});

test("the output of the schema replaces the payload, and the rest of decoded is kept", async () => {
  const schema = { "~standard": { validate: (value: unknown) => ({ value: { was: value } }) } };
  const { decoded: output } = await parseConsoleUplink(
    consoleUplink({}, { decoded: { status: "success", payload: 7 } }),
    { decoded: schema },
  );
  expect(output).toEqual({ status: "success", payload: { was: 7 } });
  const none = await parseConsoleUplink(consoleUplink({}, { decoded: undefined }), {
    decoded: schema,
  });
  expect(none.decoded).toEqual({ payload: { was: undefined } });
});
