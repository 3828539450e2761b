import { Secret } from "@fieldmesh/core";
import * as z from "@fieldmesh/core/internal/zod";
import { type Endpoint, endpoint, text } from "@fieldmesh/http/internal";
import { expect, test } from "vitest";
import type { RequestDetails } from "../log/logged-request.ts";
import { call } from "../testing/all-state.ts";
import { newDevice, NOBODY } from "../testing/console.ts";
import { openControls } from "../testing/controls.ts";
import { asProgram } from "./as-program.ts";

/** Sends a request, and returns the program that the page shows for it. */
async function programOf(route: string, body?: unknown, headers?: Record<string, string>) {
  const { sandbox, send } = openControls();
  await call(sandbox, route, body, headers);
  return ((await send("GET /requests/1")).body as { program?: string }).program;
}

test("a list is the first page of its method, and the rest of the query is an option", async () => {
  const program = await programOf("ledger GET /v1/accounts?mine=1");
  expect(program).toContain(`import { createLedgerClient } from "@fieldmesh/ledger-client";`);
  expect(program).not.toContain("apiKey");
  // Nobody has said that it is no secret.
  expect(program).toContain(
    `client.accounts.list({}, {\n  query: {\n    mine: process.env["SENT_MINE"]!,\n  },\n}).page();`,
  );
});

/** Returns a whole program for the console. */
const consoleProgram = (
  statement: string,
) => `// Save it as call.mts, and run it with: node --env-file=.env call.mts
import { createConsoleClient } from "@fieldmesh/console-client";

const client = createConsoleClient({
  baseUrl: process.env["CONSOLE_URL"]!,
  apiKey: process.env["CONSOLE_KEY"]!,
});

const result = await ${statement};
console.log(result);
`;

test.each<[route: string, body: unknown, statement: string]>([
  ["GET /api/v1/labels", undefined, "client.labels.list()"],
  ["GET /api/v1/labels?name=Pumps", undefined, `client.labels.find({\n  name: "Pumps",\n})`],
  [`GET /api/v1/labels/${NOBODY}`, undefined, `client.labels.get({\n  label_id: "${NOBODY}",\n})`],
  ["POST /api/v1/labels", { name: "Pumps" }, `client.labels.create({\n  name: "Pumps",\n})`],
  // What the service has rejected is written as it was sent.
  ["POST /api/v1/labels", { name: 7 }, "client.labels.create({\n  name: 7,\n})"],
  [
    "POST /api/v1/devices",
    newDevice(),
    `client.devices.create({
  name: "Tank 1",
  app_eui: "70B3D57ED0000001",
  app_key: process.env["SENT_APP_KEY"]!,
  dev_eui: "0004A30B00000001",
})`,
  ],
  [
    `PUT /api/v1/devices/${NOBODY}`,
    { active: false },
    `client.devices.setActive({\n  device_id: "${NOBODY}",\n  active: false,\n})`,
  ],
  // A part of the query that the route itself has is not an option.
  [
    `GET /api/v1/devices/${NOBODY}/events?sub_category=uplink_integration_req`,
    undefined,
    `client.devices.integrationEvents({\n  device_id: "${NOBODY}",\n})`,
  ],
  // The method sets the type.
  [
    "POST /api/v1/integrations",
    { name: "Hook", type: "http", endpoint: "https://a.example", method: "post", headers: {} },
    expect.stringMatching(/^client\.integrations\.createHttp\(\{(?![^]*type:)/),
  ],
])("a request is a call of the method that sends it: %s %j", async (route, body, statement) => {
  const program = (await programOf(`console ${route}`, body)) ?? "";
  if (typeof statement === "string") expect(program).toBe(consoleProgram(statement));
  else expect(program.split("await ")[1]).toEqual(statement);
});

test.each([
  ["ledger GET /v1/blocks/height", "createLedgerClient", "LEDGER", "blocks.height()"],
  ["ledger GET /v1/blocks/7", "createLedgerClient", "LEDGER", "blocks.get({\n  height: 7,\n})"],
  ["ledger GET /v1/blocks", "createLedgerClient", "LEDGER", "blocks.list().page()"],
  ["mobile GET /events", "createMobileClient", "MOBILE", "events.list().page()"],
])(
  "a program has the client and the variables of its service: %s",
  async (route, factory, prefix, method) => {
    const [service] = route.split(" ");
    const key = service === "mobile" ? `\n  apiKey: process.env["MOBILE_KEY"]!,` : "";
    expect(await programOf(route))
      .toBe(`// Save it as call.mts, and run it with: node --env-file=.env call.mts
import { ${factory} } from "@fieldmesh/${service}-client";

const client = ${factory}({
  baseUrl: process.env["${prefix}_URL"]!,${key}
});

const result = await client.${method};
console.log(result);
`);
  },
);

/** Returns the arguments of the call that a program makes for a row and an input. */
function argumentsOf(
  row: Endpoint,
  {
    input = {},
    shown = input,
    search = "",
    shownQuery = {},
  }: {
    input?: Record<string, unknown>;
    shown?: Record<string, unknown>;
    search?: string;
    shownQuery?: Record<string, unknown>;
  },
): string | undefined {
  const details = {
    request: { service: "console", body: "" },
    call: { endpoint: row, row: "things.call", url: new URL(`https://a.invalid/${search}`) },
    input,
  } as unknown as RequestDetails;
  const program = asProgram(details, shown, shownQuery) ?? "";
  return /client\.things\.call\(([^]*)\);\nconsole/.exec(program)?.[1];
}

const anything = endpoint("POST /things", {
  body: z.record(z.string(), z.unknown()),
  result: text(),
});

test.each<[string, value: unknown, shown: unknown, written: string]>([
  ["a string", `a "b"`, `a "b"`, `"a \\"b\\""`],
  ["a number", 7.5, 7.5, "7.5"],
  ["a boolean", false, false, "false"],
  ["null", null, null, "null"],
  ["a large integer", 2n ** 60n, 2n ** 60n, "1152921504606846976n"],
  ["a date", new Date(0), "1970", `new Date("1970-01-01T00:00:00.000Z")`],
  ["an empty list", [], [], "[]"],
  ["an empty record", {}, {}, "{}"],
  ["a record without values", { a: undefined }, {}, "{}"],
  ["a list", [1, [2]], [1, [2]], "[\n    1,\n    [\n      2,\n    ],\n  ]"],
  [
    "a record in a record",
    { a: 1, b: { c: "d", e: undefined } },
    { a: 1, b: { c: "d" } },
    `{\n    a: 1,\n    b: {\n      c: "d",\n    },\n  }`,
  ],
  ["a value that is redacted", "secret", "[redacted]", `process.env["SENT_FIELD"]!`],
  ["a value that is undeclared", "secret", "[undeclared]", `process.env["SENT_FIELD"]!`],
  ["a value that is too deep", "secret", "[too deep]", `process.env["SENT_FIELD"]!`],
  ["a secret", new Secret("secret"), "shown", `process.env["SENT_FIELD"]!`],
  ["a hidden number", 7, "[redacted]", `JSON.parse(process.env["SENT_FIELD"]!)`],
  ["a hidden list of strings", ["a", "b"], "[redacted]", `process.env["SENT_FIELD"]!.split(",")`],
  ["a hidden list", ["a", 7], "[redacted]", `JSON.parse(process.env["SENT_FIELD"]!)`],
  [
    "a hidden part of a list",
    ["a", "b"],
    ["a", "[redacted]"],
    `[\n    "a",\n    process.env["SENT_FIELD"]!,\n  ]`,
  ],
  [
    "a hidden part of a record",
    { b: "c" },
    { b: "[redacted]" },
    `{\n    b: process.env["SENT_B"]!,\n  }`,
  ],
  ["a value that is not shown", { b: "c" }, undefined, `JSON.parse(process.env["SENT_FIELD"]!)`],
  [
    "a field whose name is hidden",
    { b: "c", d: "e", f: "g" },
    { b: "c", "[undeclared]": "[undeclared]" },
    `{\n    b: "c",\n    ...JSON.parse(process.env["SENT_FIELD_UNDECLARED"]!),\n  }`,
  ],
  [
    "a name that is a mark",
    { "[undeclared]": "[undeclared]" },
    { "[undeclared]": "[undeclared]" },
    `{\n    ...JSON.parse(process.env["SENT_FIELD_UNDECLARED"]!),\n  }`,
  ],
])("a value is written as TypeScript: %s", (_name, value, shown, written) => {
  expect(argumentsOf(anything, { input: { field: value }, shown: { field: shown } })).toBe(
    `{\n  field: ${written},\n}`,
  );
});

test.each([
  ["a1", "a1", "A1"],
  ["_a", "_a", "_A"],
  ["$a$", "$a$", "_A_"],
  ["1a", `"1a"`, "1A"],
  ["a-b", `"a-b"`, "A_B"],
  ["-a", `"-a"`, "_A"],
  ["a - b", `"a - b"`, "A_B"],
  ["", `""`, ""],
])(
  "the name %j is written in quotes if it must be, and is that of a variable",
  (name, key, variable) => {
    expect(argumentsOf(anything, { input: { [name]: "a" }, shown: { [name]: "[redacted]" } })).toBe(
      `{\n  ${key}: process.env["SENT_${variable}"]!,\n}`,
    );
  },
);

const row = endpoint("POST /things/:id/parts?kind=a", {
  path: { id: z.string() },
  query: { limit: z.optional(z.int()) },
  body: z.object({ name: z.string(), note: z.optional(z.string()) }),
  result: text(),
});
const bare = endpoint("GET /things", { result: text() });

test("path, query and body are one argument, and the rest of the query is an option", () => {
  const input = { id: "a", limit: 7, name: "b", note: undefined };
  const given = `{\n  id: "a",\n  limit: 7,\n  name: "b",\n}`;
  expect(argumentsOf(row, { input, search: "?kind=a&limit=7" })).toBe(given);
  expect(
    argumentsOf(row, {
      input,
      search: "?kind=a&limit=7&mine=1&theirs=2",
      shownQuery: { mine: "1", theirs: "[undeclared]" },
    }),
  ).toBe(
    `${given}, {\n  query: {\n    mine: "1",\n    theirs: process.env["SENT_THEIRS"]!,\n  },\n}`,
  );
});

test.each<[string, { call?: object; request?: object }]>([
  ["without a row", { call: { endpoint: bare, row: undefined } }],
  ["without an endpoint", { call: { endpoint: undefined, row: "things.call" } }],
  ["whose body is not an object in JSON", { request: { service: "console", body: "[]" } }],
  ["whose body was forgotten", { request: { service: "console", body: undefined } }],
])("a request %s has no program", (_name, changes) => {
  const details = {
    request: { service: "console", body: "" },
    input: {},
    ...changes,
    call: {
      endpoint: bare,
      row: "things.call",
      url: new URL("https://a.invalid/"),
      ...changes.call,
    },
  } as unknown as RequestDetails;
  expect(asProgram(details, {}, {})).toBeUndefined();
});
