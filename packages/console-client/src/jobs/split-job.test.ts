import { expect, test } from "vitest";
import type { NewDevice } from "../device.ts";
import type { DeviceJob } from "./job-types.ts";
import { openJob, splitJob } from "./split-job.ts";

const keyOf = (...usages: ("encrypt" | "decrypt")[]) =>
  crypto.subtle.importKey("raw", new Uint8Array(32).fill(1), "AES-GCM", false, usages);
const key = await keyOf("encrypt", "decrypt");
const device: NewDevice = {
  name: "Tank 7",
  dev_eui: "0004A30B001C0530",
  app_eui: "70B3D57ED0000001",
  app_key: "00112233445566778899AABBCCDDEEFF",
};

async function jobsOf(source: Iterable<unknown>, size = 2): Promise<DeviceJob[]> {
  const jobs: DeviceJob[] = [];
  for await (const job of splitJob(source as Iterable<NewDevice>, { size, key })) jobs.push(job);
  return jobs;
}

const UNREADABLE =
  "cannot be read: a getter or a proxy in it throws, or it contains itself. Pass plain values.";
const NO_KEY =
  'must be a CryptoKey of AES-GCM that encrypts and decrypts, or a list of them with the newest first, not a string. Create one: await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]).';
const throwing = (): never => {
  throw new TypeError("a value of the caller");
};

test.each<[string, unknown, string]>([
  [
    "no options",
    undefined,
    "splitJob requires an object of options, such as { size, key }, not undefined.",
  ],
  [
    "an unknown option",
    { size: 1, key, more: 1 },
    'splitJob has no option "more". Its options are size, key.',
  ],
  ["a size of 0", { size: 0, key }, "size must be an integer from 1 to 100000; it is 0."],
  ["a size above 100,000", { size: 100_001, key }, "it is 100001."],
  ["a string as its key", { size: 1, key: "k" }, `key of splitJob ${NO_KEY}`],
  [
    "options that throw",
    {
      size: 1,
      get key() {
        return throwing();
      },
    },
    `The options of splitJob ${UNREADABLE}`,
  ],
])("splitJob with %s is a TypeError that says what to write", (_what, options, message) => {
  expect(() => splitJob([device], options as never)).toThrow(TypeError);
  expect(() => splitJob([device], options as never)).toThrow(message);
});

test("the least and the largest size of a job are accepted", () => {
  for (const size of [1, 100_000]) expect(() => splitJob([device], { size, key })).not.toThrow();
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a string", "devices.csv"],
  ["an object without an iterator", {}],
  ["a function", () => [device]],
])("splitJob of %s asks for an iterable", (_what, source) => {
  expect(() => splitJob(source as never, { size: 1, key })).toThrow(
    new TypeError("splitJob requires an array of devices, or another (async) iterable."),
  );
});

test("a job has one id in every version, or a queue would not know it again", async () => {
  expect((await jobsOf([device, device])).map(({ id }) => id)).toEqual([
    "c0d31ecc-d6d8-8cee-8bd5-0a982a9969f5",
  ]);
});

test("a job is full at its size, and the last one is never empty", async () => {
  expect((await jobsOf([device, device, device, device])).map(({ count }) => count)).toEqual([
    2, 2,
  ]);
  expect(await jobsOf([])).toEqual([]);
});

test("what is not a device is kept, so that createMany reports it at its index", async () => {
  const [job] = await jobsOf([undefined, null, "text", 7, [1]], 5);
  expect(await openJob(job!, key)).toEqual([null, null, "text", 7, [1]]);
});

const NO_JOB = "openJob requires a job of splitJob, as it was put into the queue.";

test.each<[string, object]>([
  ["of another version", { version: 2 }],
  ["without an id", { id: undefined }],
  ["without a payload", { payload: undefined }],
  ["whose payload is an object", { payload: {} }],
])("a job %s is a TypeError", async (_what, change) => {
  const [job] = await jobsOf([device]);
  await expect(openJob({ ...job!, ...change } as DeviceJob, key)).rejects.toThrow(
    new TypeError(NO_JOB),
  );
});

test.each<[unknown]>([[undefined], [null], ["job"], [new Proxy({}, { get: throwing })]])(
  "%# what is not an object with the fields of a job is a TypeError",
  async (value) => {
    await expect(openJob(value as DeviceJob, key)).rejects.toThrow(new TypeError(NO_JOB));
  },
);

test("a job that was changed names its id, unless it is not a UUID, which may be anything", async () => {
  const [job] = await jobsOf([device]);
  const after =
    "cannot be decrypted. Check that the key is the one of splitJob, and that the job was not changed.";
  const broken = { ...job!, payload: "00" };
  await expect(openJob(broken, key)).rejects.toThrow(new Error(`The job ${job!.id} ${after}`));
  await expect(openJob({ ...broken, id: "a key" }, key)).rejects.toThrow(
    new Error(`The job of another form ${after}`),
  );
});

test("openJob without a key that decrypts says which one it requires", async () => {
  const [job] = await jobsOf([device]);
  await expect(openJob(job!, "k" as never)).rejects.toThrow(
    new TypeError(`key of openJob ${NO_KEY}`),
  );
  await expect(openJob(job!, await keyOf("encrypt"))).rejects.toThrow("not a CryptoKey");
  const usages = new Proxy([], { get: throwing });
  await expect(openJob(job!, { algorithm: { name: "AES-GCM" }, usages } as never)).rejects.toThrow(
    new TypeError(`The key of openJob ${UNREADABLE}`),
  );
});

test("of several keys, the first encrypts and makes the ids, and all decrypt", async () => {
  const newer = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
  const [before] = await jobsOf([device]);
  expect(await openJob(before!, [newer, key])).toEqual([device]);
  const jobs: DeviceJob[] = [];
  for await (const job of splitJob([device], { size: 1, key: [newer, key] })) jobs.push(job);
  expect(await openJob(jobs[0]!, newer)).toEqual([device]);
  await expect(openJob(jobs[0]!, key)).rejects.toThrow("cannot be decrypted");
  for (const none of [[], [key, "k"]] as never[]) {
    expect(() => splitJob([device], { size: 1, key: none })).toThrow("a CryptoKey of AES-GCM");
    await expect(openJob(before!, none)).rejects.toThrow("a CryptoKey of AES-GCM");
  }
});
