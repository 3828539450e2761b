// The first line of every command in a terminal, and what the doctor says about it.
import { Readable, Writable } from "node:stream";
import { startSandbox } from "@fieldmesh/sandbox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands as own } from "../src/commands/commands.ts";
import type { Globals } from "../src/commands/global-options.ts";
import { runCommand } from "../src/commands/run-command.ts";
import type { Command } from "../src/command.ts";
import { rowCommands } from "../src/rows/row-commands.ts";
import { runSet, runUse } from "../src/settings/change-profiles.ts";
import { temporaryFolder } from "../../../tools/testing/temporary-folder.ts";
import { join } from "node:path";
import { runCommand as runIn, testContext } from "./context.ts";
import { runHere } from "./user.ts";

const rows = await rowCommands(["console", "ledger", "mapper", "mobile"]);
const commands = [...own, ...rows.commands];

const URLS = {
  CONSOLE_URL: "https://console.example.com",
  CONSOLE_KEY: "canary-console",
  LEDGER_URL: "https://ledger.example.com",
  MAPPER_URL: "https://mapper.example.com",
  MOBILE_URL: "https://mobile.example.com",
  MOBILE_KEY: "canary-mobile",
};

/** Runs what comes before the work of a command, and returns the lines of stderr. */
async function before(
  command: Command,
  {
    isTTY,
    globals = {},
    env = URLS,
  }: { isTTY: boolean; globals?: Globals; env?: NodeJS.ProcessEnv },
): Promise<string[]> {
  let shown = "";
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        shown += String(chunk);
        done();
      },
    }),
    { isTTY, columns: 100 },
  );
  const stdin = Object.assign(Readable.from([]), { isTTY: false });
  await runCommand(
    { ...command, load: async () => ({ run: async () => {} }) },
    { yes: true, ...globals },
    { arguments: [], options: {} },
    { stdin, stdout: new Writable(), stderr, env, signal: new AbortController().signal },
  );
  return shown.split("\n").filter((line) => line !== "");
}

/** Commands without such a line, and why. Those of the sandbox name it, or the receiver, themselves. */
const SILENT: Readonly<Record<string, string>> = {
  completion: "sends nothing",
  doctor: "names all addresses in its table",
  "fleet convert": "sends nothing",
  "ledger verify": "sends nothing",
  "profile list": "names all addresses in its table",
  "profile remove": "changes a file of this machine",
  "profile set": "names the file that it has changed",
  "profile use": "changes a file of this machine",
  sandbox: "prints its own addresses",
  "webhooks events": "prints the address of the sandbox",
  "webhooks explain": "sends nothing",
  "webhooks listen": "prints the address of the sandbox",
  "webhooks record": "listens",
  "webhooks replay": "prints the address of the sandbox, or of the receiver",
  "webhooks send": "prints the address of the receiver",
  "webhooks trigger": "prints the address of the sandbox",
  "webhooks undo": "prints the address of the sandbox",
  "webhooks verify": "sends nothing",
};

test.each(commands.filter(({ path }) => !(path in SILENT)))(
  "$path says where it goes on its first line in a terminal, and in a pipe only if it changes something",
  async (command) => {
    const [line = ""] = await before(command, { isTTY: true });
    expect(line).toMatch(
      /^(?:Console|Ledger|Mapper|Mobile) {2}https:\/\/\w+\.example\.com {2}\([A-Z]+_URL\)$/,
    );
    const changes = command.writes === true || command.needsYes === true;
    expect(await before(command, { isTTY: false })).toEqual(changes ? [line] : []);
    expect(await before(command, { isTTY: true, globals: { quiet: true } })).toEqual([]);
  },
);

test("each command without such a line has a reason", async () => {
  const silent = [];
  for (const command of commands)
    if ((await before(command, { isTTY: true })).length === 0) silent.push(command.path);
  expect(silent.toSorted()).toEqual(Object.keys(SILENT).toSorted());
});

const folder = temporaryFolder(afterAll);
const config = join(folder, "config.json");
let sandbox: Awaited<ReturnType<typeof startSandbox>>;
beforeAll(async () => {
  sandbox = await startSandbox();
  const context = () => testContext({ env: { FIELDMESH_CONFIG: config }, stdin: sandbox.apiKey });
  for (const name of ["plant", "other"])
    await runIn(
      runSet,
      context(),
      { url: sandbox.console.baseUrl, keyStdin: true },
      name,
      "console",
    );
  await runIn(runUse, context(), {}, "other");
});
afterAll(async () => await sandbox.close());

const SOURCES: readonly {
  what: string;
  args?: readonly string[];
  env: () => NodeJS.ProcessEnv;
  source: string;
  warning: string | undefined;
}[] = [
  {
    what: "the default profile",
    env: () => ({}),
    source: "profile other (the default)",
    warning: undefined,
  },
  {
    what: "the profile of a variable",
    env: () => ({ FIELDMESH_PROFILE: "plant" }),
    source: "profile plant (FIELDMESH_PROFILE)",
    warning: undefined,
  },
  {
    what: "the profile of the command line",
    args: ["--profile", "plant"],
    env: () => ({ CONSOLE_URL: "https://console.example.com", FIELDMESH_SANDBOX: sandbox.page }),
    source: "profile plant (--profile)",
    warning: "profile plant (--profile) overrides FIELDMESH_SANDBOX and CONSOLE_URL",
  },
  {
    what: "variables",
    env: () => ({ CONSOLE_URL: sandbox.console.baseUrl, CONSOLE_KEY: sandbox.apiKey }),
    source: "CONSOLE_URL",
    warning: "CONSOLE_URL overrides profile other (the default)",
  },
  {
    what: "a sandbox",
    env: () => ({ FIELDMESH_SANDBOX: sandbox.page, CONSOLE_URL: "https://console.example.com" }),
    source: "FIELDMESH_SANDBOX",
    warning: "FIELDMESH_SANDBOX overrides CONSOLE_URL and profile other (the default)",
  },
  {
    what: "a sandbox of this command",
    args: ["--sandbox"],
    env: () => ({}),
    source: "--sandbox",
    warning: "--sandbox overrides profile other (the default)",
  },
  {
    what: "a sandbox of this command, beside a profile that does not exist",
    args: ["--sandbox"],
    env: () => ({ FIELDMESH_PROFILE: "gone" }),
    source: "--sandbox",
    warning: undefined,
  },
  {
    what: "a profile, with a key of the environment that is not used",
    env: () => ({ CONSOLE_KEY: "canary-key" }),
    source: "profile other (the default)",
    warning: "profile other (the default) overrides CONSOLE_KEY",
  },
];

test.each(SOURCES)("the doctor names the address and its source: $what", async (row) => {
  const ended = await runHere(["doctor", "--json", ...(row.args ?? [])], {
    FIELDMESH_CONFIG: config,
    HOME: folder,
    ...row.env(),
  });
  const checks = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
  const [address, key, warning] = ["console address", "console key", "console source"].map((name) =>
    checks.find(({ check }) => check === name),
  );
  expect(address).toMatchObject({
    result: "ok",
    address: expect.stringMatching(/^https?:/),
    source: row.source,
    detail: "responds to GET /api/v1/organization",
  });
  expect(key).toMatchObject({ result: "ok", source: row.source });
  expect(warning?.["detail"]).toBe(row.warning);
  expect([warning?.["result"], ended.code]).toEqual([row.warning && "warning", 0]);
  // The key itself is nowhere.
  expect(ended.stdout + ended.stderr).not.toMatch(/canary|[\w+/]{43}=/);
});
