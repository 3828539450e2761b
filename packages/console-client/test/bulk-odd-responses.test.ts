// A 2xx means that the console did the work, in whatever form it says so.
import { expect, test } from "vitest";
import type { BulkCheckpoint, BulkError, Drift, NewDevice } from "../src/index.ts";
import { deviceOf } from "./model-console.ts";
import { reset, startOddConsole, type OddConsole } from "./odd-console.ts";

const QUICK = { chunkSize: 4, settleTime: 1 } as const;
const fleet = Array.from({ length: 10 }, (_, number) => deviceOf(number + 1));

const withColons = (hex: unknown): string => String(hex).replaceAll(/(..)(?!$)/g, "$1:");
type Show = NonNullable<OddConsole["created"]>;
const forms: Record<string, Show> = {
  "stars for the key": (each) => ({ ...each, app_key: "********" }),
  "stars for most of the key": (each) => ({
    ...each,
    app_key: `${"*".repeat(28)}${String(each["app_key"]).slice(28)}`,
  }),
  "an empty key": (each) => ({ ...each, app_key: "" }),
  "zeros for the key": (each) => ({ ...each, app_key: "0".repeat(32) }),
  "lower case": (each) => ({
    ...each,
    dev_eui: String(each["dev_eui"]).toLowerCase(),
    app_eui: String(each["app_eui"]).toLowerCase(),
    app_key: String(each["app_key"]).toLowerCase(),
  }),
  colons: (each) => ({
    ...each,
    dev_eui: withColons(each["dev_eui"]),
    app_eui: withColons(each["app_eui"]),
    app_key: withColons(each["app_key"]),
  }),
  "hyphens and spaces": (each) => ({
    ...each,
    dev_eui: withColons(each["dev_eui"]).replaceAll(":", "-"),
    app_eui: withColons(each["app_eui"]).replaceAll(":", " "),
  }),
};

test.each(Object.entries(forms))(
  "a console that shows %s creates each device once, and all are created",
  async (_form, show) => {
    const { client, devices, counts } = startOddConsole({ created: show, listed: show });
    const report = await client.devices.createMany(fleet, QUICK);
    expect(report).toMatchObject({ created: 10, unknown: 0, failed: 0 });
    expect([devices.length, counts.creates, counts.lists]).toEqual([10, 3, 0]);
    const ids = report.results.created.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(devices.map(({ id }) => id));
  },
);

test.each(Object.entries(forms))(
  "after a lost response, devices that the list shows with %s are found, and never sent again",
  async (_form, show) => {
    const lose = (number: number, add: () => void): void => {
      if (number !== 1) return;
      add();
      throw reset();
    };
    const console = startOddConsole({ created: show, listed: show, receive: lose });
    const report = await console.client.devices.createMany(fleet, QUICK);
    expect(report).toMatchObject({ created: 10, unknown: 0 });
    expect([console.devices.length, console.counts.creates]).toEqual([10, 3]);
    const skipped = await console.client.devices.createMany(fleet, { ...QUICK, ifExists: "skip" });
    expect(skipped).toMatchObject({ created: 0, skipped: 10 });
  },
);

test("another key that a list shows whole is another device", async () => {
  const other = (each: object): object => ({ ...each, app_key: "F".repeat(31) + "0" });
  const once = (number: number): void => {
    if (number === 0) throw reset();
  };
  const { client, devices } = startOddConsole({ listed: other, receive: once });
  await client.devices.createMany([deviceOf(1)], QUICK);
  expect(devices).toHaveLength(1);
  // The list shows the EUIs with another key, so the device does not exist yet.
  const report = await client.devices.createMany([deviceOf(1)], { ...QUICK, ifExists: "skip" });
  expect(report).toMatchObject({ created: 1, skipped: 0 });
});

const twins: NewDevice[] = [
  deviceOf(1),
  { ...deviceOf(1), app_key: "11112222333344445555666677778888" },
];

test("devices that share their EUIs are matched by their whole keys", async () => {
  const { client } = startOddConsole(
    {
      batch: ({ success }) => ({ success: success.toReversed(), failure: [] }),
    },
    { observedRules: false },
  );
  const { results } = await client.devices.createMany(twins, QUICK);
  expect(results.created.map(({ index }) => index)).toEqual([0, 1]);
});

test("devices that share their EUIs and whose keys are masked are unknown, and sent once", async () => {
  const show = forms["stars for the key"]!;
  for (const receive of [undefined, (_: number, add: () => void) => (add(), thrown())]) {
    const console = startOddConsole(
      { created: show, listed: show, ...(receive && { receive }) },
      { observedRules: false },
    );
    const report = await console.client.devices.createMany(twins, QUICK);
    expect(report).toMatchObject({ created: 0, unknown: 2 });
    expect(report.results.unknown[0]?.error).toContain("check");
    expect(console.devices).toHaveLength(2);
  }
});

function thrown(): never {
  throw reset();
}

test("a device that a 2xx does not name is looked up, and unknown if no list shows it", async () => {
  const isThird = (each: object): boolean => (each as NewDevice).dev_eui.endsWith("3");
  const hide: Show = (each) => (isThird(each) ? undefined : each);
  const found = startOddConsole({ created: hide });
  const report = await found.client.devices.createMany(fleet, QUICK);
  expect(report).toMatchObject({ created: 10, unknown: 0 });
  expect(found.devices).toHaveLength(10);

  let checkpoint: BulkCheckpoint | undefined;
  const lost = startOddConsole({ created: hide, listed: hide });
  const first = await lost.client.devices.createMany(fleet, {
    ...QUICK,
    onCheckpoint: (next) => void (checkpoint = next),
  });
  expect(first).toMatchObject({ created: 9, unknown: 1 });
  expect(first.results.unknown[0]).toMatchObject({ index: 2 });
  expect(first.results.unknown[0]?.error).toMatch(
    /the console responded with success.*check later/,
  );
  await lost.client.devices.createMany(fleet, { ...QUICK, checkpoint });
  expect(lost.devices).toHaveLength(10);
});

test.each<[string, OddConsole]>([
  ["names nothing", { batch: () => ({ success: [], failure: [] }) }],
  ["does not fit the contract", { batch: () => ({ done: true }) }],
  ["is cut off", { isCutOff: true }],
])(
  "after a 2xx that %s, no device is sent again, also not by a resumed run",
  async (_what, odd) => {
    // The list of this console lags for good.
    const { client, devices } = startOddConsole({ ...odd, list: () => [] });
    let checkpoint: BulkCheckpoint | undefined;
    // Ended as soon as the response is stored: the lists were not read yet.
    const controller = new AbortController();
    await client.devices
      .createMany(fleet, {
        ...QUICK,
        settleTime: 10_000,
        signal: controller.signal,
        onCheckpoint: (next) => void (checkpoint = next),
        onProgress: () => controller.abort(),
      })
      .catch((error: BulkError) => (checkpoint = error.checkpoint));
    expect(devices).toHaveLength(10);
    const resumed = await client.devices.createMany(fleet, { ...QUICK, checkpoint });
    expect(resumed).toMatchObject({ created: 0, unknown: 10 });
    expect(devices).toHaveLength(10);
  },
);

test("a run that is left after a 2xx and resumed sends none of its devices again", async () => {
  const { client, devices } = startOddConsole({ list: () => [] });
  let checkpoint: BulkCheckpoint | undefined;
  const run = client.devices.createMany(fleet, {
    chunkSize: 5,
    settleTime: 1,
    onCheckpoint: (next) => void (checkpoint = next),
  });
  for await (const _ of run) break;
  expect(devices).toHaveLength(10);
  await run.catch((error: BulkError) => (checkpoint = error.checkpoint));
  const report = await client.devices.createMany(fleet, { settleTime: 1, checkpoint });
  expect(report.created + report.unknown).toBe(10);
  expect(devices).toHaveLength(10);
});

test("what was seen in another form is reported to onDrift once", async () => {
  const seen: Drift[] = [];
  const { client } = startOddConsole(
    { created: forms["colons"]!, listed: forms["stars for the key"]! },
    { onDrift: (drift) => seen.push(drift) },
  );
  await client.devices.createMany(fleet, QUICK);
  expect(seen).toMatchObject([
    {
      call: "devices.createBatch",
      route: "POST /api/v1/devices",
      problems: ["dev_eui", "app_eui", "app_key"].map((field) => ({
        path: `success[].${field}`,
        message: "is not written as it was sent",
      })),
    },
  ]);
  await client.devices.createMany(fleet, { ...QUICK, ifExists: "skip" });
  expect(seen.slice(1)).toMatchObject([
    { call: "devices.each", route: "GET /api/v1/devices", problems: [{ path: "[].app_key" }] },
  ]);
  expect(JSON.stringify(seen)).not.toContain(String(deviceOf(1).app_key).slice(0, 8));
});

test("a run with validation off reports no other form", async () => {
  const seen: Drift[] = [];
  const { client } = startOddConsole(
    { created: forms["colons"]! },
    { onDrift: (drift) => seen.push(drift), validation: "off" },
  );
  expect(await client.devices.createMany(fleet, QUICK)).toMatchObject({ created: 10 });
  expect(seen).toEqual([]);
});
