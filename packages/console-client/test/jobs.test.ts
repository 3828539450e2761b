import { canaries } from "../../../tools/canaries/canaries.ts";
import { expect, test } from "vitest";
import { createQueueWorker } from "@fieldmesh/webhook-types/queue";
import { memoryStore } from "@fieldmesh/webhook-types/receiver";
import {
  mergeReports,
  openJob,
  reportOfJob,
  Secret,
  splitJob,
  type DeviceJob,
  type JobReport,
  type NewDevice,
} from "../src/index.ts";
import { deviceOf } from "./model-console.ts";
import { startOddConsole } from "./odd-console.ts";

const keyOf = (byte: number) =>
  crypto.subtle.importKey("raw", new Uint8Array(32).fill(byte), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
const key = await keyOf(1);
const fleet = Array.from({ length: 10 }, (_, number) => deviceOf(number));

async function jobsOf(
  source: Iterable<NewDevice> | AsyncIterable<NewDevice>,
  { size = 4, by = key } = {},
): Promise<DeviceJob[]> {
  const jobs: DeviceJob[] = [];
  for await (const job of splitJob(source, { size, key: by })) jobs.push(job);
  return jobs;
}

const idsOf = async (...all: Parameters<typeof jobsOf>): Promise<string[]> =>
  (await jobsOf(...all)).map(({ id }) => id);

test("a job is plain JSON without a device, and gives its devices back in their order", async () => {
  const app_key = canaries.appKey;
  const secret = fleet.map((device) => ({ ...device, app_key: new Secret(app_key) }));
  const jobs = await jobsOf(secret);
  expect(jobs.map(({ count }) => count)).toEqual([4, 4, 2]);
  const text = JSON.stringify(jobs);
  for (const part of [app_key, "Device 3", "70B3D57ED0010001"]) expect(text).not.toContain(part);
  const stored = JSON.parse(text) as DeviceJob[];
  const opened = (await Promise.all(stored.map((job) => openJob(job, key)))).flat();
  expect(opened).toEqual(fleet.map((device) => ({ ...device, app_key })));
});

test("an id is a UUID of version 8, and each job has another one", async () => {
  const ids = await idsOf([...fleet, ...fleet], { size: 5 });
  for (const id of ids)
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(4);
});

test("the same devices, size and key have the same ids, from any source", async () => {
  const ids = await idsOf(fleet);
  const reversed = fleet.map((device) => Object.fromEntries(Object.entries(device).toReversed()));
  const stream = (async function* () {
    yield* reversed as unknown as NewDevice[];
  })();
  expect(await idsOf(stream)).toEqual(ids);
  expect(await idsOf(fleet, { size: 5 })).not.toContain(ids[0]);
  expect(await idsOf(fleet, { by: await keyOf(2) })).not.toContain(ids[0]);
});

test("a changed device changes the id of its job only, and an inserted one those after it too", async () => {
  const ids = await idsOf(fleet);
  const changed = fleet.with(5, { ...fleet[5]!, name: "Another" });
  expect((await idsOf(changed)).map((id, index) => id === ids[index])).toEqual([true, false, true]);
  const inserted = fleet.toSpliced(5, 0, deviceOf(77));
  expect((await idsOf(inserted)).map((id, index) => id === ids[index])).toEqual([
    true,
    false,
    false,
  ]);
});

test("a job with another key, or with the payload of another job, is a clear error without a device", async () => {
  const [one, two] = await jobsOf(fleet);
  await expect(openJob(one!, await keyOf(2))).rejects.toThrow(
    `The job ${one!.id} cannot be decrypted. Check that the key is the one of splitJob`,
  );
  await expect(openJob({ ...one!, payload: two!.payload }, key)).rejects.toThrow("decrypted");
  await expect(openJob({ id: one!.id } as never, key)).rejects.toThrow("a job of splitJob");
  await expect(openJob(one!, "secret" as never)).rejects.toThrow("must be a CryptoKey of AES-GCM");
});

test("a worker for deliveries rejects a job of splitJob, even if both have the same key", async () => {
  const work = createQueueWorker({ keys: [key], store: memoryStore(), handlers: {} });
  for (const job of await jobsOf(fleet.slice(0, 1)))
    await expect(work(job)).rejects.toThrow("cannot be decrypted");
});

test("the reports of all jobs add up to the whole import", async () => {
  const { client } = startOddConsole({});
  const split = splitJob([...fleet, deviceOf(-1)], { size: 4, key });
  expect(() => split.manifest()).toThrow("call it after a loop");
  const reports: JobReport[] = [];
  for await (const job of split)
    reports.push(reportOfJob(job, await client.devices.createMany(await openJob(job, key))));
  const manifest = split.manifest();
  expect(JSON.stringify(manifest)).not.toContain("Device");
  expect(mergeReports(manifest, JSON.parse(JSON.stringify(reports)) as JobReport[])).toEqual({
    created: 10,
    skipped: 0,
    failed: 1,
    unknown: 0,
    count: 11,
    settled: 11,
    missing: [],
    doubled: [],
    foreign: [],
  });
});

test("missing, doubled and foreign jobs are named, and foreign ones are not counted", async () => {
  const split = splitJob(fleet, { size: 4, key });
  for await (const _ of split) continue;
  const manifest = split.manifest();
  const [one, two, three] = manifest.jobs.map(({ id }) => id);
  const of = (id: string, created: number): JobReport => ({
    id,
    created,
    skipped: 0,
    failed: 0,
    unknown: 0,
  });
  const [other = ""] = await idsOf(fleet, { size: 3 });
  const merged = mergeReports(manifest, [of(one!, 3), of(one!, 4), of(three!, 2), of(other, 3)]);
  expect(merged).toMatchObject({ created: 6, settled: 6, count: 10 });
  expect(merged).toMatchObject({ missing: [two], doubled: [one], foreign: [other] });
  expect(() => mergeReports(manifest, [undefined as never])).toThrow("made by reportOfJob");
  expect(() => mergeReports([] as never, [])).toThrow("the manifest of a split");
});

test("options that are wrong are a TypeError that shows no key", () => {
  expect(() => splitJob(fleet, { size: 0, key })).toThrow("size");
  expect(() => splitJob(fleet, { size: 1, key: canaries.token as never })).toThrow(
    "must be a CryptoKey of AES-GCM",
  );
  expect(() => splitJob(fleet, undefined as never)).toThrow("such as { size, key }");
});
