import { inspect } from "node:util";
import * as z from "zod";
import { expect, test, vi, afterEach, beforeEach, describe } from "vitest";
import { isSecret, Secret } from "@fieldmesh/core";
import {
  InputError,
  ResponseValidationError,
  withResponse,
  type Drift,
  type ResponseEvent,
  type Schema,
  setDefaultValidation,
  bind,
  endpoint,
  type FetchFunction,
  showTextOf,
  type Validation,
} from "../src/internal.ts";
import {
  createThings,
  errorOf,
  thing,
  type Thing,
  API_KEY,
  createThingsTransport,
  type Things,
} from "./things.ts";
import { everythingPrinted } from "../../../tools/canaries/canaries.ts";
import { createPager } from "../src/pager.ts";

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

test.for(["strict", "warn"] as const)(
  "%s: a web page is an error, even for a call that expects a string",
  async (validation) => {
    const html = "\n<!DOCTYPE html>\n<html><body>Sign in, canary</body></html>";
    const things = createThings({ fetch: respondWith(html), validation });
    for (const calling of [things.delete({ name: "one" }), things.list()]) {
      const error = await errorOf<ResponseValidationError>(calling);
      expect(error).toMatchObject({ name: "ResponseValidationError", outcome: "unknown" });
      expect(error.message).toContain("it is a web page. Check baseUrl");
      expect(error.message).not.toContain("canary");
      expect(error.body.reveal()).toBe(html);
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

test.for([
  ["a page whose data is null", { data: null, cursor: "next" }],
  ["a string", "busy"],
  ["a page whose cursor is not a string", { data: [thing], cursor: { canary: 1 } }],
] as const)(
  "warn: %s in place of a page is an error, because the walk would end too early",
  async ([, body]) => {
    const drifts: unknown[] = [];
    const things = createThings({
      validation: "warn",
      onDrift: (drift) => drifts.push(drift),
      fetch: async () => Response.json(body),
    });
    const error = await errorOf(things.walk().page());
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(everythingPrinted(error)).not.toMatch(/canary/);
  },
);

test("the errors of a pager do not print the cursor, which contains the query", async () => {
  const looping = createThings({
    fetch: async () => Response.json({ data: [thing], cursor: "canary-cursor" }),
  });
  const empty = createThings({
    fetch: async (url) =>
      Response.json({ data: [], cursor: `canary-${Number(/\d+$/.exec(url)?.[0] ?? 0) + 1}` }),
  });
  const errors = [
    await errorOf<Error & { cursor: string }>(looping.walk().toArray({ limit: 9 })),
    await errorOf<Error & { cursor: string }>(
      empty.walk({}, { maxEmptyPages: 2 }).toArray({ limit: 9 }),
    ),
  ];
  expect(errors.map(({ name, cursor }) => [name, cursor])).toEqual([
    ["CursorLoopError", "canary-cursor"],
    ["TooManyEmptyPagesError", "canary-3"],
  ]);
  for (const error of errors)
    expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/canary/);
});

const latin1 = (text: string): Response => new Response(Buffer.from(text, "latin1"));

test("a sentence in another encoding is accepted with validation off, and a record in one is rejected", async () => {
  const create = (text: string) =>
    createThings({ fetch: async () => latin1(text), validation: "off" }).create({ name: "one" });
  expect(await create("cr\u00e9\u00e9")).toBe("cr\uFFFD\uFFFD");
  const error = await errorOf<ResponseValidationError>(create('{"id":1,"name":"\u00e9"}'));
  expect(error.problems).toEqual([{ path: "", message: "is not UTF-8" }]);
  expect(error.message).toContain(
    "The call was carried out. Configure the deployment, or the proxy in front of it, to respond in UTF-8.",
  );
  expect(error.body.reveal()).toBe('{"id":1,"name":"\uFFFD"}');
});

describe("a caller's schema", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const fetch: FetchFunction = async () => Response.json(thing);
  const schemaOf = (validate: (value: unknown) => unknown): Schema<unknown> =>
    ({ "~standard": { version: 1, vendor: "test", validate } }) as Schema<unknown>;
  const create = (schema: Schema<unknown>, signal?: AbortSignal) =>
    createThings({ fetch, totalTimeout: 5_000 }).create({ name: "one" }, { schema, signal });

  test("reports at most twenty problems, and hides field names that are secrets", async () => {
    const issues = Array.from({ length: 500 }, (_, index) => ({
      message: "",
      path: [index === 0 ? API_KEY.toLowerCase() : `field_${index}`],
    }));
    const error = await errorOf<ResponseValidationError>(create(schemaOf(() => ({ issues }))));
    expect(error.problems).toHaveLength(20);
    expect(error.problems[1]?.path).toBe("field_1");
    expect(JSON.stringify(error.problems)).not.toContain(API_KEY.toLowerCase());
  });
});

describe("drift", () => {
  const maps = {
    read: endpoint("GET /v1/maps", {
      result: z.record(z.string(), z.number()),
    }),
  };

  test("is counted separately for a thousand places, and together for all others", async () => {
    let at = 0;
    const drifts: Drift[] = [];
    const names = (): string[] => Array.from({ length: 20 }, () => `field_${at++}`);
    let asked: string[] = [];
    const transport = createThingsTransport({
      validation: "warn",
      onDrift: (drift) => drifts.push(drift),
      fetch: async () => Response.json(Object.fromEntries(asked.map((name) => [name, "x"]))),
    });
    const { read } = bind("maps", maps, transport, createPager);
    const countsOf = async (fields: string[]): Promise<number[]> => {
      asked = fields;
      await read();
      return (drifts.at(-1)?.problems ?? []).map(({ count }) => count);
    };
    for (let round = 0; round < 49; round++) await countsOf(names());
    const last = names();
    expect(await countsOf(last)).toEqual(last.map(() => 1));
    expect(at).toBe(1_000);
    expect(await countsOf(["more_1", "more_2"])).toEqual([1, 2]);
    expect(await countsOf(["more_1"])).toEqual([3]);
    expect(await countsOf(["field_0", "field_999"])).toEqual([2, 2]);
  });
});

describe("field names in a response", () => {
  const rows = {
    read: endpoint("GET /v1/maps", {
      result: z.object({ sizes: z.record(z.string(), z.number()), other: z.strictObject({}) }),
    }),
  };

  test("are shown in problems, unless they are secrets of the call", async () => {
    const body = { sizes: { water: "x", pump_key: "x" }, other: { pump_key: 1 } };
    const fetch: FetchFunction = async () => Response.json(body);
    const problemsWith = async (apiKey: string) => {
      const { read } = bind("maps", rows, createThingsTransport({ fetch, apiKey }));
      return (await errorOf<ResponseValidationError>(read())).problems;
    };
    expect(await problemsWith("other_key")).toEqual([
      { path: "sizes.water", message: "expected number, got string" },
      { path: "sizes.pump_key", message: "expected number, got string" },
      { path: "other", message: "has no field pump_key" },
    ]);
    expect(await problemsWith("pump_key")).toEqual([
      { path: "sizes.water", message: "expected number, got string" },
      { path: "[redacted]", message: "expected number, got string" },
      { path: "other", message: "does not fit the schema" },
    ]);
  });
});

test("showTextOf hides strings of a service that contain a secret of the call", async () => {
  const { request } = createThingsTransport({ fetch: async () => new Response("ok") });
  const show = await showTextOf(
    request({ method: "POST", path: "/v1/any", body: { key: "water-pump-7" } }),
  );
  expect(show("is taken")).toBe("is taken");
  expect(show("water-pump-7 is taken")).toBeUndefined();
});

describe("a report of drift by a client's own code", () => {
  test.each<[Validation, number]>([
    ["strict", 1],
    ["warn", 1],
    ["off", 0],
  ])("with validation %s reaches onDrift %i times", (validation, times) => {
    const onDrift = vi.fn<(drift: Drift) => void>();
    const transport = createThingsTransport({ validation, onDrift });
    transport.reportDrift({ call: "a", route: "GET /a" }, [{ path: "b", message: "no" }]);
    expect(onDrift).toHaveBeenCalledTimes(times);
  });
});

describe("where the contract is silent", () => {
  /** Creates a client whose server sends one body, and records the drift. */
  function drifting(
    body: unknown,
    options: Parameters<typeof createThings>[0] = {},
  ): { things: Things; drifts: Drift[]; paths: () => string[] } {
    const drifts: Drift[] = [];
    const onDrift = (drift: Drift): void => void drifts.push(drift);
    const things = createThings({ fetch: respondWith(body), onDrift, ...options });
    const paths = (): string[] =>
      drifts.flatMap(({ problems }) => problems.map((problem) => problem.path));
    return { things, drifts, paths };
  }

  afterEach(() => {
    setDefaultValidation(undefined);
    vi.restoreAllMocks();
  });

  test("strict: a field that the contract does not describe may have any type, and is reported", async () => {
    const { things, paths } = drifting([{ ...thing, color: ["red"] }]);
    expect(await things.list()).toEqual([{ ...thing, color: ["red"] }]);
    expect(paths()).toEqual(["[0].color"]);
  });

  test("strict: a documented field with a wrong type is an error that names only that field", async () => {
    const { things, drifts } = drifting([{ ...thing, id: "1", color: 7 }]);
    const error = await errorOf<Error & { problems: unknown }>(things.list());
    expect(error.problems).toEqual([{ path: "[0].id", message: "expected number, got string" }]);
    expect(drifts).toEqual([]);
  });

  test.for<[string, unknown, unknown, string[]]>([
    ["a string", "Created", "Created", [""]],
    ["a number", 7, 7, [""]],
    ["a list", [thing], [thing], [""]],
    ["another record", { thing_id: 1 }, { thing_id: 1 }, ["id", "name"]],
    ["no body", "", undefined, [""]],
  ])(
    "strict: a record that the contract does not describe may be %s",
    async ([, body, output, at]) => {
      const { things, paths } = drifting(body);
      expect(await things.create({ name: "one" })).toEqual(output);
      expect(paths()).toEqual(at);
    },
  );

  test("a caller's schema replaces the guess and its drift, and receives what was sent", async () => {
    const seen: unknown[] = [];
    const schema = z.object({ id: z.string(), key: z.string() }).transform((each) => {
      seen.push(each);
      return each.id;
    });
    const { things, drifts } = drifting({ id: "one", key: "canary-key" });
    expect(await things.create({ name: "one" }, { schema })).toBe("one");
    expect(seen).toEqual([{ id: "one", key: "canary-key" }]);
    expect(drifts).toEqual([]);
  });

  test("drift is counted for each place of a call, with all records of a list together", async () => {
    const { things, drifts } = drifting([
      { ...thing, color: 1 },
      { ...thing, color: 2 },
    ]);
    await things.list();
    await things.list();
    await things.find({ name: "one" });
    const counts = drifts.map(({ call, problems }) => [call, problems.map(({ count }) => count)]);
    expect(counts).toEqual([
      ["things.list", [1, 2]],
      ["things.list", [3, 4]],
      ["things.find", [1, 2]],
    ]);
  });

  test("warn: without onDrift, the console receives one line for each place, without values", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const { things } = drifting(
      [
        { id: "canary-1", name: "one", color: 1 },
        { id: "canary-2", name: "two" },
      ],
      { validation: "warn", onDrift: undefined },
    );
    await things.list();
    await things.list();
    expect(warn.mock.calls.map(([line]) => String(line))).toEqual([
      expect.stringMatching(
        /^things\.list \(GET \/v1\/things\): the response does not fit: \[\]\.id expected number, got string\. .*onDrift/,
      ),
      expect.stringContaining("[].color expected string, got number"),
    ]);
    expect(warn.mock.calls.join()).not.toContain("canary");
  });

  test("strict and off write nothing to the console", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const body = [{ ...thing, color: 1 }];
    await drifting(body, { onDrift: undefined }).things.list();
    await drifting(body, { onDrift: undefined, validation: "off" }).things.list();
    expect(warn).not.toHaveBeenCalled();
  });

  test("off: the response is returned unchanged and without a report, and a secret remains a Secret", async () => {
    const { things, drifts } = drifting([{ id: "1", key: "canary-key" }], { validation: "off" });
    const list = (await things.list()) as unknown[];
    expect(JSON.stringify(list)).toBe('[{"id":"1","key":"[redacted]"}]');
    expect(drifts).toEqual([]);
  });

  test("setDefaultValidation applies from the next response on, unless a client has its own mode", async () => {
    const body = [{ ...thing, name: 7 }];
    const { things, paths } = drifting(body);
    const own = drifting(body, { validation: "strict" });
    setDefaultValidation("warn");
    expect(await things.list()).toEqual(body);
    expect(paths()).toEqual(["[0].name"]);
    expect((await errorOf(own.things.list())).name).toBe("ResponseValidationError");
    setDefaultValidation(undefined);
    expect((await errorOf(things.list())).name).toBe("ResponseValidationError");
  });

  const LONG = { name: "x".repeat(51) };
  const rejected =
    "name: must have at most 50 characters (observed; `observedRules: false` turns this off).";

  test.for<[string, { service?: boolean; option?: boolean }, boolean]>([
    ["the service sets nothing", {}, false],
    ["the service turns them on", { service: true }, true],
    ["the option turns them on", { option: true }, true],
    ["the option turns them off", { service: true, option: false }, false],
  ])("observed rules if %s", async ([, { service, option }, checked]) => {
    const { things } = drifting(thing, {
      service: service === undefined ? {} : { observedRules: service },
      observedRules: option,
    });
    if (!checked) return expect(await things.createOnce(LONG)).toEqual(thing);
    const error = await errorOf(things.createOnce(LONG));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toContain(rejected);
  });
});
