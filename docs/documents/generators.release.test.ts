import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { services } from "@fieldmesh/sandbox/internal/services";
import { eventTypes } from "@fieldmesh/webhook-types";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Results, Run } from "../../conformance/generators/programs/program.ts";
import { documents } from "../../tools/documents.ts";
import { install } from "../../tools/install.ts";
import { generators, generatorsFolder } from "./generators.ts";

// Clients of all documents, made by each generator and compiled, call the sandbox.

const run = promisify(execFile);
const MINUTES = 10 * 60_000;
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-generators-"));
let sandbox: RunningSandbox;

beforeAll(async () => {
  cpSync(generatorsFolder, folder, {
    recursive: true,
    filter: (path) => !/node_modules/.test(path),
  });
  await install(folder);
  sandbox = await startSandbox({ seed: 1 });
}, 2 * MINUTES);

afterAll(async () => {
  await sandbox?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, MINUTES);

test.for(generators)(
  "clients of %s compile under strict, and their calls to the sandbox succeed",
  async (generator) => {
    for (const { name } of services) await generate(generator, name);
    expect(compile([join(folder, "programs", `${generator}.ts`), ...filesIn(generator)])).toEqual(
      [],
    );

    sandbox.reset();
    const account = sandbox.ledger.state.chain.addresses.of(7);
    const { created, labels, blocks, ...results } = await runProgram(generator, account);
    expect(created).toMatchObject({ id: expect.any(String) as string, name: "Pumps" });
    expect(labels).toContainEqual({ id: created.id, name: "Pumps" });
    expect(blocks).toContainEqual(expect.objectContaining({ hash: expect.any(String) as string }));
    expect(results).toMatchObject({
      account: { address: account, balance: expect.any(Number) as number },
      subscriber: { id: expect.stringMatching(/^sub_/) as string, email: "mina@example.com" },
    });
    expect(sandbox.mapper.state.uplinks).toHaveLength(1);
  },
);

const modelOptions: readonly (readonly [string, readonly string[]])[] = [
  ["classes", []],
  ["interfaces", ["--tsModelType=interface", "--tsRawPropertyNames", "--tsExportType=named"]],
];

test.for(modelOptions)(
  "the AsyncAPI CLI makes %s of every event and of every record in it",
  async ([name, options]) => {
    const document = join(documents, "asyncapi", "webhooks.json");
    const models = join(folder, `asyncapi-${name}`);
    const command = ["generate", "models", "typescript", document, "-o", models];
    // With CI=true it sends no metrics.
    await execute("asyncapi", [...command, "--no-interactive", ...options], { CI: "true" });
    expect(compile(filesIn(`asyncapi-${name}`))).toEqual([]);

    const { components } = JSON.parse(readFileSync(document, "utf8")) as {
      components: { schemas: Record<string, { type?: string }> };
    };
    const { SignedHeaders: _, ...records } = components.schemas;
    const files = readdirSync(models).map((file) => file.replace(/\.ts$/, ""));
    expect(files.sort()).toEqual([...Object.keys(records), "WebhookEvent"].sort());
    expect(files.filter((file) => file.endsWith("Event"))).toHaveLength(eventTypes.length + 1);
    const sources = files.map((file) => readFileSync(join(models, `${file}.ts`), "utf8"));
    expect(sources.filter((source) => /^type \w+ = any;/m.test(source))).toEqual([]);
  },
);

async function generate(generator: string, service: string): Promise<void> {
  const DOCUMENT = join(documents, "openapi", `${service}.json`);
  const env = { ...process.env, DOCUMENT, NAME: service };
  await run("npm", ["run", "--silent", generator], { cwd: folder, env, maxBuffer: 2 ** 26 });
}

async function execute(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const path = join(folder, "node_modules", ".bin", program);
  await run(path, args, { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 });
}

function filesIn(name: string): string[] {
  return readdirSync(join(folder, name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, name, file));
}

/** Only the types of other packages are not checked, those in node_modules. */
function compile(files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    types: [],
  });
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file?.fileName.includes("/node_modules/") !== true)
    .map(({ file, code, messageText }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, "\n");
      return `${file?.fileName.slice(folder.length) ?? ""} TS${code} ${message}`;
    });
}

async function runProgram(name: string, account: string): Promise<Results> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(folder, "programs", `${name}.ts`)],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
  });
  const program = (await import(pathToFileURL(outfile).href)) as { run: Run };
  return program.run({
    console: sandbox.console.baseUrl,
    ledger: sandbox.ledger.baseUrl,
    mapper: sandbox.mapper.baseUrl,
    mobile: sandbox.mobile.baseUrl,
    consoleKey: sandbox.apiKey,
    mobileKey: sandbox.mobile.apiKey,
    account,
  });
}
