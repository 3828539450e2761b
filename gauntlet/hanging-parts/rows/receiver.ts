import { systemClock } from "@fieldmesh/core";
import { signedRequest } from "@fieldmesh/webhook-types";
import {
  createReceiver,
  memoryOrder,
  memoryPoison,
  memoryStore,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import type { Part, Wait } from "../row.ts";

const url = "http://127.0.0.1/hooks";
const secret = "whsec_test_secret_only";
export const HANDLED = "200 handled";
export const STORE_FAILED = "503 store_failed";

/** Returns a function that delivers an event, by default a new one, to a receiver. Errors are reported to `onError`, and not printed. */
export function receiving(options: Partial<ReceiverOptions>) {
  const receive = createReceiver({
    secret,
    store: memoryStore(),
    handlers: { "*": () => undefined },
    onError: () => undefined,
    onOutcome: () => undefined,
    ...options,
  });
  let count = 0;
  return async (id = `evt_${(count += 1)}`): Promise<string> => {
    const event = sampleEvent("sim.activated", { id });
    const response = await receive(await signedRequest(event, { url, secret }));
    return `${response.status} ${await response.text()}`;
  };
}

const secretOf = (part: Part) => part(secret, { value: secret });
const secrets: readonly Wait[] = [
  {
    part: "the function `secret` of a receiver, before it has a secret",
    limit: 10_000,
    after: "the delivery fails like one whose function threw: 500",
    reported: "`onError`",
    recovers: "a delivery after ten seconds calls the function again",
    start: (part) => ({ use: receiving({ secret: () => secretOf(part) }) }),
    ends: {
      never: "500 unreadable",
      late: "500 unreadable",
      twice: HANDLED,
      odd: "500 unreadable",
    },
    works: HANDLED,
  },
  {
    part: "`secretsOf` of a receiver for many tenants, before it has the secrets of one",
    limit: 10_000,
    after: "the deliveries of this tenant fail: 500. Those of others do not wait",
    reported: "`onError`",
    recovers: "a delivery of the tenant after ten seconds calls the function again",
    start: (part) => ({
      use: receiving({ secret: { tenantOf: () => "acme", secretsOf: () => secretOf(part) } }),
    }),
    ends: {
      never: "500 unreadable",
      late: "500 unreadable",
      twice: HANDLED,
      odd: "500 unreadable",
    },
    works: HANDLED,
  },
  {
    part: "the function `secret` of a receiver, for a message that no known secret signed",
    limit: 10_000,
    after: "the delivery is not verified: 401. Deliveries with the known secret do not wait",
    reported: "`onError`",
    recovers: "such a delivery after ten seconds calls the function again",
    start: (part) => {
      let calls = 0;
      const use = receiving({
        secret: () => (++calls === 1 ? "whsec_the_old_secret" : secretOf(part)),
      });
      return { prepare: use, use };
    },
    ends: {
      never: "401 not_verified",
      late: "401 not_verified",
      twice: HANDLED,
      odd: "401 not_verified",
    },
    works: HANDLED,
  },
];

/** Replaces a method of a store by one that does its work and then returns through the part. */
export function through<Store extends object>(
  store: Store,
  method: keyof Store & string,
  part: Part,
  odd: unknown = "odd",
): Store {
  const work = store[method] as (...values: unknown[]) => Promise<unknown>;
  return { ...store, [method]: async (...values: unknown[]) => part(await work(...values), odd) };
}

const failing = {
  handlers: {
    "*": () => {
      throw new Error("broken");
    },
  },
};
/** At which the date of the event is ahead. */
const longAgo = {
  clock: { ...systemClock, now: () => 0 },
  tolerance: Number.MAX_SAFE_INTEGER,
};
const onceFailed = { never: STORE_FAILED, late: STORE_FAILED, twice: HANDLED, odd: STORE_FAILED };

/** A wait for a method of a store. The receiver is the same for all of them. */
function waitForStore(
  method: string,
  options: (part: Part) => Partial<ReceiverOptions>,
  { ends = onceFailed, works = HANDLED, ...texts }: Partial<Wait> = {},
): Wait {
  return {
    part: method,
    limit: 10_000,
    after: "`store_failed`: 503, and the sender retries",
    reported: "`onError`",
    recovers: "each delivery calls the store again",
    ...texts,
    start: (part) => ({ use: receiving(options(part)) }),
    ends,
    works,
  };
}

const poisonWith = (part: Part, method: "fail" | "setAside" | "remove") => ({
  store: through(memoryPoison({ payload: "withoutSecrets" }), method, part),
  attempts: 1,
});
const failsOnce = { ...onceFailed, twice: "200 set_aside" };

const stores: readonly Wait[] = [
  waitForStore("`claim` of a store", (part) => ({ store: through(memoryStore(), "claim", part) }), {
    recovers: "a claim that comes late is released, and each delivery claims again",
  }),
  waitForStore(
    "`extend` of a store",
    (part) => {
      const store = through(memoryStore(), "extend", part);
      const extend = store.extend.bind(store);
      const extended = Promise.withResolvers<unknown>();
      store.extend = async (...values) => {
        const extending = extend(...values);
        void extending.then(extended.resolve);
        return extending;
      };
      const handler = (_event: unknown, { signal }: { signal: AbortSignal }) => {
        const lost = new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        });
        return Promise.race([extended.promise, lost]);
      };
      return { store, lease: 3_000, handlers: { "*": handler } };
    },
    {
      limit: 3_000,
      limitText: "the end of the lease",
      after: "`signal` of the context aborts: another process may have the event",
      reported: "by the handler, if it throws",
      ends: { never: "500 failed", late: "500 failed", twice: HANDLED, odd: HANDLED },
    },
  ),
  waitForStore(
    "`complete` of a store",
    (part) => ({ store: through(memoryStore(), "complete", part) }),
    { recovers: "the event is a duplicate if it was recorded, and is handled again otherwise" },
  ),
  waitForStore(
    "`release` of a store",
    (part) => ({ store: through(memoryStore(), "release", part), ...failing }),
    {
      after: "`failed`: 500, as for every handler that throws",
      reported: "the error of the handler, to `onError`",
      recovers: "the lease expires",
      ends: { never: "500 failed", late: "500 failed", twice: "500 failed", odd: "500 failed" },
      works: "500 failed",
    },
  ),
  waitForStore(
    "`isOlder` of an order",
    (part) => ({ order: through(memoryOrder(), "isOlder", part) }),
    { ends: { ...onceFailed, odd: HANDLED } },
  ),
  waitForStore("`firstClaim` of an order, for an event whose date is ahead", (part) => ({
    order: through(memoryOrder(), "firstClaim", part),
    ...longAgo,
  })),
  waitForStore(
    "`remember` of an order",
    (part) => ({ order: through(memoryOrder(), "remember", part) }),
    {
      recovers: "the event is recorded, so its retry is a duplicate",
      ends: { ...onceFailed, odd: HANDLED },
    },
  ),
  waitForStore("`fail` of `poison`", (part) => ({ poison: poisonWith(part, "fail"), ...failing }), {
    ends: { ...failsOnce, odd: "500 failed" },
    works: "200 set_aside",
  }),
  waitForStore(
    "`setAside` of `poison`",
    (part) => ({ poison: poisonWith(part, "setAside"), ...failing }),
    { ends: { ...failsOnce, odd: "500 not_set_aside" }, works: "200 set_aside" },
  ),
  waitForStore(
    "`remove` of `poison`, for an event that was claimed before",
    (part) => {
      const claim = async () => ({ status: "claimed", attempt: 2 }) as const;
      return {
        store: { ...memoryStore(), claim, complete: async () => true },
        poison: poisonWith(part, "remove"),
      };
    },
    {
      recovers: "the event is recorded, so its retry is a duplicate",
      ends: { ...onceFailed, odd: HANDLED },
    },
  ),
];

export const receiverWaits: readonly Wait[] = [...secrets, ...stores];
