import { once } from "node:events";
import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { exec } from "../exec.ts";
import { entriesOf, packages, root } from "../packages.ts";
import { bundle, SIZES, type Size, sizeOf, specifiers } from "./sizes.ts";
import { compile, exportsOf, type Format, installConsumer, runProgram } from "./consumer.ts";

const TYPESCRIPT = "6.0.3";
let folder: string;

beforeAll(async () => {
  folder = await installConsumer([TYPESCRIPT]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("an installed tarball", () => {
  // The release tier has every compiler and every way to resolve modules.
  it("compiles in a user's program under nodenext", async () => {
    await compile(folder, TYPESCRIPT, "nodenext");
  });

  it.each<Format>(["esm", "cjs"])("runs in a user's program as %s", async (format) => {
    await runProgram(folder, "use", format);
  });

  it("recognizes its errors by instanceof, when one program loads both ESM and CommonJS", async () => {
    const file = join(folder, "two-copies.mjs");
    writeFileSync(file, TWO_COPIES);
    const entries = JSON.parse(await runProgram(folder, "entries", "esm")) as object;
    const printed = await exec(process.execPath, [file, ...Object.keys(entries)], { cwd: folder });
    const { tried, wrong } = JSON.parse(printed) as { tried: string[]; wrong: string[] };
    expect(tried).toEqual(
      expect.arrayContaining(["ApiError", "BulkError", "EventParseError", "CommandError"]),
    );
    expect(wrong).toEqual([]);
  });

  it("runs the program of the guide that keeps a table up to date", async () => {
    const guide = readFileSync(join(root, "docs/guides/keep-a-table-up-to-date.md"), "utf8");
    const [, sample = "", output = ""] = /```ts\n(.*?)```\n\n```text output\n(.*?)```/s.exec(
      guide,
    )!;
    const file = join(folder, "keep-a-table.mts");
    writeFileSync(file, sample);
    expect(await exec(process.execPath, [file], { cwd: folder })).toBe(output);
  });

  it("exports the same names by import and by require", async () => {
    const imported = await exportsOf(folder, "esm");
    expect(await exportsOf(folder, "cjs")).toEqual(imported);
    expect(Object.keys(imported).filter((entry) => imported[entry]?.length === 0)).toEqual([]);
  });

  it.each(
    packages.flatMap(({ manifest }) =>
      Object.values(manifest.bin ?? {}).map((path) => join(manifest.name, path)),
    ),
  )("starts %s", async (path) => {
    await exec(process.execPath, [join(folder, "node_modules", path), "--help"]);
  });
});

// Each file costs a third of a millisecond, and what is in it is compiled.
it.each<[number, string[]]>([
  [3, ["--version"]],
  [3, ["--help"]],
  [4, ["console", "labels", "--help"]],
  [14, ["labels", "list"]],
  [16, ["ledger", "accounts", "list"]],
])("a start loads at most %i files for fieldmesh %j", async (most, words) => {
  const server = createServer(({ url = "" }, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(url.includes("accounts") ? '{"data":[]}' : "[]"),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const loads = join(folder, "loads.txt");
  writeFileSync(loads, "");
  const bin = join(folder, "node_modules/@fieldmesh/cli/bin/fieldmesh.js");
  const env = { CONSOLE_URL: url, CONSOLE_KEY: "key", LEDGER_URL: url, LOADS: loads };
  const printed = await exec(process.execPath, ["--import", WATCH_LOADS, bin, ...words], { env });
  server.close();
  expect(printed + words.join(" ")).toMatch(/^\d|Usage:|list$/);
  const files = readFileSync(loads, "utf8").trim().split("\n");
  expect(files).toContain(pathToFileURL(realpathSync(bin)).href);
  expect(files.slice(most)).toEqual([]);
});

const WATCH_LOADS = `data:text/javascript,${encodeURIComponent(`
  import { appendFileSync } from "node:fs";
  import { registerHooks } from "node:module";
  const load = (url, context, next) => {
    if (url.startsWith("file:")) appendFileSync(process.env.LOADS, url + "\\n");
    return next(url, context);
  };
  registerHooks({ load });
`)}`;

// Compares each pair of error classes of an entry: one of the ESM, one of the CommonJS.
const TWO_COPIES = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const tried = new Set();
const wrong = [];
const isOurs = ([name, value]) =>
  /^[A-Z]\\w+Error$/.test(name) && (Symbol.hasInstance in value) && value[Symbol.hasInstance] !== Function.prototype[Symbol.hasInstance];
for (const entry of process.argv.slice(2)) {
  const [esm, cjs] = [await import(entry), require(entry)];
  for (const [name] of Object.entries(esm).filter(isOurs)) {
    tried.add(name);
    for (const [base] of Object.entries(esm).filter(isOurs))
      for (const [one, other] of [[esm, cjs], [cjs, esm]]) {
        const error = Object.create(one[name].prototype);
        const expected = name === base || one[base].prototype.isPrototypeOf(one[name].prototype);
        if (one[name] === other[name] || error instanceof other[base] !== expected) wrong.push(entry + ": " + name + " " + base);
      }
  }
}
console.log(JSON.stringify({ tried: [...tried], wrong }));
`;

const KB = 1000;
const CONSOLE = 'export { createConsoleClient } from "@fieldmesh/console-client";';
const LEDGER = 'export { createLedgerClient } from "@fieldmesh/ledger-client";';
const MAPPER = 'export { createMapperClient } from "@fieldmesh/mapper-client";';
const INSTANCEOF = `import { TimeoutError } from "@fieldmesh/mapper-client";
export const isLate = (error) => error instanceof TimeoutError;`;
const MOBILE = 'export { createMobileClient } from "@fieldmesh/mobile-client";';

// Minified and gzipped, ky and zod included, without what a call loads later. Each limit is a tenth above the size when it was set.
describe("the bundle of a user", () => {
  it.each<[number, string]>([
    // Headers that were sent twice take 160 bytes.
    [4.3 * KB, 'export { createVerifier } from "@fieldmesh/webhook-types";'],
    // esbuild splits the files of a client by each import() in them, even if the program does not call it. This one has none.
    [0.9 * KB, 'export { isApiError } from "@fieldmesh/mapper-client";'],
    [1.6 * KB, INSTANCEOF],
    // What the catalog says of events beyond their form takes 1.3 KB.
    [20.4 * KB, 'export { parseEvent } from "@fieldmesh/webhook-types/parse";'],
    // The kinds of device events that deployments have, their follower and the marks of fields take 2.4 KB, and drift beside other
    // differences and a further argument 0.1 KB each, here and below.
    [67.2 * KB, CONSOLE],
    [63.5 * KB, LEDGER],
    // The names of what arrives at an integration take 1.3 KB, and what to do about other modulations and broken numbers 0.4 KB.
    // The marks of fields take 0.1 KB, and the drift of events 0.1 KB more.
    [56.3 * KB, MAPPER],
    [59.2 * KB, MOBILE],
    // More by half a KB of the list of secret names, and by what reads times, and values of other realms, in every engine. The kinds of
    // device events that deployments have take 0.6 KB.
    [83.1 * KB, [CONSOLE, LEDGER, MAPPER, MOBILE].join("\n")],
  ])("loads at most %i bytes first for %s", async (limit, program) => {
    for (const platform of ["node", "browser"] as const) {
      const { first, all } = await bundle(program, folder, { platform });
      console.log(`${first} of ${limit} bytes, ${all} in all (${platform}): ${program}`);
      expect(first).toBeLessThanOrEqual(limit);
    }
  });
});

test("a bundle with one instanceof contains the text of no other error", async () => {
  const { code } = await bundle(INSTANCEOF, folder, { platform: "browser" });
  expect(code).toContain("got no complete response");
  for (const text of ["was aborted by", "the cursor has expired", "failed with", "does not fit"])
    expect(code).not.toContain(text);
});

const MOST_GROWTH = 1.1;
const sizes = JSON.parse(readFileSync(SIZES, "utf8")) as Readonly<Record<string, Size>>;

// A larger one is written down with the change that has made it so.
test.each(specifiers)("%s has grown by no more than a tenth", async (specifier) => {
  const { first, all } = await sizeOf(specifier, folder);
  expect(first).toBeLessThanOrEqual((sizes[specifier]?.first ?? 0) * MOST_GROWTH);
  expect(all).toBeLessThanOrEqual((sizes[specifier]?.all ?? 0) * MOST_GROWTH);
});

// What a compiler instantiates for a call is what a user waits for in an editor.
test.each([
  [
    3_500,
    `import { createConsoleClient } from "@fieldmesh/console-client";
    const client = createConsoleClient({ baseUrl: "https://console.test", apiKey: "key" });
    export const names: string[] = (await client.labels.list()).map(({ name }) => name);`,
  ],
  [
    3_200,
    `import { createLedgerClient } from "@fieldmesh/ledger-client";
    export const { height } = await createLedgerClient({ baseUrl: "https://ledger.test" }).blocks.height();`,
  ],
  [
    1_000,
    `import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
    export const receive = createReceiver({ secret: "whsec_of_a_consumer", store: memoryStore(), handlers: {
      "sim.activated": (event) => console.log(event.data.object.id), otherwise: () => undefined } });`,
  ],
])("a compiler instantiates at most %i types for %s", async (limit, code) => {
  empty ??= instantiations("export {};");
  const count = -(await empty) + (await instantiations(code));
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(limit);
});

/** What a program without an import costs. */
let empty: Promise<number> | undefined;

async function instantiations(code: string): Promise<number> {
  const file = join(folder, "instantiations.mts");
  writeFileSync(file, code);
  const tsc = join(
    folder,
    "node_modules",
    `typescript-${TYPESCRIPT.replaceAll(".", "-")}`,
    "bin",
    "tsc",
  );
  const flags = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--extendedDiagnostics",
    "--ignoreConfig",
  ];
  const modules = ["--module", "nodenext", "--target", "es2022", "--types", "node"];
  const printed = await exec(process.execPath, [tsc, ...flags, ...modules, file], { cwd: folder });
  return Number(/^Instantiations:\s+(\d+)/m.exec(printed)?.[1]);
}

/** The entries that may load zod; the others start in a few milliseconds. */
const WITH_ZOD = new Set([
  "./parse",
  "./samples",
  "./receiver",
  "./internal/receiver",
  "./queue",
  "./internal/mirror",
]);

it.each(
  packages
    .filter(({ id }) => id === "webhook-types")
    .flatMap(({ manifest }) => entriesOf(manifest).map(([path]) => path))
    .filter((path) => !WITH_ZOD.has(path)),
)("the entry %s of webhook-types loads no zod", async (path) => {
  const from = `@fieldmesh/webhook-types${path.slice(1)}`;
  const { inputs, code } = await bundle(`export * from "${from}";`, folder);
  expect(inputs).not.toEqual([]);
  expect(inputs.filter((file) => /node_modules\/(zod|ky)\//.test(file))).toEqual([]);
  // A name in the copy of zod in core.
  expect(code).not.toContain("$ZodType");
});
