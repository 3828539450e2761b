import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox, type RunningSandbox } from "@fieldmesh/sandbox";
import { services } from "@fieldmesh/sandbox/services";
import ts from "typescript";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiKeyOf } from "../packages/sandbox/test/example-scopes.ts";
import { readDocExamples, readPrograms, readSamples } from "./samples.ts";
import { findSwallowedErrors } from "./swallowed-errors.ts";
import { keyVariable, urlVariable } from "./site/curl.ts";

// Inside docs, so that imports resolve as they do for a user of the packages.
const folder = join(import.meta.dirname, ".samples");
const samples = readSamples();
const fileOf = (name: string): string => join(folder, `${name}.ts`);
// A compiler that reads all packages takes its time where others use the machine too.
const MINUTE = 60_000;
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1 });
  for (const service of services) {
    vi.stubEnv(urlVariable(service), sandbox[service.name].baseUrl);
    vi.stubEnv(keyVariable(service), apiKeyOf(sandbox, service.name));
  }
  vi.stubEnv("WEBHOOK_SECRET", "whsec_test");
  vi.stubEnv("LEDGER_ACCOUNT", sandbox.ledger.state.chain.addresses.of(7));
  for (const method of ["log", "warn", "error"] as const)
    vi.spyOn(console, method).mockReturnValue();
  mkdirSync(folder, { recursive: true });
  for (const { name, code } of samples) writeFileSync(fileOf(name), `${code}\nexport {};\n`);
  // What the programs of the frameworks import is the first block of their page.
  const receiver = samples.find(({ name }) => name === "frameworks-1");
  writeFileSync(fileOf("receiver"), receiver?.code ?? "");
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await sandbox.close();
});

test.each(services)("a guide has a sample with the client of $name", ({ package: id }) => {
  const guides = readdirSync(join(import.meta.dirname, "guides"));
  const pages = guides.map((name) =>
    readFileSync(join(import.meta.dirname, "guides", name), "utf8"),
  );
  expect(pages.some((page) => page.includes(`from "@fieldmesh/${id}"`))).toBe(true);
});

test("there are samples on every page", () => {
  expect(samples.length).toBeGreaterThan(15);
});

test.for([...samples, ...readDocExamples(), ...readPrograms()])(
  "$name swallows no error",
  ({ code }) => {
    expect(findSwallowedErrors(code)).toEqual([]);
  },
);

test("a sample that swallows an error is found", () => {
  expect(findSwallowedErrors("call().catch((error) => isApiError(error, 404));")).toHaveLength(1);
  expect(findSwallowedErrors("try { call(); } catch {}")).toHaveLength(1);
  expect(findSwallowedErrors("call().catch((error) => { if (!ok(error)) throw error; });")).toEqual(
    [],
  );
  expect(findSwallowedErrors("try { call(); } catch (error) { console.error(error); }")).toEqual(
    [],
  );
});

// pnpm resolves only what a user has installed; `@fieldmesh/core` and `@fieldmesh/http` come with a client.
test("a sample imports no package behind a client", () => {
  const found = samples.filter(
    ({ name, code }) =>
      /from "@fieldmesh\/(core|http)/.test(code) && !/^packages-(core|http)-/.test(name),
  );
  expect(found.map(({ name }) => name)).toEqual([]);
});

test("a guide with a sample that imports zod says to install it", () => {
  const guides = readdirSync(join(import.meta.dirname, "guides"));
  const pages = guides.map((name) => ({
    name,
    text: readFileSync(join(import.meta.dirname, "guides", name), "utf8"),
  }));
  const needing = pages.filter(({ text }) => text.includes('from "zod'));
  expect(needing).not.toEqual([]);
  expect(needing.filter(({ text }) => !text.includes("npm install zod"))).toEqual([]);
});

// Node 22 cannot parse `await using`.
test("a sample with `await using` has a twin that calls close()", () => {
  const codes = [...samples, ...readDocExamples()].map(({ code }) => code.trim());
  const twins = codes
    .filter((code) => code.includes("await using "))
    .map((code) => {
      const [, name] = /await using (\w+)/.exec(code)!;
      return `${code.replace("await using ", "const ")}\nawait ${name}.close();`;
    });
  expect(twins).not.toEqual([]);
  expect(codes).toEqual(expect.arrayContaining(twins));
});

test(
  "every sample compiles",
  () => {
    const config = ts.getParsedCommandLineOfConfigFile(
      join(import.meta.dirname, "tsconfig.json"),
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: () => undefined,
      },
    );
    const program = ts.createProgram(
      samples.map(({ name }) => fileOf(name)),
      config!.options,
    );
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) =>
          `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`,
      );
    expect(messages).toEqual([]);
  },
  5 * MINUTE,
);

test.for(samples.filter(({ isExecuted }) => isExecuted))("$name runs", async ({ name }) => {
  await import(fileOf(name));
});
