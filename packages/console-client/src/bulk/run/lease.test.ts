import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NoLease, takeLease } from "./lease.ts";
import type { LeaseStore } from "./lease-types.ts";

const DURATION = 6_000;
/** A lease is extended at a third of its duration, and a request to its store may take as long. */
const THIRD = 2_000;
/** What is left for requests: the duration, less a second. */
const USABLE = 5_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => void vi.useRealTimers());

const pass = async (milliseconds: number): Promise<void> =>
  void (await vi.advanceTimersByTimeAsync(milliseconds));
const after = <T>(milliseconds: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), milliseconds));
const never = (): Promise<never> => new Promise(() => undefined);

/** A store whose methods succeed, unless they are replaced. */
function storeOf(changed: Partial<LeaseStore> = {}) {
  const claimed = { status: "claimed", attempt: 1 } as const;
  return {
    claim: vi.fn<LeaseStore["claim"]>(changed.claim ?? (async () => claimed)),
    extend: vi.fn<LeaseStore["extend"]>(changed.extend ?? (async () => true)),
    release: vi.fn<LeaseStore["release"]>(changed.release ?? (async () => undefined)),
    forget: vi.fn<LeaseStore["forget"]>(async () => undefined),
  };
}

async function take(store: LeaseStore, duration = DURATION) {
  const lost = new AbortController();
  const lease = await takeLease({ id: "job-1", store, duration }, lost);
  return { lease, lost };
}

/** Claims a lease and returns the error. */
async function failure(store: LeaseStore, duration?: number): Promise<NoLease> {
  const error = await take(store, duration).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NoLease);
  return error as NoLease;
}

test("a lease is claimed with a new token for its duration, and released with the same", async () => {
  const stores = [storeOf(), storeOf()];
  for (const store of stores) await (await take(store)).lease.end(false);
  const tokens = stores.map(({ claim, release }) => {
    const [id, token, duration] = claim.mock.calls[0]!;
    expect([id, duration]).toEqual(["job-1", DURATION]);
    expect(release.mock.calls).toEqual([["job-1", token]]);
    return token;
  });
  expect(tokens[0]).toMatch(/^[\da-f-]{36}$/);
  expect(tokens[0]).not.toBe(tokens[1]);
});

test("a lease whose run has finished is forgotten, so that the next owner is the first", async () => {
  const store = storeOf();
  await (await take(store)).lease.end(true);
  expect(store.release).not.toHaveBeenCalled();
  expect(store.forget.mock.calls).toEqual([["job-1", store.claim.mock.calls[0]![1]]]);
});

test.each([
  [1, false],
  [2, true],
  [9, true],
])("attempt %i of a claim has had an earlier owner: %s", async (attempt, hadOwner) => {
  const { lease } = await take(storeOf({ claim: async () => ({ status: "claimed", attempt }) }));
  expect(lease.hadOwner).toBe(hadOwner);
  await lease.end(false);
});

test("a claim that another run holds says since when, and when it ends", async () => {
  vi.setSystemTime(1_000);
  const error = await failure(
    storeOf({ claim: async () => ({ status: "in_progress", endsIn: 500, heldFor: 200 }) }),
  );
  const held = { heldUntil: new Date(1_500), heldSince: new Date(800) };
  expect(error).toMatchObject({ message: "the run has no lease", ...held });
  expect(error.unclaimed).toBeUndefined();
});

test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, "200"])(
  "a claim that is held for %s does not say since when",
  async (heldFor) => {
    const claim = async () => ({ status: "in_progress", endsIn: 500, heldFor }) as never;
    expect(await failure(storeOf({ claim }))).toMatchObject({ heldSince: undefined });
  },
);

test.each<[string, string]>([
  ["done", "the store says that the work of this lease is done"],
  ["odd", "the store of the lease returned something else than a claim"],
])("a claim with the status %s is none, and says why", async (status, unclaimed) => {
  const error = await failure(storeOf({ claim: async () => ({ status }) as never }));
  expect(error).toMatchObject({ heldUntil: undefined, unclaimed });
});

test("a store that fails is the cause of a run without a lease", async () => {
  const cause = new Error("the store is down");
  const error = await failure(storeOf({ claim: () => Promise.reject(cause) }));
  expect(error).toMatchObject({ unclaimed: "the store of the lease failed, see `cause`", cause });
});

test.each([
  [DURATION, THIRD],
  [30_000, 10_000],
  [60_000, 10_000],
])("a claim for %i ms may take a third of it, and 10 s at most", async (duration, limit) => {
  let error: NoLease | undefined;
  void failure(storeOf({ claim: never }), duration).then((thrown) => (error = thrown));
  await pass(limit - 1);
  expect(error).toBeUndefined();
  await pass(1);
  expect(error?.cause).toEqual(new Error("The store of the lease did not settle in time."));
});

test("a claim that succeeds too late is released", async () => {
  const store = storeOf({ claim: () => after(THIRD + 1, { status: "claimed", attempt: 1 }) });
  const failing = failure(store);
  await pass(THIRD);
  await failing;
  expect(store.release).not.toHaveBeenCalled();
  await pass(1);
  expect(store.release.mock.calls).toEqual([["job-1", store.claim.mock.calls[0]![1]]]);
});

test("the time left is the duration less a second, counted from before the claim", async () => {
  const taking = take(storeOf({ claim: () => after(500, { status: "claimed", attempt: 1 }) }));
  await pass(500);
  const { lease } = await taking;
  expect(lease.timeLeft()).toBe(USABLE - 500);
  await pass(1_000);
  expect(lease.timeLeft()).toBe(USABLE - 1_500);
  await lease.end(false);
});

test("a lease that has another holder is lost at once, and is not released", async () => {
  const store = storeOf({ extend: async () => false });
  const { lease, lost } = await take(store);
  await pass(THIRD);
  expect(lost.signal.reason).toMatchObject({ heldUntil: undefined, unclaimed: undefined });
  expect(lease.timeLeft()).toBe(0);
  await pass(DURATION);
  await lease.end(false);
  expect(store.extend).toHaveBeenCalledOnce();
  expect(store.release).not.toHaveBeenCalled();
});

test("a lease that cannot be extended is lost a second before its end, and no later", async () => {
  const store = storeOf({ extend: () => Promise.reject(new Error("down")) });
  const { lease, lost } = await take(store);
  await pass(USABLE - 1);
  expect([lost.signal.aborted, lease.timeLeft()]).toEqual([false, 1]);
  expect(store.extend).toHaveBeenCalledTimes(6);
  await pass(1);
  expect([lost.signal.aborted, lease.timeLeft()]).toEqual([true, 0]);
  expect(store.extend).toHaveBeenCalledTimes(6);
});

test("an extension that hangs is given up after a third, and tried again", async () => {
  const store = storeOf();
  store.extend.mockImplementationOnce(never);
  const { lease } = await take(store);
  await pass(2 * THIRD + 499);
  expect(store.extend).toHaveBeenCalledOnce();
  await pass(1);
  expect(store.extend).toHaveBeenCalledTimes(2);
  expect(lease.timeLeft()).toBe(USABLE);
  await lease.end(false);
});

test("a fence that rejects a request ends the lease", async () => {
  const store = storeOf();
  const { lease, lost } = await take(store);
  lease.reject();
  expect(lost.signal.reason).toMatchObject({ heldUntil: undefined, unclaimed: undefined });
  expect(lease.timeLeft()).toBe(0);
  await lease.end(false);
  expect(store.release).not.toHaveBeenCalled();
});

test("a release that fails or hangs does not hold up the end of a run", async () => {
  const { lease } = await take(storeOf({ release: () => Promise.reject(new Error("down")) }));
  await lease.end(false);
  const { lease: hanging } = await take(storeOf({ release: never }));
  let isEnded = false;
  void hanging.end(false).then(() => (isEnded = true));
  await pass(THIRD - 1);
  expect(isEnded).toBe(false);
  await pass(1);
  expect(isEnded).toBe(true);
});
