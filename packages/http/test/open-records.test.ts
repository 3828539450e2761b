import * as z from "zod/mini";
import { afterEach, describe, expect, test, vi } from "vitest";
import { isSecret } from "@fieldmesh/core";
import { bigInteger, guess, record, secret } from "@fieldmesh/core/internal/schema";
import {
  bind,
  ConnectionError,
  data,
  endpoint,
  orLookUp,
  ResponseValidationError,
  withResponse,
  type CallError,
  type Drift,
  type FetchFunction,
  type Schema,
  type LookUp,
  page,
  type PagerOptions,
  type ResponseEvent,
} from "../src/internal.ts";
import { createPager } from "../src/pager.ts";
import {
  createThings,
  createThingsTransport,
  errorOf,
  thing,
  type ThingsOptions,
  Thing,
} from "./things.ts";

// Which bodies are a record, drift or an error, for each kind of row.

afterEach(() => void vi.unstubAllGlobals());

const Bill = record({ id: z.int(), amount: bigInteger(), token: z.optional(secret()) });
const Spot = record({ id: z.int(), color: guess(z.nullish(z.string())) });
const rows = {
  read: endpoint("GET /v1/bills/:id", { path: { id: z.int() }, result: data(Bill), open: true }),
  stated: endpoint("GET /v1/stated", { result: Bill }),
  find: endpoint("GET /v1/bills", { result: Bill, open: true }),
  pay: endpoint("POST /v1/bills", { result: Bill, open: true }),
  put: endpoint("PUT /v1/bills", { result: data(Bill), open: "optional" }),
  mark: endpoint("POST /v1/spots", { result: Spot, open: "lookUp" }),
  export: endpoint("GET /v1/export", { result: Bill, readByRecord: "exportEach" }),
};
const bill = { id: 1, amount: 5 };

/** Bills of a service that responds with a body, and what it reports as drift. */
function createBills(body: unknown, options: ThingsOptions = {}) {
  const drifts: Drift[] = [];
  const fetch: FetchFunction = async () =>
    new Response(typeof body === "string" ? body : JSON.stringify(body));
  const onDrift = (drift: Drift): void => void drifts.push(drift);
  const transport = createThingsTransport({ fetch, onDrift, retry: false, ...options });
  return { bills: bind("bills", rows, transport, createPager), drifts };
}

/** A schema that returns the value that it receives. */
const asIs: Schema<unknown> = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
} as Schema<unknown>;
const withSchema = { schema: asIs } as never;

const problemsOf = (drifts: readonly Drift[]): string[] =>
  drifts.flatMap(({ problems }) => problems.map(({ path, message }) => `${path}: ${message}`));

describe("a record whose content the contract does not show", () => {
  test("is drift in the field data, and an error without that field", async () => {
    const { bills, drifts } = createBills({ data: { id: "x", amount: 5 } });
    expect(await bills.read({ id: 1 })).toEqual({ id: "x", amount: 5n });
    expect(problemsOf(drifts)).toEqual(["data.id: expected number, got string"]);
    for (const body of [{}, bill, "busy"]) {
      const error = await errorOf(createBills(body).bills.read({ id: 1 }));
      expect(error).toBeInstanceOf(ResponseValidationError);
    }
  });

  test.each(["busy", '"busy"', "null", ""])(
    "is an error of a read if the response is no record but %j, and drift of a write",
    async (body) => {
      const isPlain = body === "busy" || body === "" || body === "null";
      const { bills, drifts } = createBills(body);
      const read = await bills.find().catch((error: unknown) => error);
      expect(read instanceof ResponseValidationError).toBe(isPlain);
      expect(drifts).toHaveLength(isPlain ? 0 : 1);
      await bills.pay();
      expect(drifts).toHaveLength(isPlain ? 1 : 2);
    },
  );

  test("is reported as drift if it is a sentence, even with the caller's schema", async () => {
    const { bills, drifts } = createBills("busy", { validation: "warn" });
    expect(await bills.find(withSchema)).toBe("busy");
    expect(problemsOf(drifts)).toEqual([": expected object, got string"]);
    const strict = await errorOf(createBills("busy").bills.find(withSchema));
    expect(strict).toBeInstanceOf(ResponseValidationError);
  });

  test("has its secrets hidden at any place, like a record that the contract shows", async () => {
    const body = { ...bill, inner: { token: "canary" } };
    const innerOf = async (call: Promise<unknown>): Promise<unknown> =>
      ((await call) as { inner: { token: unknown } }).inner.token;
    expect(isSecret(await innerOf(createBills(body).bills.find()))).toBe(true);
    expect(isSecret(await innerOf(createBills(body).bills.stated()))).toBe(true);
  });
});

describe("a record that the contract shows", () => {
  test("is checked before the caller's schema, which receives the decoded record", async () => {
    const { bills } = createBills(bill);
    expect(await bills.stated(withSchema)).toEqual({ id: 1, amount: 5n });
    const error = await errorOf<ResponseValidationError>(
      createBills({ ...bill, id: "x" }).bills.stated(withSchema),
    );
    expect(error.problems).toEqual([{ path: "id", message: "expected number, got string" }]);
  });

  test.each([
    ['"done"\n', "done"],
    ['say "done"', 'say "done"'],
    ['"half', '"half'],
    ['{"json":1}', '{"json":1}'],
    ["7", "7"],
    ["", ""],
  ])("that is a sentence is returned without quotes: %j", async (body, output) => {
    expect(
      await createThings({ fetch: async () => new Response(body) }).delete({ name: "one" }),
    ).toBe(output);
  });
});

describe("a write whose response the contract does not show", () => {
  test("reports each reason once, even under strict, and prints it without onDrift", async () => {
    const { bills, drifts } = createBills("");
    for (let call = 0; call < 3; call++) await bills.put();
    expect(problemsOf(drifts)).toEqual([": is empty"]);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    try {
      const printing = createBills("", { onDrift: undefined }).bills;
      for (let call = 0; call < 3; call++) await printing.put();
      expect(warn.mock.calls).toEqual([[expect.stringContaining("the body is empty. ")]]);
    } finally {
      warn.mockRestore();
    }
  });

  test("returns a record with another form in a part that is a guess, and is not looked up", async () => {
    const body = { id: 1, color: 7 };
    const { bills, drifts } = createBills(body);
    expect(await bills.mark()).toEqual(body);
    expect(problemsOf(drifts)).toEqual(["color: expected string, got number"]);
  });
});

describe("a lookup of what a call has created", () => {
  const { mark } = rows;
  const advice = "Call spots.find.";
  const lookUp = (body: unknown, find: () => Promise<unknown>, options?: object) =>
    orLookUp(createBills(body).bills.mark(options), {
      endpoint: { call: "bills.mark", row: mark },
      options,
      find,
      advice,
    });

  test("is not made if the response is the record, or if the caller has a schema", async () => {
    const find = vi.fn(async () => thing);
    expect(await lookUp({ id: 1 }, find)).toEqual({ id: 1 });
    const schema = {
      "~standard": { ...asIs["~standard"], validate: () => ({ value: undefined }) },
    };
    expect(await lookUp({ id: 1 }, find, { schema })).toBeUndefined();
    expect(find).not.toHaveBeenCalled();
  });

  test("keeps the response of the call beside the record", async () => {
    const { output, status, body } = await withResponse(lookUp("busy", async () => thing));
    expect([output, status, body.reveal()]).toEqual([thing, 200, "busy"]);
  });

  test("without a result has the response and the attempts of the call in its error", async () => {
    const error = await errorOf<ResponseValidationError>(lookUp("busy", async () => undefined));
    expect(error.message).toBe(
      "bills.mark (POST /v1/spots) received 200 with a body that does not fit: " +
        "is not the record, and a lookup did not find it. The call was carried out. Call spots.find.",
    );
    expect(error).toMatchObject({ status: 200, outcome: "applied", attempts: [{ status: 200 }] });
    expect(error.body.reveal()).toBe("busy");
  });

  test("that is aborted has the reason of the signal, and the outcome of the call", async () => {
    const controller = new AbortController();
    const find = async (): Promise<never> => {
      controller.abort("enough");
      throw new RangeError("aborted");
    };
    expect(await errorOf(lookUp("busy", find, { signal: controller.signal }))).toMatchObject({
      name: "AbortError",
      cause: "enough",
      outcome: "applied",
      attempts: [{ status: 200 }],
    });
  });
});

describe("a body that ends early", () => {
  const post = async (body: string): Promise<unknown> => {
    const { request } = createThingsTransport({
      fetch: async () => new Response(body),
      retry: false,
    });
    return await request({ method: "POST", path: "/v1/any" });
  };

  test.each(['[{"id":1', '{"id":1', ' \n [{"id":1', ' {"id'])("is a failure: %j", async (body) => {
    expect(await errorOf(post(body))).toMatchObject({ name: "ConnectionError", code: "TRUNCATED" });
    expect(await errorOf(post(body))).toBeInstanceOf(ConnectionError);
  });

  test.each(['"created [1', "tru", "created [1", "", '{"id":x}', "[1]]"])(
    "is a sentence if it does not begin as a record or a list does, or is not JSON: %j",
    async (body) => {
      expect(await post(body)).toBe(body === "" ? undefined : body);
    },
  );
});

describe("a body that is longer than a string of the runtime", () => {
  const tooLong = (error: Error): FetchFunction => {
    return async () =>
      new Response(new ReadableStream({ pull: (controller) => controller.error(error) }));
  };
  const read = async (fetch: FetchFunction, name: "stated" | "export" = "stated") =>
    await errorOf<CallError>(createBills("", { fetch }).bills[name]());
  const said = "is longer than the longest string of this runtime. The call was carried out.";

  test("is an error with the outcome applied, which advises to ask for less", async () => {
    const error = await read(tooLong(new RangeError("Invalid array length")));
    expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "applied" });
    expect(error.message).toContain(`${said} Ask the service for less at once.`);
  });

  test("is found by the decoder in some runtimes", async () => {
    class TextDecoder {
      decode(): never {
        throw new Error("Cannot create a string longer than 0x1fffffe8 characters");
      }
    }
    vi.stubGlobal("TextDecoder", TextDecoder);
    const error = await read(async () => new Response("x"));
    expect(error.message).toContain(said);
  });

  test("advises a method that reads the list record by record, if there is one", async () => {
    const error = await read(tooLong(new RangeError("Invalid array length")), "export");
    expect(error.message).toContain(`${said} Use exportEach(), which reads a list of any size.`);
  });
});

test.each<[string, boolean]>([
  ["<html>", true],
  [" \n<!-- a page -->", true],
  ["<!DOCTYPE html>", true],
  ['<?xml version="1.0"?>', true],
  ["5 <b>", false],
  ["<5 results", false],
])("%j in place of a sentence is a web page: %s", async (body, isPage) => {
  const call = createThings({ fetch: async () => new Response(body) }).delete({ name: "one" });
  if (isPage) expect((await errorOf(call)).message).toContain("it is a web page");
  else expect(await call).toBe(body);
});

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
});

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
