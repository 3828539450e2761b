import { writeFileSync } from "node:fs";
import type { Clock } from "@fieldmesh/core";
import { createSandbox, type Sandbox } from "@fieldmesh/sandbox";
import { describe, expect, test } from "vitest";
import { commands } from "../src/commands/commands.ts";
import { describeFailure } from "../src/commands/failure.ts";
import { createProgram, parse } from "../src/commands/program.ts";
import { rowCommands } from "../src/rows/row-commands.ts";
import { testContext } from "./context.ts";
import { emptyConsole, eui, folder, keyOf } from "./fleet/fleet-context.ts";

// What only running deployments reject is sent with --no-observed-rules, as it was written.

const HINT = "(observed; --no-observed-rules turns this off)";
const OFF = "--no-observed-rules";
const LONG = "P".repeat(53);
const UNUSUAL = "propfind";
const endpoint = "https://lake.example";

const rows = await rowCommands(["console", "mapper", "mobile"]);

/** Runs a command line in this process, and returns what it printed on stderr. */
async function run(sandbox: Sandbox<Clock>, line: string): Promise<string> {
  let context = testContext({ sandbox });
  const program = createProgram({
    version: "0",
    commands: [...rows.commands, ...commands],
    groups: {},
    stdout: () => undefined,
    async run(command, { observedRules = true }, input) {
      context = testContext({ sandbox, yes: true, observedRules });
      await (await command.load()).run(context, input);
    },
  });
  const error = await parse(program, line.split(" ")).catch((thrown: unknown) => thrown);
  // An import prints the problems of its rows.
  const report = error === undefined ? undefined : (await describeFailure(error)).report;
  return [...context.stderr, report?.message].join("\n");
}

/** What reached a service to change it. */
const sentTo = ({ log }: Sandbox<Clock>): string =>
  log
    .requests()
    .flatMap(({ method, body }) => (method === "POST" ? [body] : []))
    .join("\n");

const filesOf = () => {
  const files = folder();
  const device = `${LONG},${eui(1)},70B3D57ED0010001,${keyOf(1)}`;
  writeFileSync(files.at("devices.csv"), `name,dev_eui,app_eui,app_key\n${device}\n`);
  writeFileSync(files.at("http.json"), JSON.stringify({ endpoint }));
  const lake = { type: "http", method: UNUSUAL, endpoint };
  writeFileSync(files.at("mapping.json"), JSON.stringify({ integrations: { Lake: lake } }));
  return files;
};

describe.each([
  ["a row", `console labels create --name ${LONG}`, `"name":"${LONG}"`],
  [
    "a row that reads a file",
    `console integrations create-http --name Sea --method ${UNUSUAL} --input FOLDER/http.json`,
    `"method":"${UNUSUAL}"`,
  ],
  ["devices import", "devices import FOLDER/devices.csv", `"name":"${LONG}"`],
])("%s", (_, line, sent) => {
  test("checks the rules of running deployments, and says how to turn them off", async () => {
    const sandbox = createSandbox();
    const text = await run(sandbox, line.replace("FOLDER", filesOf().at("")));
    expect(text).toContain(HINT);
    expect(sentTo(sandbox)).toBe("");
  });

  test(`sends the input as it was written with ${OFF}`, async () => {
    const sandbox = createSandbox();
    await run(sandbox, `${line.replace("FOLDER", filesOf().at(""))} ${OFF}`);
    expect(sentTo(sandbox)).toContain(sent);
  });
});

test("the fleet commands check the mapping file by them, and apply sends what it has", async () => {
  const files = filesOf();
  const [from, to] = [emptyConsole(), emptyConsole()];
  const { integrations } = await testContext({ sandbox: from }).client("console");
  await integrations.createHttp({ name: "Lake", method: "post", endpoint });
  await run(from, `fleet export ${files.at("fleet.json")} --clear`);
  const words = `${files.at("fleet.json")} --mapping ${files.at("mapping.json")}`;
  for (const command of ["plan", "apply", "verify"]) {
    const text = await run(to, `fleet ${command} ${words}`);
    expect([command, text]).toEqual([command, expect.stringContaining(HINT)]);
  }
  expect(sentTo(to)).toBe("");
  await run(to, `fleet apply ${words} --settle-time 0.001 ${OFF}`);
  expect(sentTo(to)).toContain(`"method":"${UNUSUAL}"`);
  expect(await run(to, `fleet verify ${words} ${OFF}`)).toBe("");
});

test.each([
  ["mapper ingest --input FOLDER/uplink.json", "latitude"],
  ["mobile subscriptions create --input FOLDER/uplink.json", "latitude"],
])("%s accepts the option", async (line, sent) => {
  const sandbox = createSandbox();
  const files = folder();
  const position = { latitude: 0, longitude: 8.5, altitude: 400, accuracy: 3 };
  writeFileSync(files.at("uplink.json"), JSON.stringify({ object: position }));
  await run(sandbox, `${line.replace("FOLDER", files.at(""))} ${OFF}`);
  expect(sentTo(sandbox)).toContain(sent);
});
