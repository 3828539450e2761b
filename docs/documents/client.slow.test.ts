import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createConsoleClient } from "@fieldmesh/console-client";
import { createLedgerClient } from "@fieldmesh/ledger-client";
import { createMobileClient } from "@fieldmesh/mobile-client";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import createClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documents, readDocument } from "../../tools/documents.ts";
import { type ClientProgram, type Substitute, writeClientProgram } from "./client-program.ts";
import type { Json } from "./shapes.ts";
import { CALLS } from "./operations.ts";
import { type ServiceName, services } from "@fieldmesh/sandbox/internal/services";

// Inside the package, so that imports resolve as they do for a user of the documents.
const folder = join(import.meta.dirname, ".samples");
let sandbox: RunningSandbox;
let real: ReadonlyMap<unknown, unknown>;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1 });
  real = new Map([
    ...(await makeConsoleThings()),
    ...(await readLedgerThings()),
    ...(await makeMobileThings()),
  ]);
  mkdirSync(folder, { recursive: true });
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sandbox.close();
});

/** Makes what the console's samples name, and says which id it got. */
async function makeConsoleThings(): Promise<[unknown, unknown][]> {
  const { baseUrl } = sandbox.console;
  const client = createConsoleClient({ baseUrl, apiKey: sandbox.apiKey });
  const sampleOf = sampleIn("console");
  const label = await client.labels.create(sampleOf("labels.create") as { name: string });
  const device = await client.devices.create(sampleOf("devices.create") as never);
  const integration = await client.integrations.createHttp(
    sampleOf("integrations.createHttp") as never,
  );
  await client.devices.addLabel({ device_id: device.id, label: label.id });
  await client.flows.create({ integration_id: integration.id, label_id: label.id });
  const [flow] = await client.flows.list({ integration_id: integration.id });
  return [
    [sampleOf("labels.get")["label_id"], label.id],
    [sampleOf("devices.get")["device_id"], device.id],
    [sampleOf("integrations.get")["integration_id"], integration.id],
    [sampleOf("flows.delete")["flow_id"], flow?.id],
  ];
}

/** Finds what stands in the sandbox's ledger for what the samples name. */
async function readLedgerThings(): Promise<[unknown, unknown][]> {
  const client = createLedgerClient({ baseUrl: sandbox.ledger.baseUrl });
  const address = sandbox.ledger.state.chain.addresses.of(7);
  const { height } = await client.blocks.height();
  const block = await client.blocks.get({ height: height - 1 });
  const sampleOf = sampleIn("ledger");
  return [
    [sampleOf("accounts.get")["address"], address],
    [sampleOf("blocks.get")["height"], block.height],
    [sampleOf("blocks.getByHash")["hash"], block.hash],
  ];
}

/** Makes what the mobile service's samples name; who is deleted is another one than who has a subscription. */
async function makeMobileThings(): Promise<[unknown, unknown][]> {
  const { baseUrl, apiKey } = sandbox.mobile;
  const client = createMobileClient({ baseUrl, apiKey });
  const sampleOf = sampleIn("mobile");
  const create = async () =>
    (await client.subscribers.create(sampleOf("subscribers.create") as never))?.id;
  const [subscriber_id, other] = [await create(), await create()];
  const subscription = await client.subscriptions.create({ subscriber_id, plan_id: "plan_1" });
  const id = sampleOf("subscribers.get")["id"];
  return [
    [id, subscriber_id],
    [`subscribers.delete ${String(id)}`, other],
    [sampleOf("subscriptions.renewal")["id"], subscription?.id],
  ];
}

function sampleIn(service: ServiceName): (call: string) => Json {
  const tables = services.find(({ name }) => name === service)?.tables ?? {};
  return (call) => {
    const [resource = "", name = ""] = call.split(".");
    return tables[resource]?.[name]?.sample.input as Json;
  };
}

let made = 0;
/** Names are unique, and so are EUIs: what is created anew gets others. */
const substitute: Substitute = (value, call) => {
  if (Array.isArray(value)) return value.map((item) => substitute(item, call));
  if (typeof value !== "object" || value === null) {
    return real.get(`${call} ${String(value)}`) ?? real.get(value) ?? value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (!/\.create/.test(call)) return [key, substitute(item, call)];
      if (key === "name") return [key, `${String(item)} ${++made}`];
      if (key === "dev_eui") return [key, (++made).toString(16).padStart(16, "0").toUpperCase()];
      return [key, substitute(item, call)];
    }),
  );
};

test.for(services)(
  "a client generated by openapi-typescript compiles and gets what the document of $name promises",
  async ({ name: service, tables }) => {
    const file = join(documents, "openapi", `${service}.json`);
    const document = readDocument(`openapi/${service}.json`);
    writeFileSync(
      join(folder, `${service}.d.ts`),
      astToString(await openapiTS(pathToFileURL(file))),
    );
    const program = join(folder, `${service}-client.ts`);
    writeFileSync(program, writeClientProgram(document, `./${service}.js`, substitute));
    expect(compile(program)).toEqual([]);

    const { callsOf } = (await import(program)) as ClientProgram;
    const client = createClient<never>({
      baseUrl: sandbox[service].baseUrl,
      headers: {
        key: sandbox.apiKey,
        authorization: `Bearer ${sandbox.mobile.apiKey}`,
        "user-agent": "openapi-fetch",
      },
    });
    const results: { call: string; status: number; data: unknown }[] = [];
    for (const [call, send] of callsOf(client)) {
      const { data, response } = await send();
      results.push({ call, status: response.status, data: readEither(data) });
    }

    const calls = Object.entries(tables).flatMap(([resource, table]) =>
      Object.keys(table).map((name) => `${resource}.${name}`),
    );
    expect(results.map(({ call }) => call).sort()).toEqual(calls.sort());
    const check = responseChecker(document);
    for (const { call, status, data } of results)
      expect({ call, status, problems: check(call, status, data) }).toEqual({
        call,
        status: expect.toSatisfy((code: number) => code < 300) as number,
        problems: [],
      });
  },
);

test("the compiler says no to what a document does not promise", () => {
  const program = join(folder, "wrong.ts");
  writeFileSync(
    program,
    `import createClient from "openapi-fetch";
import type { paths } from "./console.ts";
const client = createClient<paths>();
await client.POST("/api/v1/labels", { body: { title: "Pumps" } });
const { data } = await client.GET("/api/v1/labels/{label_id}", { params: { path: { label_id: 7 } } });
const id: number | undefined = data?.id;
export { id };
`,
  );
  expect(compile(program).map((message) => message.replace(/ [^]*/, ""))).toEqual([
    "TS2322",
    "TS2322",
    "TS2322",
  ]);
});

function readEither(text = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function compile(file: string): string[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ code, messageText }) => `TS${code} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
}

/** Checks a response against the schema that the document has for it. */
function responseChecker(
  document: Json,
): (call: string, status: number, data: unknown) => unknown[] {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, "document");
  return (call, status, data) => {
    for (const [path, item] of Object.entries(document["paths"] as Record<string, Json>))
      for (const [method, operation] of Object.entries(item as Record<string, Json>)) {
        if (!(operation[CALLS] as string[]).includes(call)) continue;
        const response = (operation["responses"] as Json)[status] as { content?: Json } | undefined;
        const mediaType = typeof data === "string" ? "text/plain" : "application/json";
        if (response?.content?.[mediaType] === undefined)
          return [`${status} with ${mediaType} is not declared`];
        const steps = ["paths", path, method, "responses", String(status), "content", mediaType];
        const pointer = [...steps, "schema"].map((step) =>
          encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")),
        );
        const validate = ajv.compile({ $ref: `document#/${pointer.join("/")}` });
        validate(data);
        return validate.errors ?? [];
      }
    return [`${call} is not in the document`];
  };
}
