import { renameSync } from "node:fs";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Clock } from "@fieldmesh/core";
import type { Sandbox } from "@fieldmesh/sandbox";
import { expect, test, vi } from "vitest";
import { canaries } from "../../../../tools/canaries/canaries.ts";
import { runApply, runExport, runPlan, runVerify } from "../../src/fleet/move-fleet.ts";
import { runCommand, testContext, type TestContextOptions } from "../context.ts";
import { APP_EUI, emptyConsole, errorOf, eui, folder, held, writes } from "./fleet-context.ts";

vi.mock("age-encryption", async (original) =>
  (await import("./quick-age.ts")).quickAge(await original()),
);

const [PROFILE, FUNCTION] = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
];
const QUICK = { settleTime: "0.001" };
const clientOf = (sandbox: Sandbox<Clock>) => testContext({ sandbox }).client("console");

/** Creates a console with records of every kind. Each key and token in it is a canary. */
async function source(count = 4): Promise<Sandbox<Clock>> {
  const sandbox = emptyConsole();
  const { labels, devices, integrations, flows } = await clientOf(sandbox);
  const pumps = await labels.create({ name: "Pumps" });
  const north = await labels.create({ name: "North", config_profile_id: PROFILE });
  await labels.create({ name: "Empty" });
  for (let index = 0; index < count; index++)
    await devices.create({
      name: `Tank ${index}`,
      dev_eui: eui(index),
      app_eui: APP_EUI,
      app_key: canaries.appKey,
      label_ids: index % 2 === 0 ? [pumps.id, north.id] : [],
      ...(index === 1 && { config_profile_id: PROFILE }),
    });
  const [first, , third] = await devices.list();
  await devices.setActive({ device_id: third?.id ?? "", active: false });
  const lake = await integrations.createHttp({
    name: "Lake",
    method: "post",
    endpoint: `https://lake.example/${canaries.token}`,
  });
  const old = await integrations.createMqtt({
    name: "Old",
    endpoint: "mqtts://old.example",
    uplink_topic: "u",
    downlink_topic: "d",
  });
  await flows.create({ integration_id: lake.id, label_id: pumps.id });
  await flows.create({
    integration_id: lake.id,
    device_id: first?.id ?? "",
    function_id: FUNCTION,
  });
  await flows.create({ integration_id: old.id, label_id: north.id });
  sandbox.log.clear();
  return sandbox;
}

const MAPPING = {
  integrations: {
    Lake: { type: "http", method: "post", endpoint: `https://lake.example/${canaries.token}` },
    Old: null,
  },
  config_profiles: { [PROFILE]: PROFILE.replaceAll("1", "3") },
  functions: { [FUNCTION]: null },
};

/** Writes the fleet of a console to a file, and a mapping. */
async function exported(sandbox: Sandbox<Clock>) {
  const fleet = folder();
  // A clear file that the test writes, and not the command, is not a leak.
  const file = fleet.at("fleet.age");
  const env = { FIELDMESH_PASSPHRASE: "correct horse" };
  const context = (target: Sandbox<Clock>, options: TestContextOptions = {}) =>
    testContext({ sandbox: target, json: true, env, ...options });
  const here = context(sandbox);
  await runCommand(runExport, here, {}, file);
  return { fleet, file, context, here };
}

const shape = ({ console: { state } }: Sandbox<Clock>) => {
  const labelOf = (id: string | null) => (id === null ? undefined : state.labels.get(id)?.name);
  return {
    labels: [...state.labels.values()].map(({ name, config_profile_id }) => [
      name,
      config_profile_id,
    ]),
    devices: [...state.devices.values()].map((device) => [
      device.name,
      device.dev_eui,
      device.app_key === canaries.appKey,
      device.active,
      device.config_profile_id,
      [...device.label_ids].map(labelOf),
    ]),
    flows: [...state.flows.values()].map(({ integration_id, label_id, device_id, function_id }) => [
      state.integrations.get(integration_id)?.name,
      labelOf(label_id) ?? state.devices.get(device_id ?? "")?.dev_eui,
      function_id,
    ]),
  };
};

test("a fleet moves through an encrypted file: plan, apply, verify, and a second apply without a write", async () => {
  const from = await source();
  const { fleet, file, context, here } = await exported(from);
  expect(JSON.parse(here.stdout.join(""))).toMatchObject({
    devices: 4,
    labels: 3,
    integrations: 2,
    flows: 3,
  });
  expect(fleet.read("fleet.age")).toMatch(/^age-encryption\.org\/v1\n/);
  expect([fleet.modeOf("fleet.age"), writes(from)]).toEqual(["600", 0]);

  const to = emptyConsole();
  const mapping = fleet.at("mapping.json");
  const planned = context(to, { json: false });
  await runCommand(runPlan, planned, { writeMapping: mapping }, file);
  const address = await planned.address("console");
  expect(planned.stdout).toEqual([
    `The console at ${address} ("Northern Water Board")`,
    '+ label "Pumps"',
    '+ label "North"',
    '+ label "Empty"',
    `+ device "Tank 0" (${eui(0)}): labels "Pumps", "North"`,
    `+ device "Tank 1" (${eui(1)})`,
    `+ device "Tank 2" (${eui(2)}): labels "Pumps", "North"; inactive`,
    `+ device "Tank 3" (${eui(3)})`,
    '+ flow "Lake": from label "Pumps"',
    `+ flow "Lake": from device ${eui(0)}`,
    '+ flow "Old": from label "North"',
    `? config_profiles "${PROFILE}": its id in this console, or null for no profile`,
    '? integrations "Lake": its type and credentials, which no console shows again, or null to leave it out',
    '? integrations "Old": its type and credentials, which no console shows again, or null to leave it out',
    `? functions "${FUNCTION}": its id in this console, or null for flows without it`,
    "10 to create (+), 0 to change (~), 4 to map (?). Nothing is deleted.",
  ]);
  expect(fleet.modeOf("mapping.json")).toBe("600");
  expect(JSON.parse(fleet.read("mapping.json"))).toMatchObject({
    integrations: { Lake: { type: "http" } },
    config_profiles: { [PROFILE]: "" },
  });

  await clearOf(fleet, from);
  const options = { ...QUICK, mapping: fleet.at("answers.json") };
  const clear = fleet.at("fleet $(touch ran).json");
  renameSync(fleet.at("fleet.json"), clear);
  const early = await errorOf(runCommand(runApply, context(to), {}, clear));
  expect([early.message, early.exitCode]).toEqual([
    expect.stringMatching(
      /^4 questions are open, .* Run fieldmesh fleet plan '[^']*\$\(touch ran\)\.json' --write-mapping mapping\.json, fill/,
    ),
    2,
  ]);

  const applied = context(to);
  await runCommand(runApply, applied, options, clear);
  expect(JSON.parse(applied.stdout.join(""))).toEqual({
    target: "console",
    address,
    organization: "Northern Water Board",
    created: 10,
    changed: 0,
    left: 0,
    by_hand: 0,
  });
  const profile = PROFILE.replaceAll("1", "3");
  expect(shape(to)).toEqual({
    labels: [
      ["Pumps", null],
      ["North", profile],
      ["Empty", null],
    ],
    devices: [
      ["Tank 0", eui(0), true, true, null, ["Pumps", "North"]],
      ["Tank 1", eui(1), true, true, profile, []],
      ["Tank 2", eui(2), true, false, null, ["Pumps", "North"]],
      ["Tank 3", eui(3), true, true, null, []],
    ],
    flows: [
      ["Lake", "Pumps", null],
      ["Lake", eui(0), null],
    ],
  });

  to.log.clear();
  await runCommand(runApply, context(to), options, clear);
  expect(writes(to)).toBe(0);
  const verified = context(to, { json: false });
  await runCommand(runVerify, verified, options, clear);
  expect(verified.stdout).toEqual([planned.stdout[0], "No differences."]);
  expect(fleet.names()).toEqual([
    "answers.json",
    "fleet $(touch ran).json",
    "fleet.age",
    "mapping.json",
  ]);
}, 30_000);

/** Writes the unencrypted fleet and the mapping as files of the user. The canary scanner reads only what the code writes. */
async function clearOf({ at }: ReturnType<typeof folder>, from: Sandbox<Clock>): Promise<void> {
  const { execFileSync } = await import("node:child_process");
  const { readAround, writeSnapshot } = await import("../../src/fleet/move/snapshot.ts");
  const client = await clientOf(from);
  const around = await readAround(client, new AbortController().signal);
  const fleet = await text(Readable.from(writeSnapshot(around, client.devices.each())));
  for (const [name, content] of [
    ["fleet.json", fleet],
    ["answers.json", JSON.stringify(MAPPING)],
  ] as const)
    execFileSync("tee", [at(name)], { input: content, stdio: ["pipe", "ignore", "ignore"] });
}

async function moved() {
  const from = await source();
  const files = folder();
  await clearOf(files, from);
  const file = files.at("fleet.json");
  const options = { ...QUICK, mapping: files.at("answers.json") };
  const to = emptyConsole();
  const context = (more: TestContextOptions = {}) =>
    testContext({ sandbox: to, json: true, ...more });
  return { from, to, files, file, options, context };
}

test("verify lists the differences with exit code 4, and apply resolves those that a request can change", async () => {
  const { to, file, options, context } = await moved();
  await runCommand(runApply, context(), options, file);
  const [tank0, tank1, tank2] = held(to);
  const client = await clientOf(to);
  const [pumps] = await client.labels.list();
  await client.devices.removeLabel({ device_id: tank0?.id ?? "", label_id: pumps?.id ?? "" });
  await client.devices.setConfigProfile({ device_id: tank1?.id ?? "", config_profile_id: null });
  await client.devices.setActive({ device_id: tank2?.id ?? "", active: true });
  await client.devices.delete({ id: held(to)[3]?.id ?? "" });
  await client.devices.create({
    name: "Other",
    dev_eui: eui(3),
    app_eui: APP_EUI,
    app_key: "00".repeat(16),
  });
  if (tank1) to.console.state.devices.update(tank1, { name: "Renamed" });
  const label = to.console.state.labels.get(pumps?.id ?? "");
  if (label) label.multi_buy = 5;

  const here = context({ json: false });
  const { message, exitCode } = await errorOf(runCommand(runVerify, here, options, file));
  expect([message, exitCode]).toEqual([expect.stringContaining("in 6 places"), 4]);
  expect(here.stdout.slice(1)).toEqual([
    `~ device "Tank 1" (${eui(1)}): config profile ${PROFILE.replaceAll("1", "3")}`,
    `~ device "Tank 0" (${eui(0)}): add the label "Pumps"`,
    `~ device "Tank 2" (${eui(2)}): deactivate`,
    '! label "Pumps": multi_buy must be 1, which no call can set',
    `! device "Tank 1" (${eui(1)}): its name in the console is "Renamed", which no call can change`,
    `! device "Tank 3" (${eui(3)}): the console has it with another key, which no call can change`,
    "0 to create (+), 3 to change (~), 3 by hand (!). Nothing is deleted.",
  ]);
  expect(here.stderr).toEqual([
    expect.stringMatching(/^The console also holds 1 device, 0 labels and 0 integrations /),
  ]);
  const data = context();
  await errorOf(runCommand(runVerify, data, options, file));
  const { changes } = JSON.parse(data.stdout.join("")) as { changes: { fields: object }[] };
  expect(changes.map(({ fields }) => fields)).toEqual([
    { config_profile_id: { to: PROFILE.replaceAll("1", "3") } },
    { label: { to: "Pumps" } },
    { active: { from: true, to: false } },
    { multi_buy: { from: 5, to: 1 } },
    { name: { from: "Renamed", to: "Tank 1" } },
    { app_key: {} },
  ]);
  const applied = context();
  await runCommand(runApply, applied, options, file);
  expect(JSON.parse(applied.stdout.join(""))).toMatchObject({
    created: 0,
    changed: 3,
    left: 0,
    by_hand: 3,
  });
  expect(held(to)).toHaveLength(4);
  const shown = context({ json: false });
  await runCommand(runApply, shown, options, file);
  expect(shown.stdout.slice(-3)).toEqual([
    "created       0",
    "changed       0",
    'Left to you, because no call can do it: 3 changes (! in "fieldmesh fleet plan").',
  ]);
});

test("lost responses and resets lose and duplicate no record", async () => {
  const { to, file, options, context } = await moved();
  let posts = 0;
  const kinds = ["lost", "reset", "truncate"] as const;
  to.setFaults(({ method }) => {
    const kind = kinds[posts % 4];
    return method === "POST" && ++posts && kind !== undefined ? { kind } : undefined;
  });
  await runCommand(runApply, context(), options, file);
  await runCommand(runVerify, context(), options, file);
  const { labels, devices, flows } = shape(to);
  expect([labels.length, devices.length, flows.length]).toEqual([3, 4, 2]);
  expect(to.console.state.integrations.size).toBe(1);
});

test("asks on a terminal, after the plan", async () => {
  const { to, file, options, context } = await moved();
  const here = context({ json: false, answers: [false] });
  const { message } = await errorOf(runCommand(runApply, here, options, file));
  expect([message, writes(to)]).toEqual(["Canceled. Nothing was changed.", 0]);
  const address = await here.address("console");
  expect(here.questions).toEqual([`Apply to the console at ${address} ("Northern Water Board")?`]);
  expect(here.stdout.at(-1)).toMatch(/^10 to create/);
});

test("Ctrl-C ends an apply with a message that says how to resume", async () => {
  const { to, file, options, context } = await moved();
  const stopped = new AbortController();
  to.setFaults(({ row }) => {
    if (row === "integrations.createHttp") stopped.abort();
    return undefined;
  });
  const { message, exitCode } = await errorOf(
    runCommand(runApply, context({ signal: stopped.signal }), options, file),
  );
  expect([message, exitCode]).toEqual(["Stopped. Run the same command again to resume.", 130]);
  await runCommand(runApply, context(), options, file);
  expect(shape(to).flows).toHaveLength(2);
});

test("a fleet that age has encrypted with an armor is read, in pieces of any size", async () => {
  const { files, context, options } = await moved();
  const { armor, Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setPassphrase("correct horse");
  const armored = armor.encode(await encrypter.encrypt(files.read("fleet.json")));
  const env = { FIELDMESH_PASSPHRASE: "correct horse" };
  for (const [name, content] of [
    ["fleet.age", armored],
    ["crlf.age", armored.replaceAll("\n", "\r\n")],
  ] as const) {
    const here = context({ env, json: false });
    await runCommand(runPlan, here, { mapping: options.mapping }, files.write(name, content));
    expect(here.stdout.at(-1)).toMatch(/^10 to create/);
  }
  const cut = files.write("cut.age", armored.slice(0, -200));
  const { message } = await errorOf(runCommand(runPlan, context({ env }), {}, cut));
  expect(message).toMatch(/^The passphrase does not open .* or the file is damaged/);
});

test.for<[string, string, string]>([
  ["fleet.json", "{", "it is not JSON"],
  ["fleet.json", "[]", "is not an export of a fleet."],
  ["fleet.json", '{"devices":[{"name":"a"}],"labels":[]', "it is not JSON"],
  ["fleet.json", '{"devices":[{"name":"a"}]}', "Check format, version, exported_at"],
  ["fleet.json", '{"format":"fieldmesh-fleet","version":2}', "Check version, exported_at"],
  ["answers.json", "x", "is not JSON"],
  [
    "answers.json",
    '{"integration":{}}',
    "is wrong at integration: this name is not known. It holds",
  ],
  ["answers.json", '{"functions":{"a":1}}', "is wrong at functions.a: "],
  ["answers.json", '{"integrations":{"Lak":null}}', 'the integration "Lak" is not in the fleet'],
  [
    "answers.json",
    '{"integrations":{"Lake":{"type":"https"}}}',
    "must have one of the types http, mqtt",
  ],
  [
    "answers.json",
    '{"integrations":{"Lake":{"type":"http","endpoint":"","method":"post"}}}',
    "endpoint: must not be empty",
  ],
])("%s with %j is rejected before a request is sent", async ([name, content, message]) => {
  const { to, files, file, options, context } = await moved();
  files.write(name, content);
  expect(await errorOf(runCommand(runApply, context(), options, file))).toMatchObject({
    message: expect.stringContaining(message),
    exitCode: 2,
  });
  expect(to.log.count).toBe(0);
});

test("a wrong passphrase and an existing template file are rejected", async () => {
  const { files, context } = await moved();
  files.write(
    "fleet.age",
    "-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n-----END AGE ENCRYPTED FILE-----\n",
  );
  const env = { FIELDMESH_PASSPHRASE: "wrong" };
  const { message } = await errorOf(
    runCommand(runPlan, context({ env }), {}, files.at("fleet.age")),
  );
  expect(message).toMatch(/^The passphrase does not open .*fleet\.age/);
  const options = { writeMapping: files.at("answers.json") };
  const { message: exists } = await errorOf(
    runCommand(runPlan, context(), options, files.at("fleet.json")),
  );
  expect(exists).toContain("already exists");
});
