import { expect, test } from "vitest";
import type { FailureEvent, RequestEvent, ResponseEvent } from "../src/index.ts";
import { findCanary } from "../../../tools/canaries/canaries.ts";
import { everythingPrinted } from "../../../tools/testing/canary.ts";
import { createThings, thing } from "./things.ts";

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

test("a hook receives no error body, because the body may repeat anything", async () => {
  const seen: ResponseEvent[] = [];
  const things = createThings({
    fetch: async () => Response.json({ any: "canary" }, { status: 422 }),
    hooks: { onResponse: (event) => seen.push(event) },
  });
  await things.create({ name: "one" }).catch(() => undefined);
  expect(seen).toMatchObject([{ status: 422, body: undefined }]);
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
