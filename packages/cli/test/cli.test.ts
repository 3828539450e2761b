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
    {
      name: "CliError",
      message: '"fieldmesh ledger blocks list" has no option --lim. Did you mean --limit?',
    },
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
  const help = ["cli", "commander", "sandbox"];
  expect(await loadedBy("--help")).toEqual(help);
  expect(await loadedBy("console", "labels", "--help")).toEqual(help);
  const [console, ledger] = [
    await loadedBy("console", "labels", "list"),
    await loadedBy("ledger", "blocks", "height"),
  ];
  const clients = (names: readonly string[]) =>
    names.filter((name) => /-client$|webhook/.test(name));
  expect([clients(console), clients(ledger)]).toEqual([["console-client"], ["ledger-client"]]);
});

test("a list of devices in a pipe is tab-separated, with the names of labels, and --columns chooses", async () => {
  const { stdout } = await user.run(["console", "devices", "list", "--limit", "2"]);
  const [header, row = ""] = stdout.split("\n");
  expect(header).toBe("id\tname\tdev_eui\tactive\tlabels\tlast_connected");
  expect(row).toMatch(/^[^\t]+\t[^\t]+\t[0-9A-F]{16}\t(true|false)\t[^\t{]+\t\S+$/);
  const wrong = await user.run(["devices", "list", "--columns", "id,"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("such as name,dev_eui")]);
});

test("the service of a command may be left out, if only one has it", async () => {
  expect((await user.run(["labels", "list", "--json", "--quiet"])).stdout).toContain('"name":');
  const { code, stderr } = await user.run(["labls", "list"]);
  expect([code, stderr]).toEqual([
    2,
    'fieldmesh: "fieldmesh" has no command labls. Did you mean "console labels list"?\n',
  ]);
});

test.each([
  "devices import fleet.csv",
  "devices label Pumps --label Pumps",
  "devices unlabel Pumps --label Pumps",
  "devices activate --label Pumps",
  "devices deactivate --label Pumps",
  "devices delete --label Pumps",
  "fleet apply fleet.age",
])("without a terminal, %s requires --yes and sends nothing", async (line) => {
  user.sandbox.log.clear();
  const { code, stderr } = await user.run(line.split(" "));
  expect([code, stderr]).toEqual([2, expect.stringContaining("Add --yes to run it")]);
  expect(user.sandbox.log.count).toBe(0);
});

test("completion knows event types, profiles and the options of an endpoint", async () => {
  await user.bash(
    "echo key | fieldmesh profile set plant console --url https://c.example --key-stdin",
  );
  const candidates = async (...words: string[]) =>
    (await user.run(["complete", "--", ...words])).stdout;
  expect(await candidates("webhooks", "send", "sim.activ")).toContain("sim.activated\t");
  expect(await candidates("doctor", "--profile", "pl")).toBe("plant\t\n");
  expect(await candidates("profile", "use", "")).toBe("plant\t\n");
  expect(await candidates("ledger", "accounts", "rewards", "--min")).toContain("--min-time\t");

  // Lines that leave out the service.
  expect(await candidates("lab")).toBe("labels\tLabels of the organization\n");
  expect(await candidates("labels", "cr")).toMatch(/^create\t.+\n$/);
  expect(await candidates("labels", "create", "--na")).toMatch(/^--name\t.+\n$/);
  const ofDevices = (await candidates("devices", ""))
    .split("\n")
    .map((line) => line.split("\t")[0]);
  expect(ofDevices).toEqual(expect.arrayContaining(["import", "list", "get"]));
  expect(ofDevices.length).toBe(new Set(ofDevices).size);
  // Nothing is offered twice, and no service at the start of a line.
  expect(await candidates("")).not.toContain("labels\t");
});
