import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createForwarder, createMapperClient } from "../packages/mapper-client/src/index.ts";
import { createUplinkReceiver } from "../packages/mapper-client/src/uplink.ts";
import { traceFieldmesh } from "../packages/opentelemetry/src/index.ts";
import { createSandbox, startSandbox } from "../packages/sandbox/src/index.ts";
import { createVerifier } from "../packages/webhook-types/src/index.ts";
import { createReceiver, memoryStore } from "../packages/webhook-types/src/receiver/index.ts";
import { Secret } from "../packages/core/src/index.ts";
import { packages, publicEntries } from "./packages.ts";
import { judge } from "./testing/judge.ts";
import { junk } from "./testing/junk.ts";

// Junk as the first argument of every public function that is not a method of a client, and of what receives requests of strangers.

const unhandled: unknown[] = [];
const keep = (error: unknown): void => void unhandled.push(error);
beforeAll(() => {
  vi.spyOn(console, "warn").mockReturnValue();
  vi.spyOn(console, "error").mockReturnValue();
  process.on("unhandledRejection", keep);
});
afterAll(() => {
  process.off("unhandledRejection", keep);
  vi.restoreAllMocks();
  if (unhandled.length > 0) throw new Error("a rejection that nobody handles");
});

type AnyFunction = (...args: unknown[]) => unknown;
const js = (call: unknown): AnyFunction => call as AnyFunction;

async function faultsOf(call: (value: unknown) => unknown): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, make] of Object.entries(junk)) {
    const value = make();
    const fault = await judge(() => call(value));
    if (fault !== undefined) faults.push(`${name}: ${fault}`);
  }
  return faults;
}

const secret = "whsec_canary-9d1c77aa02";
const authorization = { name: "authorization", value: "canary-of-the-integration" };
const client = createMapperClient({
  baseUrl: "https://map.test",
  fetch: async () => new Response(null, { status: 201 }),
});
const verify = js(createVerifier({ secret }));

/** The other packages call the exports of these two, and export the functions for users again. */
const MACHINERY = new Set(["core", "http"]);
const modules = await Promise.all(
  packages
    .filter(({ id }) => !MACHINERY.has(id))
    .flatMap(({ folder, manifest }) =>
      publicEntries(manifest).map(([, file]) => join(folder, file)),
    )
    .map(async (file) => (await import(file)) as Readonly<Record<string, unknown>>),
);

/** Every function that users can import, by its name. */
const publicFunctions = new Map(
  modules
    .flatMap((each) => Object.entries(each))
    .filter((each): each is [string, AnyFunction] => typeof each[1] === "function")
    // Only the packages create errors.
    .filter(([, { prototype }]) => !(prototype instanceof Error)),
);

/** The result of these must be closed or called, or they require `new`. */
const others: Readonly<Record<string, AnyFunction>> = {
  Secret: (value) => new Secret(value as string),
  startSandbox: async (value) => (await startSandbox(value as object)).close(),
  traceFieldmesh: (value) => traceFieldmesh(value as object)(),
};

/** What receives requests of strangers, and what a test configures with values of others. */
const receivers: Readonly<Record<string, AnyFunction>> = {
  "a forwarder": js(createForwarder({ client, authorization })),
  "an uplink receiver": js(createUplinkReceiver({ authorization, handler: () => undefined })),
  "a receiver": js(
    createReceiver({ secret, store: memoryStore(), handlers: { otherwise: () => undefined } }),
  ),
  "a verifier": verify,
  "the headers of a verifier": (headers) => verify({ body: "{}", headers }),
  "the body of a verifier": (body) => verify({ body, headers: {} }),
  "the faults of a sandbox": (value) => createSandbox().setFaults([{ kind: value }] as never),
};

describe("junk as the first argument of", () => {
  test.for(Object.entries({ ...Object.fromEntries(publicFunctions), ...others, ...receivers }))(
    "%s",
    async ([, call]) => {
      expect(await faultsOf(call)).toEqual([]);
    },
  );

  test("every function of each package", () => {
    expect(publicFunctions.size).toBeGreaterThan(80);
  });
});
