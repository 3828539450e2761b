import { tracingChannel } from "node:diagnostics_channel";
import { DatabaseSync } from "node:sqlite";
import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { canaries, findCanary } from "../../../tools/canaries/canaries.ts";
import { sign, signedRequest, standardWebhooks } from "../src/index.ts";
import {
  createQueueReceiver,
  createQueueWorker,
  DeliveryJobError,
  type DeliveryJob,
  type QueueReceiverOptions,
  type QueueWorkerOptions,
} from "../src/queue/index.ts";
import {
  memoryOrder,
  memoryPoison,
  memoryStore,
  noStore,
  type DeliveryReport,
} from "../src/receiver/index.ts";
import { type EventContext } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { sqliteInbox } from "../src/stores/index.ts";
import { ioredisOf } from "./ioredis-double.ts";

const secret = "whsec_test";
const url = "http://127.0.0.1/hooks";
const keyOf = (byte: number) =>
  crypto.subtle.importKey("raw", new Uint8Array(32).fill(byte), "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
const [key, newer] = [await keyOf(1), await keyOf(2)];
const CODE = canaries.token;
/** Not a canary: onError receives it, and the scanner would find it there. */
const WORDS = "the words of an error";
const newEvent = (id = "evt_1") =>
  sampleEvent("cpni.verification.requested", {
    id,
    data: { object: { id: "ver_1", code: CODE } },
  });

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A receiver with a queue in memory, and what it reports. */
function receiverOf(options: Partial<QueueReceiverOptions> = {}) {
  const jobs: DeliveryJob[] = [];
  const reports: DeliveryReport[] = [];
  const errors: unknown[] = [];
  const receive = createQueueReceiver({
    secret,
    keys: [key],
    queue: { add: async (job) => void jobs.push(job) },
    onOutcome: (report) => void reports.push(report),
    onError: (error) => void errors.push(error),
    ...options,
  });
  const deliver = async (event: object = newEvent(), with_ = secret): Promise<string> => {
    const response = await receive(await signedRequest(event as never, { url, secret: with_ }));
    return `${response.status} ${await response.text()}`;
  };
  return { receive, jobs, reports, errors, deliver };
}

/** A worker, and what its handler received. */
function workerOf(options: Partial<QueueWorkerOptions> = {}) {
  const seen: { code: unknown; context: EventContext }[] = [];
  const reports: DeliveryReport[] = [];
  const errors: unknown[] = [];
  const work = createQueueWorker({
    keys: [key],
    store: memoryStore(),
    handlers: {
      "cpni.verification.requested": (event, context) =>
        void seen.push({ code: event.data.object.code?.reveal(), context }),
    },
    onOutcome: (report) => void reports.push(report),
    onError: (error) => void errors.push(error),
    ...options,
  });
  return { work, seen, reports, errors };
}

/** The job of a delivery, as a queue returns it. */
async function jobOf(event: object = newEvent(), options: Partial<QueueReceiverOptions> = {}) {
  const { jobs, deliver } = receiverOf(options);
  expect(await deliver(event)).toBe("200 stored");
  return JSON.parse(JSON.stringify(jobs[0])) as DeliveryJob;
}

describe("a receiver with a queue", () => {
  test("a verified delivery is stored before the response, and its job shows nothing of it", async () => {
    const { jobs, reports, deliver } = receiverOf();
    expect(await deliver()).toBe("200 stored");
    expect(reports).toEqual([
      {
        outcome: "stored",
        status: 200,
        event: { id: "evt_1", type: "cpni.verification.requested" },
        reason: undefined,
      },
    ]);
    expect(jobs).toEqual([{ version: 1, id: expect.any(String), payload: expect.any(String) }]);
    const text = JSON.stringify(jobs);
    for (const part of ["evt_1", "ver_1", "cpni", CODE, secret]) expect(text).not.toContain(part);
    expect(jobs[0]?.payload).toMatch(/^[\da-f]+$/);
  });

  test("what a subscriber adds to the carrier of a job starts the trace of its worker", async () => {
    const enqueue = {
      start: (message: object) =>
        void Object.assign(message, { carrier: { traceparent: "00-1-2-01" } }),
    };
    const starts: unknown[] = [];
    const work = { start: (message: object) => void starts.push({ ...message }) };
    const [enqueued, worked] = ["enqueue", "delivery"].map((name) =>
      tracingChannel(`fieldmesh:${name}`),
    );
    enqueued!.subscribe(enqueue as never);
    const job = await jobOf();
    enqueued!.unsubscribe(enqueue as never);
    worked!.subscribe(work as never);
    await workerOf().work(job);
    worked!.unsubscribe(work as never);
    expect(starts).toEqual([{ carrier: { traceparent: "00-1-2-01" } }]);
  });

  test("each delivery of an event has the same job id, a UUID; other events and tenants have others", async () => {
    const ids = [await jobOf(), await jobOf(), await jobOf(newEvent("evt_2"))].map(({ id }) => id);
    expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(ids[1]).toBe(ids[0]);
    const tenant = (name: string) => ({
      secret: { tenantOf: () => name, secretsOf: () => secret },
    });
    const ofTenants = [await jobOf(newEvent(), tenant("a")), await jobOf(newEvent(), tenant("b"))];
    const other = await jobOf(newEvent(), { keys: [newer] });
    expect(new Set([...ids, ...ofTenants.map(({ id }) => id), other.id]).size).toBe(5);
  });

  test.each<[string, Partial<QueueReceiverOptions>, string]>([
    ["a wrong signature", { secret: "whsec_other" }, "401 not_verified"],
    ["an event of the other environment", { expectLivemode: false }, "400 wrong_livemode"],
    ["a long body", { maxBytes: 10 }, "413 too_large"],
  ])("%s is rejected before the queue", async (_, options, response) => {
    const add = vi.fn<() => Promise<void>>();
    const event = { ...newEvent(), livemode: true };
    expect(await receiverOf({ queue: { add }, ...options }).deliver(event)).toBe(response);
    expect(add).not.toHaveBeenCalled();
  });

  const noPromise = "It must return a promise that resolves when the job is stored.";
  test.each<[string, () => unknown, string]>([
    ["rejects", () => Promise.reject(new Error("ECONNREFUSED")), "ECONNREFUSED"],
    ["throws", () => void JSON.parse("{"), "JSON"],
    ["returns no promise", () => "OK", `add of the queue returned a string. ${noPromise}`],
    [
      "forgets to return its promise",
      () => undefined,
      `add of the queue returned undefined. ${noPromise}`,
    ],
  ])("a queue that %s makes the sender retry, and onError receives why", async (_, add, why) => {
    const { deliver, errors, reports } = receiverOf({ queue: { add: add as never } });
    expect(await deliver()).toBe("503 queue_failed");
    expect(errors).toEqual([expect.any(Error)]);
    expect(String(errors)).toContain(why);
    expect(reports).toMatchObject([{ outcome: "queue_failed", event: { id: "evt_1" } }]);
    expect(findCanary(inspect(errors))).toBeUndefined();
  });

  test("a queue that hangs makes the sender retry after 10 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { deliver, errors } = receiverOf({ queue: { add: () => new Promise(() => {}) } });
    const response = deliver();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await response).toBe("503 queue_failed");
    expect(String(errors)).toContain("add of the queue did not settle within 10 s. Check that");
  });

  test.each<[string, unknown, string]>([
    ["no options", undefined, "createQueueReceiver requires an object of options"],
    ["a store", { secret, keys: [key], queue: {}, store: {} }, 'no option "store"'],
    ["no queue", { secret, keys: [key] }, "requires queue, such as { add:"],
    ["a queue without add", { secret, keys: [key], queue: {} }, "requires queue, such as { add:"],
    [
      "a client of Redis",
      { secret, keys: [key], queue: { add: () => {}, redis: {} } },
      "redis of queue requires a client of the package redis or ioredis that can reconnect",
    ],
    [
      "no keys",
      { secret, queue: { add: () => {} } },
      "keys of createQueueReceiver must be a CryptoKey of AES-GCM",
    ],
    [
      "a key of another kind",
      { secret, queue: { add: () => {} }, keys: [key, "k"] },
      "keys[1] of createQueueReceiver must be a CryptoKey of AES-GCM",
    ],
    ["no secret", { keys: [key], queue: { add: () => {} } }, "Pass { secret } or { secrets }"],
  ])("%s throws a TypeError that says what to write", (_, options, message) => {
    expect(() => createQueueReceiver(options as never)).toThrow(TypeError);
    expect(() => createQueueReceiver(options as never)).toThrow(message);
  });
});

describe("a worker", () => {
  test("handles the delivery as a receiver would: body, delivery, tenant, and the mark in the store", async () => {
    const tenants = { tenantOf: () => "acme", secretsOf: () => [canaries.webhookSecret, secret] };
    const { work, seen, reports } = workerOf();
    const job = await jobOf(newEvent(), { secret: tenants });
    expect(await work(job)).toEqual({ outcome: "handled" });
    expect(seen).toMatchObject([
      {
        code: CODE,
        context: {
          idempotencyKey: "acme/evt_1",
          tenant: "acme",
          delivery: { signedAt: expect.closeTo(Date.now() / 1_000, -1), secretIndex: 1 },
        },
      },
    ]);
    expect(await work(job)).toEqual({ outcome: "duplicate" });
    expect(seen).toHaveLength(1);
    expect(reports.map(({ outcome, status }) => [outcome, status])).toEqual([
      ["handled", 200],
      ["duplicate", 200],
    ]);
  });

  test("the id of a signed message, bytes and a byte order mark arrive as they were", async () => {
    const body = new TextEncoder().encode(`\uFEFF${JSON.stringify(newEvent())}`);
    const { receive, jobs } = receiverOf({ scheme: standardWebhooks, secret: SECRET });
    const headers = await sign({ scheme: standardWebhooks, secret: SECRET, body, id: "msg_1" });
    expect(await receive.receive({ method: "POST", headers, body })).toMatchObject({ status: 200 });
    const bodies: unknown[] = [];
    const parse = (given: unknown) => {
      bodies.push(given);
      return newEvent();
    };
    const { work, seen } = workerOf({ parse: parse as never });
    await work(jobs[0]!);
    expect(bodies).toEqual([`\uFEFF${JSON.stringify(newEvent())}`]);
    expect(seen[0]?.context.delivery?.messageId).toBe("msg_1");
  });

  test("an older event of the same object is superseded, in whatever order the jobs run", async () => {
    const at = (id: string, day: number) =>
      jobOf({ ...newEvent(id), created_at: `2026-11-0${day}T00:00:00Z` });
    const { work, seen } = workerOf({ order: memoryOrder() });
    const [older, newest] = [await at("evt_1", 1), await at("evt_2", 2)];
    expect(await work(newest)).toEqual({ outcome: "handled" });
    expect(await work(older)).toEqual({ outcome: "superseded" });
    expect(seen).toHaveLength(1);
  });

  const failing = { handlers: { "*": () => Promise.reject(new TypeError(WORDS)) } };

  test("an error for the queue names classes and codes, and nothing of the event or its handlers' messages", async () => {
    const { work, errors } = workerOf(failing);
    const job = await jobOf();
    const error: unknown = await work(job).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DeliveryJobError);
    expect(String(error)).toMatch(/^DeliveryJobError: The delivery job /);
    expect(error).toMatchObject({
      jobId: job.id,
      outcome: "failed",
      message: `The delivery job ${job.id} ended with failed (TypeError). onError of the worker receives the error.`,
    });
    expect(error).not.toHaveProperty("cause");
    const shown = `${inspect(error, { showHidden: true })}${JSON.stringify(error)}`;
    for (const part of [WORDS, "evt_1", "cpni"]) expect(shown).not.toContain(part);
    expect(errors).toMatchObject([{ errors: [{ message: WORDS }] }]);
  });

  test("an event that keeps failing is set aside with its body, and runs again by hand", async () => {
    const store = memoryPoison({ payload: key });
    let fails = true;
    const { work } = workerOf({
      poison: { store, attempts: 2 },
      handlers: { "*": () => (fails ? Promise.reject(new Error("broken")) : undefined) },
    });
    const job = await jobOf();
    await expect(work(job)).rejects.toThrow("ended with failed (Error)");
    expect(await work(job)).toEqual({ outcome: "set_aside" });
    expect(await store.list()).toMatchObject([{ id: "evt_1", attempts: 2 }]);
    fails = false;
    expect(await work.runAgain("evt_1")).toEqual({ outcome: "handled" });
    expect(await store.list()).toEqual([]);
    const other = workerOf().work;
    await expect(other.runAgain("evt_1")).rejects.toThrow("This worker sets no event aside");
  });

  test.each<[string, Partial<QueueWorkerOptions>, string]>([
    [
      "another worker has the event",
      { store: { ...memoryStore(), claim: async () => ({ status: "in_progress", endsIn: 5 }) } },
      "ended with in_progress. Another worker is handling its event.",
    ],
    [
      "the store is down",
      { store: { ...memoryStore(), claim: () => Promise.reject(new RangeError(WORDS)) } },
      "ended with store_failed (RangeError). onError",
    ],
    [
      "the lease is lost",
      { store: { ...memoryStore(), complete: async () => false } },
      "ended with lease_lost. Its lease",
    ],
    [
      "the parser rejects the body",
      { parse: () => JSON.parse("{") as never },
      "ended with not_parsed (SyntaxError). Its body is not an event",
    ],
    [
      "the event cannot be kept",
      { ...failing, poison: { store: memoryPoison(), attempts: 1 } },
      "ended with not_set_aside (TypeError). Its event cannot be kept",
    ],
  ])("%s: the job is rejected, so that its queue tries it again", async (_, options, message) => {
    const { work } = workerOf(options);
    await expect(work(await jobOf())).rejects.toThrow(message);
  });
});

const SECRET = `whsec_${Buffer.from("a secret of 24 characters").toString("base64")}`;

describe("keys and jobs", () => {
  test("the newest key encrypts, and a worker with all keys opens the jobs of both", async () => {
    const { work } = workerOf({ keys: [key, newer] });
    expect(await work(await jobOf(newEvent("evt_1")))).toEqual({ outcome: "handled" });
    const job = await jobOf(newEvent("evt_2"), { keys: [newer, key] });
    expect(await work(job)).toEqual({ outcome: "handled" });
    await expect(workerOf({ keys: [key] }).work(job)).rejects.toThrow("cannot be decrypted");
    expect(await workerOf({ keys: [newer] }).work(job)).toEqual({ outcome: "handled" });
  });

  test.each<[string, (job: DeliveryJob) => unknown, string]>([
    ["a changed id", (job) => ({ ...job, id: job.id.replace(/^./, "f") }), "cannot be decrypted"],
    ["a changed payload", (job) => ({ ...job, payload: "00" }), "cannot be decrypted"],
    ["a newer version", (job) => ({ ...job, version: 2 }), "made by a newer version"],
    ["another id", (job) => ({ ...job, id: CODE }), "This is not the job of a delivery"],
    ["nothing", () => undefined, "This is not the job of a delivery"],
    ["a job of BullMQ instead of its data", (job) => ({ data: job }), "job.data of BullMQ"],
  ])("%s is reported and rejected, and no handler runs", async (_, change, message) => {
    const { work, seen, reports, errors } = workerOf();
    await expect(work(change(await jobOf()) as never)).rejects.toThrow(message);
    expect(seen).toEqual([]);
    expect(reports).toMatchObject([{ outcome: "unreadable", event: undefined }]);
    expect(inspect(errors)).not.toContain(CODE);
  });

  test.each<[string, Partial<QueueReceiverOptions>, Partial<QueueWorkerOptions>]>([
    ["another queue", { name: "staging" }, {}],
    ["another queue", {}, { name: "live" }],
    ["another mode", { expectLivemode: false }, {}],
    ["another mode", { expectLivemode: false }, { expectLivemode: true }],
  ])("the job of %s is rejected, although the key is the same", async (_, from, to) => {
    const { work, seen } = workerOf(to);
    await expect(work(await jobOf(newEvent(), from))).rejects.toThrow("name and expectLivemode");
    expect(seen).toEqual([]);
    const same = workerOf(from as object);
    expect(await same.work(await jobOf(newEvent(), from))).toEqual({ outcome: "handled" });
  });

  const DAY = 86_400_000;
  test.each<[string, Partial<QueueWorkerOptions>, number]>([
    ["of its store", { store: { ...memoryStore(), remembers: 3 * DAY } }, 3 * DAY],
    ["of an inbox", { store: sqliteInbox(new DatabaseSync(":memory:")) }, 7 * DAY],
    ["of a store that does not say", { store: memoryStore() }, 7 * DAY],
    ["of no store", { store: noStore() }, 7 * DAY],
    ["that it is told", { maxAge: DAY }, DAY],
  ])("a job that is older than the memory %s runs no handler", async (_, options, most) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const stored = await jobOf();
    vi.setSystemTime(Date.now() + most);
    expect(await workerOf(options).work(stored)).toEqual({ outcome: "handled" });
    vi.setSystemTime(Date.now() + 1);
    const { work, seen, reports } = workerOf({ ...options, store: options.store ?? noStore() });
    const error: unknown = await work(stored).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ outcome: "too_old", message: expect.stringContaining("maxAge") });
    expect(seen).toEqual([]);
    expect(reports).toMatchObject([{ outcome: "too_old" }]);
  });

  test.each<[string, unknown, string]>([
    ["no options", undefined, "createQueueWorker requires an object of options"],
    ["a secret", { keys: [key], secret }, 'createQueueWorker has no option "secret"'],
    ["no keys", { store: memoryStore(), handlers: {} }, "keys of createQueueWorker must be"],
    ["no store", { keys: [key], handlers: {} }, "A worker needs a store"],
    ["no handlers", { keys: [key], store: memoryStore() }, "A worker requires handlers by type"],
  ])("%s throws a TypeError that says what to write", (_, options, message) => {
    expect(() => createQueueWorker(options as never)).toThrow(TypeError);
    expect(() => createQueueWorker(options as never)).toThrow(message);
  });
});

describe("the settings of Redis", () => {
  const DURABLE = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };
  type Settings = Readonly<Record<string, unknown>>;
  const nothing = () => {};
  const nodeRedis = (reply: (name: string) => unknown) => ({
    sendCommand: async ([, , name = ""]: string[]) => reply(name),
    connect: nothing,
    destroy: nothing,
  });
  const forms: readonly [string, (settings: Settings) => object][] = [
    ["ioredis", (all) => ioredisOf(async (_command, _verb, name = "") => [name, all[name]])],
    ["redis", (all) => nodeRedis((name) => ({ [name]: all[name] }))],
  ];

  const warningsFor = async (client: unknown, options: Partial<QueueReceiverOptions> = {}) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const redis = client as never;
    const { deliver } = receiverOf({ queue: { add: async () => {}, redis }, ...options });
    for (let each = 0; each < 3; each++) expect(await deliver()).toBe("200 stored");
    await vi.waitFor(() => new Promise((resolve) => setImmediate(resolve)));
    return warn.mock.calls.map(([line]) => String(line));
  };

  test.each(forms)("%s: nothing is printed if they keep every job", async (_, clientOf) => {
    expect(await warningsFor(clientOf(DURABLE))).toEqual([]);
  });

  test.each(forms)(
    "%s: one warning names the weaker ones, and what to set",
    async (_, clientOf) => {
      const weak = { ...DURABLE, appendfsync: "everysec", "maxmemory-policy": "allkeys-lru" };
      expect(await warningsFor(clientOf(weak))).toEqual([
        'The Redis of the queue has appendfsync everysec, maxmemory-policy allkeys-lru: it may lose accepted deliveries. Set appendonly yes, appendfsync always, maxmemory-policy noeviction, or know what each setting loses: see the guide "Webhooks through a queue".',
      ]);
    },
  );

  test.each<[string, unknown]>([
    ["CONFIG is not allowed", ioredisOf(() => Promise.reject(new Error("NOPERM")))],
    ["a proxy returns nothing", ioredisOf(async () => [])],
  ])("one warning if they cannot be read: %s", async (_, client) => {
    const [warning, ...others] = await warningsFor(client);
    expect(warning).toContain("cannot be read, perhaps because CONFIG is not allowed");
    expect(others).toEqual([]);
  });
});
