import type { EventEnvelope } from "../events/envelope.ts";
import type { Inbox, InboxOutcome } from "../stores/idempotency-store.ts";
import type { InboxOrder, ObjectClaim } from "../stores/object-order.ts";
import {
  type ContractTest,
  contractTests,
  expectIs,
  newId,
  wait,
  type Rules,
} from "./contract-test.ts";
import { eventOf } from "./order-tests.ts";

/** An order, and the inbox whose transactions it joins. */
export interface TestableInboxOrder {
  readonly inbox: Inbox;
  readonly order: InboxOrder;
}

/**
 * Returns the rules that every `InboxOrder` must follow, as tests for your runner. `create` is called once for each test. Run
 * `orderTests` too.
 *
 * @example
 * ```ts
 * const create = () => ({ inbox: postgresInbox(pool), order: postgresOrder(pool) });
 * for (const { name, run } of inboxOrderTests(create)) test(name, run);
 * ```
 */
export function inboxOrderTests(
  create: () => TestableInboxOrder | Promise<TestableInboxOrder>,
): readonly ContractTest[] {
  return contractTests(RULES, async (check) => check(await create()));
}

const RULES: Rules<(testable: TestableInboxOrder) => Promise<void>> = {
  "an order joins its inbox, and no inbox of another database": async ({ inbox, order }) => {
    expectIs("joins of its inbox", order.joins(inbox), true);
    const other: Inbox = { ...inbox, uses: () => false };
    expectIs("joins of another inbox", order.joins(other), false);
  },
  "an event is newest, older, or ambiguous if one of the same time was committed": async (
    testable,
  ) => {
    const id = newId("plan");
    const expectClaim = async (created_at: string, expected: ObjectClaim): Promise<void> => {
      const claims = await claimAll(testable, eventOf(id, created_at));
      expectIs(`claimObject of ${created_at}`, claims, expected);
    };
    await expectClaim("2026-01-02T00:00:00Z", "newest");
    await expectClaim("2026-01-01T00:00:00Z", "older");
    await expectClaim("2026-01-02T01:00:00+01:00", "ambiguous");
    await expectClaim("2026-01-03T00:00:00Z", "newest");
    await expectClaim("2026-01-02T00:00:00Z", "older");
  },
  "an event that is ahead is claimed as of its first claim, which a rollback keeps": async (
    testable,
  ) => {
    const { order } = testable;
    if (order.firstClaim === undefined) return;
    const [id, now] = [newId("plan"), Date.parse("2026-01-02T00:00:00Z")];
    const ahead = eventOf(id, "2126-01-02T00:00:00Z");
    expectIs("firstClaim", await order.firstClaim(ahead, now, { source: ahead }), now);
    const fail = async () => Promise.reject(new Error("a handler has failed"));
    await runToEnd(testable, ahead, fail).catch(() => undefined);
    const newer = eventOf(id, "2026-01-02T00:00:01Z");
    expectIs("claimObject of a newer event", await claimAll(testable, newer), "newest");
    expectIs("claimObject of the event", await claimAll(testable, ahead), "older");
  },
  "a claim is undone with its transaction": async (testable) => {
    const id = newId("plan");
    const failure = new Error("a handler has failed");
    const failing = runToEnd(testable, eventOf(id, "2026-01-02T00:00:00Z"), async () => {
      throw failure;
    });
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expectIs("What run rejects with", error, failure);
    const claim = await claimAll(testable, eventOf(id, "2026-01-01T00:00:00Z"));
    expectIs("claimObject of an earlier event", claim, "newest");
  },
  "events of one object that arrive together are handled one after the other, and the newest wins":
    async (testable) => {
      const id = newId("plan");
      let running = 0;
      let row = "";
      const minutes = ["07", "31", "59", "02", "44", "58", "13"];
      const handle = async (minute: string): Promise<void> => {
        await runToEnd(testable, eventOf(id, `2026-01-02T00:${minute}:00Z`), async (claim) => {
          // No handler runs for it, so it may be claimed beside another one.
          if (claim === "older") return;
          running += 1;
          expectIs("The handlers of the object at once", running, 1);
          await wait(Math.random() * LONGEST_HANDLER);
          row = minute;
          running -= 1;
        });
      };
      await Promise.all(minutes.map(handle));
      expectIs("The event that wrote the row last", row, "59");
    },
  "an event without an id of its object, or without a time, has no order": async (testable) => {
    for (const event of [eventOf(undefined, "2026-01-02T00:00:00Z"), eventOf("plan_1", "soon")])
      expectIs("claimObject", await claimAll(testable, event), undefined);
  },
};

const LONGEST_HANDLER = 20;
const PAUSE = 10;

/** Claims the object of an event in a transaction of its own, and commits. */
async function claimAll(
  testable: TestableInboxOrder,
  event: EventEnvelope,
): Promise<ObjectClaim | undefined> {
  let claimed: ObjectClaim | undefined;
  await runToEnd(testable, event, async (claim) => {
    claimed = claim;
  });
  return claimed;
}

/** Handles an event like a receiver whose sender retries. */
async function runToEnd(
  { inbox, order }: TestableInboxOrder,
  event: EventEnvelope,
  handle: (claim: ObjectClaim | undefined) => Promise<void>,
): Promise<void> {
  for (;;) {
    let isLocked = false;
    const running: Promise<InboxOutcome> = inbox.run(event.id, async ({ transaction }) => {
      const claim = await order.claimObject(event, transaction);
      isLocked = claim === "locked";
      if (isLocked) throw new Error("Another event of the object is being handled.");
      await handle(claim);
    });
    const outcome = await running.catch((error: unknown) => {
      if (isLocked) return "in_progress";
      throw error;
    });
    if (outcome !== "in_progress") return expectIs("run", outcome, "committed");
    await wait(PAUSE);
  }
}
