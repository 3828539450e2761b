import { expect, test } from "vitest";
import type { LoggedRequest, RequestDetails } from "../log/logged-request.ts";
import { call } from "../testing/all-state.ts";
import { newDevice, NOBODY } from "../testing/console.ts";
import { openControls } from "../testing/controls.ts";
import { viewRequest } from "./request-details.ts";
import type { RequestView } from "./wire.ts";

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
    query: {},
    headers: {
      authorization: "[redacted]",
      "content-type": "application/json",
      key: "[redacted]",
      "user-agent": "tests",
    },
    body: { kind: "json", value: { name: "Pumps" } },
    hasPrintedKey: true,
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

test("the header of a response that may contain a credential is hidden", async () => {
  const view = viewRequest(
    {
      ...detailsOf({}),
      response: {
        headers: { "set-cookie": "session=1", "x-trace": "7" },
        body: "session=1",
        length: 9,
      },
    },
    openControls().sandbox,
  );
  expect(view.response).toEqual({
    headers: { "set-cookie": "[redacted]", "x-trace": "7" },
    body: { kind: "text", text: "session=1" },
  });
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

test("a field of the body that a row does not declare is hidden in the program too", async () => {
  const { program } = await viewOf("console DELETE /api/v1/labels/no-uuid", { more: "canary" });
  expect(program).toContain(`{\n  more: process.env["SENT_MORE"]!,\n  label_id: "no-uuid",\n}`);
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
    hasPrintedKey: false,
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

test("the message of a response that is text is shown", async () => {
  const { sandbox, client, send } = openControls();
  const { id } = await client.labels.create({ name: "Pumps" });
  const device = await client.devices.create(newDevice());
  await call(sandbox, `console POST /api/v1/devices/${device.id}/labels`, { label: id });
  expect((await send("GET /requests/3")).body).toMatchObject({
    response: { body: { kind: "text", text: expect.stringContaining("label") } },
  });
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

/** The details of a request to no route, in which an error of the sandbox may have happened. */
function detailsOf(changes: Partial<LoggedRequest>): RequestDetails {
  const request = { number: 1, service: "console", status: 200, headers: {}, ...changes };
  return {
    request: request as LoggedRequest,
    call: {
      url: new URL("https://a.invalid/console"),
      endpoint: undefined,
      row: undefined,
      body: { text: "", length: 0 },
    } as unknown as RequestDetails["call"],
    input: {},
    response: undefined,
  };
}

test.each([
  [undefined, undefined],
  [new RangeError("too large"), "RangeError: too large"],
  ["secret", "The sandbox has failed."],
])("an error of the sandbox itself is shown by its name and message: %s", (error, text) => {
  expect(viewRequest(detailsOf({ error }), openControls().sandbox).error).toBe(text);
});
