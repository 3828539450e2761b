import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "@fieldmesh/sandbox";
import { services } from "@fieldmesh/sandbox/internal/services";
import { afterAll, describe, expect, test } from "vitest";
import { canaries } from "../../../tools/canaries/canaries.ts";
import type { Command } from "../src/command.ts";
import { globalOptions } from "../src/commands/global-options.ts";
import { rowCommands } from "../src/rows/row-commands.ts";
import { testContext, type TestContext, type TestContextOptions } from "./context.ts";
import { runLine } from "./run-line.ts";
import { temporaryFolder } from "../../../tools/testing/temporary-folder.ts";

const folder = temporaryFolder(afterAll);

const { commands, groups } = await rowCommands(services.map(({ name }) => name));

/** Runs a command line in this process. */
async function run(options: TestContextOptions, ...args: string[]): Promise<TestContext> {
  const context = testContext({ sandbox: createSandbox(), ...options });
  await runLine(args, { commands, groups }, context);
  return context;
}

/** Splits a line as a shell does. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** `console labels set-config-profile`, without what only a command line has between the words. */
const keyOf = (words: string): string => words.replace(/\W/g, "").toLowerCase();
const commandsByKey = new Map(commands.map((command) => [keyOf(command.path), command]));

const rows = services.flatMap(({ name: service, tables }) =>
  Object.entries(tables).flatMap(([resource, table]) =>
    Object.entries(table).map(([name, { sample }]) => ({
      call: `${resource}.${name}`,
      service,
      // The mapper's one method belongs to the client itself.
      key: keyOf(resource === service ? service + name : service + resource + name),
      input: sample.input as Record<string, unknown>,
    })),
  ),
);

test("rows.json has a command for every row, and no other; if not, run `npm run generate`", () => {
  const missing = rows.filter(({ key }) => !commandsByKey.has(key)).map(({ call }) => call);
  const keys = new Set(rows.map(({ key }) => key));
  const left = commands.filter(({ path }) => !keys.has(keyOf(path))).map(({ path }) => path);
  expect({ missing, left }).toEqual({ missing: [], left: [] });
  expect(commandsByKey.size).toBe(commands.length);
});

describe.each(
  // The test above names the rows without a command.
  rows.flatMap((row) => {
    const command = commandsByKey.get(row.key);
    return command === undefined ? [] : [{ ...row, command }];
  }),
)("$command.path", ({ call, service, input, command }) => {
  test("sends its sample with each of its examples", async () => {
    const sandbox = createSandbox();
    const file = join(folder, `${command.path.replaceAll(" ", "-")}.json`);
    writeFileSync(file, JSON.stringify(input));
    const secrets = Object.entries(input).flatMap(([name, value]) =>
      asks(command, name) ? [String(value)] : [],
    );
    for (const [at, { line }] of command.examples.entries()) {
      const out = join(folder, `${command.path.replaceAll(" ", "-")}-${at}.ndjson`);
      const words = wordsOf(line.replace(/--input \S+/, "--input FILE"))
        .filter((word) => word !== "--yes" && word !== "--json")
        // The list of blocks has a million items.
        .concat(
          command.options?.some(({ name }) => name === "limit") && !line.includes("--limit")
            ? ["--limit", "3"]
            : [],
        )
        .map((word) => (word === "FILE" ? file : word.endsWith(".ndjson") ? out : word));
      // Some ids of samples do not exist in the sandbox.
      await run({ sandbox, answers: secrets }, ...words).catch((error: Error) => {
        if (!/^No \w+ has th(is|ese) /.test(error.message)) expect(error).toHaveProperty("status");
      });
    }
    expect(sandbox.log.requests(call).length).toBeGreaterThanOrEqual(command.examples.length);
    expect(service).toBe(command.path.split(" ")[0]);
  });

  test("has no option with the name of a global option", () => {
    const names = command.options?.map(({ name }) => name) ?? [];
    expect(names.filter((name) => globalOptions.some((each) => each.name === name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });
});

function asks({ options = [] }: Command, name: string): boolean {
  const input = options.find((option) => option.name === "input");
  return input?.description.includes(`${name} (a secret)`) === true;
}

const device = [
  "--name",
  "Tank 7",
  "--app-eui",
  "70B3D57ED0000001",
  "--dev-eui",
  "0004A30B001C0530",
];

test("the command asks for a secret, and never prints it", async () => {
  const args = ["console", "devices", "create", ...device];
  const { questions, stdout } = await run({ answers: [canaries.appKey] }, ...args);
  expect(questions).toEqual(["app_key"]);
  expect(stdout).toContain("app_key          [redacted]");
  const { stdout: shown } = await run({ answers: ["F".repeat(32)], reveal: true }, ...args);
  expect(shown).toContain(`app_key          ${"F".repeat(32)}`);
  await expect(run({}, ...args)).rejects.toThrow("pass app_key in a file with --input");
});

test("options are preferred to --input", async () => {
  const file = join(folder, "device.json");
  writeFileSync(file, JSON.stringify({ name: "Old", app_key: "A".repeat(32) }));
  const { stdout } = await run(
    { json: true },
    "console",
    "devices",
    "create",
    ...device,
    "--input",
    file,
  );
  expect(JSON.parse(stdout.join("\n"))).toMatchObject({ name: "Tank 7", app_key: "[redacted]" });
});

test.each([
  [["ledger", "blocks", "get", "--height", "1.5"], "--height needs a whole number."],
  [["ledger", "blocks", "get"], "The argument <height> is missing: type"],
  [["ledger", "blocks", "list", "--limit", "none"], "--limit needs a whole number from 1 up."],
  [["console", "devices", "create-batch"], "devices is missing: pass it in a file with --input."],
  [
    ["console", "devices", "create-batch", "--input", import.meta.filename],
    "--input needs a JSON object",
  ],
])("%j is rejected with a sentence", async (args, sentence) => {
  const error = await run({}, ...args).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "CliError", exitCode: 2 });
  expect((error as Error).message).toContain(sentence);
});

test("a list is read up to the limit, and written to a file that is never overwritten", async () => {
  const out = join(folder, "blocks.ndjson");
  const args = ["ledger", "blocks", "list", "--limit", "250", "--out", out];
  const { stdout, stderr } = await run({}, ...args);
  expect(stdout).toEqual([]);
  expect(stderr).toEqual([`250 records are in ${out}.`]);
  const heights = readFileSync(out, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { height: number }).height);
  expect(new Set(heights).size).toBe(250);
  await expect(run({}, ...args)).rejects.toThrow(`${out} already exists`);
});

test("only this user can read a file with secrets", async () => {
  const out = join(folder, "devices.ndjson");
  await run({ reveal: true }, "console", "devices", "list", "--out", out);
  expect(statSync(out).mode & 0o777).toBe(0o600);
});

test("personal data of the mobile service is hidden unless --reveal", async () => {
  const sandbox = createSandbox();
  const person = ["--email", "ada@example.com", "--name", "Ada Example"];
  const { stdout } = await run(
    { sandbox, json: true },
    "mobile",
    "subscribers",
    "create",
    ...person,
  );
  const { id } = JSON.parse(stdout.join("")) as { id: string };
  const args = ["mobile", "subscribers", "get", "--id", id];
  const hidden = await run({ sandbox, json: true }, ...args);
  const shown = await run({ sandbox, json: true, reveal: true }, ...args);
  expect(shown.stdout.join("")).toContain("ada@example.com");
  expect(hidden.stdout.join("")).not.toMatch(/ada/i);
  expect(hidden.stdout.join("")).toContain(id);
  expect(hidden.stderr).toEqual([
    "Personal data and undeclared fields are hidden; --reveal shows them.",
  ]);
});

const ADDRESS = "13buBykFQf5VaQtv7mWj2PBY9Lq4i1DeXhg7C4Vbu3ppzqqNkTH";

test("values of a list are separated by commas, or given with the option again", async () => {
  const sandbox = createSandbox();
  const words = ["ledger", "accounts", "activity-count", "--address", ADDRESS, "--filter-types"];
  await run({ sandbox }, ...words, "payment_v1,payment_v2");
  await run({ sandbox }, ...words, "payment_v1", "--filter-types", "payment_v2");
  const sent = sandbox.log.requests("accounts.activityCount").map(({ url }) => url);
  expect(sent).toHaveLength(2);
  expect(sent[0]).toEqual(sent[1]);
});

test.each(["POST", "post"])("--method %s is accepted", async (method) => {
  const file = join(folder, `${method}.json`);
  writeFileSync(file, JSON.stringify({ endpoint: "https://lake.example.com" }));
  const words = ["console", "integrations", "create-http", "--name", "Lake", "--input", file];
  const sandbox = createSandbox();
  await run({ sandbox }, ...words, "--method", method);
  expect(sandbox.log.requests("integrations.createHttp")).toMatchObject([{ status: 201 }]);
});
