import { expect, test } from "vitest";
import type { ApiError } from "../src/internal.ts";
import { startHttp } from "../../../tools/testing/http-server.ts";
import { createThings, eachThing, errorOf } from "./things.ts";

// The status of an error settles what happened, whether or not its body can be read.

const BODIES = {
  "that is not the gzip it says": { headers: { "content-encoding": "gzip" }, end: "now" },
  "that breaks off": { headers: { "content-length": "900" }, end: "broken" },
  "that never ends": { headers: {}, end: "never" },
} as const;
type Kind = keyof typeof BODIES;
const KINDS = Object.keys(BODIES) as Kind[];

/** Responds with a status and such a body, and then with 200. */
const startBroken = (kind: Kind, status: number, times = Infinity) =>
  startHttp((_, response) => {
    if (times-- <= 0) return void response.end("[]");
    const { headers, end } = BODIES[kind];
    response.writeHead(status, { "content-type": "text/html", "retry-after": "0", ...headers });
    if (end === "now") return void response.end("<html>plain</html>");
    response.write("<html>");
    if (end === "broken") setTimeout(() => response.destroy(), 15);
  });

const QUICK = { timeout: 300, totalTimeout: 3_000 };
const CALLS = {
  list: (baseUrl: string) => createThings({ baseUrl, ...QUICK }).list(),
  create: (baseUrl: string) => createThings({ baseUrl, ...QUICK }).create({ name: "one" }),
  each: async (baseUrl: string) => {
    for await (const thing of eachThing({ baseUrl, ...QUICK })) void thing;
  },
};
/** The requests and the outcome of a call that always receives the status. */
const ENDS: readonly (readonly [status: number, call: keyof typeof CALLS, end: string])[] = [
  [302, "list", "rejected ×1"],
  [403, "create", "rejected ×1"],
  [422, "create", "rejected ×1"],
  [500, "create", "unknown ×1"],
  [503, "list", "unknown ×3"],
  [503, "each", "unknown ×3"],
];

test.each(ENDS.flatMap((row) => KINDS.map((kind) => [...row, kind] as const)))(
  "%i to %s ends as %s, with a body %s",
  async (status, call, end, kind) => {
    await using server = await startBroken(kind, status);
    const error = await errorOf<ApiError>(CALLS[call](server.baseUrl));
    expect(error.name).toBe("ApiError");
    expect([
      error.status,
      `${error.outcome} ×${server.received.length}`,
      error.body.reveal(),
    ]).toEqual([status, end, ""]);
    expect(error.message).toMatch(/its body could not be read/);
  },
);

test.each(KINDS)("a 429 with a body %s starts the pause, and is sent again", async (kind) => {
  await using server = await startBroken(kind, 429, 1);
  expect(await CALLS.list(server.baseUrl)).toEqual([]);
  expect(server.received).toHaveLength(2);
});

test.each(KINDS)("a 401 with a body %s asks the key function for another key", async (kind) => {
  await using server = await startBroken(kind, 401, 1);
  let keys = 0;
  const apiKey = () => `key-of-this-test-${keys++}`;
  expect(await createThings({ baseUrl: server.baseUrl, apiKey, ...QUICK }).list()).toEqual([]);
  expect(keys).toBe(2);
});

test("waits 2 s for the body of an error, and not until the time limit of the call", async () => {
  await using server = await startBroken("that never ends", 422);
  const began = performance.now();
  const things = createThings({ baseUrl: server.baseUrl, timeout: 30_000 });
  expect(await errorOf(things.list())).toMatchObject({ status: 422, outcome: "rejected" });
  expect(performance.now() - began).toBeLessThan(10_000);
});
