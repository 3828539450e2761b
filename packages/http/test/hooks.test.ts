import { expect, test } from "vitest";
import type { FailureEvent, RequestEvent, ResponseEvent } from "../src/index.ts";
import { findCanary } from "../../../tools/canaries/canaries.ts";
import { everyHook, everythingPrinted } from "../../../tools/testing/canary.ts";
import { API_KEY, createThings, errorOf, thing } from "./things.ts";

test("hooks receive each attempt in redacted form", async () => {
  const seen: unknown[] = [];
  let count = 0;
  const things = createThings({
    fetch: async () => {
      if (++count === 1)
        throw Object.assign(new TypeError("fetch failed"), {
          cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
        });
      return Response.json(
        { ...thing, key: "canary-answer" },
        { status: 201, headers: { "set-cookie": "canary-cookie" } },
      );
    },
    headers: { authorization: "Basic canary-header" },
    hooks: {
      onRequest: ({ call, route, attempt, headers, input }: RequestEvent) =>
        seen.push({
          call,
          route,
          attempt,
          key: headers["key"],
          authorization: headers["authorization"],
          input,
        }),
      onFailure: ({ call, attempt, failure, duration }: FailureEvent) =>
        seen.push({ call, attempt, failure, timed: duration >= 0 }),
      onResponse: ({ call, attempt, status, bytes, body, headers }: ResponseEvent) =>
        seen.push({ call, attempt, status, sized: bytes > 0, body, cookie: headers["set-cookie"] }),
    },
  });
  await things.create({ name: "one", key: "canary-input" });
  const request = {
    call: "things.create",
    route: "POST /v1/things",
    key: "[redacted]",
    authorization: "[redacted]",
    input: { name: "one", key: "[redacted]" },
  };
  expect(seen).toEqual([
    { ...request, attempt: 1 },
    { call: "things.create", attempt: 1, failure: "ECONNREFUSED", timed: true },
    { ...request, attempt: 2 },
    {
      call: "things.create",
      attempt: 2,
      status: 201,
      sized: true,
      body: { ...thing, key: "[redacted]" },
      cookie: "[redacted]",
    },
  ]);
  expect(everythingPrinted(seen)).not.toMatch(/canary|c4n4ry/);
  expect(findCanary(everythingPrinted(seen))).toBeUndefined();
});

test("hooks hide secrets of the request at every place where a server repeats them", async () => {
  const seen: unknown[] = [];
  const echo = {
    ...thing,
    note: `your key ${API_KEY}, your secret canary-input`,
    "canary-input": [{ deep: API_KEY }],
  };
  const things = createThings({
    fetch: async () => Response.json(echo, { status: 201 }),
    hooks: everyHook((_, event) => seen.push(event)),
  });
  await things.create({ name: "one", key: "canary-input" });
  expect(everythingPrinted(seen)).not.toMatch(/canary|c4n4ry/);
  expect(findCanary(everythingPrinted(seen))).toBeUndefined();
});

test("a hook receives no error body, because the body may repeat anything", async () => {
  const seen: ResponseEvent[] = [];
  const things = createThings({
    fetch: async () => Response.json({ any: "canary" }, { status: 422 }),
    hooks: { onResponse: (event) => seen.push(event) },
  });
  await things.create({ name: "one" }).catch(() => undefined);
  expect(seen).toMatchObject([{ status: 422, body: undefined }]);
});

test("a hook that throws has no effect on the call", async () => {
  const fail = (): never => {
    throw new Error("a bug in a log");
  };
  const things = createThings({
    fetch: async () => Response.json([thing]),
    hooks: everyHook(fail),
  });
  expect(await things.list()).toEqual([thing]);
});

test("onFailure reports a timeout as timeout", async () => {
  const seen: FailureEvent[] = [];
  const things = createThings({
    fetch: () => new Promise(() => undefined),
    timeout: 20,
    retry: false,
    hooks: { onFailure: (event) => seen.push(event) },
  });
  await things.list().catch(() => undefined);
  expect(seen).toMatchObject([{ call: "things.list", attempt: 1, failure: "timeout" }]);
});

test("hooks receive no secret in a Location or in a header that the caller set", async () => {
  const seen: unknown[] = [];
  const location = `https://elsewhere.test/?name=canary%2Fname&key=${API_KEY.toUpperCase()}`;
  const things = createThings({
    retry: false,
    headers: { "x-session-token": "canary-token", "x-team": "water" },
    hooks: everyHook((_, event) => seen.push(event)),
    fetch: async () => new Response("", { status: 302, headers: { location } }),
  });
  await errorOf(things.create({ name: "one", key: "canary/name" }));
  expect(JSON.stringify(seen)).not.toMatch(/canary|c4n4ry/i);
  expect(findCanary(JSON.stringify(seen))).toBeUndefined();
  expect(JSON.stringify(seen)).toContain("water");
});

test("an error keeps a header name that is part of a secret", async () => {
  for (const apiKey of ["keep-alive", "c", "connection"]) {
    const things = createThings({
      apiKey,
      fetch: async () =>
        new Response("{}", { status: 422, headers: { connection: "keep-alive", "x-odd": "c" } }),
    });
    const error = await errorOf<Error & { headers: Record<string, string> }>(
      things.create({ name: "one" }),
    );
    expect(error.name).toBe("ApiError");
    expect(Object.keys(error.headers)).toEqual(expect.arrayContaining(["connection", "x-odd"]));
    expect(Object.values(error.headers).join(" ").replaceAll("[redacted]", "")).not.toContain(
      apiKey,
    );
  }
});

test("hooks receive only the names of undeclared fields, such as a recorded request", async () => {
  const seen: ResponseEvent[] = [];
  const recorded = {
    headers: { accept: "canary-1", "x-any": "canary-2" },
    body: { downlink_url: "https://console.test/down/canary-3", name: "shown" },
    url_params: { a: "canary-4" },
  };
  const things = createThings({
    fetch: async () => Response.json([{ ...thing, req: recorded }]),
    hooks: { onResponse: (event) => seen.push(event) },
  });
  await things.list();
  expect(seen).toMatchObject([{ body: [{ ...thing, req: "[undeclared]" }] }]);
  expect(everythingPrinted(seen)).not.toMatch(/canary|shown/);
});
