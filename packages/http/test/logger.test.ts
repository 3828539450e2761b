import { Writable } from "node:stream";
import pino from "pino";
import { expect, expectTypeOf, test, vi } from "vitest";
import winston from "winston";
import { Secret, type CallError, type FetchFunction, type Logger } from "../src/internal.ts";
import { everyHook, everythingPrinted } from "../../../tools/testing/canary.ts";
import { API_KEY, createThings, errorOf, thing } from "./things.ts";

type Line = [level: string, message: string, fields: Record<string, unknown>];

function recorder(): { lines: Line[]; logger: Logger } {
  const lines: Line[] = [];
  const at =
    (level: string) =>
    (message: string, fields: object): void =>
      void lines.push([level, message, fields as Record<string, unknown>]);
  return {
    lines,
    logger: { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") },
  };
}

/** Creates a fetch that responds with these statuses in turn, then with success. */
function respondWith(...statuses: number[]): FetchFunction {
  return async () => Response.json([thing], { status: statuses.shift() ?? 200 });
}

test("console, pino and winston have the type Logger", () => {
  expectTypeOf<Console>().toExtend<Logger>();
  expectTypeOf<pino.Logger>().toExtend<Logger>();
  expectTypeOf<winston.Logger>().toExtend<Logger>();
});

test("console receives a complete line and its fields", async () => {
  const debug = vi.spyOn(console, "debug").mockReturnValue();
  await createThings({ logger: console, fetch: respondWith() }).list();
  expect(debug.mock.calls.map(([message]) => String(message).replace(/\d+ ms/, "5 ms"))).toEqual([
    "things.list (GET /v1/things) attempt 1",
    "things.list (GET /v1/things) attempt 1: 200, 5 ms, 23 bytes",
  ]);
  expect(debug.mock.calls[1]?.[1]).toMatchObject({ call: "things.list", attempt: 1, status: 200 });
  debug.mockRestore();
});

test("pino receives the fields first, and applies its own level", async () => {
  const written: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void written.push(line) });
  await createThings({ logger, fetch: respondWith(503) }).list();
  expect(written.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      level: 40,
      call: "things.list",
      route: "GET /v1/things",
      attempt: 1,
      failure: 503,
      msg: expect.stringMatching(/^things\.list .* attempt 1: 503, retried after a random wait/),
    }),
  ]);
});

test("winston receives the fields as meta, and applies its own level", async () => {
  const written: string[] = [];
  const stream = new Writable({
    write(line, _, done) {
      written.push(String(line));
      done();
    },
  });
  const logger = winston.createLogger({
    level: "info",
    format: winston.format.json(),
    transports: [new winston.transports.Stream({ stream })],
  });
  const limited = new Response("", { status: 429, headers: { "retry-after": "0.01" } });
  const responses = [limited];
  await createThings({
    logger,
    fetch: async () => responses.shift() ?? Response.json([thing]),
  }).list();
  await vi.waitFor(() => expect(written).toHaveLength(1));
  expect(JSON.parse(written[0] ?? "")).toMatchObject({
    level: "info",
    call: "things.list",
    failure: 429,
    message: expect.stringContaining("retried when the rate limit allowed"),
  });
});

test.for<[string, string, FetchFunction]>([
  ["error", "the last 5xx", respondWith(503, 503, 503)],
  [
    "error",
    "a connection that breaks",
    async () => {
      throw Object.assign(new Error("x"), { code: "ECONNRESET" });
    },
  ],
  ["error", "a body that does not match", async () => Response.json([{ id: "1" }])],
  ["error", "a key that is not accepted", respondWith(401)],
  ["info", "a 404, which can be expected", respondWith(404)],
  ["info", "a 422", respondWith(422)],
])("a failed call is logged at the level %s: %s", async ([level, , fetch]) => {
  const { lines, logger } = recorder();
  const error = await errorOf(createThings({ logger, fetch }).list());
  const [last] = lines.slice(-1);
  expect(last?.slice(0, 2)).toEqual([level, error.message]);
  expect(last?.[2]).toMatchObject({ error: error.name, call: "things.list" });
});

test("an aborted call is logged as info, and drift as a warning", async () => {
  const { lines, logger } = recorder();
  const things = createThings({
    logger,
    validation: "warn",
    fetch: async () => Response.json([{ id: "1" }]),
  });
  await errorOf(things.list({ signal: AbortSignal.abort() }));
  expect(lines.map(([level]) => level)).toEqual(["info"]);
  const warn = vi.spyOn(console, "warn");
  await things.list();
  const warnings = lines.filter(([level]) => level === "warn").map(([, message]) => message);
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.every((message) => message.includes("the response does not fit"))).toBe(true);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test("every line contains the id of its call, which hooks receive too", async () => {
  const { lines, logger } = recorder();
  const ids: string[] = [];
  const things = createThings({
    logger,
    hooks: everyHook((_, { callId }) => ids.push(callId)),
    fetch: respondWith(503, 200, 503, 503, 503),
  });
  await things.list();
  await errorOf(things.list());
  expect(ids[0]).toMatch(/^[\da-f-]{36}$/);
  const calls = [...new Set(ids)];
  expect(calls).toHaveLength(2);
  const inOrder = ids.toSorted((a, b) => calls.indexOf(a) - calls.indexOf(b));
  expect(ids).toEqual(inOrder);
  expect([...new Set(lines.map(([, , fields]) => fields["callId"]))]).toEqual(calls);
});

test("a log contains no value that hooks hide", async () => {
  const { lines, logger } = recorder();
  const echo = { ...thing, key: "canary-answer", note: `${API_KEY} canary-input` };
  const statuses = [201, 422, 503];
  const things = createThings({
    logger,
    headers: { authorization: "Basic canary-header" },
    fetch: async () =>
      Response.json(echo, { status: statuses.shift() ?? 500, headers: { "x-echo": API_KEY } }),
  });
  for (let call = 0; call < 3; call++)
    await things
      .create({ name: "one", key: new Secret("canary-input") as never })
      .catch(() => undefined);
  expect(lines.length).toBeGreaterThan(6);
  expect(everythingPrinted(lines)).not.toMatch(/canary/);
});

test("a logger that throws or rejects has no effect on a call", async () => {
  const fail = (): never => {
    throw new Error("full disk");
  };
  const reject = async (): Promise<never> => fail();
  for (const logger of [
    { debug: fail, info: fail, warn: fail, error: fail },
    { debug: reject, info: reject, warn: reject, error: reject },
  ])
    expect(await createThings({ logger, fetch: respondWith(503) }).list()).toEqual([thing]);
});

test.for([5, null, "debug", () => undefined, { log: () => undefined }])(
  "%s is rejected as a logger",
  (logger) => {
    expect(() => createThings({ logger: logger as never })).toThrow(
      "logger must be an object with the methods debug, info, warn and error",
    );
  },
);

test("a logger that changes its fields does not change the error", async () => {
  const change = (_: string, fields: object): void => {
    const { attempts } = fields as { attempts?: { status?: number }[] };
    for (const attempt of attempts ?? []) attempt.status = 0;
    attempts?.splice(0);
  };
  const logger = { debug: change, info: change, warn: change, error: change };
  const fetch = async (): Promise<Response> => new Response("", { status: 404 });
  const error = await errorOf<CallError>(createThings({ fetch, logger }).get({ name: "one" }));
  expect(error.attempts).toMatchObject([{ status: 404 }]);
});
