import { inspect } from "node:util";
import * as z from "zod";
import { isSecret, Secret } from "@fieldmesh/core";
import { expect, test, vi } from "vitest";
import {
  InputError,
  ResponseValidationError,
  withResponse,
  type Drift,
  type ResponseEvent,
  type Schema,
} from "../src/index.ts";
import { createThings, errorOf, thing, type Thing } from "./things.ts";

const respondWith = (body: unknown, init?: ResponseInit) => async () =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), init);

test("the output is the record of a plain response, the content of data, or the string", async () => {
  expect(await createThings({ fetch: respondWith([thing]) }).list()).toEqual([thing]);
  expect(
    await createThings({ fetch: respondWith({ data: thing, meta: {} }) }).get({ name: "one" }),
  ).toEqual(thing);
  expect(await createThings({ fetch: respondWith("Thing deleted") }).delete({ name: "one" })).toBe(
    "Thing deleted",
  );
  expect(await createThings({ fetch: respondWith('{"json":1}') }).delete({ name: "one" })).toBe(
    '{"json":1}',
  );
});

test("a response in another encoding is rejected with the outcome applied", async () => {
  const fetch = async (): Promise<Response> => new Response(Uint8Array.of(0x22, 0xe9, 0x22));
  const error = await errorOf<ResponseValidationError>(createThings({ fetch }).list());
  expect(error).toBeInstanceOf(ResponseValidationError);
  expect(error.problems).toEqual([{ path: "", message: "is not UTF-8" }]);
  expect(error.outcome).toBe("applied");
});

test("the content-type has no effect on how a response is read", async () => {
  for (const type of ["text/html", "application/json", "application/octet-stream"]) {
    const fetch = respondWith([thing], { headers: { "content-type": type } });
    expect(await createThings({ fetch }).list()).toEqual([thing]);
  }
});

test("undeclared fields are kept", async () => {
  const [found] = await createThings({
    fetch: respondWith([{ ...thing, future: { deep: [1] } }]),
  }).list();
  expect(found).toEqual({ ...thing, future: { deep: [1] } });
});

test("integers beyond 2^53 in undeclared fields are read exactly", async () => {
  const [found] = await createThings({
    fetch: respondWith('[{"id":1,"name":"one","stamp":1795163400000000001}]'),
  }).list();
  expect((found as unknown as { stamp: bigint }).stamp).toBe(1795163400000000001n);
});

test("strict: an error names the field with a wrong type, with the index of its record in a list", async () => {
  const error = await errorOf<ResponseValidationError>(
    createThings({ fetch: respondWith([thing, { ...thing, name: ["canary"] }]) }).list(),
  );
  expect(error).toBeInstanceOf(ResponseValidationError);
  expect(error.problems).toEqual([{ path: "[1].name", message: "expected string, got array" }]);
  expect(error.message).not.toContain("canary");
});

test("a thousand records with the same problem result in one short message", async () => {
  const error = await errorOf(
    createThings({
      fetch: respondWith(Array.from({ length: 1_000 }, () => ({ ...thing, id: "x" }))),
    }).list(),
  );
  expect(error.message).toContain("and at least 15 more");
  expect(error.message.length).toBeLessThan(600);
});

test.for(["", "<html>", '"text"', "{}"])(
  "strict: the response %j in place of a list is an error",
  async (body) => {
    expect(await errorOf(createThings({ fetch: respondWith(body) }).list())).toBeInstanceOf(
      ResponseValidationError,
    );
  },
);

test.for(["strict", "warn"] as const)(
  "%s: a web page is an error, even for a call that expects a string",
  async (validation) => {
    const page = "\n<!DOCTYPE html>\n<html><body>Sign in, canary</body></html>";
    const things = createThings({ fetch: respondWith(page), validation });
    for (const calling of [things.delete({ name: "one" }), things.list()]) {
      const error = await errorOf<ResponseValidationError>(calling);
      expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "unknown" });
      expect(error.message).toContain("it is a web page. Check baseUrl");
      expect(error.message).not.toContain("canary");
      expect(error.body.reveal()).toBe(page);
    }
  },
);

test("warn: drift is reported, the response is returned, and a secret remains a Secret", async () => {
  const drifts: Drift[] = [];
  const things = createThings({
    fetch: respondWith([
      { id: "1", name: "one", key: "canary-secret" },
      { id: 2, name: "two", key: 77_000 },
    ]),
    validation: "warn",
    onDrift: (drift) => drifts.push(drift),
  });
  const list = await things.list();
  expect(drifts).toEqual([
    {
      call: "things.list",
      route: "GET /v1/things",
      problems: [
        { path: "[0].id", message: "expected number, got string", count: 1 },
        { path: "[1].key", message: "expected string, got number", count: 1 },
      ],
    },
  ]);
  expect(list[0]?.id).toBe("1");
  expect(list.map(({ key }) => isSecret(key))).toEqual([true, true]);
  expect(JSON.stringify(list)).not.toMatch(/canary|77000/);
  expect(list[1]?.key?.reveal()).toBe("77000");
});

test("a caller's schema decodes the output, and each record of a list separately", async () => {
  const schema = z.object({ id: z.number().transform((id) => `#${id}`) });
  expect(
    await createThings({ fetch: respondWith(thing, { status: 201 }) }).create(
      { name: "one" },
      { schema },
    ),
  ).toEqual({ id: "#1" });
  expect(
    await createThings({ fetch: respondWith([thing, thing]) }).find({ name: "one" }, { schema }),
  ).toEqual([{ id: "#1" }, { id: "#1" }]);
});

test("a caller's schema may come from any library and be asynchronous; its message is not shown", async () => {
  const schema: Schema<string> = {
    "~standard": {
      validate: async (value) =>
        (value as Thing).id === 1
          ? { value: "first" }
          : { issues: [{ message: "canary-text", path: ["id"] }] },
    },
  };
  expect(
    await createThings({ fetch: respondWith([thing]) }).find({ name: "one" }, { schema }),
  ).toEqual(["first"]);
  const error = await errorOf<ResponseValidationError>(
    createThings({ fetch: respondWith([thing, { ...thing, id: 2 }]) }).find(
      { name: "one" },
      { schema },
    ),
  );
  expect(error.problems).toEqual([{ path: "[1].id", message: "does not fit the schema" }]);
  expect(error.message).not.toContain("canary");
});

test("withResponse returns the response together with the output", async () => {
  const fetch = respondWith([thing], {
    status: 200,
    headers: { "x-request-id": "r-1", "x-any": "y" },
  });
  const { output, status, headers, requestId, attempts } = await withResponse(
    createThings({ fetch }).list(),
  );
  expect({
    output,
    status,
    requestId,
    any: headers.get("x-any"),
    attempts: attempts.length,
  }).toEqual({ output: [thing], status: 200, requestId: "r-1", any: "y", attempts: 1 });
});

test("the headers of withResponse show no cookie, token or signed address", async () => {
  const sent = { "set-cookie": "id=canary", "x-auth-token": "canary", location: "/a?t=canary" };
  const things = createThings({ fetch: respondWith([thing], { headers: sent }) });
  const result = await withResponse(things.list());
  expect(inspect(result)).not.toContain("canary");
  expect(Object.fromEntries(result.headers)).toMatchObject({ "x-auth-token": "[redacted]" });
});

test("withResponse returns the other fields of an envelope exactly", async () => {
  const body = { data: thing, meta: { min_time: "2026-11-20T08:00:00Z", total: 2 ** 53 } };
  const text = JSON.stringify(body).replace("9007199254740992", "9007199254740993");
  const client = createThings({ fetch: async () => new Response(text) });
  expect((await withResponse(client.get({ name: "one" }))).meta).toEqual({
    min_time: "2026-11-20T08:00:00Z",
    total: 9_007_199_254_740_993n,
  });
  const none = createThings({ fetch: respondWith({ data: thing }) });
  expect((await withResponse(none.get({ name: "one" }))).meta).toBeUndefined();
  // A plain record with a field `data` is not an envelope.
  const plain = createThings({ fetch: respondWith({ ...thing, meta: 1 }, { status: 201 }) });
  expect((await withResponse(plain.create({ name: "one" }))).meta).toBeUndefined();
});

test("a page contains the other fields of its response", async () => {
  const fetch = respondWith({ data: [thing], meta: { total: 1 } });
  expect((await createThings({ fetch }).walk().page()).meta).toEqual({ total: 1 });
  for await (const { meta } of createThings({ fetch }).walk().pages())
    expect(meta).toEqual({ total: 1 });
});

test("withResponse names the argument that it requires, and rejects with the error of the call", async () => {
  const error = await errorOf<TypeError>(withResponse(Promise.resolve(1)));
  expect(error.message).toContain("withResponse(client.labels.list())");
  expect(await errorOf(withResponse(createThings().get({ name: ".." })))).toBeInstanceOf(
    InputError,
  );
});

test.for<[string, unknown, string]>([
  ["a list", [], "the input must be an object"],
  ["a string", "one", "the input must be an object"],
  ["a misspelled field", { nmae: "one" }, "has no field nmae"],
  ["a missing field", {}, "name: is missing"],
  ["a wrong type", { name: 7 }, "name: expected string, got number"],
  [
    "a secret that breaks a rule",
    { name: "one", key: new Secret("can") },
    "key: must have at least 4 characters",
  ],
])("input that is %s is rejected before anything is sent", async ([, input, message]) => {
  const things = createThings({ fetch: () => expect.unreachable() });
  const error = await errorOf(things.create(input as never));
  expect(error).toBeInstanceOf(InputError);
  expect(error.message).toContain("things.create (POST /v1/things) was not sent: ");
  expect(error.message).toContain(message);
});

test("a method without a body rejects unknown fields", async () => {
  const error = await errorOf(createThings().get({ name: "one", nmae: 2 } as never));
  expect(error.message).toContain("has no field nmae");
});

const DEEP = 100_000;
test.for([
  ["brackets", "[".repeat(DEEP) + "]".repeat(DEEP)],
  ["a field of a record", `[{"name":"one","size":1,"x":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}]`],
])(
  "100,000 %s cause a ResponseValidationError in every mode, and hooks still run",
  async ([, body]) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    for (const validation of ["strict", "warn", "off"] as const) {
      const bodies: unknown[] = [];
      const hooks = { onResponse: (event: ResponseEvent) => void bodies.push(event.body) };
      const things = createThings({ validation, hooks, fetch: respondWith(body) });
      const error = await errorOf<ResponseValidationError>(things.list());
      expect(error).toBeInstanceOf(ResponseValidationError);
      expect(bodies).toHaveLength(1);
      if (validation !== "strict")
        expect(error.message).toContain("is nested too deeply to be read");
    }
    // No warning about a hook was printed.
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);

test.for<[string, unknown]>([
  ["undefined", undefined],
  ["neither value nor issues", {}],
  ["issues that are not a list", { issues: "x" }],
  ["an empty list of issues", { issues: [] }],
])(
  "a caller's schema that returns %s causes a ResponseValidationError with the outcome applied",
  async ([, result]) => {
    const schema = {
      "~standard": { version: 1, vendor: "test", validate: () => result },
    } as unknown as Schema<unknown>;
    const created = createThings({ fetch: respondWith(thing) }).get({ name: "one" }, {
      schema,
    } as never);
    const error = await errorOf<ResponseValidationError>(created);
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.outcome).toBe("applied");
    expect(error.problems).toHaveLength(1);
    expect(`${error.message}${error.stack}`).not.toContain("canary");
  },
);
