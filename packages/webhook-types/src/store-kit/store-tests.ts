import type { IdempotencyStore } from "../stores/idempotency-store.ts";
import {
  type ContractTest,
  contractTests,
  expectIs,
  newId,
  type Rules,
  wait,
} from "./contract-test.ts";

const HOUR = 3_600_000;
const LEAST = 72 * HOUR;

/**
 * Returns the rules that every `IdempotencyStore` must follow, as tests for your runner. A store that breaks a rule loses events,
 * or handles them twice.
 *
 * `create` is called once for each test. The stores may share a table, because the tests use their own ids. They take less than a
 * second, and use the time of the store, so do not pass a virtual clock.
 *
 * @example
 * ```ts
 * for (const { name, run } of storeTests(() => memoryStore())) test(name, run);
 * ```
 */
export function storeTests(
  create: () => IdempotencyStore | Promise<IdempotencyStore>,
): readonly ContractTest[] {
  return contractTests(RULES, async (check) => check(await create()));
}

const RULES: Rules<(store: IdempotencyStore) => Promise<void>> = {
  "an event is claimed by one token, for the length of its lease": async (store) => {
    const id = newId("evt");
    expectClaimed("The first claim", await store.claim(id, "a", HOUR), 1);
    expectInProgress("A claim by another token", await store.claim(id, "b", HOUR));
  },
  "a done event is claimed by no token, also not by its own": async (store) => {
    const id = newId("evt");
    await store.claim(id, "a", HOUR);
    expectIs("complete by another token", await store.complete(id, "b"), false);
    expectIs("complete by the token that has claimed", await store.complete(id, "a"), true);
    for (const token of ["a", "b"]) {
      const { status } = await store.claim(id, token, HOUR);
      expectIs(`claim of a done event by the token "${token}"`, status, "done");
    }
    expectIs("extend of a done event", await store.extend(id, "a", HOUR), false);
    await store.release(id, "a");
    const { status } = await store.claim(id, "b", HOUR);
    expectIs("claim of a done event, after a late release", status, "done");
    const { remembers = LEAST } = store;
    expectIs("Whether remembers is 3 days or more, in milliseconds", remembers >= LEAST, true);
  },
  "the same token claims an event again, because the first response may have been lost": async (
    store,
  ) => {
    const id = newId("evt");
    await store.claim(id, "a", HOUR);
    expectClaimed("The same claim again", await store.claim(id, "a", HOUR), 1);
    expectInProgress("A claim by another token", await store.claim(id, "b", HOUR));
  },
  "a released event is claimed immediately, and the attempts are counted": async (store) => {
    const id = newId("evt");
    await store.claim(id, "a", HOUR);
    await store.release(id, "b");
    expectInProgress("A claim after a release by another token", await store.claim(id, "b", HOUR));
    await store.release(id, "a");
    expectIs("complete of a released event", await store.complete(id, "a"), false);
    expectClaimed("A claim after the release", await store.claim(id, "b", HOUR), 2);
    await store.release(id, "b");
    expectClaimed("A claim after the second release", await store.claim(id, "a", HOUR), 3);
  },
  "an event whose lease has ended is claimed by the next token, and the first one has lost it":
    async (store) => {
      const id = newId("evt");
      await store.claim(id, "a", 1);
      await wait(20);
      expectClaimed("A claim after the lease", await store.claim(id, "b", HOUR), 2);
      expectIs("extend by the token that has lost it", await store.extend(id, "a", HOUR), false);
      expectIs("complete by the token that has lost it", await store.complete(id, "a"), false);
      await store.release(id, "a");
      expectInProgress("A claim after its late release", await store.claim(id, "c", HOUR));
      expectIs("complete by the next token", await store.complete(id, "b"), true);
    },
  "a token whose lease has ended completes its event, if no other has claimed it": async (
    store,
  ) => {
    const id = newId("evt");
    await store.claim(id, "a", 1);
    await wait(20);
    expectIs("complete after the lease", await store.complete(id, "a"), true);
    expectIs("The status of a claim after that", (await store.claim(id, "b", HOUR)).status, "done");
  },
  "a lease is extended from the time of the call": async (store) => {
    const id = newId("evt");
    await store.claim(id, "a", 1);
    await wait(20);
    expectIs("extend by another token", await store.extend(id, "b", HOUR), false);
    expectIs("extend after the lease", await store.extend(id, "a", HOUR), true);
    expectInProgress("A claim after that", await store.claim(id, "b", HOUR));
    expectIs("complete after that", await store.complete(id, "a"), true);
  },
  "of many tokens that claim an event at the same time, one gets it": async (store) => {
    const id = newId("evt");
    const tokens = Array.from({ length: 20 }, (_, index) => `token ${index}`);
    const claims = await Promise.all(tokens.map((token) => store.claim(id, token, HOUR)));
    const claimed = claims.filter(({ status }) => status === "claimed");
    expectIs("The number of 20 simultaneous claims that got the event", claimed.length, 1);
  },
  "an event that was never claimed is neither extended nor completed": async (store) => {
    const id = newId("evt");
    expectIs("extend of an event that was never claimed", await store.extend(id, "a", HOUR), false);
    expectIs("complete of an event that was never claimed", await store.complete(id, "a"), false);
    await store.release(id, "a");
    expectClaimed("A claim after that", await store.claim(id, "a", HOUR), 1);
  },
  "a token forgets its event with its attempts, if the store can": async (store) => {
    if (store.forget === undefined) return;
    const id = newId("evt");
    await store.claim(id, "a", HOUR);
    await store.forget(id, "b");
    expectInProgress("A claim after forget by another token", await store.claim(id, "b", HOUR));
    await store.forget(id, "a");
    expectIs("complete of a forgotten event", await store.complete(id, "a"), false);
    expectClaimed("A claim after forget", await store.claim(id, "b", HOUR), 1);
    await store.complete(id, "b");
    await store.forget(id, "b");
    const { status } = await store.claim(id, "a", HOUR);
    expectIs("The status of a claim after forget of a done event", status, "done");
  },
  "ids are compared character by character: case, accents, quotes and blanks count": async (
    store,
  ) => {
    const id = newId("evt_e");
    const similar = [id, id.toUpperCase(), `${id} `, `${id}'"\\%_;--`, id.replace("_e", "_é")];
    for (const each of similar) {
      expectClaimed(
        `The first claim of ${JSON.stringify(each)}`,
        await store.claim(each, "a", HOUR),
        1,
      );
      expectIs(`complete of ${JSON.stringify(each)}`, await store.complete(each, "a"), true);
    }
  },
};

/** Any claim: a test looks at what a store returns, not at what it should return. */
interface ReturnedClaim {
  readonly status: string;
  readonly attempt?: number;
  readonly endsIn?: number;
}

function expectClaimed(call: string, claim: ReturnedClaim, attempt: number): void {
  expectIs(`${call}, status`, claim.status, "claimed");
  expectIs(`${call}, attempt`, claim.attempt, attempt);
}

/** Checks that almost an hour of the lease is left. */
function expectInProgress(call: string, { status, endsIn = Number.NaN }: ReturnedClaim): void {
  expectIs(`${call}, status`, status, "in_progress");
  expectIs(`${call}, type of endsIn`, typeof endsIn, "number");
  if (!(endsIn > HOUR / 2 && endsIn <= HOUR))
    throw new Error(
      `${call}: endsIn must be the milliseconds until the lease ends, here about ${HOUR}, but it is ${endsIn}.`,
    );
}
