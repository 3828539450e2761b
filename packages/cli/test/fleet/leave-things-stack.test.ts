import { expect, test } from "vitest";
import { runApply, runPlan, runVerify } from "../../src/fleet/move-fleet.ts";
import type { FleetDevice } from "../../src/fleet/move/fleet.ts";
import { eui, folder, keyOf } from "./fleet-context.ts";
import { hasKey } from "./kills.ts";
import { device, fixture, leavingFleet, runnerOf, STACK } from "./leaving-fleet.ts";
import { startThingsStack } from "./things-stack-server.ts";

const APPLICATION = "water-meters";
const MAPPING = { ...STACK, devices: { ...STACK.devices, application_id: APPLICATION } };
/** Returns all keys of this deployment. */
const OWN_JOIN_SERVER = { devices: MAPPING.devices };
const idOf = (index: number): string => `${APPLICATION}/eui-${eui(index).toLowerCase()}`;

async function start({
  more = [],
  mapping = MAPPING,
}: { readonly more?: readonly FleetDevice[]; readonly mapping?: object } = {}) {
  const files = folder();
  const file = files.write("fleet.json", leavingFleet(more));
  const mappingFile = files.write("m.json", JSON.stringify(mapping));
  const options = { target: "things-stack", mapping: mappingFile };
  const server = await startThingsStack([APPLICATION, "other"]);
  const env = { THINGS_STACK_URL: server.url, THINGS_STACK_KEY: server.apiKey };
  const run = runnerOf(env, options, file);
  const at = (registry: string) => server.held[`${registry}EndDeviceRegistry`] ?? new Map();
  return { files, server, env, run, at };
}

test("a fleet moves to The Things Stack: plan, apply, verify, and a second apply without a write", async () => {
  const { server, run, files, at } = await start();
  const planned = await run(runPlan);
  expect(planned.stdout).toEqual([
    `The Things Stack at ${server.url}`,
    `+ device "Tank 1" (${eui(1)})`,
    `+ device "Tank 2" (${eui(2)})`,
    `x device "Tank 2" (${eui(2)}): it is inactive, and will be active`,
    "x integrations: 1 integration with 0 flows cannot move: create them there",
    'x join_server_address "join.example.com": 1 device there; add the keys to that Join Server',
    "2 to create (+), 0 to change (~). Nothing is deleted.",
  ]);
  expect([server.writes(), (await run(runVerify)).failure?.exitCode]).toEqual([0, 4]);

  const applied = await run(runApply, { json: true });
  expect(JSON.parse(applied.stdout.join(""))).toEqual({
    target: "things-stack",
    address: server.url,
    created: 2,
    changed: 0,
    left: 0,
    by_hand: 0,
    lost: 3,
  });
  const golden = fixture("things-stack.golden.ndjson").trim().split("\n");
  for (const line of golden) {
    const { ids, ...fields } = JSON.parse(line) as { ids: { device_id: string } };
    const id = `${APPLICATION}/${ids.device_id}`;
    const parts = ["", "Ns", "Js", "As"].map((registry) => at(registry).get(id));
    const isAtJoin = !("join_server_address" in fields);
    expect(parts.map((part) => part !== undefined)).toEqual([true, true, isAtJoin, true]);
    const { root_keys, ...others } = fields as { root_keys?: object };
    expect(Object.assign({}, ...parts)).toMatchObject({
      ids,
      ...others,
      ...(isAtJoin && { root_keys }),
    });
  }

  const before = server.writes();
  const again = await run(runApply);
  const verified = await run(runVerify);
  expect([again.failure, verified.failure, verified.stdout.at(-1)]).toEqual([
    undefined,
    undefined,
    "No differences.",
  ]);
  expect(server.writes()).toBe(before);
  const printed = [planned, applied, again, verified].flatMap((each) => [
    ...each.stdout,
    ...each.stderr,
  ]);
  expect([hasKey(printed.join("\n")), files.names()]).toEqual([false, ["fleet.json", "m.json"]]);
});

test("an apply completes devices and names, and never changes keys, EUIs and versions", async () => {
  const more = [device(3), device(4), device(5)];
  const { run, at, server } = await start({ more, mapping: OWN_JOIN_SERVER });
  await run(runApply);
  Object.assign(at("").get(idOf(1)), {
    name: "Renamed",
    attributes: { labels: "North; Spare", site: "7" },
  });
  for (const registry of ["Ns", "Js", "As"]) at(registry).delete(idOf(2));
  at("").get(idOf(3)).ids.join_eui = "0000000000000001";
  at("Ns").get(idOf(4)).frequency_plan_id = "US_902_928_FSB_2";
  at("Js").get(idOf(4)).root_keys.app_key.key = keyOf(9);
  const fifth = at("").get(idOf(5));
  at("").delete(idOf(5));
  at("").set("other/tank-5", fifth);
  fifth.ids.device_id = "tank-5";

  const verified = await run(runVerify);
  expect(verified.stdout.filter((line) => !line.startsWith("x"))).toEqual([
    expect.stringContaining("The Things Stack at"),
    `+ device "Tank 5" (${eui(5)})`,
    `~ device "Tank 1" (${eui(1)}): name it "Tank 1", set its attribute labels to "North; Spare; Pumps"`,
    `~ device "Tank 2" (${eui(2)}): add its key, add it to the Network Server, add it to the Application Server`,
    `! device "Tank 3" (${eui(3)}): its join_eui is 0000000000000001`,
    `! device "Tank 4" (${eui(4)}): it has another key`,
    `! device "Tank 4" (${eui(4)}): its frequency_plan_id is US_902_928_FSB_2`,
    "1 to create (+), 2 to change (~), 3 by hand (!). Nothing is deleted.",
  ]);
  const applied = await run(runApply);
  expect(applied.stderr).toEqual([
    `The Things Stack at ${server.url}`,
    `device "Tank 5" (${eui(5)}): already registered as tank-5`,
  ]);
  expect(applied.failure?.exitCode).toBe(1);
  expect(at("").get(idOf(1))).toMatchObject({
    name: "Tank 1",
    attributes: { labels: "North; Spare; Pumps", site: "7" },
  });
  expect(at("Js").get(idOf(4)).root_keys.app_key.key).toBe(keyOf(9));
});

test("a device that exists with another id is completed, and not created again", async () => {
  const { run, at, server } = await start({ mapping: OWN_JOIN_SERVER });
  await run(runApply);
  const ids = { ...at("").get(idOf(1)).ids, device_id: "tank-1" };
  for (const registry of ["", "Ns", "Js", "As"]) at(registry).delete(idOf(1));
  at("").set(`${APPLICATION}/tank-1`, { ids, name: "Tank 1" });
  expect((await run(runApply)).failure).toBeUndefined();
  expect(new Set(at("Js").keys())).toEqual(new Set([idOf(2), `${APPLICATION}/tank-1`]));
  expect((await run(runVerify)).failure).toBeUndefined();
  expect(server.held["EndDeviceRegistry"]?.size).toBe(2);
});

test("all pages of an application are read", async () => {
  const { run, at } = await start({ mapping: OWN_JOIN_SERVER });
  for (let index = 100; index < 1_100; index++)
    at("").set(idOf(index), { ids: { device_id: `other-${index}`, dev_eui: eui(index) } });
  await run(runApply);
  expect((await run(runVerify)).failure).toBeUndefined();
});

test("lost responses and a rate limit lose and duplicate no device", async () => {
  const more = Array.from({ length: 20 }, (_, index) => device(index + 3));
  const { run, server, at } = await start({ more, mapping: OWN_JOIN_SERVER });
  let calls = 0;
  server.setFault((operation) => {
    if (/_(List|Get)$/.test(operation)) return undefined;
    calls++;
    return calls === 30 ? 429 : calls % 9 === 0 ? "lost" : undefined;
  });
  const { failure, stderr } = await run(runApply);
  expect([failure, stderr.filter((line) => line.startsWith("device"))]).toEqual([undefined, []]);
  expect(["", "Ns", "Js", "As"].map((registry) => at(registry).size)).toEqual([22, 22, 22, 22]);
  expect((await run(runVerify)).failure).toBeUndefined();
});
