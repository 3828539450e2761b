import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProgramUser, startUser } from "./user.ts";

let user: ProgramUser;
beforeAll(async () => {
  user = await startUser();
});
afterAll(() => user.close());

test("calls a service, and prints a response that a program can parse", async () => {
  const { code, stdout, stderr } = await user.run(["console", "labels", "list", "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => Object.keys(JSON.parse(line) as object)),
  ).toHaveLength(4);
});

test("Ctrl-C ends a list command with exit code 130, and the written lines are complete", async () => {
  const out = join(user.folder, "blocks.ndjson");
  const args = [user.program.file, "ledger", "blocks", "list", "--out", out];
  const child = spawn(process.execPath, args, { env: user.env });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  while (!existsSync(out) || statSync(out).size === 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([130, null]);
  expect(stderr).toMatch(/^[\d,]+ records are in .+\.\nfieldmesh: Interrupted\.\n$/);
  for (const line of readFileSync(out, "utf8").trimEnd().split("\n")) JSON.parse(line);
});

test("with --json, an error is one JSON object on stderr, even if the command line is invalid", async () => {
  const missing = await user.run(["ledger", "blocks", "get", "--height", "999999999", "--json"]);
  expect([missing.code, missing.stdout]).toEqual([1, ""]);
  expect(JSON.parse(missing.stderr)).toEqual({
    name: "ApiError",
    message: expect.stringContaining("404") as string,
    docs: "https://fieldmesh.github.io/fieldmesh/errors/ApiError.html",
  });
  const wrong = await user.run(["ledger", "blocks", "list", "--lim", "1", "--json"]);
  expect([wrong.code, JSON.parse(wrong.stderr)]).toEqual([
    2,
    { name: "CliError", message: "Unknown option '--lim'. Did you mean --limit?" },
  ]);
});

test("a second Ctrl-C ends a command that still waits", async () => {
  const args = [user.program.file, "mapper", "ingest", "--input", "-"];
  const child = spawn(process.execPath, args, {
    env: user.env,
    stdio: ["pipe", "inherit", "pipe"],
  });
  // More than a pipe can hold: the program reads, and waits for an end that never arrives.
  await new Promise((resolve) => child.stdin.write(" ".repeat(1_000_000), resolve));
  const exit = once(child, "exit");
  const timer = setInterval(() => child.kill("SIGINT"), 100);
  expect(await exit).toEqual([130, null]);
  clearInterval(timer);
});

test("a key that is read from stdin is used", async () => {
  const key = join(user.folder, "key.txt");
  writeFileSync(key, `${user.sandbox.apiKey}\n`);
  const set = `fieldmesh profile set plant console --url ${user.sandbox.console.baseUrl} --key-stdin < ${key}`;
  const list =
    "unset CONSOLE_URL CONSOLE_KEY; fieldmesh console labels list --profile plant --json";
  const { code, stdout, stderr } = await user.bash(`${set} && ${list}`);
  expect([code, stdout.trim().split("\n").length]).toEqual([0, 4]);
  expect(stdout + stderr).not.toContain(user.sandbox.apiKey);
});

test("bash accepts the completion script, and completes commands, options and choices", async () => {
  const { stdout, stderr } = await user.bash(`
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

/** Returns the packages whose sources a command line loads. */
async function loadedBy(...args: string[]): Promise<string[]> {
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) { process._rawDebug("LOADED " + url); return next(url, context); } });`;
  const preload = `data:text/javascript,${encodeURIComponent(hook)}`;
  const { stderr } = await user.runNode(["--import", preload, user.program.file, ...args]);
  const files = [...stderr.matchAll(/^LOADED (file:.+)$/gm)].map(([, url = ""]) =>
    fileURLToPath(url),
  );
  const packages = files
    .flatMap(user.program.sourcesOf)
    .map((source) => PACKAGE.exec(source)?.slice(1).find(Boolean) ?? source);
  return [...new Set(packages)].sort();
}

const PACKAGE =
  /\/packages\/([\w-]+)\/(?:src\/|package\.json)|.*\/node_modules\/((?:@[\w-]+\/)?[\w.-]+)/;

test("help loads only the command line, and a command only its own service", async () => {
  // Only the descriptions of the commands that both programs have are loaded from the sandbox.
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
