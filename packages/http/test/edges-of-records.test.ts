import * as z from "zod/mini";
import { record } from "@fieldmesh/core/internal/schema";
import { describe, expect, test, vi } from "vitest";
import {
  bind,
  ConnectionError,
  endpoint,
  orLookUp,
  page,
  type CallError,
  type Drift,
  type FetchFunction,
  type LookUp,
  type ResponseValidationError,
} from "../src/internal.ts";
import { createPager } from "../src/pager.ts";
import { startList, upTo } from "./list-server.ts";
import {
  createThings,
  createThingsTransport,
  eachThing,
  errorOf,
  thing,
  type ThingsOptions,
} from "./things.ts";

// What a write returns whose response the contract does not show, and what is left of a call at its end.

const Part = record({ id: z.int(), name: z.string() });
const named = z.strictObject({ name: z.string() });
const parts = {
  /** Create a part. The contract shows no response. */
  create: endpoint("POST /v1/parts", { body: named, result: Part, open: "optional" }),
  /** Create parts, as a list or one by one. */
  createAll: endpoint("POST /v1/parts/all", {
    body: named,
    result: z.union([z.array(Part), Part]),
    open: "optional",
  }),
  /** Create a part, which is looked up. */
  createOne: endpoint("POST /v1/parts/one", { body: named, result: Part, open: "lookUp" }),
};
const input = { name: "one" };

/** Parts of a service that responds with a body, and what it reports as drift. */
function createParts(body: string | undefined, options: ThingsOptions = {}) {
  const drifts: Drift[] = [];
  const transport = createThingsTransport({
    fetch: async () => new Response(body ?? null),
    onDrift: (drift) => void drifts.push(drift),
    ...options,
  });
  return { drifts, parts: bind("parts", parts, transport, createPager) };
}

describe("a write whose response the contract does not show", () => {
  test.each([
    ["", "is empty"],
    ["null", "is null"],
    ["12", "is a number, and not the record"],
    ["[]", "is a list, and not the record"],
  ])("resolves to undefined for the body %j, which is reported as: %s", async (body, message) => {
    for (const validation of ["strict", "warn", "off"] as const) {
      const { parts: made, drifts } = createParts(body, { validation });
      expect(await made.create(input)).toBeUndefined();
      const problems = drifts.map(({ problems: found }) => found);
      expect(problems).toMatchObject(validation === "off" ? [] : [[{ path: "", message }]]);
    }
  });

  test("resolves to what the service sent if it has the type of the record", async () => {
    const { parts: made, drifts } = createParts('{"id":"x"}');
    expect(await made.create(input)).toEqual({ id: "x" });
    expect(drifts[0]?.problems.map(({ path }) => path)).toEqual(["id", "name"]);
  });

  test("accepts each type of a union, and no other", async () => {
    const createAll = async (body: string) => createParts(body).parts.createAll(input);
    expect(await createAll('[{"id":"x","name":"one"}]')).toEqual([{ id: "x", name: "one" }]);
    expect(await createAll('{"id":"x","name":"one"}')).toEqual({ id: "x", name: "one" });
    expect(await createAll('"created"')).toBeUndefined();
  });

  test("with the caller's schema resolves to what that schema returns, and without a body to undefined", async () => {
    const schema = z.object({ uuid: z.string() });
    const made = (body: string | undefined) =>
      createParts(body).parts.create(input, { schema } as never) as Promise<unknown>;
    expect(await made('{"uuid":"u"}')).toEqual({ uuid: "u" });
    expect(await made("null")).toBeUndefined();
    expect(await errorOf<ResponseValidationError>(made("12"))).toMatchObject({
      name: "ResponseValidationError",
      outcome: "applied",
    });
  });
});

describe("a lookup of what was created", () => {
  const lookUp = (find: LookUp["find"], options?: LookUp["options"]) => {
    const { parts: made } = createParts("");
    return orLookUp(made.createOne(input), {
      endpoint: { call: "parts.createOne", row: parts.createOne },
      options,
      find,
      advice: "Call parts.find.",
    });
  };

  test("that fails is an error that names the failed call and why", async () => {
    const fetch: FetchFunction = async () => new Response("no", { status: 404 });
    const find = () => createThings({ fetch }).get({ name: "one" });
    const error = await errorOf<CallError>(lookUp(find));
    expect(error.message).toContain("things.get, which looks it up, failed with 404");
    const broken: FetchFunction = () => Promise.reject(new TypeError("fetch failed"));
    const other = await errorOf<CallError>(
      lookUp(() => createThings({ fetch: broken, retry: false }).list()),
    );
    expect(other.message).toContain(
      `things.list, which looks it up, failed with ${ConnectionError.name}`,
    );
  });

  test("that fails with an error of another kind rejects with that error", async () => {
    const mistake = new RangeError("a mistake of the caller");
    expect(await errorOf(lookUp(() => Promise.reject(mistake)))).toBe(mistake);
  });
});

describe("the end of a list that is read record by record", () => {
  const fetch: FetchFunction = async () => Response.json([thing]);

  test("removes its listener from the caller's signal", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    for await (const each of eachThing({ fetch }, { signal })) expect(each).toEqual(thing);
    const heard = added.mock.calls.map(([type, listener]) => [type, listener]);
    const forgotten = removed.mock.calls.map(([type, listener]) => [type, listener]);
    expect(heard.length).toBeGreaterThan(0);
    expect(forgotten).toEqual(expect.arrayContaining(heard));
  });
});

describe("a walk", () => {
  test("in pages that resumes within a page knows its place after each page", async () => {
    const list = startList({ length: 10, size: 4 });
    const items = list.things.walk().walk();
    for (let count = 0; count < 6; count++) await items.next();
    const pages = list.things.walk({}, { checkpoint: items.checkpoint() }).pages();
    const { value } = await pages.next();
    expect(value?.items.map(({ id }) => id)).toEqual(upTo(8).slice(6));
    const rest = list.things.walk({}, { checkpoint: pages.checkpoint() });
    expect((await rest.toArray({ limit: 9 })).map(({ id }) => id)).toEqual(upTo(10).slice(8));
  });

  test.each([
    [true, "CursorExpiredError"],
    [undefined, "ApiError"],
  ])(
    "with cursorExpires: %s takes a 400 behind a cursor for the error %s",
    async (cursorExpires, name) => {
      const rows = {
        /** Walk parts. */
        walk: endpoint("GET /v1/parts", {
          query: { cursor: z.optional(z.string()) },
          result: page(Part, { key: ["id"], cursorExpires }),
        }),
      };
      const fetch: FetchFunction = async (url) =>
        url.includes("cursor")
          ? new Response("no", { status: 400 })
          : Response.json({ data: [thing], cursor: "next" });
      const { walk } = bind("parts", rows, createThingsTransport({ fetch }), createPager);
      const error = await errorOf<CallError>(walk().toArray({ limit: 2 }));
      expect(error.name).toBe(name);
    },
  );
});
