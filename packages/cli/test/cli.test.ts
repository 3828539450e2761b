import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProgram, type BuiltProgram } from "./program.ts";
import { canaries } from "../../../tools/canaries/canaries.ts";

const folder = mkdtempSync(join(tmpdir(), "fieldmesh-bin-"));
// Of the sources, as all tests see them: a built package may be of yesterday.
let built: BuiltProgram;
let program: string;
let sandbox: RunningSandbox;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  built = await buildProgram(folder);
  program = built.file;
  sandbox = await startSandbox();
  env = {
    PATH: process.env["PATH"],
    FIELDMESH_CONFIG: join(folder, "config.json"),
    CONSOLE_URL: sandbox.console.baseUrl,
    CONSOLE_KEY: sandbox.apiKey,
    LEDGER_URL: sandbox.ledger.baseUrl,
    MAPPER_URL: sandbox.mapper.baseUrl,
  };
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  file: string,
  args: readonly string[],
  own: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const started = promisify(execFile)(file, args, { env: { ...env, ...own } });
  started.child.stdin?.end();
  return await started.then(
    (ended) => ({ code: 0, ...ended }),
    (error: unknown) => error as Ended,
  );
}

const fieldmesh = (args: readonly string[], own?: NodeJS.ProcessEnv) =>
  run(process.execPath, [program, ...args], own);
const bash = (script: string) =>
  run("bash", [
    "--norc",
    "-c",
    `fieldmesh() { "${process.execPath}" "${program}" "$@"; }\n${script}`,
  ]);

test("calls a service, and prints what a program can read", async () => {
  const { code, stdout, stderr } = await fieldmesh(["console", "labels", "list", "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => Object.keys(JSON.parse(line) as object)),
  ).toHaveLength(4);
});

/** What the lines below name, in this test. */
function here(word: string): string {
  if (word === "PORT") return new URL(sandbox.console.baseUrl).port;
  if (word === "PROGRAM") return import.meta.filename;
  if (word !== "AGE") return word;
  const file = join(folder, "fleet.age");
  writeFileSync(file, "age-encryption.org/v1\n");
  return file;
}

test.each([
  ["an unknown command", ["console", "label"], 2, "Did you mean labels?"],
  ["an unknown id", ["ledger", "blocks", "get", "--height", "999999999"], 1, "404"],
  ["a wrong key", ["console", "labels", "list"], 1, "401", { CONSOLE_KEY: canaries.apiKey }],
  [
    "a wrong address",
    ["ledger", "blocks", "height"],
    1,
    "ENOTFOUND",
    { LEDGER_URL: "https://ledger.invalid" },
  ],
  ["no input", ["mapper", "ingest", "--input", "-"], 2, "--input needs a JSON object"],
  ["no address", ["mobile", "events", "list"], 2, "set MOBILE_URL"],
  ["an input that breaks a rule", ["console", "labels", "get", "--label-id", "x"], 2, "UUID"],
  [
    "an unknown profile",
    ["mobile", "events", "list", "--profile", "x"],
    2,
    'There is no profile "x"',
  ],
  [
    "a file that is not there",
    ["mapper", "ingest", "--input", "/missing/x"],
    2,
    "/missing/x: there is no such file",
  ],
  [
    "a folder",
    ["ledger", "blocks", "list", "--out", "/missing/x"],
    2,
    "there is no such file or folder",
  ],
  [
    "an address with a password",
    ["console", "labels", "list"],
    2,
    "CONSOLE_URL must not contain a user name or password",
    { CONSOLE_URL: "https://user:hidden@console.example.com" },
  ],
  [
    "a port that fetch blocks",
    ["ledger", "blocks", "height"],
    1,
    "HTTP programs do not connect to this port",
    { LEDGER_URL: "http://127.0.0.1:9" },
  ],
  ["a port that is in use", ["sandbox", "--port", "PORT"], 2, "is in use; choose another one"],
  [
    "a file that is not CSV",
    ["devices", "import", "PROGRAM", "--yes"],
    2,
    "is not a CSV file that can be read",
  ],
  [
    "deleting many devices without a terminal",
    ["devices", "delete", "--label", "Pumps"],
    2,
    "There is no terminal to ask on: add --yes if you are sure.",
  ],
  [
    "an encrypted file without a passphrase",
    ["fleet", "plan", "AGE"],
    2,
    "There is no terminal to ask on: set FIELDMESH_PASSPHRASE or add --passphrase-file.",
  ],
  [
    "no terminal",
    ["profile", "set", "x", "console", "--url", "https://c.example"],
    2,
    "There is no terminal",
  ],
] as const)(
  "%s ends with one sentence and an exit code",
  async (_what, args, code, part, own?: NodeJS.ProcessEnv) => {
    const ended = await fieldmesh(args.map(here), own);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(/^((Mapper|Console) {2}\S+\n)?fieldmesh: [^\n]+\n$/);
    expect(ended.stderr).toContain(part);
    expect(ended.stderr).not.toMatch(/\bat .*:\d+|node:internal/);
  },
);

test("a reader that ends early, as head does, ends the walk with 0", async () => {
  const { stdout, stderr } = await bash(
    `fieldmesh ledger blocks list --json | head -1; echo "\${PIPESTATUS[0]}"`,
  );
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^\{.+\}\n0\n$/);
});

test.runIf(existsSync("/dev/full"))("a full disk is one sentence", async () => {
  const { code, stderr } = await bash("fieldmesh ledger blocks height > /dev/full");
  expect(code).toBe(1);
  expect(stderr).toBe(
    "fieldmesh: What the command prints: the disk is full: free some space and run the command again.\n",
  );
  expect(await bash("fieldmesh --help > /dev/full")).toMatchObject({ code: 1 });
});

test("Ctrl-C ends a walk with 130, and what was written is whole", async () => {
  const out = join(folder, "blocks.ndjson");
  const args = [program, "ledger", "blocks", "list", "--out", out];
  const child = spawn(process.execPath, args, { env });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  while (!existsSync(out) || statSync(out).size === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([130, null]);
  expect(stderr).toMatch(/^[\d,]+ records are in .+\.\nfieldmesh: interrupted\.\n$/);
  for (const line of readFileSync(out, "utf8").trimEnd().split("\n")) JSON.parse(line);
});

test("a second Ctrl-C ends a command that still waits", async () => {
  const args = [program, "mapper", "ingest", "--input", "-"];
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "inherit", "pipe"] });
  // More than a pipe holds: the program reads, and waits for an end that does not come.
  await new Promise((resolve) => child.stdin.write(" ".repeat(1_000_000), resolve));
  const exit = once(child, "exit");
  const timer = setInterval(() => child.kill("SIGINT"), 100);
  expect(await exit).toEqual([130, null]);
  clearInterval(timer);
});

test("a key comes from stdin, and is used", async () => {
  const key = join(folder, "key.txt");
  writeFileSync(key, `${sandbox.apiKey}\n`);
  const set = `fieldmesh profile set plant console --url ${sandbox.console.baseUrl} --key-stdin < ${key}`;
  const list =
    "unset CONSOLE_URL CONSOLE_KEY; fieldmesh console labels list --profile plant --json";
  const { code, stdout, stderr } = await bash(`${set} && ${list}`);
  expect([code, stdout.trim().split("\n").length]).toEqual([0, 4]);
  expect(stdout + stderr).not.toContain(sandbox.apiKey);
});

test("bash accepts the script of completion, and completes commands, options and choices", async () => {
  const { stdout, stderr } = await bash(`
    source <(fieldmesh completion bash)
    try() { COMP_WORDS=(fieldmesh "$@"); COMP_CWORD=$#; _fieldmesh; echo "\${COMPREPLY[*]}"; }
    try cons
    try console labels cre
    try console labels create --na
    try --profile x ledger bl
    try profile set plant mo
    try console devices set-active --active ""
  `);
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n")).toEqual([
    "console",
    "create",
    "--name",
    "blocks",
    "mobile",
    "true false",
  ]);
});

/** The packages whose sources a command line loads. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { process._rawDebug("LOADED " + url); return next(url, context); } });`;
  const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { stderr } = await run(process.execPath, ["--import", preload, program, ...args]);
  const files = [...stderr.matchAll(/^LOADED (file:.+)$/gm)].map(([, url = ""]) =>
    fileURLToPath(url),
  );
  const packages = files
    .flatMap(built.sourcesOf)
    .map((source) => PACKAGE.exec(source)?.slice(1).find(Boolean) ?? source);
  return [...new Set(packages)].sort();
}

const PACKAGE =
  /\/packages\/([\w-]+)\/(?:src\/|package\.json)|.*\/node_modules\/((?:@[\w-]+\/)?[\w.-]+)/;

test("help loads the command line alone, and a command its own service alone", async () => {
  // Of the sandbox, the descriptions of the commands that both programs have.
  expect(await loadedBy("--help")).toEqual(["cli", "commander", "sandbox"]);
  expect(await loadedBy("console", "labels", "--help")).toEqual(["cli", "commander", "sandbox"]);
  const [console, ledger] = [
    await loadedBy("console", "labels", "list"),
    await loadedBy("ledger", "blocks", "height"),
  ];
  const clients = (names: readonly string[]) =>
    names.filter((name) => /-client$|webhook/.test(name));
  expect([clients(console), clients(ledger)]).toEqual([["console-client"], ["ledger-client"]]);
});
