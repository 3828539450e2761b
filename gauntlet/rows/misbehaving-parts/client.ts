import { createConsoleClient } from "@fieldmesh/console-client";
import { sendJson, startOrigin, type Respond } from "../../parts/origin.ts";
import { KEY } from "../../run/canary.ts";
import { isClosed } from "../../run/cases.ts";
import { bodyFor } from "../../parts/label.ts";
import { describeError } from "../../run/perform.ts";
import {
  late,
  never,
  once,
  otherCases,
  rejects,
  shown,
  TELLTALE,
  throws,
  throwsAfter,
  type OtherRow,
} from "./part.ts";

type Given = Record<string, unknown>;

/** Two calls of one client. The part misbehaves in the first one. */
interface ClientRow extends Omit<OtherRow, "run"> {
  readonly options?: () => Given;
  readonly call?: () => Given;
  readonly respond?: Respond;
}

// Long enough for the other calls, on a busy machine too.
const TIMES = { timeout: 4_000, totalTimeout: 8_000, retry: { baseDelay: 1, maxDelay: 5 } };
const WORKS = "Both calls return the labels.";
const ok = "ok, then ok ×2";

const key = (fault: string, bad: () => unknown, ends: string, sentence: string): ClientRow => ({
  fault: `the function for the key ${fault}`,
  options: () => ({ apiKey: once(bad, () => KEY) }),
  ends,
  sentence,
});
const NO_KEY = "CredentialError not_sent, then ok ×1";
const noKey = (fault: string, bad: () => unknown): ClientRow =>
  key(
    fault,
    bad,
    NO_KEY,
    "The call rejects with a CredentialError, and nothing is sent. The next one works.",
  );

const labels = () =>
  new Response(bodyFor("GET"), { headers: { "content-type": "application/json" } });
const fetchRow = (
  fault: string,
  bad: () => unknown,
  ends: string,
  sentence: string,
): ClientRow => ({
  fault: `the fetch function ${fault}`,
  options: () => ({ fetch: once(bad, labels), retry: { attempts: 1 } }),
  ends,
  sentence,
});
const mistake = (fault: string, bad: () => unknown): ClientRow =>
  fetchRow(
    fault,
    bad,
    "FetchFunctionError unknown, then ok ×0",
    "The call rejects with a FetchFunctionError that names the mistake. The next one works.",
  );
const body = (
  fault: string,
  stream: () => ConstructorParameters<typeof ReadableStream<Uint8Array>>[0],
  ends: string,
  sentence: string,
) =>
  fetchRow(
    `returns a body that ${fault}`,
    async () => new Response(new ReadableStream<Uint8Array>(stream())),
    ends,
    sentence,
  );

const observer = (name: string, fault: string, bad: () => unknown): ClientRow => ({
  fault: `${name} ${fault}`,
  options: () => {
    const watch = once(bad, () => undefined);
    if (name === "the logger")
      return { logger: { debug: watch, info: watch, warn: watch, error: watch } };
    return name === "onDrift" ? { onDrift: watch } : { hooks: { [name]: watch } };
  },
  ends: ok,
  sentence: WORKS,
});

const schema = (fault: string, bad: () => unknown, ends: string, sentence: string): ClientRow => ({
  fault: `the schema of the call ${fault}`,
  call: () => ({
    schema: {
      "~standard": {
        version: 1,
        vendor: "gauntlet",
        validate: once(bad, () => ({ value: "as read" })),
      },
    },
  }),
  ends,
  sentence,
});

const store = (fault: string, bad: () => unknown): ClientRow => ({
  fault: `the store of a shared limit ${fault}`,
  options: () => ({
    totalTimeout: 12_000,
    rateLimit: {
      requests: 100,
      shared: { take: once(bad, async () => 0), block: async () => undefined },
    },
  }),
  ends: ok,
  sentence:
    "Both calls are sent within the time that a working store has, and counted in this process.",
});

const rows: readonly ClientRow[] = [
  key(
    "never settles",
    never,
    "TimeoutError totalTimeout not_sent, then ok ×1",
    "The call ends at its totalTimeout, and nothing is sent. The next one asks again and works.",
  ),
  key("settles after half a second", () => late(500, KEY), ok, WORKS),
  key("throws after it has settled", () => throwsAfter(KEY), ok, WORKS),
  noKey("throws", throws(new Error("of the vault"))),
  noKey("rejects", rejects(new Error("of the vault"))),
  {
    fault: "the function for the key throws an error that contains the key, after a 401",
    options: () => {
      const second = once(throws(TELLTALE), () => KEY);
      return { apiKey: once(() => KEY, second) };
    },
    respond: (_, response, number) =>
      number === 1 ? sendJson(response, 401, "{}") : sendJson(response, 200, bodyFor("GET")),
    ends: "CredentialError not_sent, then ok ×2",
    sentence:
      "The call rejects with a CredentialError, whose cause does not show the key. The next one asks again and works.",
  },
  noKey("rejects with undefined", rejects(undefined)),
  noKey("returns undefined", async () => undefined),
  noKey("returns a number", async () => 42),
  noKey("returns an empty string", async () => ""),
  noKey("returns a key that ends in a line break", async () => `${KEY}\n`),
  fetchRow(
    "never settles",
    never,
    "TimeoutError timeout unknown, then ok ×0",
    "The call ends at its timeout. The next one works.",
  ),
  fetchRow(
    "settles after the timeout",
    () => late(5_000, labels()),
    "TimeoutError timeout unknown, then ok ×0",
    "The call ends at its timeout, and the late response is dropped. The next one works.",
  ),
  fetchRow("throws after it has settled", () => throwsAfter(labels()), "ok, then ok ×0", WORKS),
  fetchRow(
    "rejects with undefined",
    rejects(undefined),
    "ConnectionError NETWORK_ERROR unknown, then ok ×0",
    "The call rejects with a ConnectionError, and its outcome is unknown. The next one works.",
  ),
  fetchRow(
    "rejects with an error whose code is the key",
    rejects(Object.assign(new Error("no"), { code: KEY })),
    "ConnectionError NETWORK_ERROR unknown, then ok ×0",
    "The call rejects with a ConnectionError that does not show the code. The next one works.",
  ),
  mistake("returns undefined", async () => undefined),
  mistake("returns null", async () => null),
  mistake("returns an object without a body", async () => ({
    status: 200,
    headers: new Headers(),
  })),
  mistake("throws a ReferenceError", throws(new ReferenceError("dispatcher is not defined"))),
  body(
    "never ends",
    () => ({ pull: never }),
    "TimeoutError timeout unknown, then ok ×0",
    "The call ends at its timeout. The next one works.",
  ),
  body(
    "fails in the middle",
    () => ({
      pull: (controller: ReadableStreamDefaultController) => {
        controller.enqueue(Buffer.from("["));
        controller.error(new Error("gone"));
      },
    }),
    "ConnectionError NETWORK_ERROR unknown, then ok ×0",
    "The call rejects with a ConnectionError. The next one works.",
  ),
  ...["onRequest", "onResponse", "the logger"].flatMap((name) => [
    observer(name, "never settles", never),
    observer(name, "throws", throws(new Error("of the hook"))),
    observer(name, "rejects", rejects(new Error("of the hook"))),
  ]),
  schema(
    "never settles",
    never,
    "TimeoutError totalTimeout applied, then ok ×2",
    "The call ends at its totalTimeout, and its outcome is applied. The next one works.",
  ),
  schema(
    "throws",
    throws(new Error("of the schema")),
    "ResponseValidationError applied, then ok ×2",
    "The call rejects with a ResponseValidationError, and its outcome is applied. The next one works.",
  ),
  schema(
    "returns undefined",
    () => undefined,
    "ResponseValidationError applied, then ok ×2",
    "The call rejects with a ResponseValidationError, and its outcome is applied. The next one works.",
  ),
  store("never responds", never),
  store("responds after three seconds", () => late(3_000, 0)),
  store("throws", throws(new Error("of the store"))),
  store("rejects", rejects(new Error("of the store"))),
  store("returns undefined", async () => undefined),
  store("returns NaN", async () => Number.NaN),
  store("returns a string", async () => "soon"),
  store("returns a negative number", async () => -60_000),
];

/** Makes two calls, and describes their ends and the number of requests. */
async function run({
  options = () => ({}),
  call = () => ({}),
  respond,
}: ClientRow): Promise<string> {
  const origin = await startOrigin(respond);
  const seen: unknown[] = [];
  try {
    const client = createConsoleClient({
      baseUrl: origin.url,
      apiKey: KEY,
      ...TIMES,
      ...options(),
    });
    const given = call();
    const ends: string[] = [];
    for (let number = 0; number < 2; number++)
      ends.push(
        await client.labels.list(given).then(
          () => "ok",
          (error: unknown) => (seen.push(error), describeError(error)),
        ),
      );
    const open = (await isClosed(origin.leftOpen)) ? "" : " OPEN";
    return `${ends.join(", then ")} ×${origin.requests()}${open}${shown(seen)}`;
  } finally {
    await origin[Symbol.asyncDispose]();
  }
}

export const clientCases = otherCases(
  "client",
  rows.map((row) => ({ ...row, run: () => run(row) })),
);
