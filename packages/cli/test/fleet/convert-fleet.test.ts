import { Secret } from "@fieldmesh/core";
import { Ajv } from "ajv";
import { expect, test, vi } from "vitest";
import { run } from "../../src/fleet/convert-fleet.ts";
import type { FleetDevice } from "../../src/fleet/move/fleet.ts";
import { runCommand, testContext } from "../context.ts";
import { errorOf, eui, folder, keyOf } from "./fleet-context.ts";
import { CHIRPSTACK, device, fixture, leavingFleet, STACK } from "./leaving-fleet.ts";

vi.mock("age-encryption", async (original) =>
  (await import("./quick-age.ts")).quickAge(await original()),
);

function start(mapping: object, more: readonly FleetDevice[] = []) {
  const files = folder();
  const file = files.write("fleet.json", leavingFleet(more));
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

test("ChirpStack: each call equals the golden file, and a LoRaWAN 1.0.x key is sent as nwk_key", async () => {
  const { files, here, convert } = start(CHIRPSTACK);
  await convert("chirpstack");
  const written = files.read("out.ndjson");
  expect(written).toBe(fixture("chirpstack.golden.ndjson"));
  expect(files.modeOf("out.ndjson")).toBe("600");
  expect(JSON.parse(here.stdout.join(""))).toMatchObject({ devices: 2, left_out: 0 });
  expect(here.stderr[0]).toBe(
    "x integrations: 1 integration with 0 flows cannot move: create them there",
  );
});

test("The Things Stack: each object matches its definitions, with valid ids", async () => {
  const { files, here, convert } = start(STACK);
  await convert("things-stack");
  const written = files.read("out.ndjson");
  expect(written).toBe(fixture("things-stack.golden.ndjson"));
  expect(here.stderr).toContain(
    `x device "Tank 2" (${eui(2)}): it is inactive, and will be active`,
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

test("devices that the target cannot store are omitted and reported", async () => {
  const more = [
    device(2, { name: "Twin", app_eui: "70B3D57ED0010002" }),
    device(3, { app_key: new Secret(`${keyOf(3)}00`) }),
    device(4, { dev_eui: "12" }),
  ];
  const { here, convert } = start(CHIRPSTACK, more);
  await convert("chirpstack");
  expect(JSON.parse(here.stdout.join(""))).toMatchObject({ devices: 2, left_out: 3 });
  expect(here.stderr.slice(0, 3)).toEqual([
    `! device "Twin" (${eui(2)}): it is left out, because another device of the file has its dev_eui`,
    `! device "Tank 3" (${eui(3)}): it is left out, because its app_key has not 32 hexadecimal digits`,
    '! device "Tank 4" (12): it is left out, because its dev_eui has not 16 hexadecimal digits',
  ]);
});

test("the file is encrypted unless --clear is set", async () => {
  const { files, convert } = start(STACK);
  await convert("things-stack", { clear: undefined });
  expect(files.read("out.ndjson")).toMatch(/^age-encryption\.org\/v1\n/);
});

test.for<[object, string]>([
  [{}, 'lacks lorawan_version: 2 devices without one, such as "Tank 1"'],
  [
    { labels: { Pumps: STACK.devices } },
    'lacks lorawan_version: 1 device without one, such as "Tank 2"',
  ],
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
