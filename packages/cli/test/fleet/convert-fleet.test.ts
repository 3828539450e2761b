import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@fieldmesh/core";
import { Ajv } from "ajv";
import { expect, test, vi } from "vitest";
import { run } from "../../src/fleet/convert-fleet.ts";
import { writeFleet, type Fleet, type FleetDevice } from "../../src/fleet/move/fleet.ts";
import { runCommand, testContext } from "../context.ts";
import { startChirpStack, type Body } from "./chirpstack-server.ts";
import { APP_EUI, errorOf, eui, folder, keyOf } from "./fleet-context.ts";

vi.mock("age-encryption", async (original) =>
  (await import("./quick-age.ts")).quickAge(await original()),
);

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");

const APPLICATION = "52f14cd4-c6f1-4fbd-8f87-4025e1d49242";
const [PROFILE, OTHER] = [
  "3c8f08c9-b6ee-40f9-bfde-0ff7a0b292fc",
  "9a7e5f0c-1111-4000-8000-000000000000",
];
const CHIRPSTACK = {
  devices: { application_id: APPLICATION, device_profile_id: OTHER },
  labels: { Pumps: { device_profile_id: PROFILE } },
};
const STACK = {
  devices: {
    lorawan_version: "1.0.0",
    lorawan_phy_version: "PHY_V1_0",
    frequency_plan_id: "EU_863_870_TTN",
  },
  labels: {
    Pumps: {
      lorawan_version: "1.0.3",
      lorawan_phy_version: "PHY_V1_0_3_REV_A",
      join_server_address: "join.example.com",
    },
  },
};

function device(index: number, change: Partial<FleetDevice> = {}): FleetDevice {
  const app_key = new Secret(keyOf(index));
  const name = `Tank ${index}`;
  return {
    name,
    dev_eui: eui(index),
    app_eui: APP_EUI,
    app_key,
    config_profile_id: null,
    labels: [],
    ...change,
  };
}

function start(mapping: object, more: readonly FleetDevice[] = []) {
  const files = folder();
  const fleet: Fleet = {
    format: "fieldmesh-fleet",
    version: 1,
    exported_at: "2026-11-20T08:00:00.000Z",
    organization: "Northern Water Board",
    labels: [],
    devices: [device(1, { labels: ["Pumps", "North"] }), device(2, { active: false }), ...more],
    integrations: [{ name: "Lake" }],
    flows: [],
  };
  const file = files.write("fleet.json", writeFleet(fleet));
  const answers = files.write("mapping.json", JSON.stringify(mapping));
  const here = testContext({ env: { FIELDMESH_PASSPHRASE: "correct horse" }, json: true });
  const convert = (target: string, options = {}) =>
    runCommand(
      run,
      here,
      { target, mapping: answers, out: files.at("out.ndjson"), clear: true, ...options },
      file,
    );
  return { files, here, convert };
}

test("ChirpStack accepts each object, and the key of a LoRaWAN 1.0.x device is its nwk_key", async () => {
  const { files, here, convert } = start(CHIRPSTACK);
  await convert("chirpstack");
  const written = files.read("out.ndjson");
  expect(written).toBe(fixture("chirpstack.golden.ndjson"));
  expect(files.modeOf("out.ndjson")).toBe("600");
  expect(JSON.parse(here.stdout.join(""))).toMatchObject({ devices: 2, left_out: 0 });
  expect(here.stderr[0]).toBe("! 1 integrations and 0 flows do not move: create them there");

  const server = await startChirpStack({ applications: [APPLICATION], profiles: [PROFILE, OTHER] });
  const bodies = written
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Body);
  try {
    for (const body of bodies) await server.send(body);
    await expect(server.send(bodies[0] as Body)).rejects.toThrow("the device exists");
    expect([...server.devices.values()]).toMatchObject([
      { devEui: "0004a30b00000001", isDisabled: false, tagsMap: [["labels", "Pumps; North"]] },
      { devEui: "0004a30b00000002", isDisabled: true },
    ]);
    expect([...server.keys.values()].map(({ nwkKey }) => nwkKey.toUpperCase())).toEqual([
      keyOf(1),
      keyOf(2),
    ]);
  } finally {
    server.close();
  }
});

test("The Things Stack: each object is of its definitions, with ids of the right form", async () => {
  const { files, here, convert } = start(STACK);
  await convert("things-stack");
  const written = files.read("out.ndjson");
  expect(written).toBe(fixture("things-stack.golden.ndjson"));
  expect(here.stderr).toContain(
    `! device "Tank 2" (${eui(2)}): it is inactive, and will be active`,
  );

  const { definitions } = JSON.parse(fixture("things-stack.definitions.json")) as {
    definitions: Record<string, { properties?: object; additionalProperties?: boolean }>;
  };
  for (const each of Object.values(definitions))
    if (each.properties) each.additionalProperties = false;
  const isEndDevice = new Ajv({ strict: false }).compile({
    definitions,
    $ref: "#/definitions/v3EndDevice",
  });
  for (const line of written.trim().split("\n")) {
    const object = JSON.parse(line) as {
      ids: Record<string, string>;
      root_keys: { app_key: { key: string } };
    };
    expect([isEndDevice(object), isEndDevice.errors]).toEqual([true, null]);
    expect(object.ids["device_id"]).toMatch(/^[a-z0-9](?:-?[a-z0-9]){2,35}$/);
    expect(object.ids).toMatchObject({
      dev_eui: expect.stringMatching(/^[0-9A-F]{16}$/),
      join_eui: expect.stringMatching(/^[0-9A-F]{16}$/),
    });
    expect(object.root_keys.app_key.key).toMatch(/^[0-9A-F]{32}$/);
  }
});

test("what the target cannot hold is left out and told", async () => {
  const more = [
    device(2, { name: "Twin", app_eui: "70B3D57ED0010002" }),
    device(3, { app_key: new Secret(`${keyOf(3)}00`) }),
    device(4, { dev_eui: "12" }),
  ];
  const { here, convert } = start(CHIRPSTACK, more);
  await convert("chirpstack");
  expect(JSON.parse(here.stdout.join(""))).toMatchObject({ devices: 2, left_out: 3 });
  expect(here.stderr.slice(0, 3)).toEqual([
    `! device "Twin" (${eui(2)}) is left out: another device of the file has its dev_eui`,
    `! device "Tank 3" (${eui(3)}) is left out: its app_key has not 32 hexadecimal digits`,
    '! device "Tank 4" (12) is left out: its dev_eui has not 16 hexadecimal digits',
  ]);
});

test("is encrypted unless --clear", async () => {
  const { files, convert } = start(STACK);
  await convert("things-stack", { clear: undefined });
  expect(files.read("out.ndjson")).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
});

test.for<[object, string]>([
  [{}, '2 devices have no lorawan_version, such as "Tank 1"'],
  [{ labels: { Pumps: STACK.devices } }, '1 devices have no lorawan_version, such as "Tank 2"'],
  [
    { devices: { lorawan_version: "1.1" } },
    "wrong at devices.lorawan_version: must be 1.0.0 to 1.0.4",
  ],
  [
    { devices: { lorawan_phy_version: "EU868" } },
    "wrong at devices.lorawan_phy_version: must be a version of The Things Stack",
  ],
  [{ devices: { device_profile_id: "x" } }, "wrong at devices.device_profile_id: must be a UUID"],
  [{ devices: { profile: "x" } }, "wrong at devices.profile: this name is not known"],
])("the mapping %j is rejected", async ([mapping, message]) => {
  const { files, convert } = start(mapping);
  expect(await errorOf(convert("things-stack"))).toMatchObject({
    message: expect.stringContaining(message),
    exitCode: 2,
  });
  expect(files.names()).not.toContain("out.ndjson");
});
