import { describe, expect, test } from "vitest";
import type { CreateManyOptions, NewDevice } from "../src/index.ts";
import { deviceOf, startModel } from "./model-console.ts";

const KEY = "11112222333344445555666677778888";
const EUI = "70B3D57ED0010002";
const [one, two] = [deviceOf(1), deviceOf(2)];
const otherKey = { ...one, app_key: KEY };
const otherEui = { ...one, app_eui: EUI };
const lower = { ...one, dev_eui: one.dev_eui.toLowerCase() };

/** Devices, and the reason of each in an array and in a stream. `-` is created. */
const cases: Readonly<Record<string, readonly [NewDevice[], string, string]>> = {
  "another app_key": [[one, two, otherKey], "conflicting - conflicting", "- - conflicting"],
  "another app_eui": [[one, two, otherEui], "conflicting - conflicting", "- - conflicting"],
  "the same values": [[one, two, one], "- - duplicate", "- - duplicate"],
  "the same values in another case": [[one, two, lower], "- - duplicate", "- - duplicate"],
  "one of each": [
    [one, otherKey, one],
    "conflicting conflicting conflicting",
    "- conflicting duplicate",
  ],
  "another key in an invalid row": [
    [one, two, { ...otherKey, name: "" }],
    "conflicting - invalid",
    "- - invalid",
  ],
  "the same values in an invalid row": [
    [{ ...one, name: "" }, two, one],
    "invalid - -",
    "invalid - -",
  ],
  "a value of another form": [[one, two, { ...one, app_key: "x" }], "- - invalid", "- - invalid"],
};

async function* stream(devices: readonly NewDevice[]): AsyncGenerator<NewDevice> {
  yield* devices;
}
const setOf = (devices: readonly NewDevice[]) => new Set(devices.map((each) => ({ ...each })));

async function reasonsOf(
  inputs: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  options: CreateManyOptions = { chunkSize: 1, settleTime: 0 },
  observedRules = true,
) {
  const model = startModel({ duplicates: "allowed", fates: [], lag: { behind: [0] } });
  const run = model.connect({ observedRules }).devices.createMany(inputs, options);
  const { failed, created } = (await run).results;
  const reasons = [...created, ...failed].sort((a, b) => a.index - b.index);
  return {
    failed,
    sent: model.devices.size,
    reasons: reasons.map((each) => ("reason" in each ? each.reason : "-")).join(" "),
  };
}

describe.each(Object.entries(cases))("a dev_eui that occurs again with %s", (_what, row) => {
  const [devices, inArray, inStream] = row;
  test.each([
    ["an array", devices, inArray],
    ["a Set", setOf(devices), inArray],
    ["a stream", stream(devices), inStream],
    ["a generator", devices.values(), inStream],
  ])("in %s", async (_form, inputs, expected) => {
    const { reasons, sent } = await reasonsOf(inputs);
    expect(reasons).toBe(expected);
    expect(sent).toBe(expected.split(" ").filter((each) => each === "-").length);
  });
});

test("a conflicting device names the other one and what to do, and no key", async () => {
  const { failed } = await reasonsOf([one, two, otherKey]);
  const advice =
    "has the same one, with another app_eui or app_key: correct the wrong one, or leave it out (observed; `observedRules: false` turns this off)";
  expect(failed).toEqual([
    {
      status: "failed",
      reason: "conflicting",
      index: 0,
      dev_eui: one.dev_eui,
      error: `dev_eui: the device at index 2 ${advice}`,
    },
    {
      status: "failed",
      reason: "conflicting",
      index: 2,
      dev_eui: one.dev_eui,
      error: `dev_eui: the device at index 0 ${advice}`,
    },
  ]);
});

test("without observed rules, devices share a dev_eui, and equal ones are still duplicates", async () => {
  const { reasons, sent } = await reasonsOf([one, otherKey, otherEui, one], undefined, false);
  expect([reasons, sent]).toEqual(["- - - duplicate", 3]);
});

test("an array that cannot be read is reported before anything is sent", async () => {
  const model = startModel({ duplicates: "allowed", fates: [], lag: { behind: [0] } });
  const broken = Promise.reject(new Error("canary"));
  const inputs = [one, broken] as NewDevice[];
  await expect(model.connect().devices.createMany(inputs, { chunkSize: 1 })).rejects.toThrow(
    "the input threw an error",
  );
  expect(model.devices.size).toBe(0);
});
