import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { CallError, isApiError, withResponse, type FetchFunction } from "../src/internal.ts";
import { everyHook, everythingPrinted } from "../../../tools/canaries/canaries.ts";
import { createThings, thing, type ThingsOptions } from "./things.ts";

// A server or a custom fetch repeats secrets of the request in any form, in anything that reaches an error, hook or log.

const API_KEY = "c4n4ry-Api-Key-8c1f77";
const INPUT_KEY = "C4N4RY151628AED2A6ABF7158809CF4F";
const BASIC = `Basic ${Buffer.from("c4n4ryuser:c4n4rypass").toString("base64")}`;
const SECRETS = [API_KEY, INPUT_KEY, BASIC, "c4n4rypass"];

const bytes = (text: string): Buffer => Buffer.from(text, "utf8");
const escaped = (text: string, write: (code: number) => string): string =>
  Array.from(text, (each) => write(each.codePointAt(0)!)).join("");

const FORMS: readonly [string, (text: string) => string][] = [
  ["as it was sent", (text) => text],
  [
    "in another case",
    (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()),
  ],
  ["in hex", (text) => bytes(text).toString("hex")],
  ["in uppercase hex", (text) => bytes(text).toString("hex").toUpperCase()],
  ["in base64", (text) => bytes(text).toString("base64")],
  ["in base64url", (text) => bytes(`key=${text}`).toString("base64url")],
  ["percent-encoded", (text) => escaped(text, (code) => `%${code.toString(16)}`)],
  ["percent-encoded twice", (text) => escaped(text, (code) => `%25${code.toString(16)}`)],
  [
    "escaped as in JSON",
    (text) => escaped(text, (code) => String.raw`\u${code.toString(16).padStart(4, "0")}`),
  ],
  ["eight characters of it", (text) => text.slice(-9, -1)],
];

/** Returns each run of eight characters, which would reveal a secret if it was printed. */
function tellingParts(written: string): string[] {
  return Array.from({ length: written.length - 7 }, (_, start) =>
    written.slice(start, start + 8).toLowerCase(),
  );
}

/** Makes a call with every kind of secret, and returns everything that is visible of it. */
async function printed(
  fetch: FetchFunction,
  options: ThingsOptions = {},
): Promise<{ error: Error | undefined; text: string }> {
  const seen: unknown[] = [];
  const write = (...line: unknown[]): void => void seen.push(line);
  const warn = vi.spyOn(console, "warn").mockImplementation(write);
  const things = createThings({
    fetch,
    apiKey: API_KEY,
    retry: { attempts: 2, baseDelay: 1, maxDelay: 2 },
    headers: { authorization: BASIC, "x-team": "water" },
    hooks: everyHook((_, event) => seen.push(event)),
    logger: { debug: write, info: write, warn: write, error: write },
    onDrift: (drift) => seen.push(drift),
    service: {
      // Like a service that shows as much as it can of an error body.
      readError: ({ body }, _, show) => {
        const { code, message, errors = {} } = (safelyParsed(body) ?? {}) as Body;
        const fields = Object.entries(errors).flatMap(([name, text]) => {
          const [field, shown] = [show(name), show(text)];
          return field === undefined ? [] : [[field, [shown ?? "was not accepted"]]];
        });
        return { code: show(code), message: show(message), fields: Object.fromEntries(fields) };
      },
    },
    ...options,
  });
  const call = things.createOnce({ name: "one", key: INPUT_KEY });
  const result = await withResponse(call).then(
    ({ requestId }) => ({ requestId }),
    (error: unknown) => ({ error: error as Error }),
  );
  seen.push(result, result instanceof CallError && result.cause);
  warn.mockRestore();
  return {
    error: "error" in result ? result.error : undefined,
    text: seen.map(everythingPrinted).join("\n") + inspect(seen, { depth: 30, showHidden: true }),
  };
}

interface Body {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: Record<string, string>;
}

function safelyParsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Replaces the characters that a header cannot contain. */
const inHeader = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?");

const PLACES: readonly [string, (text: string) => Response][] = [
  ["x-request-id", (text) => rejected({}, { "x-request-id": inHeader(text) })],
  ["request-id", (text) => rejected({}, { "request-id": inHeader(text) })],
  ["the request id of a success", (text) => succeeded({}, { "x-request-id": inHeader(text) })],
  [
    "a Location",
    (text) =>
      new Response("", {
        status: 302,
        headers: { location: `https://a.test/?k=${inHeader(text)}` },
      }),
  ],
  ["any header of a success", (text) => succeeded({}, { "x-echo": `you said ${inHeader(text)}` })],
  [
    "the name of a header",
    (text) => rejected({}, { [`x-${text.replaceAll(/[^\w-]/g, "-")}`]: "1" }),
  ],
  ["the status text", (text) => new Response("{}", { status: 422, statusText: inHeader(text) })],
  ["a message", (text) => rejected({ message: `${text} was refused` })],
  ["a message behind 195 characters", (text) => rejected({ message: "no ".repeat(65) + text })],
  ["a code", (text) => rejected({ code: text })],
  ["the name of a field", (text) => rejected({ errors: { [text]: "is odd" } })],
  ["the text of a field", (text) => rejected({ errors: { name: `${text} is odd` } })],
  ["a body that is not JSON", (text) => new Response(`no: ${text}`, { status: 500 })],
  ["a declared field", (text) => succeeded({ name: `of ${text}` })],
  ["a declared field of another type", (text) => succeeded({ id: { odd: text } as never })],
  ["an undeclared field", (text) => succeeded({ note: [{ any: text }] })],
  ["an undeclared name", (text) => succeeded({ [text]: 1 })],
  ["a string in place of the record", (text) => Response.json(text, { status: 200 })],
  ["a response without the required fields", (text) => Response.json({ [text]: text })],
];

function rejected(body: Body, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status: 422, headers });
}

function succeeded(body: Record<string, unknown>, headers: Record<string, string> = {}): Response {
  return Response.json({ ...thing, ...body }, { status: 201, headers });
}

describe.each(PLACES)("a secret that is repeated in %s", (_place, respond) => {
  test.each(FORMS)("is never shown: %s", async (_form, write) => {
    for (const secret of SECRETS) {
      const text = write(secret);
      for (const validation of ["strict", "warn"] as const) {
        const seen = await printed(async () => respond(text), { validation });
        const small = seen.text.toLowerCase();
        for (const part of [...tellingParts(text), ...tellingParts(secret)])
          expect(small).not.toContain(part);
      }
    }
  });
});

describe("an error of a custom fetch", () => {
  const thrown: readonly [string, (text: string) => unknown][] = [
    ["a code", (text) => Object.assign(new Error("no"), { code: codeOf(text) })],
    [
      "the code of a cause",
      (text) => new TypeError("fetch failed", { cause: { code: codeOf(text) } }),
    ],
    ["a message", (text) => new Error(`cannot reach ${text}`)],
    ["a name", (text) => Object.assign(new Error("no"), { name: text })],
    ["the message of a mistake", (text) => new RangeError(`bad ${text}`)],
    [
      "the stack of a mistake",
      (text) =>
        Object.assign(new RangeError("bad"), {
          stack: `RangeError: ${text}\n    at ${text} (file.js:1:1)\n    at run (file.js:2:2)`,
        }),
    ],
    ["the code of a mistake", (text) => Object.assign(new SyntaxError("bad"), { code: text })],
    ["a string", (text) => text],
  ];
  const codeOf = (text: string): string => `E${text.replaceAll(/\W/g, "_")}`.slice(0, 59);

  test.each(thrown)("never shows a secret in %s", async (_place, make) => {
    for (const [, write] of FORMS)
      for (const secret of SECRETS) {
        const text = write(secret);
        const { text: all, error } = await printed(async () => {
          throw make(text) as Error;
        });
        expect(error).toBeInstanceOf(CallError);
        for (const part of [...tellingParts(text), ...tellingParts(secret)])
          expect(all.toLowerCase()).not.toContain(part);
      }
  });
});

test("an error shows a request id, a message, fields and headers without a secret", async () => {
  const headers = { "x-request-id": "req_01JD3Y7Q4W8TQ2", "x-note": "all is well" };
  const body = { message: "is taken", errors: { name: "is odd" } };
  const { error } = await printed(async () => rejected(body, headers));
  if (!isApiError(error)) throw new Error("an ApiError was expected");
  expect(error.requestId).toBe("req_01JD3Y7Q4W8TQ2");
  expect(error.message).toContain("is taken");
  expect(error.fields).toEqual({ name: ["is odd"] });
  expect(error.headers).toMatchObject({ "x-note": "all is well" });
});

test("an error hides the user and the password of a URL in the input separately", async () => {
  const fetch: FetchFunction = async () =>
    Response.json({ message: "bob77 may not, with pa55w" }, { status: 422 });
  const error = await createThings({
    fetch,
    service: {
      readError: ({ body }, _, show) => ({ message: show(JSON.parse(body).message) ?? "hidden" }),
    },
  })
    .create({ name: "https://bob77:pa55w@hooks.test/in" })
    .catch((thrown: unknown) => thrown);
  expect(String(error)).toContain("hidden");
  expect(String(error)).not.toMatch(/bob77|pa55w/);
});

test("an error message of several megabytes is processed in seconds", async () => {
  const start = performance.now();
  for (const piece of ["%", "ab12", "QUJD", "<", "a ", "\u200B"])
    await printed(async () =>
      rejected({ message: piece.repeat(1_000_000), errors: { [piece.repeat(100_000)]: "x" } }),
    );
  expect(performance.now() - start).toBeLessThan(5_000);
});
