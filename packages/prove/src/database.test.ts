import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { wrapDatabase } from "./database.ts";
import { recordCalls } from "./testing/parts.ts";

const nothing = () => {};
const never = (): never => {
  throw new Error("was called");
};

test.each<[string, object, string]>([
  ["an object without methods", {}, "an object"],
  ["a query without connections", { query: nothing }, "an object"],
  ["connections without a query", { connect: nothing }, "an object"],
  ["statements alone", { exec: nothing }, "an object"],
  ["prepared statements alone", { prepare: nothing }, "an object"],
  [
    "the result of postgres()",
    Object.assign(() => {}, { begin: nothing, unsafe: nothing }),
    "a function",
  ],
  ["another function", nothing, "a function"],
])("%s is no database", (_name, database, shown) => {
  expect(() => wrapDatabase(database, recordCalls().calls)).toThrow(
    new TypeError(
      `world.database requires a Pool of pg, or a database of node:sqlite or better-sqlite3, not ${shown}.`,
    ),
  );
});

test.each([
  ["SELECT 1", "SELECT 1"],
  [" \n select\t id  from sims", "select id"],
  ["BEGIN", "BEGIN"],
  ["INSERT INTO sims VALUES ('key')", "INSERT INTO sims"],
  ["insert into sims(id) VALUES (1)", "insert into sims"],
  ['DELETE FROM "my.sims" WHERE id = 1', 'DELETE FROM "my.sims"'],
  ["DROP TABLE sims", "DROP TABLE sims"],
  ["UPDATE sims SET key = 'key'", "UPDATE sims"],
  ["INSERT INTOX sims", "INSERT INTOX"],
  ["SELECT XFROM sims", "SELECT XFROM"],
  ["INSERT INTO 'key'", "INSERT INTO"],
  ["SELECT 'key'", "SELECT"],
  ["SELECT id,'key'", "SELECT id"],
  ["'key'", "query"],
  ["", "query"],
  [{ text: "SELECT 1", values: ["key"] }, "SELECT 1"],
  [{ text: 7 }, "query"],
  [{ name: "key" }, "query"],
  [undefined, "query"],
  [null, "query"],
])("the query %j is shown without its values, as %s", async (query, expected) => {
  const { calls, labels } = recordCalls();
  await wrapDatabase({ query: async (_query: unknown) => {}, connect: never }, calls).query(query);
  expect(labels).toEqual([`database: ${expected}`]);
});

test("each call to SQLite is a call with its first words, and returns what SQLite returns", () => {
  const { calls, labels } = recordCalls();
  const database = new DatabaseSync(":memory:");
  const wrapped = wrapDatabase(database, calls);
  wrapped.exec("CREATE TABLE sims (id INT)");
  const insert = wrapped.prepare("INSERT INTO sims VALUES (?)");
  expect(labels).toHaveLength(1);
  expect(insert.run(1)).toEqual({ changes: 1, lastInsertRowid: 1 });
  insert.run(2);
  const select = wrapped.prepare("SELECT id FROM sims WHERE id > ? ORDER BY id");
  expect({ ...select.get(1) }).toEqual({ id: 2 });
  expect(select.all(0).map((row) => ({ ...row }))).toEqual([{ id: 1 }, { id: 2 }]);
  expect([...select.iterate(1)].map((row) => ({ ...row }))).toEqual([{ id: 2 }]);
  expect(labels).toEqual([
    "database: CREATE TABLE sims",
    "database: INSERT INTO sims",
    "database: INSERT INTO sims",
    "database: SELECT id",
    "database: SELECT id",
    "database: SELECT id",
  ]);
  // What is no query is passed on, to the object itself.
  expect(select.sourceSQL).toBe("SELECT id FROM sims WHERE id > ? ORDER BY id");
  expect(select.columns().map(({ name }) => name)).toEqual(["id"]);
  expect([wrapped.isOpen, wrapped.isTransaction]).toEqual([true, false]);
  expect(wrapped.location()).toBeNull();
  expect(wrapped).toBeInstanceOf(DatabaseSync);
  expect(labels).toHaveLength(6);
});

test("a local call that is struck does nothing", () => {
  const { calls } = recordCalls({ now: never });
  const database = new DatabaseSync(":memory:");
  const wrapped = wrapDatabase(database, calls);
  expect(() => wrapped.exec("CREATE TABLE sims (id INT)")).toThrow("was called");
  expect(() => wrapped.prepare("SELECT 1").get()).toThrow("was called");
  expect(database.prepare("SELECT name FROM sqlite_schema").all()).toEqual([]);
});

test("the end of a process rolls back an open transaction of SQLite, and touches nothing else", () => {
  const { calls, end, labels } = recordCalls();
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE sims (id INT)");
  const wrapped = wrapDatabase(database, calls);
  wrapped.exec("INSERT INTO sims VALUES (1)");
  end();
  wrapped.exec("BEGIN");
  wrapped.exec("INSERT INTO sims VALUES (2)");
  end();
  expect(database.isTransaction).toBe(false);
  expect(
    database
      .prepare("SELECT id FROM sims")
      .all()
      .map(({ id }) => id),
  ).toEqual([1]);
  // A rollback is no call of the receiver.
  expect(labels).toHaveLength(3);
});

test.each([
  [{ isTransaction: true }, ["ROLLBACK"]],
  [{ inTransaction: true }, ["ROLLBACK"]],
  [{ isTransaction: false, inTransaction: true }, []],
  [{ inTransaction: false }, []],
  [{}, []],
])("a database whose state is %j runs at the end of its process: %j", (state, expected) => {
  const { calls, end } = recordCalls();
  const seen: string[] = [];
  const database = { ...state, exec: (text: string) => seen.push(text), prepare: never };
  wrapDatabase(database, calls);
  end();
  expect(seen).toEqual(expected);
});

/** A pool of pg with one client, which records how it is released. */
function tinyPool() {
  const released: unknown[][] = [];
  const asked: unknown[][] = [];
  const client = {
    processID: 7,
    query: async (...all: unknown[]) => asked.push(["client", ...all]),
    release: (...all: unknown[]) => void released.push(all),
  };
  const pool = {
    query: (...all: unknown[]): unknown => asked.push(["pool", ...all]),
    connect: async (...all: unknown[]): Promise<typeof client> => {
      asked.push(["connect", ...all]);
      return client;
    },
  };
  return { pool, client, released, asked };
}

test("a query of pg is a call with all of its arguments", async () => {
  const { pool, asked } = tinyPool();
  const { calls, labels } = recordCalls();
  const wrapped = wrapDatabase(pool, calls);
  await wrapped.query("SELECT 1", [7]);
  const lent = await wrapped.connect();
  await lent.query("SELECT 2", [8]);
  expect(lent.processID).toBe(7);
  expect(asked).toEqual([["pool", "SELECT 1", [7]], ["connect"], ["client", "SELECT 2", [8]]]);
  expect(labels).toEqual(["database: SELECT 1", "database: connect", "database: SELECT 2"]);
});

test.each<[string, unknown[]]>([
  ["a callback", ["SELECT 1", [7], nothing]],
  ["a stream", [{ submit: nothing }]],
])("a query with %s is passed on", async (_name, values) => {
  const { pool, asked } = tinyPool();
  const { calls, labels } = recordCalls();
  await wrapDatabase(pool, calls).query(...values);
  expect([asked, labels]).toEqual([[["pool", ...values]], []]);
});

test("a connection that is handed to a callback is passed on", async () => {
  const { pool, client, asked } = tinyPool();
  const { calls, labels } = recordCalls();
  expect(await wrapDatabase(pool, calls).connect(nothing)).toBe(client);
  expect([asked, labels]).toEqual([[["connect", nothing]], []]);
});

test("a client of pg is released once, as its user says, and not by the end of its process", async () => {
  const { pool, released } = tinyPool();
  const { calls, end } = recordCalls();
  const lent = await wrapDatabase(pool, calls).connect();
  const error = new Error("the connection is broken");
  lent.release(error);
  lent.release();
  end();
  expect(released).toEqual([[error]]);
});

test("the end of a process closes each client that it has, once", async () => {
  const { pool, released } = tinyPool();
  const { calls, end } = recordCalls();
  const lent = await wrapDatabase(pool, calls).connect();
  end();
  end();
  lent.release();
  expect(released).toEqual([[true]]);
});

test("a client that arrives after the end of its process is returned at once", async () => {
  const { pool, released } = tinyPool();
  const { calls, end } = recordCalls({ hasDied: true });
  const lent = await wrapDatabase(pool, calls).connect();
  expect(released).toEqual([[]]);
  end();
  lent.release();
  expect(released).toHaveLength(1);
});

test("a client that its process never receives is returned", async () => {
  const { pool, released } = tinyPool();
  const planned = new Error("database: connect failed, as planned.");
  const { calls, end } = recordCalls({
    query: async (_label, call) => {
      await call();
      throw planned;
    },
  });
  await expect(wrapDatabase(pool, calls).connect()).rejects.toThrow(planned);
  end();
  expect(released).toEqual([[]]);
});
