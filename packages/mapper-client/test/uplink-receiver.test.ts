import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import { createForwarder, createMapperClient, isSecret } from "../src/index.ts";
import { createUplinkReceiver, parseConsoleUplink, UplinkParseError } from "../src/uplink.ts";
import { consoleUplink } from "../../../tools/testing/uplinks.ts";

const authorization = { name: "authorization", value: "canary-secret-71aa" };
const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { authorization: authorization.value },
) => new Request("https://backend.test/uplinks", { method: "POST", body, headers });

test("passes a standard uplink to the handler, typed by a schema for its payload", async () => {
  const seen: unknown[] = [];
  const receive = createUplinkReceiver({
    authorization,
    decoded: z.object({ latitude: z.number() }),
    handler: ({ dev_eui, decoded }) => seen.push([dev_eui, decoded.payload.latitude]),
  });
  const response = await receive(post(JSON.stringify(consoleUplink())));
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
  await receive(post(JSON.stringify(consoleUplink()))).then(() => order.push("answered"));
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
  const large = await receive(post(`{"a":"${"x".repeat(2_000)}"}`));
  expect([large.status, await large.text()]).toEqual([413, "Too large."]);
  const latin1 = Uint8Array.of(0x22, 0xe9, 0x22);
  await expect(parseConsoleUplink(latin1)).rejects.toMatchObject({
    problems: [{ path: "", message: "the body is not UTF-8" }],
  });
  await expect(parseConsoleUplink({ ...consoleUplink(), fcnt: "5" })).rejects.toThrow(
    "Not a standard uplink of the console: fcnt: expected number, got string. Check that",
  );
});

test.each([7, "Bearer x", [], null])(
  "createUplinkReceiver throws a TypeError for the authorization %j",
  (wrong) => {
    const options = { authorization: wrong, handler: () => undefined } as never;
    expect(() => createUplinkReceiver(options)).toThrow(
      'authorization must be { name, value } or "none"; it is ',
    );
  },
);

test.each([
  [undefined, /requires an object of options, such as \{ authorization, handler \}, not undefined/],
  ["canary", /not a string/],
  [{}, /authorization is missing/],
  [{ authorization: { name: "a b", value: "x" } }, /name of a header/],
  [{ authorization: { name: "key", value: "" } }, /non-empty/],
  [{ authorization: { name: "key", value: "canary\n" } }, /line break.*trim it/],
  [{ authorization: { name: "key", value: "canary\r\nx: y" } }, /line break/],
  [{ authorization: { name: "key", value: " canary" } }, /ends with a space/],
  [{ authorization: { name: "key", value: "undefined" } }, /value is the word undefined/],
  [{ authorization: "none", maxBytes: 0 }, /maxBytes/],
  [{ authorization: "none" }, /handler/],
])("createUplinkReceiver rejects the options %j", (options, message) => {
  expect(() => createUplinkReceiver(options as never)).toThrow(message);
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
    const response = await forward(post(JSON.stringify(consoleUplink())));
    expect([response.status, await response.json()]).toMatchObject([200, { outcome: "forwarded" }]);
    await vi.waitFor(() =>
      expect(print).toHaveBeenCalledWith(
        expect.stringContaining("onReport"),
        new Error("no database"),
      ),
    );
  },
);

test.each<[string, () => unknown]>([
  [
    "at once",
    () => {
      throw new Error("no log");
    },
  ],
  ["later", () => Promise.reject(new Error("no log"))],
])("an error that onError throws %s does not change the response", async (_when, onError) => {
  const print = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => print.mockRestore());
  const receive = createUplinkReceiver({
    authorization,
    handler: () => Promise.reject(new Error("no database")),
    onError,
  });
  expect((await receive(post(JSON.stringify(consoleUplink())))).status).toBe(500);
  await vi.waitFor(() => expect(print).toHaveBeenCalledTimes(1));
});

const client = createMapperClient({ baseUrl: "https://map.test" });

test.each<[string, object, string]>([
  ["a misspelled option", { onReprot: () => {} }, 'Did you mean "onReport"?'],
  ["a misspelled observedRules", { observedRule: false }, 'Did you mean "observedRules"?'],
  [
    "a URL in place of a client",
    { client: "https://map.test" },
    "such as createMapperClient({ baseUrl })",
  ],
  ["an onReport that is not a function", { onReport: "log" }, "onReport must be a function"],
])("createForwarder throws a TypeError for %s", (_what, options, message) => {
  const all = { client, authorization, ...options } as never;
  expect(() => createForwarder(all)).toThrow(TypeError);
  expect(() => createForwarder(all)).toThrow(message);
});

test("createUplinkReceiver throws a TypeError for a misspelled option", () => {
  const options = { authorization, handler: () => {}, onEror: () => {} };
  expect(() => createUplinkReceiver(options)).toThrow('Did you mean "onError"?');
});
