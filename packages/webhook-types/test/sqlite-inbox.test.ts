import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { createVirtualClock } from "../../sandbox/src/engine/time/clocks.ts";
import { handleEvent, memoryPoison, type EventOutcome } from "../src/receiver/index.ts";
import { createEventRouter, type EventContext } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { sqliteInbox, sqliteOrder, sqlitePoison, sqliteStore } from "../src/stores/index.ts";

const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-sqlite-inbox-"));
const opened: DatabaseSync[] = [];
let files = 0;
afterEach(() => void vi.useRealTimers());
afterAll(() => {
  for (const database of opened) if (database.isOpen) database.close();
  rmSync(folder, { recursive: true });
});

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  opened.push(database);
  return database;
}

let file = "";
let database = open(":memory:");
beforeEach(() => {
  file = join(folder, `${(files += 1)}.db`);
  database = open(file);
  database.exec("CREATE TABLE effects (id TEXT)");
});
const effects = () =>
  database
    .prepare("SELECT id FROM effects")
    .all()
    .map(({ id }) => id);

let events = 0;
const newEvent = () => sampleEvent("plan.created", { id: `evt_${(events += 1)}` });
type Handler = (context: EventContext) => unknown;
const handle = (
  event: ReturnType<typeof newEvent>,
  store: ReturnType<typeof sqliteInbox>,
  handler: Handler,
): Promise<EventOutcome> =>
  handleEvent(event, {
    store,
    router: createEventRouter({ "*": (_event, context) => handler(context) }),
  });

test("an event that a store has leased is in progress, by the clock of both", async () => {
  const clock = createVirtualClock("2026-11-20T08:00:00Z");
  const store = sqliteStore(database, { clock });
  const inbox = sqliteInbox(database, { clock });
  await store.claim("evt_leased", "a", 60_000);
  const run = async () => inbox.run("evt_leased", async () => {});
  await clock.advance(59_999);
  expect(await run()).toBe("in_progress");
  await clock.advance(1);
  expect(await run()).toBe("committed");
});

/** An inbox whose handlers write one row for their event. */
function writing() {
  const inbox = sqliteInbox(database);
  const write = (context: EventContext) =>
    inbox
      .transaction(context)
      .prepare("INSERT INTO effects VALUES (?)")
      .run(context.idempotencyKey);
  return { inbox, write };
}

test.each(["BEGIN", "commit", "ROLLBACK"])(
  "a handler that runs %s receives a TypeError, and its event is not lost",
  async (sql) => {
    const { inbox, write } = writing();
    const event = newEvent();
    for (const run of ["exec", "prepare"] as const) {
      const outcome = await handle(event, inbox, (context) => {
        write(context);
        inbox.transaction(context)[run](sql);
      });
      expect(outcome).toMatchObject({
        outcome: "failed",
        error: { errors: [expect.any(TypeError)] },
      });
      expect(String((outcome as { error: AggregateError }).error.errors)).toContain("SAVEPOINT");
    }
    expect(await handle(event, inbox, write)).toEqual({ outcome: "handled" });
    expect(effects()).toEqual([event.id]);
  },
);

test("an event whose handler ended the transaction by other means is not done", async () => {
  const { inbox, write } = writing();
  const event = newEvent();
  for (const sql of ["ROLLBACK", "ROLLBACK; BEGIN", "COMMIT; BEGIN"])
    expect(await handle(event, inbox, () => database.exec(sql))).toMatchObject({
      outcome: "store_failed",
      error: { message: expect.stringContaining("The inbox begins and ends the transaction") },
    });
  expect(await handle(event, inbox, write)).toEqual({ outcome: "handled" });
});

test("a handler may have savepoints, and bind a value that looks like a statement", async () => {
  const { inbox, write } = writing();
  const event = newEvent();
  const outcome = await handle(event, inbox, (context) => {
    const transaction = inbox.transaction(context);
    write(context);
    transaction.exec("SAVEPOINT part");
    transaction.prepare("INSERT INTO effects VALUES (?)").run("commit");
    transaction.exec("ROLLBACK TO part");
    transaction.prepare("INSERT INTO effects VALUES (?)").run("begin");
  });
  expect(outcome).toEqual({ outcome: "handled" });
  expect(effects()).toEqual([event.id, "begin"]);
});

test("an event is in progress while another process holds the file, and handled after it", async () => {
  const { inbox, write } = writing();
  const other = open(file);
  const event = newEvent();
  other.exec("BEGIN IMMEDIATE");
  expect(await handle(event, inbox, write)).toEqual({ outcome: "in_progress", retryIn: 1_000 });
  other.exec("ROLLBACK");
  expect(await handle(event, inbox, write)).toEqual({ outcome: "handled" });
});

test("two processes never handle one event twice", async () => {
  const [mine, its] = [writing(), sqliteInbox(open(file))];
  const event = newEvent();
  const during: EventOutcome[] = [];
  const outcome = await handle(event, mine.inbox, async (context) => {
    mine.write(context);
    during.push(await handle(event, its, () => {}));
  });
  expect([...during, outcome].map((each) => each.outcome)).toEqual(["in_progress", "handled"]);
  expect(await handle(event, its, () => {})).toEqual({ outcome: "duplicate" });
});

test("where a reader holds the file at COMMIT, the handlers run again, at most three times", async () => {
  const { inbox, write } = writing();
  const reader = open(file);
  reader.exec("BEGIN; SELECT * FROM effects");
  let runs = 0;
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const event = newEvent();
  const refused = await handle(event, inbox, (context) => {
    runs += 1;
    write(context);
  });
  expect(refused).toMatchObject({ outcome: "in_progress" });
  expect(warn.mock.calls).toEqual([[expect.stringContaining("PRAGMA journal_mode = WAL")]]);
  warn.mockRestore();
  expect([runs, effects()]).toEqual([4, []]);
  const next = await handle(event, inbox, (context) => {
    runs += 1;
    write(context);
    if (runs === 6) reader.exec("COMMIT");
  });
  expect([next, runs]).toEqual([{ outcome: "handled" }, 6]);
  expect(effects()).toEqual([event.id]);
});

test("an event waits for the transactions before it, for 5 s at most", async () => {
  const { inbox, write } = writing();
  const [first, second] = [newEvent(), newEvent()];
  const ended = Promise.withResolvers<void>();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const slow = handle(first, inbox, async (context) => {
    await ended.promise;
    write(context);
  });
  const waiting = handle(second, inbox, write);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await waiting).toEqual({ outcome: "in_progress", retryIn: 1_000 });
  const again = handle(second, inbox, write);
  ended.resolve();
  expect([await slow, await again]).toEqual([{ outcome: "handled" }, { outcome: "handled" }]);
  expect(effects()).toEqual([first.id, second.id]);
});

test("a COMMIT that a deferred constraint rejects is a failed attempt, until it is set aside", async () => {
  const { inbox } = writing();
  database.exec("PRAGMA foreign_keys = ON");
  database.exec("CREATE TABLE subscribers (id TEXT PRIMARY KEY)");
  database.exec(
    "CREATE TABLE lines (owner TEXT REFERENCES subscribers DEFERRABLE INITIALLY DEFERRED)",
  );
  const event = newEvent();
  const options = {
    store: inbox,
    poison: { store: memoryPoison({ payload: "withoutSecrets" as const }), attempts: 2 },
    router: createEventRouter({
      "*": (_event, context) =>
        inbox.transaction(context).exec("INSERT INTO lines VALUES ('nobody')"),
    }),
  };
  expect(await handleEvent(event, options)).toMatchObject({
    outcome: "failed",
    error: { message: "FOREIGN KEY constraint failed" },
  });
  expect(await handleEvent(event, options)).toMatchObject({ outcome: "set_aside" });
  expect(database.isTransaction).toBe(false);
});

test("the order, the poison store and clean-up share the connection, and wait for an open event", async () => {
  const { inbox, write } = writing();
  const [order, poison] = [sqliteOrder(database), sqlitePoison(database)];
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const failing = handle(newEvent(), inbox, async (context) => {
    write(context);
    started.resolve();
    await ended.promise;
    throw new Error("its writes are undone");
  });
  await started.promise;
  const others = Promise.all([
    poison.fail({ id: "evt_x", type: "plan.created", error: "Error" }),
    order.remember(newEvent()),
    inbox.cleanUp(),
    order.cleanUp(),
  ]);
  ended.resolve();
  expect(await failing).toMatchObject({ outcome: "failed" });
  expect(await others).toEqual([1, undefined, 0, 0]);
  expect(await poison.fail({ id: "evt_x", type: "plan.created", error: "Error" })).toBe(2);
});

test("fails while other code has a transaction on the connection, and leaves that alone", async () => {
  const { inbox, write } = writing();
  database.exec("BEGIN; INSERT INTO effects VALUES ('mine')");
  expect(await handle(newEvent(), inbox, write)).toMatchObject({
    outcome: "store_failed",
    error: { message: expect.stringContaining("A transaction is open on the connection") },
  });
  database.exec("COMMIT");
  expect(effects()).toEqual(["mine"]);
});

test("works with a driver that names its errors and says nothing of transactions", async () => {
  const own = open(file);
  const named = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY", cause: error });
    }
  };
  const driver = {
    exec: (sql: string) => named(() => own.exec(sql)),
    prepare: (sql: string) => own.prepare(sql),
  };
  const inbox = sqliteInbox(driver);
  const event = newEvent();
  const insert = (context: EventContext) =>
    inbox.transaction(context).exec(`INSERT INTO effects VALUES ('${event.id}')`);
  database.exec("BEGIN IMMEDIATE");
  expect(await handle(event, inbox, insert)).toMatchObject({ outcome: "in_progress" });
  database.exec("COMMIT");
  expect(await handle(event, inbox, () => Promise.reject(new Error("no")))).toMatchObject({
    outcome: "failed",
  });
  expect(await handle(event, inbox, insert)).toEqual({ outcome: "handled" });
  expect(effects()).toEqual([event.id]);
});

test("shares its table with sqliteStore: events that one has done or claimed are known to the other", async () => {
  const { inbox, write } = writing();
  const store = sqliteStore(database);
  const [done, claimed, ended] = [newEvent(), newEvent(), newEvent()];
  await store.claim(done.id, "t", DAY);
  await store.complete(done.id, "t");
  await store.claim(claimed.id, "t", DAY);
  await store.claim(ended.id, "t", 0);
  expect(await handle(done, inbox, write)).toEqual({ outcome: "duplicate" });
  expect(await handle(claimed, inbox, write)).toMatchObject({ outcome: "in_progress" });
  expect(await handle(ended, inbox, write)).toEqual({ outcome: "handled" });
  expect(await store.claim(ended.id, "t", DAY)).toEqual({ status: "done" });
});

test("two copies of the package share the turns of one connection", async () => {
  vi.resetModules();
  const copy = await import("../src/stores/index.ts");
  expect(copy.sqliteInbox).not.toBe(sqliteInbox);
  const inboxes = [sqliteInbox(database), copy.sqliteInbox(database, { table: "of_the_copy" })];
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 50));
  const all = [1, 2, 3].flatMap(() => inboxes.map((inbox) => handle(newEvent(), inbox, slow)));
  const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(Array(6).fill("handled"));
});
