// With `validation: "warn"` or `"off"`, a response may contain anything: no field is trusted.
import { expect, test } from "vitest";
import type { ChangeManyRun, ConsoleClient } from "../src/index.ts";
import { deviceOf, idOf } from "./model-console.ts";
import { reset, startOddConsole, type OddConsole } from "./odd-console.ts";

const QUICK = { chunkSize: 4, settleTime: 1 } as const;
const fleet = Array.from({ length: 6 }, (_, number) => deviceOf(number + 1));
const nothing = [null, 7, "text", [], {}, true];
const modes = ["warn", "off"] as const;

type Each = Record<string, unknown>;
const odd: Record<string, (each: Each) => unknown> = {
  "a key that is null": (each) => ({ ...each, app_key: null }),
  "labels that are null": (each) => ({ ...each, labels: null }),
  "EUIs that are numbers": (each) => ({ ...each, dev_eui: 1, app_eui: 2 }),
  "an id that is null": (each) => ({ ...each, id: null }),
  "null for each device": () => null,
  "text for each device": () => "device",
  "labels that are text": (each) => ({ ...each, labels: ["Pumps", null, { id: 7 }] }),
};

const breakFirst = (number: number, add: () => void): void => {
  if (number !== 0) return;
  add();
  throw reset();
};
const quiet = { onDrift: () => undefined };

test.each(
  modes.flatMap((validation) => Object.keys(odd).map((what) => [validation, what] as const)),
)(
  'with validation "%s", createMany ends with a report, and sends no device twice, with %s',
  async (validation, what) => {
    for (const ifExists of [undefined, "skip"] as const) {
      const show = odd[what]!;
      const console = startOddConsole(
        { created: show, listed: show, receive: breakFirst },
        { ...quiet, validation },
      );
      const report = await console.client.devices.createMany(fleet, { ...QUICK, ifExists });
      expect(report).toMatchObject({ failed: 0, settled: 6 });
      expect(report.created + report.unknown).toBe(6);
      expect(console.devices).toHaveLength(6);
    }
  },
);

test.each(nothing.map((each) => [each] as const))(
  "a response and a list that are %j are no evidence, and settle no device wrongly",
  async (anything) => {
    const responses: OddConsole[] = [
      { batch: () => anything },
      { batch: () => ({ success: anything, failure: anything }) },
      {
        batch: () => ({ success: [], failure: [anything, { dev_eui: anything, error: anything }] }),
      },
    ];
    for (const response of responses) {
      const console = startOddConsole(
        { ...response, list: () => anything },
        { ...quiet, validation: "off" },
      );
      const report = await console.client.devices.createMany(fleet, QUICK);
      expect(report).toMatchObject({ created: 0, failed: 0, unknown: 6 });
      expect(console.devices).toHaveLength(6);
    }
  },
);

test.each<[string, (client: ConsoleClient) => ChangeManyRun]>([
  ["deleteMany", ({ devices }) => devices.deleteMany([{ id: idOf(1) }], QUICK)],
  [
    "setActiveMany",
    ({ devices }) => devices.setActiveMany([{ device_id: idOf(1), active: false }], QUICK),
  ],
  [
    "addLabelMany",
    ({ devices }) => devices.addLabelMany([{ device_id: idOf(1), label: idOf(9) }], QUICK),
  ],
  [
    "removeLabelMany",
    ({ devices }) => devices.removeLabelMany([{ device_id: idOf(1), label_id: idOf(9) }], QUICK),
  ],
])(
  "%s never takes an unreadable list as evidence that a broken change was carried out",
  async (method, change) => {
    for (const show of Object.values(odd)) {
      const labels = method === "removeLabelMany" ? [{ id: idOf(9), name: "Pumps" }] : [];
      const console = startOddConsole(
        {
          listed: (each) => show({ ...each, labels }),
          change: () => {
            throw reset();
          },
        },
        { ...quiet, validation: "off" },
      );
      await console.client.devices.createMany([deviceOf(1)], QUICK);
      const report = await change(console.client).report();
      expect(report.done).toBe(0);
      expect(report.settled).toBe(1);
    }
  },
);

test.each(nothing.map((each) => [each] as const))(
  "an organization that is %j ends a run with checkpoints before it sends anything, with a clear error",
  async (organization) => {
    const console = startOddConsole({ organization }, { ...quiet, validation: "off" });
    const run = console.client.devices.createMany(fleet, {
      ...QUICK,
      onCheckpoint: () => undefined,
    });
    await expect(run.report()).rejects.toThrow(/organization\.list contains no id/);
    expect(console.devices).toHaveLength(0);
    // Without checkpoints, the organization is not needed.
    expect(await console.client.devices.createMany(fleet, QUICK)).toMatchObject({ created: 6 });
  },
);
