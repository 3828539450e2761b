import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "@fieldmesh/core";
import { createSandbox, type RunningSandbox, startSandbox } from "@fieldmesh/sandbox";
import { services } from "@fieldmesh/sandbox/internal/services";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import type { Command, Input } from "../src/command.ts";
import { commands, groups } from "../src/commands/commands.ts";
import { createProgram, parse } from "../src/commands/program.ts";
import { rowCommands } from "../src/rows/row-commands.ts";
import { writeProfiles } from "../src/settings/profiles.ts";
import { testContext, type TestContext } from "./context.ts";
import { inventory } from "./fleet/fleet-context.ts";
import { temporaryFolder } from "../../../tools/testing/temporary-folder.ts";

vi.mock("age-encryption", async (original) =>
  (await import("./fleet/quick-age.ts")).quickAge(await original()),
);

// Every command with the sandbox that the environment names, while other addresses are at hand, which none may use.

const rows = await rowCommands(services.map(({ name }) => name));
const all: readonly Command[] = [...commands, ...rows.commands];

/** The commands that call no service. All others must call the named sandbox. */
const LOCAL: ReadonlySet<string> = new Set([
  "fleet convert",
  "ledger verify",
  "webhooks send",
  "webhooks verify",
  "webhooks explain",
  "webhooks record",
  "sandbox",
  "profile set",
  "profile list",
  "profile use",
  "profile remove",
  "completion",
]);
const calling = all.filter(({ path }) => !LOCAL.has(path));

const folder = temporaryFolder(afterAll);
const file = (name: string): string => join(folder, name);
/** Command lines for the commands whose first example needs a file, an id or a whole address. */
const LINES: Readonly<Record<string, string>> = {
  "devices import": `devices import ${file("inventory.csv")} --create-labels`,
  "devices label": `devices label Winter --file ${file("euis.txt")} --create-labels`,
  "devices delete": `devices delete --file ${file("euis.txt")}`,
  "fleet export": "fleet export NEW",
  "fleet plan": `fleet plan ${file("fleet.age")}`,
  "fleet apply": `fleet apply ${file("fleet.age")}`,
  "fleet verify": `fleet verify ${file("fleet.age")}`,
  "mirror verify": "mirror verify",
  "mirror repair": "mirror repair",
};

const MIRROR = join(import.meta.dirname, "../../mirror/migrations/sqlite/001-mirror.sql");

/** What reached an address that the environment does not name first. */
const strayed: string[] = [];
const other = createServer((request, response) => {
  strayed.push(`${request.method} ${request.url}`);
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
});
let sandbox: RunningSandbox<typeof systemClock>;
let nobody = "";
let env: Record<string, string> = {};
beforeAll(async () => {
  await once(other.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  // The sandbox that was started last is another one too.
  vi.stubEnv("XDG_RUNTIME_DIR", folder);
  mkdirSync(file("fieldmesh"), { mode: 0o700 });
  writeFileSync(file(`fieldmesh/sandbox-${process.pid}-1.txt`), `${url}/#token=other`);
  env = {
    CONSOLE_URL: url,
    CONSOLE_KEY: canaries.apiKey,
    LEDGER_URL: url,
    MAPPER_URL: url,
    MOBILE_URL: url,
    MOBILE_KEY: canaries.apiKey,
    FIELDMESH_CONFIG: file("config.json"),
    FIELDMESH_WEBHOOK_SECRET: canaries.webhookSecret,
    FIELDMESH_MIRROR_URL: `sqlite:${file("mirror.db")}`,
    FIELDMESH_PASSPHRASE: "correct horse battery staple",
  };
  const plant = { console: { url }, ledger: { url }, mapper: { url }, mobile: { url } };
  await writeProfiles(env, { used: "plant", profiles: { plant } });
  sandbox = await startSandbox({
    clock: systemClock,
    ledger: { height: 50, accounts: 20 },
  });
  writeFileSync(file("inventory.csv"), inventory(2));
  const mirror = new DatabaseSync(file("mirror.db"));
  mirror.exec(readFileSync(MIRROR, "utf8"));
  mirror.close();
  writeFileSync(file("euis.txt"), "0004A30B001C0530\n");
  const fleetExport = commands.find(({ path }) => path === "fleet export")!;
  const { run } = await fleetExport.load();
  await run(testContext({ env: { ...env, FIELDMESH_SANDBOX: sandbox.page } }), {
    arguments: [file("fleet.age")],
    options: {},
  });
  const closed = await startSandbox();
  nobody = closed.page;
  await closed.close();
});
beforeEach(() => {
  strayed.length = 0;
});
afterAll(async () => {
  other.close();
  await sandbox.close();
});

/** Returns a line that calls the service, with files that exist. */
function lineOf({ path, examples }: Command): string {
  const { line } = examples[0];
  const account = sandbox.ledger.state.chain.addresses.of(1);
  return (LINES[path] ?? line)
    .replace(/ [<>|].*/, "")
    .replace("NEW", newFile())
    .replace(/\b14Pf…/, account)
    .replace(/--out \S+/, `--out ${newFile()}`)
    .replace(/--input \S+/, () => `--input ${inputFile(path)}`);
}

/** Returns the name of a file that does not exist yet. */
function newFile(): string {
  return file(`${randomUUID()}.ndjson`);
}

/** Writes the sample of a row to a file. */
function inputFile(path: string): string {
  const wanted = path.replace(/\W/g, "").toLowerCase();
  const [sample] = services.flatMap(({ name, tables }) =>
    Object.entries(tables).flatMap(([resource, table]) =>
      Object.entries(table)
        .filter(([row]) =>
          [name + resource + row, name + row].some((key) => key.toLowerCase() === wanted),
        )
        .map(([, endpoint]) => endpoint.sample.input),
    ),
  );
  writeFileSync(file("input.json"), JSON.stringify(sample));
  return file("input.json");
}

/** Returns the input of a command line. */
async function inputOf(line: string): Promise<Input> {
  let found: Input | undefined;
  const program = createProgram({
    version: "0",
    commands: all,
    groups: { ...groups, ...rows.groups },
    run: async (_command, _globals, input) => void (found = input),
    stdout: () => undefined,
  });
  const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  await parse(
    program,
    words.map((word) => word.replace(/^(['"])(.*)\1$/, "$2")),
  );
  return found!;
}

/** Runs a command, and returns everything that it says. */
async function outputOf(command: Command, address: string): Promise<string> {
  const context: TestContext = testContext({
    env: { ...env, FIELDMESH_SANDBOX: address },
    yes: true,
    // What the user types, if the command asks for a key.
    answers: Array.from({ length: 3 }, () => canaries.appKey),
    // Ends what runs until Ctrl-C.
    signal: AbortSignal.timeout(command.path === "webhooks listen" ? 300 : 10_000),
  });
  const { run } = await command.load();
  const ended = await run(context, await inputOf(lineOf(command))).then(
    () => "",
    (error: Error) => error.message,
  );
  return [ended, ...context.stdout, ...context.stderr].join("\n");
}

test("the list of commands without a service names only existing ones", () => {
  expect([...LOCAL].filter((local) => !all.some(({ path }) => path === local))).toEqual([]);
});

test.each(calling)("$path calls the sandbox of the environment, and no other", async (command) => {
  const before = sandbox.log.count;
  const output = await outputOf(command, sandbox.page);
  const isReached = sandbox.log.count > before || output.includes(`Sandbox  ${sandbox.origin}`);
  const failed = await outputOf(command, nobody);
  expect({ isReached, output }).toMatchObject({ isReached: true });
  const { origin } = new URL(nobody);
  expect(failed).toContain(
    `Nothing responds at ${origin}, which FIELDMESH_SANDBOX names. Start that sandbox, or unset FIELDMESH_SANDBOX.`,
  );
  expect(strayed).toEqual([]);
});

test("--sandbox is used instead of the named sandbox", async () => {
  const own = createSandbox({ clock: systemClock, console: { data: "empty" } });
  const named = { ...env, FIELDMESH_SANDBOX: nobody };
  const context = testContext({ sandbox: own, env: named });
  expect(await (await context.client("console")).labels.list()).toEqual([]);
});

test("another program at the address of the named sandbox receives no key", async () => {
  const context = testContext({ env: { ...env, FIELDMESH_SANDBOX: env["CONSOLE_URL"] } });
  await expect(context.client("console")).rejects.toThrow("is not a sandbox");
  expect(strayed).toEqual(["POST /sandbox/keys"]);
});

test.each([
  ["nowhere", "FIELDMESH_SANDBOX needs an address such as http://127.0.0.1:14010/#token=…"],
  ["http://example.com/#token=a", "FIELDMESH_SANDBOX needs an address of this machine"],
])("%s as the named sandbox is rejected before any call", async (address, sentence) => {
  const context = testContext({ env: { ...env, FIELDMESH_SANDBOX: address } });
  await expect(context.client("ledger")).rejects.toMatchObject({ exitCode: 2 });
  await expect(context.client("ledger")).rejects.toThrow(sentence);
  expect(strayed).toEqual([]);
});
