import { expect, test } from "vitest";
import { runApply, runPlan, runVerify } from "../../src/fleet/move-fleet.ts";
import type { FleetDevice } from "../../src/fleet/move/fleet.ts";
import { runCommand, testContext } from "../context.ts";
import { startChirpStack, type Fault, type Known } from "./chirpstack-server.ts";
import { APP_EUI, errorOf, eui, folder, keyOf } from "./fleet-context.ts";
import { hasKey } from "./kills.ts";
import {
  APPLICATION,
  CHIRPSTACK,
  device,
  fixture,
  leavingFleet,
  OTHER,
  PROFILE,
  runnerOf,
} from "./leaving-fleet.ts";

const ELSEWHERE = "77777777-7777-4777-8777-777777777777";

async function start({
  more = [],
  mapping = CHIRPSTACK,
  known = {},
}: {
  readonly more?: readonly FleetDevice[];
  readonly mapping?: object;
  readonly known?: Partial<Known>;
} = {}) {
  const files = folder();
  const file = files.write("fleet.json", leavingFleet(more));
  const options = { target: "chirpstack", mapping: files.write("m.json", JSON.stringify(mapping)) };
  const server = await startChirpStack({
    applications: [APPLICATION, ELSEWHERE],
    profiles: [PROFILE, OTHER],
    ...known,
  });
  const env = { CHIRPSTACK_URL: server.url, CHIRPSTACK_KEY: server.apiKey };
  const run = runnerOf(env, options, file);
  return { files, file, options, server, env, run };
}

/** Returns the content of the server as the lines of a conversion. */
function linesOf({ devices, keys }: Awaited<ReturnType<typeof startChirpStack>>): string {
  return [...devices.values()]
    .toSorted((a, b) => (a.getDevEui() < b.getDevEui() ? -1 : 1))
    .flatMap((each) => {
      const { devEui, name, applicationId, deviceProfileId, isDisabled, joinEui } = each.toObject();
      const tags = Object.fromEntries(each.getTagsMap().getEntryList());
      const nwkKey = keys.get(devEui)?.getNwkKey();
      return [
        { device: { devEui, name, applicationId, deviceProfileId, isDisabled, joinEui, tags } },
        { deviceKeys: { devEui, nwkKey } },
      ];
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

test("a fleet moves to ChirpStack: plan, apply, verify, and a second apply without a write", async () => {
  const { server, run, files } = await start();
  const planned = await run(runPlan);
  expect(planned.stdout).toEqual([
    `ChirpStack at ${server.url}`,
    `+ device "Tank 1" (${eui(1)})`,
    `+ device "Tank 2" (${eui(2)})`,
    "x integrations: 1 integration with 0 flows cannot move: create them there",
    "2 to create (+), 0 to change (~). Nothing is deleted.",
  ]);
  expect([server.writes(), (await run(runVerify)).failure?.exitCode]).toEqual([0, 4]);

  const applied = await run(runApply, { json: true });
  expect(JSON.parse(applied.stdout.join(""))).toEqual({
    target: "chirpstack",
    address: server.url,
    created: 2,
    changed: 0,
    left: 0,
    by_hand: 0,
    lost: 1,
  });
  expect(linesOf(server)).toBe(fixture("chirpstack.golden.ndjson"));

  server.forget();
  const again = await run(runApply);
  const verified = await run(runVerify);
  expect([again.failure, verified.failure, verified.stdout.at(-1)]).toEqual([
    undefined,
    undefined,
    "No differences.",
  ]);
  expect(server.writes()).toBe(0);
  const printed = [planned, applied, again, verified].flatMap((each) => [
    ...each.stdout,
    ...each.stderr,
  ]);
  expect([hasKey(printed.join("\n")), files.names()]).toEqual([false, ["fleet.json", "m.json"]]);
});

test("an apply changes what differs, keeps fields unknown to the fleet, and never changes keys and EUIs", async () => {
  const { server, run } = await start({ more: [device(3), device(4), device(5)] });
  await run(runApply);
  const [first, second, third, fourth, fifth] = [1, 2, 3, 4, 5].map((index) =>
    server.devices.get(eui(index).toLowerCase()),
  );
  first?.setName("Renamed");
  first?.setDescription("By the lake");
  first?.getTagsMap().set("labels", "North; Spare").set("site", "7");
  second?.setIsDisabled(false);
  server.keys.delete(eui(2).toLowerCase());
  third?.setJoinEui("0000000000000001");
  third?.setDeviceProfileId(PROFILE);
  server.keys.get(eui(3).toLowerCase())?.setNwkKey(keyOf(9).toLowerCase());
  fourth?.setJoinEui("");
  fifth?.setApplicationId(ELSEWHERE);

  const verified = await run(runVerify);
  expect(verified.stdout.slice(1, -2)).toEqual([
    `+ device "Tank 5" (${eui(5)})`,
    `~ device "Tank 1" (${eui(1)}): name it "Tank 1", set its tag labels to "North; Spare; Pumps"`,
    `~ device "Tank 2" (${eui(2)}): disable, add its key`,
    `~ device "Tank 4" (${eui(4)}): set its join_eui`,
    `! device "Tank 3" (${eui(3)}): its device profile is ${PROFILE}`,
    `! device "Tank 3" (${eui(3)}): its join_eui is 0000000000000001`,
    `! device "Tank 3" (${eui(3)}): it has another key`,
  ]);
  expect([verified.failure?.message, verified.failure?.exitCode]).toEqual([
    expect.stringMatching(/^ChirpStack differs from .*fleet\.json in 7 places\.$/),
    4,
  ]);

  const { stdout } = await run(runVerify, { json: true });
  const { changes } = JSON.parse(stdout.join("")) as { changes: { fields?: object }[] };
  expect(changes.map(({ fields }) => fields)).toEqual([
    undefined,
    {
      name: { from: "Renamed", to: "Tank 1" },
      labels: { from: "North; Spare", to: "North; Spare; Pumps" },
    },
    { is_disabled: { from: false, to: true }, app_key: {} },
    { join_eui: { from: "0000000000000000", to: APP_EUI.toLowerCase() } },
    { device_profile_id: { from: PROFILE, to: OTHER } },
    { join_eui: { from: "0000000000000001", to: APP_EUI.toLowerCase() } },
    { app_key: {} },
    undefined,
  ]);

  const applied = await run(runApply);
  expect(applied.stderr).toEqual([
    `ChirpStack at ${server.url}`,
    `device "Tank 5" (${eui(5)}): it is in the application ${ELSEWHERE}`,
  ]);
  expect([applied.failure?.message, applied.failure?.exitCode]).toEqual([
    expect.stringContaining("1 device could not be changed to match"),
    1,
  ]);
  const changed = server.devices.get(eui(1).toLowerCase());
  expect([changed?.getName(), changed?.getDescription()]).toEqual(["Tank 1", "By the lake"]);
  expect(changed?.getTagsMap().getEntryList()).toEqual([
    ["labels", "North; Spare; Pumps"],
    ["site", "7"],
  ]);
  expect(server.keys.get(eui(3).toLowerCase())?.getNwkKey()).toBe(keyOf(9).toLowerCase());
});

test("lost responses and restarts lose and duplicate no device", async () => {
  const more = Array.from({ length: 40 }, (_, index) => device(index + 3));
  const { server, run } = await start({ more });
  let calls = 0;
  server.setFault((name): ReturnType<Fault> => {
    if (!name.startsWith("create")) return undefined;
    return calls++ % 10 === 0 ? (calls % 20 === 1 ? "lost" : "unavailable") : undefined;
  });
  expect((await run(runApply)).failure).toBeUndefined();
  expect([server.devices.size, server.keys.size]).toEqual([42, 42]);
  expect((await run(runVerify)).failure).toBeUndefined();
});

test("all pages of an application are read", async () => {
  const { server, run } = await start();
  await run(runApply);
  const [first] = server.devices.values();
  for (let index = 0; index < 500; index++) {
    const other = first?.clone() as NonNullable<typeof first>;
    other.setDevEui(index.toString(16).padStart(16, "0"));
    server.devices.set(other.getDevEui(), other);
  }
  expect((await run(runVerify)).failure).toBeUndefined();
});

test("a rejected device does not stop the others, and its key is not shown", async () => {
  const { server, run } = await start({ more: [device(3, { name: "" }), device(4)] });
  const { failure, stderr } = await run(runApply);
  expect([stderr, failure?.exitCode]).toEqual([
    [`ChirpStack at ${server.url}`, `device "" (${eui(3)}): name is not set`],
    1,
  ]);
  expect([...server.keys.keys()]).toHaveLength(3);
});

test("Ctrl-C ends an apply with a message that says how to resume, and the next run sets a missing key", async () => {
  const { server, run } = await start();
  const stopped = new AbortController();
  server.setFault((name) => (name === "createKeys" ? (stopped.abort(), "unavailable") : undefined));
  const { failure } = await run(runApply, { signal: stopped.signal });
  expect([failure?.message, failure?.exitCode]).toEqual([
    "Stopped. Run the same command again to resume.",
    130,
  ]);
  server.setFault();
  expect((await run(runApply)).failure).toBeUndefined();
  expect(linesOf(server)).toBe(fixture("chirpstack.golden.ndjson"));
});

test("the plan names what the mapping file lacks, and profiles that do not fit", async () => {
  const [V11, ABP] = [PROFILE.replaceAll("c", "d"), PROFILE.replaceAll("c", "e")];
  const mapping = {
    devices: { application_id: APPLICATION.replaceAll("4", "5") },
    labels: { Pumps: { device_profile_id: V11 }, North: {}, Gates: { device_profile_id: ABP } },
  };
  const { run, server } = await start({
    mapping,
    known: { profiles11: [V11], abpProfiles: [ABP] },
    more: [device(3, { labels: ["Gates"] })],
  });
  const { stdout } = await run(runPlan);
  expect(stdout.filter((line) => line.startsWith("?"))).toEqual([
    `? device_profile_id: 1 device without one, such as "Tank 2" (${eui(2)}); add it to "devices", or to a label in "labels"`,
    `? application_id "${APPLICATION.replaceAll("4", "5")}": ChirpStack has no such application for this key`,
    `? device_profile_id "${V11}": it is for LoRaWAN 1.1, which needs a second key; choose one for 1.0.x`,
    `? device_profile_id "${ABP}": it is for devices that do not join; choose one for OTAA`,
  ]);
  const { failure } = await run(runApply);
  expect([failure?.message, failure?.exitCode, server.writes()]).toEqual([
    expect.stringMatching(
      /^The mapping file needs another entry: device_profile_id: 1 device without/,
    ),
    2,
    0,
  ]);
});

test("--write-mapping writes what the target requires, and --url is accepted only with a target", async () => {
  const { run, files, options, file, env } = await start({ mapping: {} });
  const template = files.at("new.json");
  await runCommand(runPlan, testContext({ env }), { ...options, writeMapping: template }, file);
  expect([JSON.parse(files.read("new.json")), files.modeOf("new.json")]).toEqual([
    { devices: { application_id: "", device_profile_id: "" }, labels: {} },
    "600",
  ]);
  const again = runCommand(runPlan, testContext({ env }), { ...options, mapping: template }, file);
  expect((await errorOf(again)).message).toContain("is wrong at devices.");
  const url = "https://a.example";
  expect(await errorOf(runCommand(runPlan, testContext({ env }), { url }, file))).toMatchObject({
    message: expect.stringContaining("add --target"),
    exitCode: 2,
  });
  expect((await run(runPlan)).stdout).toHaveLength(5);
});

test.for<[string, object, string, number]>([
  ["no address", { CHIRPSTACK_URL: "" }, "The address of ChirpStack is missing: add --url", 2],
  [
    "an address that is not a URL",
    { CHIRPSTACK_URL: "chirp" },
    "CHIRPSTACK_URL must be an address such as",
    2,
  ],
  ["a path", { CHIRPSTACK_URL: "https://a.example/api" }, "must be https://a.example, without", 2],
  ["plain http", { CHIRPSTACK_URL: "http://a.example" }, "must begin with https://", 2],
  [
    "no key",
    { CHIRPSTACK_KEY: "" },
    "This command asks for a secret, which needs a terminal: add --key-file.",
    2,
  ],
  ["a broken key", { CHIRPSTACK_KEY: "a b" }, "The API key of ChirpStack is empty, or it has", 2],
  ["a wrong key", { CHIRPSTACK_KEY: "other" }, "rejects the key: invalid token. Check the key.", 2],
  ["a closed port", { CHIRPSTACK_URL: "http://127.0.0.1:1" }, "does not respond: ", 1],
])("%s is rejected with one sentence", async ([, change, message, exitCode]) => {
  const { run, env } = await start();
  const { failure } = await run(runPlan, { env: { ...env, ...change } });
  expect(failure).toMatchObject({ message: expect.stringContaining(message), exitCode });
});

test("--url and --key-file precede the environment, and its key is only sent to its own address", async () => {
  const { server, options, file, files, env } = await start();
  const here = testContext({ env: { ...env, CHIRPSTACK_URL: "http://127.0.0.1:1" } });
  const url = server.url;
  const { message } = await errorOf(runCommand(runPlan, here, { ...options, url }, file));
  expect(message).toBe("This command asks for a secret, which needs a terminal: add --key-file.");
  const keyFile = files.write("key.txt", `${server.apiKey}\n`);
  await runCommand(runPlan, here, { ...options, url, keyFile }, file);
  expect(here.stdout[0]).toBe(`ChirpStack at ${url}`);
});
