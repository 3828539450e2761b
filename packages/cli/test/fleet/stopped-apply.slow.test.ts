// A console that is at work for two seconds on a request after its apply was stopped, at each kind of step.
import { copyFileSync } from "node:fs";
import { createConsoleClient } from "@fieldmesh/console-client";
import { expect, test, vi } from "vitest";
import { runApply } from "../../src/fleet/move-fleet.ts";
import { runCommand, testContext } from "../context.ts";
import { APP_EUI, emptyConsole, errorOf, eui, folder, held, keyOf } from "./fleet-context.ts";

const AT_WORK = 2_000;
/** A request ends after this time at the latest. Its two attempts have twice as much. */
const TIMEOUT = 2_000;
const COUNT = 6;

vi.mock("../../src/fleet/runs/time-limits.ts", () => ({ CREATION: 4_000, SKEW: 100 }));

/** The request of each kind of step, with what the console has already. */
const STEPS = {
  labels: "labels.create",
  devices: "devices.createBatch",
  "labels of devices": "devices.addLabel",
  activation: "devices.setActive",
  integrations: "integrations.createHttp",
  flows: "flows.create",
} as const;
const FLEET = {
  format: "fieldmesh-fleet",
  version: 1,
  exported_at: "2026-11-20T08:00:00.000Z",
  organization: "Northern Water Board",
  labels: [{ name: "Pumps", config_profile_id: null, settings: {} }],
  devices: Array.from({ length: COUNT }, (_, index) => ({
    ...deviceOf(index),
    active: false,
    config_profile_id: null,
    labels: ["Pumps"],
  })),
  integrations: [{ name: "Lake" }],
  flows: [{ integration: "Lake", to: { label: "Pumps" }, function_id: null }],
};
const MAPPING = {
  integrations: { Lake: { type: "http", method: "post", endpoint: "https://lake.example/" } },
};

function deviceOf(index: number) {
  return { name: `Tank ${index}`, dev_eui: eui(index), app_eui: APP_EUI, app_key: keyOf(index) };
}

async function start(step: keyof typeof STEPS) {
  const sandbox = emptyConsole({ console: { duplicates: "allowed" } });
  const { baseUrl, fetch } = sandbox.console;
  const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey, timeout: TIMEOUT });
  // Otherwise the devices are created with their label.
  if (step === "labels of devices")
    for (let index = 0; index < COUNT; index++) await client.devices.create(deviceOf(index));
  const files = folder();
  const file = files.write("fleet.json", JSON.stringify(FLEET));
  const options = { mapping: files.write("m.json", JSON.stringify(MAPPING)), settleTime: "0.05" };
  const apply = async (signal = new AbortController().signal) => {
    const { devices } = client;
    const quick: Pick<typeof devices, "createMany" | "addLabelMany" | "setActiveMany"> = {
      createMany: (list, given) => devices.createMany(list, { ...given, timeout: TIMEOUT }),
      addLabelMany: (list, given) => devices.addLabelMany(list, { ...given, timeout: TIMEOUT }),
      setActiveMany: (list, given) => devices.setActiveMany(list, { ...given, timeout: TIMEOUT }),
    };
    const context = Object.assign(testContext({ sandbox, yes: true, signal }), {
      client: async () => ({ ...client, devices: { ...devices, ...quick } }),
    });
    await runCommand(runApply, context, options, file);
    return context;
  };
  return { sandbox, files, apply };
}

/** Stops an apply at the first request of a step, resumes it at once, and returns what is in the console then. */
async function stopAt(step: keyof typeof STEPS, isKilled: boolean) {
  const { sandbox, files, apply } = await start(step);
  const stopped = new AbortController();
  const state = files.at("fleet.json.apply.json");
  let sent = 0;
  sandbox.setFaults(({ row }) => {
    if (row === STEPS[step]) sent++;
    if (row !== STEPS[step] || stopped.signal.aborted) return undefined;
    // What a kill leaves is what is stored before the request.
    copyFileSync(state, files.at("killed"));
    stopped.abort();
    return { kind: "delay", ms: AT_WORK };
  });
  const { message } = await errorOf(apply(stopped.signal));
  if (isKilled) copyFileSync(files.at("killed"), state);
  // By what a kill leaves, labels that were never sent may have been. They are unknown, and a later apply sends them.
  await apply().catch((error: Error) => {
    if (!/^\d changes could not be made/.test(error.message)) throw error;
  });
  await apply();
  const { labels, integrations, flows } = sandbox.console.state;
  return {
    says: /the same command again/.test(message),
    sent: step === "activation" ? COUNT : sent,
    labels: labels.size,
    devices: held(sandbox).map(({ dev_eui }) => dev_eui),
    changed: held(sandbox).filter(({ active, label_ids }) => !active && label_ids.size === 1)
      .length,
    integrations: integrations.size,
    flows: flows.size,
  };
}

test("what is at work when an apply is stopped is waited for, and nothing is created twice", async () => {
  const rows = (Object.keys(STEPS) as (keyof typeof STEPS)[]).flatMap((step) => [
    { step, end: "abort" },
    { step, end: "kill" },
  ]);
  const found = await Promise.all(
    rows.map(async (row) => ({ ...row, ...(await stopAt(row.step, row.end === "kill")) })),
  );
  const wanted = rows.map((row) => ({
    ...row,
    says: true,
    // A device can be activated twice, which changes nothing.
    sent: /activation|labels of/.test(row.step) ? COUNT : 1,
    labels: 1,
    devices: FLEET.devices.map(({ dev_eui }) => dev_eui),
    changed: COUNT,
    integrations: 1,
    flows: 1,
  }));
  expect(found).toEqual(wanted);
}, 60_000);

test("a request that is not shown after its time is named, and the next apply creates it", async () => {
  const { sandbox, apply } = await start("flows");
  const stopped = new AbortController();
  sandbox.setFaults(({ row }) => {
    if (row !== STEPS.flows || stopped.signal.aborted) return undefined;
    stopped.abort();
    return { kind: "reset" };
  });
  await errorOf(apply(stopped.signal));
  const { message, exitCode } = await errorOf(apply());
  expect(message).toMatch(
    /^It is not known whether the flow "Lake" from label "Pumps" was created/,
  );
  expect([exitCode, sandbox.console.state.flows.size]).toEqual([3, 0]);
  await apply();
  expect(sandbox.console.state.flows.size).toBe(1);
});
