// What a run says and leaves behind when it is stopped, and what the next one does.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import {
  BulkChangeError,
  BulkError,
  type BulkCheckpoint,
  type BulkLease,
  type CreateManyOptions,
} from "../src/index.ts";
import * as samples from "../src/samples.ts";
import { fleet, recording } from "./lease.ts";
import { deviceOf, idOf } from "./model-console.ts";
import { startOddConsole } from "./odd-console.ts";

// Loading it may take longer than a run here.
beforeAll(() => import("../src/bulk/create/create-many-run.ts"));

/** The console works for longer than two lists are apart, and for less than the limit of a request. */
const WORK = 1_200;
const LIMITS = { settleTime: 20, timeout: 1_000, chunkSize: 2 } as const;

/** Lets the console work long on its first requests. */
const onlyFirst = (several: number) => (number: number) => sleep(number < several ? WORK : 0);

/** Starts a run, stops it after a moment, and returns its error. */
async function stopped<E>(
  kind: new (...all: never) => E,
  run: (signal: AbortSignal) => PromiseLike<unknown>,
  after = 400,
): Promise<E> {
  const error: unknown = await Promise.resolve(run(AbortSignal.timeout(after))).catch((e) => e);
  expect(error).toBeInstanceOf(kind);
  return error as E;
}

test.each(["checkpoint of onCheckpoint", "checkpoint of the error", "lease", "killed"])(
  "a chunk that was at work when its run was stopped is not sent again: %s",
  async (how) => {
    const { client, devices, counts } = startOddConsole({ receive: onlyFirst(2) });
    const lease: BulkLease = { id: "job-1", store: memoryStore(), duration: 5_000 };
    const saved: BulkCheckpoint[] = [];
    const error = await stopped(BulkError, (signal) => {
      const onCheckpoint = (each: BulkCheckpoint) => void saved.push(each);
      const given = how === "lease" ? { lease } : { onCheckpoint };
      return client.devices.createMany(fleet, { ...LIMITS, concurrency: 2, signal, ...given });
    });
    expect(error.progress).toMatchObject({ created: 0, settled: 0, unsettled: 4 });
    const checkpoint = {
      "checkpoint of onCheckpoint": saved.at(-1),
      "checkpoint of the error": error.checkpoint,
      killed: saved[1],
    }[how];
    const resumed = how === "lease" ? { lease } : { checkpoint };
    const report = await client.devices.createMany(fleet, { ...LIMITS, ...resumed });
    expect(report).toMatchObject({ created: 6, failed: 0, unknown: 0, unsettled: 0 });
    expect([devices.length, counts.creates]).toEqual([6, 3]);
  },
);

test("what a stopped run had sent and the console never shows is unknown, and the rest is sent", async () => {
  const { client, counts } = startOddConsole({ list: () => [], receive: onlyFirst(1) });
  const error = await stopped(BulkError, (signal) =>
    client.devices.createMany(fleet, { ...LIMITS, concurrency: 1, signal }),
  );
  const report = await client.devices.createMany(fleet, {
    ...LIMITS,
    checkpoint: error.checkpoint,
  });
  expect(report).toMatchObject({ created: 4, unknown: 2, unsettled: 0 });
  expect(counts.creates).toBe(3);
});

test("labels of a stopped run that were never requested are sent, and none is requested twice", async () => {
  const labelled = new Set<string>();
  const requested: string[] = [];
  const { client } = startOddConsole(
    {},
    {
      fetch: async (url, { method }) => {
        const { pathname } = new URL(url);
        if (pathname.endsWith("/organization"))
          return Response.json([{ id: idOf(900), name: "o" }]);
        const [, device = ""] = /devices\/([^/]+)/.exec(pathname) ?? [];
        if (method === "GET")
          return Response.json({ labels: labelled.has(device) ? [{ id: idOf(99) }] : [] });
        requested.push(device);
        await sleep(requested.length === 3 ? WORK : 10);
        labelled.add(device);
        return Response.json(null);
      },
      validation: "off",
    },
  );
  const changes = [1, 2, 3, 4, 5, 6].map((number) => ({
    device_id: idOf(number),
    label: idOf(99),
  }));
  const options = { ...LIMITS, chunkSize: 6, concurrency: 1 };
  const error = await stopped(BulkChangeError, (signal) =>
    client.devices.addLabelMany(changes, { ...options, signal }),
  );
  expect(error.progress).toMatchObject({ done: 0, settled: 0, unsettled: 6 });
  expect(error.checkpoint?.open).toMatchObject([{ kind: "at_work", items: [0, 1, 2] }]);
  const { checkpoint } = error;
  const report = await client.devices.addLabelMany(changes, { ...options, checkpoint });
  expect(report).toMatchObject({ done: 6, unknown: 0, unsettled: 0 });
  expect(requested).toEqual(changes.map(({ device_id }) => device_id));
});

test("a request that certainly did nothing leaves no chunk open", async () => {
  for (const status of [401, 429]) {
    const saved: BulkCheckpoint[] = [];
    const { client } = startOddConsole(
      {},
      {
        fetch: async (url) =>
          url.endsWith("/organization")
            ? Response.json(samples.organization.list.output)
            : Response.json({}, { status, headers: { "retry-after": "60" } }),
      },
    );
    const error = await stopped(BulkError, (signal) =>
      client.devices.createMany(fleet, {
        ...LIMITS,
        signal,
        onCheckpoint: (each) => void saved.push(each),
      }),
    );
    expect(error.checkpoint).toMatchObject({ open: [], unsettled: 0 });
    expect(saved[0]).toMatchObject({ open: [{ chunk: 0, kind: "at_work" }] });
    expect(saved.at(-1)).toEqual(error.checkpoint);
    expect(error.message).toContain("No device was created or changed: call createMany again.");
  }
});

test.each([0, 3])(
  "progress, results, checkpoint and the loop agree when a run is stopped, %d ms for each device",
  async (pause) => {
    const all = Array.from({ length: 60 }, (_, number) => deviceOf(number + 1));
    for (let after = 20; after < 100; after += 8) {
      const { client, counts } = startOddConsole({ receive: () => sleep(15) });
      const seen: number[] = [];
      const error = await stopped(
        BulkError,
        async (signal) => {
          for await (const { index } of client.devices.createMany(all, { ...LIMITS, signal })) {
            seen.push(index);
            if (pause > 0) await sleep(pause);
          }
        },
        after,
      );
      const { created, settled, unsettled } = error.progress;
      expect(settled).toBe(created);
      expect(seen).toHaveLength(created);
      expect(error.results.created).toHaveLength(created);
      expect(error.checkpoint).toMatchObject({ created, unsettled });
      expect(created + unsettled).toBe(counts.creates * 2);
      if (unsettled > 0)
        expect(error.message).toContain(
          `${created} created, 0 failed, 0 unknown; ${unsettled} were sent and have no result yet: resume to settle them.`,
        );
    }
  },
);

test.each([
  ["finished", 6, ["claim", "forget"], "skipped"],
  ["been interrupted", 2, ["claim", "release"], "created"],
  ["ended before it sent anything", 0, ["claim", "forget"], "created"],
] as const)(
  "when a run has %s, the next owner of its lease says what is true of each device",
  async (_how, length, ends, status) => {
    const { calls, lease } = recording();
    const { client, devices } = startOddConsole({});
    const options: CreateManyOptions = { ...LIMITS, concurrency: 1, ifExists: "skip", lease };
    const source = (function* () {
      yield* fleet.slice(0, length);
      if (length < fleet.length) throw new Error("the file ends here");
    })();
    await client.devices.createMany(source, options).catch(() => undefined);
    expect(calls).toEqual(ends);
    const report = await client.devices.createMany(fleet, options);
    expect(report.results[status][0]).toMatchObject({ index: 0, status });
    expect(devices).toHaveLength(6);
  },
);
