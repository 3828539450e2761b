import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { run } from "../../src/fleet/export-devices.ts";
import { run as runImport } from "../../src/fleet/import-devices.ts";
import { runExport } from "../../src/fleet/move-fleet.ts";
import { runCommand, testContext, type TestContextOptions } from "../context.ts";
import { canaries } from "../../../../tools/canaries/canaries.ts";
import {
  APP_EUI,
  emptyConsole,
  errorOf,
  eui,
  folder,
  held,
  inventory,
  keyOf,
} from "./fleet-context.ts";

vi.mock("age-encryption", async (original) =>
  (await import("./quick-age.ts")).quickAge(await original()),
);

const COUNT = 50;

async function start(app_key: string = keyOf(1)) {
  const sandbox = emptyConsole();
  const client = await testContext({ sandbox }).client("console");
  const labels = [];
  for (const name of ["Pumps", "North; South"]) labels.push(await client.labels.create({ name }));
  const fields = { app_eui: APP_EUI, app_key };
  await client.devices.create({
    ...fields,
    name: '=Tank "1"',
    dev_eui: eui(1),
    label_ids: labels.map(({ id }) => id),
  });
  await client.devices.create({ ...fields, name: "Tank 2", dev_eui: eui(2) });
  return (options: TestContextOptions = {}) => testContext({ sandbox, ...options });
}

test("writes no key without an option for it", async () => {
  const context = await start(canaries.appKey);
  const files = folder();
  const here = context();
  await runCommand(run, here);
  const asJson = context({ json: true });
  const file = files.at("devices.csv");
  await runCommand(run, asJson, { out: file });
  expect(JSON.parse(asJson.stdout.join(""))).toEqual({ file, devices: 2, keys: false });
  expect([here.stdout.length, here.stdout[0]]).toEqual([
    3,
    "name,dev_eui,app_eui,active,labels,config_profile_id,last_connected,total_packets,dc_usage,id",
  ]);
  expect(here.stderr).toEqual([
    "Exported 2 devices without their keys: add --encrypt or --reveal for these.",
  ]);
  expect(files.read("devices.csv")).toBe(`${here.stdout.join("\n")}\n`);
  expect(files.modeOf("devices.csv")).toBe("600");
});

test("reads a list that breaks off in the middle again, at most three times", async () => {
  const sandbox = emptyConsole();
  const files = folder();
  const csv = files.write("devices.csv", inventory(COUNT));
  await runCommand(runImport, testContext({ sandbox }), { createLabels: true, yes: true }, csv);
  const breakOff = (times: number): void =>
    sandbox.setFaults([{ on: "devices.list", kind: "truncate", times }]);

  breakOff(2);
  const complete = testContext({ sandbox });
  await runCommand(run, complete);
  expect(new Set(complete.stdout).size).toBe(COUNT + 1);
  breakOff(3);
  const broken = testContext({ sandbox });
  const { message } = await errorOf(runCommand(run, broken));
  expect(message).toMatch(
    /Records read until then: \d+; .* Nothing was changed; call again later\./,
  );
  expect(broken.stdout).toEqual([]);
});

test.for([
  ["devices export", run, { out: "" }],
  ["fleet export", runExport, { clear: true }],
] as const)("%s leaves nothing behind when its list breaks off", async ([, command, options]) => {
  const sandbox = emptyConsole();
  const client = await testContext({ sandbox }).client("console");
  for (let index = 0; index < COUNT; index++)
    await client.devices.create({
      name: "a",
      dev_eui: eui(index),
      app_eui: APP_EUI,
      app_key: keyOf(1),
    });
  sandbox.setFaults([{ on: "devices.list", kind: "truncate", times: 3 }]);
  const files = folder();
  const file = files.at("export");
  const given = "out" in options ? { out: file } : options;
  await errorOf(runCommand(command, testContext({ sandbox }), given, file));
  expect(files.names()).toEqual([]);
  await runCommand(command, testContext({ sandbox }), given, file);
  expect(files.names()).toEqual(["export"]);
});

test("never overwrites a file, because it may be the only copy of the keys", async () => {
  const context = await start();
  const file = folder().write("devices.csv", "precious");
  const error = await errorOf(runCommand(run, context({ reveal: true }), { out: file }));
  expect(error).toMatchObject({ exitCode: 2 });
  expect(error.message).toBe(`${file} already exists. Name a new file with --out, or remove it.`);
  expect(readFileSync(file, "utf8")).toBe("precious");
});

test("an export with keys can be imported to another console, including labels and formulas", async () => {
  const context = await start();
  const files = folder();
  await runCommand(run, context({ reveal: true }), { out: files.at("devices.csv") });
  expect(files.read("devices.csv")).toContain(`"'=Tank ""1"""`);
  const other = emptyConsole();
  await runCommand(
    runImport,
    testContext({ sandbox: other }),
    { createLabels: true },
    files.at("devices.csv"),
  );
  expect(held(other).map(({ name, dev_eui, app_key }) => [name, dev_eui, app_key])).toEqual([
    ['=Tank "1"', eui(1), keyOf(1)],
    ["Tank 2", eui(2), keyOf(1)],
  ]);
  const names = [...other.console.state.labels.values()].map(({ name }) => name);
  expect(names).toEqual(["Pumps", "North; South"]);
});

test("writes NDJSON if the file name or --json says so, also for a single label", async () => {
  const context = await start();
  const files = folder();
  await runCommand(run, context(), { out: files.at("devices.ndjson"), label: "Pumps" });
  const here = context({ json: true });
  await runCommand(run, here, { label: "Pumps" });
  expect(files.read("devices.ndjson")).toBe(`${here.stdout.join("\n")}\n`);
  expect(here.stdout.map((each) => JSON.parse(each))).toMatchObject([
    { name: '=Tank "1"', active: true, labels: ["Pumps", "North; South"], total_packets: 0 },
  ]);
});

test("encrypts with a passphrase, and writes no key outside the encrypted file", async () => {
  const context = await start(canaries.appKey);
  const files = folder();
  const here = context({ answers: ["correct horse", "correct horse"] });
  await runCommand(run, here, { out: files.at("devices.csv.age"), encrypt: true });
  expect(here.questions).toEqual(["Passphrase", "The passphrase again"]);
  expect(files.read("devices.csv.age")).toMatch(/^age-encryption\.org\/v1\n/);
  expect(files.modeOf("devices.csv.age")).toBe("600");
});

test.for([
  [{ encrypt: true }, {}, "name it with --out"],
  [{ encrypt: true, out: "x.age" }, {}, "set FIELDMESH_PASSPHRASE or add --passphrase-file"],
  [{ encrypt: true, out: "x.age" }, { answers: ["one", "two"] }, "The two passphrases differ"],
  [{ encrypt: true, out: "x.age" }, { answers: [""] }, "A passphrase is missing"],
  [{ label: "Pump" }, {}, 'did you mean "Pumps"'],
] as const)("%j is rejected", async ([options, terminal, message]) => {
  const context = await start();
  expect(await errorOf(runCommand(run, context(terminal), options))).toMatchObject({
    message: expect.stringContaining(message),
    exitCode: 2,
  });
});
