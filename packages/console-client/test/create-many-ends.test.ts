import {
  BulkChangeError,
  BulkError,
  createConsoleClient,
  isApiError,
  type BulkCheckpoint,
  type CreateManyOptions,
  type NewDevice,
} from "../src/index.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSandbox } from "../../sandbox/src/index.ts";
import { device, failureOf, fleet, start } from "../../../tools/testing/bulk-runs.ts";

const forever = (): Promise<never> => new Promise(() => undefined);

/** Starts a client whose fetch never responds to requests of one kind, and ignores its signal. */
function startDeaf(isDeaf: (init: RequestInit, url: string) => boolean) {
  const sandbox = createSandbox({ console: { data: "empty" } });
  const { baseUrl, fetch } = sandbox.console;
  const client = createConsoleClient({
    baseUrl,
    apiKey: sandbox.apiKey,
    retry: { baseDelay: 1 },
    fetch: (url, init) => (isDeaf(init as RequestInit, url) ? forever() : fetch(url, init)),
  });
  return { sandbox, client };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Aborts a run in progress, and returns its error if it rejects within 50 ms, measured with timers that a busy machine delays too. */
async function abortSoon(run: PromiseLike<unknown>, controller: AbortController): Promise<Error> {
  const outcome = failureOf(run);
  await sleep(100);
  controller.abort("the user left");
  const late = sleep(50).then(() => new Error("the run has not ended within 50 ms"));
  return await Promise.race([outcome, late]);
}

const isPost = ({ method }: RequestInit): boolean => method === "POST";
const isList = ({ method }: RequestInit, url: string): boolean =>
  method === "GET" && url.endsWith("/devices");
const never = (): boolean => false;

async function* slowSource(): AsyncGenerator<NewDevice> {
  yield device(0);
  await forever();
}

interface Phase {
  readonly isDeaf?: (init: RequestInit, url: string) => boolean;
  readonly faults?: Parameters<ReturnType<typeof createSandbox>["setFaults"]>[0];
  readonly options?: CreateManyOptions;
  readonly devices?: () => AsyncIterable<NewDevice>;
}

const PHASES: Record<string, Phase> = {
  "the organization does not respond": {
    isDeaf: (_, url) => url.includes("organization"),
    options: { onCheckpoint: () => undefined },
  },
  "the organization of a run without a checkpoint does not respond": {
    isDeaf: (_, url) => url.includes("organization") || isPost(_),
  },
  "the list of ifExists does not respond": { isDeaf: isList, options: { ifExists: "skip" } },
  "a request with devices does not respond": { isDeaf: isPost },
  "the input does not yield": { devices: slowSource },
  "onCheckpoint does not settle": { options: { onCheckpoint: forever } },
  "the run waits for settleTime": {
    faults: [{ on: "devices.createBatch", kind: "reset" }],
    options: { settleTime: 60_000 },
  },
  "the device list does not respond": {
    isDeaf: isList,
    faults: [{ on: "devices.createBatch", kind: "reset" }],
  },
  "the console asks to wait": {
    faults: [{ on: "devices.createBatch", kind: "status", status: 429, retryAfter: 60 }],
  },
  "the run waits for the console": {
    faults: [{ on: "devices.createBatch", kind: "status", status: 429, retryAfter: 1_800 }],
  },
};

test.for(Object.entries(PHASES))(
  "the signal ends createMany within 50 ms with a BulkError while %s",
  async ([, { isDeaf = never, faults, options = {}, devices = () => fleet(25) }]) => {
    const { client, sandbox } = startDeaf(isDeaf);
    sandbox.setFaults(faults);
    const controller = new AbortController();
    const run = client.devices.createMany(devices() as Iterable<NewDevice>, {
      chunkSize: 10,
      settleTime: 1,
      ...options,
      signal: controller.signal,
    });
    const error = await abortSoon(run, controller);
    if (!(error instanceof BulkError)) throw error;
    expect(error.message).toContain("was ended by its signal");
    expect(error.cause).toBe("the user left");
  },
);

test("the error of a run with an aborted signal says that no device was sent", async () => {
  const { create, sandbox } = start();
  const error = await failureOf(create(fleet(3), { signal: AbortSignal.abort("too late") }));
  expect(error instanceof BulkError && error.cause).toBe("too late");
  expect(error.message).toContain("No device was created or changed: call createMany again.");
  expect(error.message).not.toContain("checkpoint");
  expect(sandbox.log.requests()).toHaveLength(0);
});

test.for(["onCheckpoint does not settle", "a request does not respond", "settleTime"] as const)(
  "the signal ends deleteMany within 50 ms with a BulkChangeError: %s",
  async (phase) => {
    const isDelete = ({ method }: RequestInit): boolean => method === "DELETE";
    const { client, sandbox } = startDeaf(
      phase === "a request does not respond" ? isDelete : never,
    );
    const { results } = await client.devices.createMany(fleet(5));
    if (phase === "settleTime")
      sandbox.setFaults([{ on: "devices.delete", kind: "lost", times: Infinity }]);
    const controller = new AbortController();
    const run = client.devices.deleteMany(results.created, {
      settleTime: 60_000,
      signal: controller.signal,
      ...(phase === "onCheckpoint does not settle" && { onCheckpoint: forever }),
    });
    const error = await abortSoon(run, controller);
    expect(error instanceof BulkChangeError && error.cause).toBe("the user left");
  },
);

test("an aborted run sends no more requests, even if onCheckpoint settles later, and can be resumed", async () => {
  const { create, batches } = start();
  const controller = new AbortController();
  const stored = Promise.withResolvers<void>();
  const devices = fleet(25);
  const run = create(devices, { signal: controller.signal, onCheckpoint: () => stored.promise });
  setTimeout(() => controller.abort("the user left"), 20);
  const error = await failureOf(run);
  stored.resolve();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(batches()).toBe(0);
  if (!(error instanceof BulkError)) throw error;
  expect(await create(devices, { checkpoint: error.checkpoint })).toMatchObject({ created: 25 });
});

test("a run continues after any number of 429s that name the time to wait", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { sandbox } = start();
  const { baseUrl, fetch } = sandbox.console;
  const client = createConsoleClient({ baseUrl, fetch, apiKey: sandbox.apiKey, retry: false });
  sandbox.setFaults([
    { on: "devices.createBatch", kind: "status", status: 429, retryAfter: "0.01", times: 8 },
  ]);
  const state = { isDone: false };
  const run = client.devices.createMany(fleet(3)).finally(() => (state.isDone = true));
  while (!state.isDone) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await run).toMatchObject({ created: 3 });
  expect(sandbox.log.requests("devices.createBatch")).toHaveLength(9);
});

test("an unreachable console ends a run after six attempts, with doubling waits", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    let sent = 0;
    const client = createConsoleClient({
      baseUrl: "https://nobody.sandbox.invalid",
      apiKey: "a-key-that-nobody-checks",
      retry: false,
      fetch: (_, { method }) => {
        if (method === "POST") sent++;
        return Promise.reject(Object.assign(new TypeError("fetch failed"), { cause }));
      },
    });
    const ended = failureOf(client.devices.createMany(fleet(3)));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(sent).toBeLessThan(6);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await ended).toBeInstanceOf(BulkError);
    expect(sent).toBe(6);
    // There was no connection, so the run does not read the device list.
    expect((await ended).message).toMatch(
      /No device was created or changed: call createMany again\.$/,
    );
  } finally {
    vi.useRealTimers();
  }
});

test("the error of a run that sent no device does not mention a missing checkpoint", async () => {
  const { create } = start([{ kind: "status", status: 401, times: Infinity }]);
  const error = await failureOf(create(fleet(3), { onCheckpoint: () => undefined }));
  expect(error instanceof BulkError && isApiError(error.cause, 401)).toBe(true);
  expect(error.message).toMatch(/No device was created or changed: call createMany again\.$/);
});

test("the error of a resumed run that sent no device names its checkpoint", async () => {
  const { create, sandbox } = start([
    { on: "devices.createBatch", kind: "status", status: 401, skip: 1 },
  ]);
  const first = await failureOf(create(fleet(30), { concurrency: 1 }));
  if (!(first instanceof BulkError)) throw first;
  sandbox.setFaults([{ kind: "status", status: 401, times: Infinity }]);
  const { checkpoint } = first;
  const again = await failureOf(create(fleet(30), { checkpoint }));
  expect(again.message).toContain("To resume, call createMany with the same devices");
  expect(again instanceof BulkError && again.checkpoint).toEqual(checkpoint);
});

test.for([
  ["other devices", fleet(60).slice(30)],
  ["another order", fleet(30).toReversed()],
  ["the list without its first device", fleet(30).slice(1)],
  ["another device at the front", [device(99), ...fleet(30)]],
] as const)(
  "a checkpoint whose first chunk was in progress rejects %s before a request is sent",
  async ([, others]) => {
    const { create, batches } = start([{ on: "devices.createBatch", kind: "delay", ms: 80 }]);
    let checkpoint: BulkCheckpoint | undefined;
    const keepOne = (next: BulkCheckpoint): void => {
      // The second and third chunk are settled, and the first is not.
      if (next.done[1] && next.done[2] && !next.done[0]) checkpoint ??= next;
    };
    await create(fleet(30), { onCheckpoint: keepOne });
    expect(checkpoint).toMatchObject({ open: [{ chunk: 0 }], created: 20 });
    const sent = batches();
    const error = await failureOf(create(others, { checkpoint }));
    expect(error).toMatchObject({ name: "CheckpointError", reason: "other_input" });
    expect(batches()).toBe(sent);
    expect(await create(fleet(30), { checkpoint })).toMatchObject({ created: 30 });
  },
);
