import { expect, test } from "vitest";
import type { RequestDetails } from "../log/logged-request.ts";
import { createSandbox } from "../sandbox/sandbox.ts";
import { call } from "../testing/all-state.ts";
import { newDevice, NOBODY } from "../testing/console.ts";
import { openControls, type OpenControls } from "../testing/controls.ts";
import { foreignKeyNote, keyOwner } from "./key-owner.ts";
import { revealInEvent, revealValue } from "./request-details.ts";
import type { BodyMatches, RequestView } from "./wire.ts";

type Options = Parameters<typeof openControls>[0];

/** Sends a request, and returns what the page shows of it. */
async function viewOf(
  route: string,
  body?: unknown,
  headers?: Record<string, string>,
  options?: Options,
): Promise<RequestView> {
  const { sandbox, send } = openControls(options);
  await call(sandbox, route, body, headers);
  return (await send("GET /requests/1")).body as RequestView;
}

test("a request is shown in full", async () => {
  const { sandbox, send } = openControls({
    faults: [{ kind: "delay", ms: 1, on: "labels.create" }],
  });
  await call(sandbox, "console POST /api/v1/labels", { name: "Pumps" });
  expect((await send("GET /requests/1")).body).toEqual({
    number: 1,
    time: sandbox.clock.now(),
    service: "console",
    row: "labels.create",
    route: "POST /api/v1/labels",
    method: "POST",
    path: "/console/api/v1/labels",
    status: 201,
    duration: expect.any(Number),
    fault: "delay",
    played: { kind: "delay", ms: 1, on: "labels.create" },
    done: true,
    client: "tests",
    key: "printed",
    query: {},
    headers: {
      authorization: "[redacted]",
      "content-type": "application/json",
      key: "[redacted]",
      "user-agent": "tests",
    },
    body: { kind: "json", value: { name: "Pumps" } },
    program: expect.stringContaining(`name: "Pumps"`),
    response: {
      headers: { "content-type": "application/json; charset=utf-8" },
      body: { kind: "json", value: { id: expect.any(String), name: "Pumps", multi_buy: 1 } },
    },
  });
});

test.each([
  "key",
  "x-api-key",
  "authorization",
  "proxy-authorization",
  "x-auth",
  "x-token",
  "x-secret",
  "x-password",
  "x-passwd",
  "x-credential",
  "x-session-id",
  "platform-signature",
  "x-cookie",
])("the header %s is hidden, and its value wherever the response repeats it", async (name) => {
  const repeated = { [name]: "hidden-value", "x-other": "a hidden-value" };
  const { headers, response } = await viewOf(
    "console GET /api/v1/labels",
    undefined,
    { [name]: "hidden-value" },
    { faults: [{ kind: "status", status: 500, body: repeated }] },
  );
  expect(headers[name]).toBe("[redacted]");
  expect(response?.body).toEqual({
    kind: "json",
    value: { [name]: "[redacted]", "x-other": "[redacted]" },
  });
});

test("other headers are shown, such as an idempotency key", async () => {
  const sent = { "idempotency-key": "canary", "x-trace": "7", accept: "*/*" };
  const { headers } = await viewOf("console GET /api/v1/labels", undefined, sent);
  expect(headers).toMatchObject(sent);
});

test.each([
  ["declared", "labels?name=Pumps", { name: "Pumps" }],
  ["undeclared", "labels?more=1", { more: "[undeclared]" }],
  [
    "personal or secret",
    `devices?dev_eui=0004A30B00000001&app_eui=70B3D57ED0000001&app_key=${newDevice().app_key}`,
    { dev_eui: "0004A30B00000001", app_eui: "70B3D57ED0000001", app_key: "[redacted]" },
  ],
  [
    "a part of the route",
    `devices/${NOBODY}/events?sub_category=uplink_integration_req&more=1`,
    { sub_category: "uplink_integration_req", more: "[undeclared]" },
  ],
  ["of no route", "nothing?name=Pumps", { name: "[undeclared]" }],
  ["with a name that is hidden", "labels?canary@example.com=1", { "[undeclared]": "[undeclared]" }],
])("a query parameter is shown by its schema: %s", async (_name, path, query) => {
  expect((await viewOf(`console GET /api/v1/${path}`)).query).toEqual(query);
});

test("a hidden query parameter is hidden wherever the response repeats it", async () => {
  const { app_key } = newDevice();
  const { response } = await viewOf(
    `console GET /api/v1/devices?dev_eui=1&app_eui=2&app_key=${app_key}`,
    undefined,
    {},
    { faults: [{ kind: "status", status: 400, body: { error: `not ${app_key}` } }] },
  );
  expect(response?.body).toEqual({ kind: "json", value: { error: "[redacted]" } });
});

test("a request to no route shows nothing of its body, and has neither row nor program", async () => {
  const view = await viewOf("console POST /api/v1/nothing", { name: "Pumps" });
  expect(view.body).toEqual({ kind: "json", value: "[undeclared]" });
  expect(view.status).toBe(404);
  for (const name of ["row", "route", "program", "played", "error", "note"])
    expect(view).not.toHaveProperty(name);
});

test("a name that is hidden is hidden in the program too, with its value", async () => {
  const odd = { "canary@example.com": "canary" };
  const nested = await viewOf("mapper POST /api/v1/ingest/uplink", {
    hotspots: [],
    decoded: { status: "success", payload: { latitude: 1, longitude: 2, ...odd } },
    ...odd,
  });
  expect(nested.program).toContain(`{
  hotspots: [],
  decoded: {
    status: "success",
    payload: {
      latitude: 1,
      longitude: 2,
      ...JSON.parse(process.env["SENT_PAYLOAD_UNDECLARED"]!),
    },
  },
  ...JSON.parse(process.env["SENT_INPUT_UNDECLARED"]!),
}`);
  const personal = await viewOf("mobile POST /v1/subscribers", { email: "a", name: "b", ...odd });
  const rejected = await viewOf("console DELETE /api/v1/labels/no-uuid", odd);
  expect(rejected.program).toContain(
    `{\n  label_id: "no-uuid",\n  ...JSON.parse(process.env["SENT_INPUT_UNDECLARED"]!),\n}`,
  );
  const queried = await viewOf("console GET /api/v1/labels?canary@example.com=1&more=2");
  expect(queried.program).toContain(
    `{\n  query: {\n    more: process.env["SENT_MORE"]!,\n    ...JSON.parse(process.env["SENT_QUERY_UNDECLARED"]!),\n  },\n}`,
  );
  for (const view of [nested, personal, rejected, queried])
    expect(JSON.stringify(view)).not.toContain("canary");
});

test.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
  "a request may name a field or a parameter %s",
  async (name) => {
    const body = JSON.parse(`{"name":"Pumps","${name}":"canary"}`) as unknown;
    const view = await viewOf(`console POST /api/v1/labels?${name}=canary`, body);
    expect(view).toMatchObject({ status: 201, query: { [name]: "[undeclared]" } });
    expect(JSON.stringify(view)).not.toContain("canary");
  },
);

test("a rejected key has a note that says whose it is", async () => {
  const { sandbox, send } = openControls();
  await call(sandbox, "console GET /api/v1/labels", undefined, { key: sandbox.mobile.apiKey });
  expect((await send("GET /requests/1")).body).toMatchObject({
    status: 401,
    key: "mobile",
    note: "this is the key of the mobile service",
  });
});

test.each([
  [200, { id: "1", name: "Pumps", app_key: "[undeclared]" }],
  [399, { id: "1", name: "Pumps", app_key: "[undeclared]" }],
  [400, { id: "1", name: "Pumps", app_key: "canary" }],
  [500, { id: "1", name: "Pumps", app_key: "canary" }],
])("only a response that is no error is shown by its schema: %d", async (status, value) => {
  const body = { id: "1", name: "Pumps", app_key: "canary" };
  const { response } = await viewOf(
    `console GET /api/v1/labels/${NOBODY}`,
    undefined,
    {},
    { faults: [{ kind: "status", status, body }] },
  );
  expect(response?.body).toMatchObject({ kind: "json", value });
});

test.each<[string, Options, object | undefined]>([
  [
    "an empty one",
    { faults: [{ kind: "status", status: 500, body: "" }] },
    { headers: {}, body: { kind: "none" } },
  ],
  [
    "a string",
    { faults: [{ kind: "status", status: 500, body: "Oops {" }] },
    { headers: {}, body: { kind: "text", text: "Oops {" } },
  ],
  [
    "one that is too long to be kept",
    { faults: [{ kind: "status", status: 500, body: "x".repeat(70_000) }] },
    { headers: {}, body: { kind: "left_out", length: 70_000 } },
  ],
  ["one that was lost", { faults: [{ kind: "lost" }] }, undefined],
])("the body of a response is shown by its kind: %s", async (_name, options, expected) => {
  const { sandbox, send } = openControls(options);
  await call(sandbox, "console GET /api/v1/labels").catch(() => {});
  expect(((await send("GET /requests/1")).body as RequestView).response).toEqual(expected);
});

test.each([
  ["", { kind: "none" }],
  ["Pumps", { kind: "text", text: "[undeclared]" }],
  ["{", { kind: "text", text: "[undeclared]" }],
  ["7", { kind: "json", value: "[undeclared]" }],
  ['{"name":"Pumps"}', { kind: "json", value: { name: "Pumps" } }],
])("the body of a request is shown by its kind: %s", async (body, view) => {
  const { sandbox, send } = openControls();
  await sandbox.console.fetch(`${sandbox.console.baseUrl}/api/v1/labels`, {
    method: "POST",
    body,
    headers: { key: sandbox.apiKey, "content-type": "application/json" },
  });
  expect(((await send("GET /requests/1")).body as RequestView).body).toEqual(view);
});

const keyed = createSandbox();
const { console, mobile } = keyed;

test.each([
  ["console", { key: console.apiKey }, "printed"],
  ["console", { key: console.unconfirmedApiKey }, "console"],
  ["console", { key: mobile.liveApiKey }, "mobile"],
  ["mobile", { authorization: `Bearer ${mobile.apiKey}` }, "printed"],
  ["mobile", { authorization: `bearer ${mobile.keys.pk}` }, "mobile"],
  ["mobile", { authorization: `Bearer ${console.apiKey}` }, "console"],
  ["mobile", { authorization: "Bearer other" }, "unknown"],
  ["console", { key: console.apiKey, authorization: `Bearer ${mobile.apiKey}` }, "printed"],
  ["console", { authorization: console.apiKey }, "printed"],
  // The word counts only at the beginning.
  ["console", { authorization: console.apiKey.replace("=", "Bearer =") }, "unknown"],
  ["ledger", { key: console.apiKey }, "console"],
  ["mobile", { authorization: "Bearer " }, undefined],
  ["console", { key: "" }, undefined],
  ["console", {}, undefined],
] as const)(
  "a request to the %s with a key tells whose it is: case %#",
  (service, headers, owner) => {
    expect(keyOwner({ service, headers }, keyed)).toBe(owner);
  },
);

test.each([
  ["mobile", 401, { authorization: `Bearer ${console.apiKey}` }, "this is the key of the console"],
  ["mobile", 401, { key: console.unconfirmedApiKey }, "this is the key of the console"],
  ["console", 401, { key: mobile.apiKey }, "this is the key of the mobile service"],
  ["mobile", 200, { authorization: `Bearer ${console.apiKey}` }, undefined],
  ["mobile", 403, { authorization: `Bearer ${console.apiKey}` }, undefined],
  ["mobile", undefined, { authorization: `Bearer ${console.apiKey}` }, undefined],
  ["mobile", 401, { authorization: "Bearer x" }, undefined],
  ["mobile", 401, { authorization: `Bearer ${mobile.apiKey}` }, undefined],
] as const)(
  "only a 401 for the key of another service has a note: %s, %s, case %#",
  (service, status, headers, note) => {
    expect(foreignKeyNote({ service, status, headers }, keyed)).toBe(note);
  },
);

const NOTHING = new TypeError("There is no such value.");

const body = { name: "Tank", "a/b": { "~": 1, "~1": 2 }, list: [{ id: 7 }], none: null, empty: "" };

const details = {
  request: { headers: { key: "sent", empty: "" }, body: JSON.stringify(body) },
  call: { url: new URL("https://a.invalid/?app_key=1&empty=&app_key=2") },
  input: {},
  response: { headers: { "x-more": "received" }, body: "not JSON", length: 8 },
} as unknown as RequestDetails;

type Place = readonly [of: string, part: string, name: string];

test.each<[...Place, unknown]>([
  ["request", "header", "key", "sent"],
  ["request", "header", "empty", ""],
  ["response", "header", "x-more", "received"],
  ["request", "query", "app_key", "1"],
  ["request", "query", "empty", ""],
  ["request", "body", "", body],
  ["request", "body", "/name", "Tank"],
  ["request", "body", "/list/0/id", 7],
  ["request", "body", "/none", null],
  ["request", "body", "/empty", ""],
  ["request", "body", "/a~1b/~0", 1],
  ["request", "body", "/a~1b/~01", 2],
  ["response", "body", "", "not JSON"],
])("a value is revealed as it was sent: %s %s %j", (of, part, name, value) => {
  expect(revealValue(details, { of, part, name })).toEqual(value);
});

test.each<Place>([
  ["request", "header", "x-more"],
  ["response", "header", "key"],
  ["request", "header", "constructor"],
  ["request", "query", "other"],
  ["request", "query", "constructor"],
  ["request", "body", "/other"],
  ["request", "body", "/name/0"],
  ["request", "body", "/name/length"],
  ["request", "body", "/none/0"],
  ["request", "body", "/list/1"],
  ["request", "body", "/list/length/0"],
  ["request", "body", "/toString"],
  ["response", "body", "/0"],
])("a value that does not exist is not revealed: %s %s %j", (of, part, name) => {
  expect(() => revealValue(details, { of, part, name })).toThrow(NOTHING);
});

test("a value of an event is revealed by its pointer", () => {
  const event = { id: "evt_1", data: { object: { msisdn: "+1" } } };
  expect(revealInEvent(event, { name: "/data/object/msisdn" })).toBe("+1");
  expect(revealInEvent(event, { name: "" })).toBe(event);
  expect(() => revealInEvent(event, { name: "/data/code" })).toThrow(NOTHING);
  expect(() => revealInEvent(undefined, { name: "" })).toThrow(NOTHING);
  expect(() => revealInEvent(undefined, { name: "/id" })).toThrow(NOTHING);
  for (const place of [{}, { name: 7 }])
    expect(() => revealInEvent(event, place)).toThrow("Check name: it is missing");
  expect(() => revealInEvent(event, { name: "", more: 1 })).toThrow("Check more: it is missing");
});

/** Returns the numbers of the requests that contain every word. */
const search = async ({ send }: OpenControls, words: string) => {
  const found = await send(`GET /search?words=${encodeURIComponent(words)}`);
  const [first, ...others] = Object.values(found.body as BodyMatches).map(({ requests, headers }) =>
    [...new Set([...requests, ...headers])].toSorted((a, b) => a - b),
  );
  return first?.filter((number) => others.every((each) => each.includes(number)));
};

/** Four requests: a label, two searches for labels, and an uplink with a large integer. */
async function searchable(): Promise<OpenControls> {
  const all = openControls({
    faults: [{ kind: "status", status: 503, retryAfter: 7, on: "labels.list" }],
  });
  await call(all.sandbox, "console POST /api/v1/labels", { name: "Canal Lock" });
  await call(all.sandbox, "console GET /api/v1/labels?name=Canal&secret=canary");
  await call(all.sandbox, "console GET /api/v1/labels");
  await all.sandbox.mapper.fetch(`${all.sandbox.mapper.baseUrl}/api/v1/ingest/uplink`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    // No number of JavaScript.
    body: '{"hotspots":[{"id":"h","rssi":1152921504606846977}]}',
  });
  return all;
}

test.each<[words: string, numbers: number[] | undefined]>([
  ["canal", [1, 2]],
  ["CANAL", [1, 2]],
  ["canal lock", [1]],
  ["lock canal", [1]],
  [" lock\n\t canal  ", [1]],
  ["canallock", []],
  ["", undefined],
  ["  ", undefined],
  ["labels.list", [3]],
  ["503", [3]],
  ["retry-after", [3]],
  ["mapper.ingest", [4]],
  ["1152921504606846977", [4]],
  ["content-type tests", [1, 2]],
  // What is hidden: a query that no route declares, and a key.
  ["canary", []],
  ["sk_sandbox", []],
  // What the page adds: the options of a fault, and the program.
  ["retryafter", []],
  ["process.env", []],
  // Whose key it is, which is a field of the list and has a name there.
  ["printed", []],
])("a search for %j finds the requests that show every word", async (words, numbers) => {
  expect(await search(await searchable(), words)).toEqual(numbers);
});

test("a search finds an event by its data, and not by what is hidden in it", async () => {
  const { sandbox, send } = openControls();
  const { id } = await sandbox.webhooks.trigger("subscriber.created", {
    data: { object: { id: "sub_77" } },
  });
  const found = await send("GET /search?words=SUB_77+activation_code");
  expect(found.body).toEqual({
    sub_77: { requests: [], headers: [], events: [id] },
    activation_code: { requests: [], headers: [], events: [] },
  });
});
