import type { EventContext } from "../router/event-handlers.ts";
import type { Inbox, InboxOutcome } from "../stores/idempotency-store.ts";
import {
  type ContractTest,
  contractTests,
  expectIs,
  newId,
  wait,
  type Rules,
} from "./contract-test.ts";

/** An inbox, and what its tests need from the database behind it. */
export interface TestableInbox {
  readonly inbox: Inbox;
  /** Writes one row for the event through its transaction, like a handler. */
  readonly write: (context: EventContext, eventId: string) => unknown;
  /** Makes a query through the transaction that the database rejects, such as `SELECT nonsense`. */
  readonly fail: (context: EventContext) => unknown;
  /** Returns how many rows of the event are committed. */
  readonly count: (eventId: string) => number | Promise<number>;
}

/**
 * Returns the rules that every `Inbox` must follow, as tests for your runner. `create` is called once for each test.
 *
 * @example
 * ```ts
 * const insert = "INSERT INTO effects (event_id) VALUES ($1)";
 * const create = () => ({
 *   inbox,
 *   write: (context, id) => inbox.transaction(context).query(insert, [id]),
 *   fail: (context) => inbox.transaction(context).query("SELECT nonsense", []),
 *   count: async (id) => (await pool.query("SELECT 1 FROM effects WHERE event_id = $1", [id])).rows.length,
 * });
 * for (const { name, run } of inboxTests(create)) test(name, run);
 * ```
 */
export function inboxTests(
  create: () => TestableInbox | Promise<TestableInbox>,
): readonly ContractTest[] {
  return contractTests(RULES, async (check) => check(await create()));
}

const RULES: Rules<(testable: TestableInbox) => Promise<void>> = {
  "what the handlers write is committed with the mark, once": async ({ inbox, write, count }) => {
    const id = newId("evt");
    const handle = (): Promise<InboxOutcome> => runIn(inbox, id, (context) => write(context, id));
    expectIs("The first run", await handle(), "committed");
    expectIs("The rows after the first run", await count(id), 1);
    expectIs("The second run", await handle(), "done");
    expectIs("The rows after the second run", await count(id), 1);
  },
  "what the handlers write is undone where one fails, and run rejects with its error": async ({
    inbox,
    write,
    count,
  }) => {
    const id = newId("evt");
    const failure = new Error("a handler has failed");
    const failing = runIn(inbox, id, async (context) => {
      await write(context, id);
      throw failure;
    });
    expectIs("What run rejects with", await errorOf(failing), failure);
    expectIs("The rows after the failure", await count(id), 0);
    const again = await runIn(inbox, id, (context) => write(context, id));
    expectIs("The next run", again, "committed");
    expectIs("The rows after the next run", await count(id), 1);
  },
  "an event whose handler swallowed the error of a query is done only if its effects are committed":
    async ({ inbox, write, fail, count }) => {
      const id = newId("evt");
      let swallowed: unknown;
      const swallowing = runIn(inbox, id, async (context) => {
        await write(context, id);
        swallowed = await errorOf((async () => fail(context))());
      });
      const isCommitted = (await errorOf(swallowing)) === undefined;
      expectIs("Whether fail rejects", swallowed !== undefined, true);
      expectIs("The rows after that", await count(id), isCommitted ? 1 : 0);
      const next = await runIn(inbox, id, (context) => write(context, id));
      expectIs("The next run", next, isCommitted ? "done" : "committed");
      expectIs("The rows after the next run", await count(id), 1);
    },
  "an event that is in progress is not handled a second time": async ({ inbox, write, count }) => {
    const id = newId("evt");
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const first = runIn(inbox, id, async (context) => {
      started.resolve();
      await ended.promise;
      await write(context, id);
    });
    await Promise.race([started.promise, first]);
    const second = runIn(inbox, id, (context) => write(context, id));
    // It should respond immediately. If it waits for the first run, the test must not wait for it.
    await Promise.race([errorOf(second), wait(500)]);
    ended.resolve();
    expectIs("The first run", await first, "committed");
    const outcome = await second;
    expectIs("Whether the second run has handled the event", outcome === "committed", false);
    expectIs("The rows after both", await count(id), 1);
  },
  "events are told apart, also while both are in progress": async ({ inbox, write, count }) => {
    const ids = [newId("evt"), newId("evt")];
    const runs = ids.map((id) => runIn(inbox, id, (context) => write(context, id)));
    for (const outcome of await Promise.all(runs)) expectIs("Each run", outcome, "committed");
    for (const id of ids) expectIs("The rows of each event", await count(id), 1);
  },
  "the transaction is lent until the handlers have ended": async ({ inbox, write, count }) => {
    const [id, late] = [newId("evt"), newId("evt")];
    let writeLate = (): unknown => undefined;
    await runIn(inbox, id, async (context) => {
      writeLate = () => write(context, late);
      await write(context, id);
    });
    const error = await errorOf((async () => writeLate())());
    expectIs("Whether a write after the end rejects", error !== undefined, true);
    expectIs("The rows of that write", await count(late), 0);
  },
};

/** Runs a handler in the inbox, like a receiver. */
function runIn(
  inbox: Inbox,
  id: string,
  handler: (context: EventContext) => unknown,
): Promise<InboxOutcome> {
  return inbox.run(id, async ({ signal, enter }) => {
    const context = { idempotencyKey: id, attempt: 1, delivery: undefined, signal };
    enter(context);
    await handler(context);
  });
}

/** Returns the error that a promise rejects with, or `undefined` if it resolves. */
async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error ?? new Error("It rejected without an error."),
  );
}
