import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSandbox } from "../src/index.ts";
import { credentialHeader, services } from "../src/services.ts";

const packages = join(import.meta.dirname, "../..");

test("every package with an entry ./endpoints is a service of the list in src/services.ts", () => {
  const clients = readdirSync(packages).filter((name) => {
    const manifest = readFileSync(join(packages, name, "package.json"), "utf8");
    return "./endpoints" in ((JSON.parse(manifest) as { exports?: object }).exports ?? {});
  });
  expect(services.map((service) => service.package).sort()).toEqual(clients.sort());
});

test("every table has its file in test/contract of its client", () => {
  const files = services.flatMap((service) =>
    Object.keys(service.tables).map((table) => {
      const name = table.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `${service.package}/test/contract/${name}.test.ts`;
    }),
  );
  expect(files.filter((file) => !existsSync(join(packages, file)))).toEqual([]);
});

test("every service is served by the sandbox under its name", async () => {
  const sandbox = createSandbox();
  for (const { name, tables } of services) {
    const { baseUrl, fetch } = sandbox[name];
    expect(new URL(baseUrl).pathname).toBe(`/${name}`);
    const [row] = Object.values(Object.values(tables)[0] ?? {});
    const [method = "", path = ""] = row?.route.split(" ") ?? [];
    await fetch(`${baseUrl}${path}`, { method });
    expect(sandbox.log.requests().at(-1)).toMatchObject({ service: name });
    expect(sandbox.log.requests().at(-1)?.row).toBeDefined();
  }
});

test.for(services)(
  "the client of $name rejects invalid options with what it requires",
  async (service) => {
    const name = `create${service.name.slice(0, 1).toUpperCase()}${service.name.slice(1)}Client`;
    const entry = (await import(`../../${service.package}/src/index.ts`)) as Record<
      string,
      unknown
    >;
    const create = entry[name] as (options: unknown) => unknown;
    for (const [given, what] of [
      [undefined, "undefined"],
      ["canary", "a string"],
    ])
      expect(() => create(given)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(
            new RegExp(
              `^${name} requires an object of options, such as \\{ baseUrl.* \\}, not ${what}\\.$`,
            ),
          ),
        }),
      );
  },
);

test("the described credential is accepted, and a public service requires none", async () => {
  const sandbox = createSandbox();
  const keys: Readonly<Record<string, string>> = {
    console: sandbox.apiKey,
    mobile: sandbox.mobile.apiKey,
  };
  for (const service of services) {
    const header = credentialHeader(service, keys[service.name] ?? "");
    const { credential } = service;
    const isBearer = credential?.type === "http";
    expect([service.name, header?.[0]]).toEqual([
      service.name,
      isBearer ? "authorization" : credential?.name,
    ]);
    if (header === undefined) continue;
    const row = Object.values(service.tables)
      .flatMap((table) => Object.values(table))
      .find(({ route }) => /^GET [^:]+$/.test(route));
    const { baseUrl, fetch } = sandbox[service.name];
    const url = baseUrl + row!.route.slice("GET ".length);
    expect((await fetch(url, { headers: [[...header]] })).status).toBe(200);
    expect([401, 403]).toContain((await fetch(url)).status);
    expect(service.errors).toHaveProperty("401");
  }
});

// An input that the contract accepts and running deployments reject.
const inputs: Readonly<Record<string, [call: string, input: object]>> = {
  console: ["labels.create", { name: "x".repeat(51) }],
  mapper: ["mapper.ingest", { object: { latitude: 0, longitude: 0, altitude: 0, accuracy: 0 } }],
  mobile: ["subscribers.create", { phone: "+15550100" }],
};

test.each(services.filter(({ name }) => name in inputs))(
  "the client of the $name service checks the observed rules by default if the list says so",
  async ({ name, createClient, checksObservedRules }) => {
    let sent = 0;
    const client = createClient({
      baseUrl: "https://deployment.test",
      apiKey: "sk_sandbox_1",
      fetch: async () => {
        sent++;
        return new Response(name === "mapper" ? "Success" : "{}", { status: 201 });
      },
    }) as Record<string, Record<string, (input: object) => Promise<unknown>>>;
    const [call, input] = inputs[name]!;
    const [resource, method] = call.split(".") as [string, string];
    await client[resource]![method]!(input).catch((error: unknown) => {
      expect(error).toMatchObject({ name: "InputError" });
    });
    expect(sent).toBe(checksObservedRules ? 0 : 1);
  },
);
