import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { createConsoleClient, splitJob } from "../packages/console-client/src/index.ts";
import { dispatchFetch } from "../packages/console-client/src/undici.ts";
import { stringifyJson } from "../packages/core/src/index.ts";
import { createLedgerClient } from "../packages/ledger-client/src/index.ts";
import {
  createForwarder,
  createMapperClient,
  fromConsoleUplink,
  fromNetworkServer,
} from "../packages/mapper-client/src/index.ts";
import { createUplinkReceiver, parseConsoleUplink } from "../packages/mapper-client/src/uplink.ts";
import { catchUp, createMobileClient } from "../packages/mobile-client/src/index.ts";
import { traceFieldmesh } from "../packages/opentelemetry/src/index.ts";
import { postgresRateLimit, redisRateLimit } from "../packages/rate-limit/src/index.ts";

const baseUrl = "http://127.0.0.1:1";
const clients: Readonly<Record<string, object>> = {
  console: createConsoleClient({ baseUrl, apiKey: "key" }),
  ledger: createLedgerClient({ baseUrl }),
  mapper: createMapperClient({ baseUrl }),
  mobile: createMobileClient({ baseUrl, apiKey: "key" }),
};
const { accounts } = createLedgerClient({ baseUrl });

type AnyFunction = (...values: unknown[]) => unknown;
const js = (call: unknown): AnyFunction => call as AnyFunction;

/** What both a pool of pg and a client of Redis have. */
const double = { query() {}, connect() {}, sendCommand() {}, destroy() {} };

/** Each function with options, called with a misspelled one, and the option that it must suggest. */
const rows: Readonly<Record<string, readonly [suggested: string, call: () => unknown]>> = {
  createConsoleClient: ["timeout", () => js(createConsoleClient)({ timout: 1 })],
  createLedgerClient: ["timeout", () => js(createLedgerClient)({ timout: 1 })],
  createMapperClient: ["timeout", () => js(createMapperClient)({ timout: 1 })],
  createMobileClient: ["timeout", () => js(createMobileClient)({ timout: 1 })],
  "TimedPager.parallel": [
    "lanes",
    () => accounts.rewards({ address: "a" }).parallel({ lane: 1 } as never),
  ],
  splitJob: ["size", () => js(splitJob)([], { sise: 1 })],
  stringifyJson: ["space", () => js(stringifyJson)(1, { spaces: 1 })],
  dispatchFetch: ["dispatcher", () => js(dispatchFetch)({ dispatchers: 1 })],
  createForwarder: ["client", () => js(createForwarder)({ clients: 1 })],
  fromConsoleUplink: ["fields", () => js(fromConsoleUplink)({}, { field: 1 })],
  fromNetworkServer: ["fields", () => js(fromNetworkServer)({}, { field: 1 })],
  createUplinkReceiver: ["maxBytes", () => js(createUplinkReceiver)({ maxByte: 1 })],
  parseConsoleUplink: ["decoded", () => js(parseConsoleUplink)({}, { decode: 1 })],
  catchUp: ["router", () => js(catchUp)({ routers: 1 })],
  traceFieldmesh: ["propagate", () => js(traceFieldmesh)({ propagates: 1 })],
  postgresRateLimit: ["name", () => js(postgresRateLimit)(double, { names: 1 })],
  redisRateLimit: ["name", () => js(redisRateLimit)(double, { names: 1 })],
};

/** Methods of clients without options. */
const WITHOUT = new Set(["rateLimit.state"]);

/** Why a function with options has no row here. */
const EXEMPT: Readonly<Record<string, string>> = {
  "Pager.toArray": "its only option is required, so a misspelled one is reported as missing",
  "Mirror.repair": "shares its check with Mirror.verify",
  "Inbox.run": "a method of a store, which the receiver calls",
  "FastifyScope.route": "a method of Fastify, which we only call",
};

/** Tests of packages with many such functions: each is called there with a misspelled option. */
const tests = [
  "packages/prove/src/option-names.test.ts",
  "packages/sandbox/test/option-names.test.ts",
  "packages/sandbox/src/commands/with-lock.test.ts",
  "packages/webhook-types/test/option-names.test.ts",
];

test.for(Object.entries(rows))("%s rejects a misspelled option", async ([, [suggested, call]]) => {
  await expectSuggestion(call, suggested);
});

test("every exported function with options is called with a misspelled one in a test", () => {
  const functions = functionsWithOptions();
  expect(functions.length).toBeGreaterThan(50);
  const calls = tests.map((file) => readFileSync(file, "utf8")).join("\n");
  const isCalled = (name: string): boolean =>
    new RegExp(String.raw`\b${name.replace(/^.*\./, "")}\)?\(`).test(calls);
  const known = { ...rows, ...EXEMPT };
  const missing = functions.filter((name) => !Object.hasOwn(known, name) && !isCalled(name));
  expect(missing, `write a row in this file, or in one of ${tests.join(", ")}`).toEqual([]);
  expect(Object.keys(known).filter((name) => !functions.includes(name))).toEqual([]);
});

describe.for(Object.entries(clients))("every method of the %s client", ([, client]) => {
  test.for(methodsOf(client))("%s rejects a misspelled option", async ([, method]) => {
    // A method without an input has its options first.
    await expectSuggestion(() => method({ timout: 1, type: "http" }, { timout: 1 }), "timeout");
  });
});

async function expectSuggestion(call: () => unknown, suggested: string): Promise<void> {
  await expect((async () => await call())()).rejects.toThrow(`Did you mean "${suggested}"?`);
}

function methodsOf(client: object, prefix = ""): [string, AnyFunction][] {
  return Object.entries(client).flatMap(([name, value]): [string, AnyFunction][] => {
    if (WITHOUT.has(prefix + name)) return [];
    if (typeof value === "function") return [[prefix + name, value as AnyFunction]];
    return typeof value === "object" && value !== null
      ? methodsOf(value as object, `${prefix}${name}.`)
      : [];
  });
}

/** Lists the exported functions, and the methods of exported interfaces, that have a parameter with options. */
function functionsWithOptions(): string[] {
  const found = new Set<string>();
  for (const file of globSync("tools/api/reports/*.api.md")) {
    const sections = readFileSync(file, "utf8").matchAll(/```ts\n([^]*?)```/g);
    const code = [...sections].map(([, section]) => section).join("");
    const source = ts.createSourceFile("report.ts", code, ts.ScriptTarget.Latest, true);
    for (const statement of source.statements) {
      const isInterface = ts.isInterfaceDeclaration(statement);
      for (const each of isInterface ? statement.members : [statement]) {
        if (!ts.isFunctionDeclaration(each) && !ts.isMethodSignature(each)) continue;
        const { name, parameters } = each;
        // Each method of a client has a test of its own, see above.
        if (isInterface && /-client\./.test(file) && isOfClient(name?.getText(source))) continue;
        if (name === undefined || !parameters.some((one) => hasOptions(one, source))) continue;
        found.add(
          isInterface ? `${statement.name.text}.${name.getText(source)}` : name.getText(source),
        );
      }
    }
  }
  return [...found];
}

const methods = Object.values(clients).flatMap((client) => methodsOf(client));

function isOfClient(method: string | undefined): boolean {
  return methods.some(([name]) => name.split(".").at(-1) === method);
}

function hasOptions({ name, type }: ts.ParameterDeclaration, source: ts.SourceFile): boolean {
  return name.getText(source) === "options" || /Options\b/.test(type?.getText(source) ?? "");
}
