import * as z from "zod/mini";
import { expect, test } from "vitest";
import {
  bind,
  endpoint,
  page,
  ResponseValidationError,
  type Drift,
  type FetchFunction,
  type PagerOptions,
  type ResponseEvent,
} from "../src/internal.ts";
import { createPager } from "../src/pager.ts";
import { createThings, createThingsTransport, errorOf, Thing, thing } from "./things.ts";
import type { ThingsOptions } from "./things.ts";

// A list whose page the spec does not show, and a list whose records the caller describes.

const gadgets = {
  all: endpoint("GET /v1/gadgets", {
    query: { cursor: z.optional(z.string()) },
    result: page(Thing, { isGuess: true }),
  }),
};

function createGadgets(body: unknown, options: ThingsOptions = {}) {
  const drifts: Drift[] = [];
  const fetch: FetchFunction = async (url) =>
    Response.json(url.includes("cursor=") ? { data: [] } : body);
  const onDrift = (drift: Drift): void => void drifts.push(drift);
  const transport = createThingsTransport({ fetch, onDrift, retry: false, ...options });
  return { gadgets: bind("gadgets", gadgets, transport, createPager), drifts };
}

test.each<[string, unknown, unknown, string]>([
  ["a bare list", [thing], undefined, "expected object, got array"],
  ["the only list of a record", { gadgets: [thing], total: 1 }, undefined, "data: is missing"],
  ["the only list next to a meta", { all: [thing], meta: { a: 1 } }, { a: 1 }, "data: is missing"],
])("%s is accepted as a page and reported as drift", async (_what, body, meta, message) => {
  for (const validation of ["strict", "warn", "off"] as const) {
    const { gadgets: client, drifts } = createGadgets(body, { validation });
    expect(await client.all().page()).toEqual({ items: [thing], cursor: undefined, meta });
    expect(await client.all().toArray({ limit: 9 })).toEqual([thing]);
    const said = drifts.map(({ problems }) =>
      problems.map(({ path, message: text }) => (path === "" ? text : `${path}: ${text}`)),
    );
    expect(said).toEqual(validation === "off" ? [] : [[message], [message]]);
  }
});

test("a guessed page uses the cursor next to its only list", async () => {
  const { gadgets: client } = createGadgets({ gadgets: [thing], cursor: "c2" });
  expect(await client.all().page()).toMatchObject({ items: [thing], cursor: "c2" });
});

test.each<[string, unknown]>([
  ["a record with two lists", { gadgets: [thing], others: [] }],
  ["a record without a list", { gadgets: thing }],
  ["a page with a list in another field than data", { data: "none", gadgets: [thing] }],
])("%s is rejected as a page, because a walk would end too early", async (_what, body) => {
  const { gadgets: client } = createGadgets(body, { validation: "warn" });
  const error = await errorOf<ResponseValidationError>(client.all().page());
  expect(error).toBeInstanceOf(ResponseValidationError);
  expect(error.outcome).toBe("applied");
});

test("hooks receive the records of a guessed page in the field data, without their secrets", async () => {
  const bodies: unknown[] = [];
  const { gadgets: client } = createGadgets([{ ...thing, key: "canary" }], {
    hooks: { onResponse: ({ body }: ResponseEvent) => bodies.push(body) },
  });
  await client.all().page();
  expect(bodies).toEqual([{ data: [{ ...thing, key: "[redacted]" }] }]);
});

test("a page that the spec documents is never guessed", async () => {
  for (const body of [[thing], { things: [thing] }]) {
    const things = createThings({ fetch: async () => Response.json(body), retry: false });
    expect(await errorOf(things.walk().page())).toBeInstanceOf(ResponseValidationError);
  }
});

test("a caller's schema describes one record of a page, and the page keeps its cursor", async () => {
  const body = { data: [thing, { ...thing, id: 2 }], cursor: "c2", meta: { total: 2 } };
  const things = createThings({ fetch: async () => Response.json(body) });
  const schema = z.pipe(
    z.object({ id: z.number() }),
    z.transform(({ id }: { id: number }) => `#${id}`),
  );
  const options = { schema } as PagerOptions;
  expect(await things.walk({}, options).page()).toEqual({
    items: ["#1", "#2"],
    cursor: "c2",
    meta: { total: 2 },
  });
  const strict = { schema: z.object({ id: z.number().check(z.maximum(1)) }) } as PagerOptions;
  const error = await errorOf<ResponseValidationError>(things.walk({}, strict).page());
  expect(error.problems).toEqual([{ path: "[1].id", message: "does not fit the schema" }]);
  expect(error.message).toContain("Correct the schema of the call.");
});
