import { Writable } from "node:stream";
import pino from "pino";
import { expect, expectTypeOf, test, vi } from "vitest";
import winston from "winston";
import type { FetchFunction, Logger } from "../src/internal.ts";
import { createThings, errorOf, thing } from "./things.ts";

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

test.for([5, null, "debug", () => undefined, { log: () => undefined }])(
  "%s is rejected as a logger",
  (logger) => {
    expect(() => createThings({ logger: logger as never })).toThrow(
      "logger must be an object with the methods debug, info, warn and error",
    );
  },
);
