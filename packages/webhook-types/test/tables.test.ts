import { expect, test } from "vitest";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresPoison,
  postgresPoisonTable,
  postgresStore,
  postgresTables,
  redisOrder,
  redisStore,
  sqliteInbox,
  sqliteOrder,
  sqlitePoison,
  sqliteStore,
} from "../src/stores/index.ts";
import { handleEvent, memoryStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { ioredisOf } from "./ioredis-double.ts";

const event = sampleEvent("sim.activated");
const context = { id: event.id, type: event.type, error: "Error" };
const ONE_ROW = [{ free: true, attempt: "3", attempts: "2", done: false, left: 5 }];

/** Remembers the SQL of every query, and returns the same rows to each of its statements. */
function recording(rows: unknown[] = ONE_ROW) {
  const sql: string[] = [];
  const query = async (text: string) => {
    sql.push(text);
    return text.split(";\n").map((command) => ({ rows, command }));
  };
  const nothing = () => undefined;
  const escapeLiteral = (value: string) => `'${value}'`;
  const client = { query, escapeLiteral, release: nothing, on: nothing, removeListener: nothing };
  const database = {
    exec: (text: string) => void sql.push(text),
    prepare: (text: string) => {
      sql.push(text);
      return { all: () => rows };
    },
  };
  return { sql, pool: { ...client, connect: async () => client } as never, database };
}

/** The tables that a text of SQL names. */
function tablesIn(sql: readonly string[]): string[] {
  const names = sql.flatMap((text) =>
    [...text.matchAll(/(?:TABLE IF NOT EXISTS|INTO|UPDATE|FROM|ON)\s+"([a-z_]+)"/g)].map(
      ([, name = ""]) => name,
    ),
  );
  return [...new Set(names)].filter((name) => !name.endsWith("_seen_at"));
}

interface Owner {
  readonly name: string;
  readonly table: string;
  /** Calls every function of the store, with its default table or another one. */
  readonly use: (made: ReturnType<typeof recording>, options?: { table: string }) => unknown;
}

const owners: readonly Owner[] = [
  {
    name: "postgresTables",
    table: "fieldmesh_events",
    use: ({ sql }, options) => sql.push(postgresTables(options?.table)),
  },
  {
    name: "postgresOrderTable",
    table: "fieldmesh_objects",
    use: ({ sql }, options) => sql.push(postgresOrderTable(options?.table)),
  },
  {
    name: "postgresPoisonTable",
    table: "fieldmesh_poison",
    use: ({ sql }, options) => sql.push(postgresPoisonTable(options?.table)),
  },
  {
    name: "postgresStore",
    table: "fieldmesh_events",
    use: async ({ pool }, options) => {
      const store = postgresStore(pool, options);
      await store.claim("e", "t", 1);
      await store.extend("e", "t", 1);
      await store.complete("e", "t");
      await store.release("e", "t");
    },
  },
  {
    name: "postgresInbox",
    table: "fieldmesh_events",
    use: ({ pool }, options) => postgresInbox(pool, options).run("e", async () => undefined),
  },
  {
    name: "postgresOrder",
    table: "fieldmesh_objects",
    use: async ({ pool }, options) => {
      const order = postgresOrder(pool, options);
      await order.isOlder(event);
      await order.remember(event);
      await order.claimObject(event, pool);
    },
  },
  {
    name: "postgresPoison",
    table: "fieldmesh_poison",
    use: async ({ pool }, options) => {
      const poison = postgresPoison(pool, options);
      await poison.fail(context);
      await poison.setAside("e", undefined);
      await poison.list().catch(() => undefined);
      await poison.remove("e");
    },
  },
  {
    name: "sqliteStore",
    table: "fieldmesh_events",
    use: ({ database }, options) => sqliteStore(database, options),
  },
  {
    name: "sqliteInbox",
    table: "fieldmesh_events",
    use: ({ database }, options) => sqliteInbox(database, options),
  },
  {
    name: "sqliteOrder",
    table: "fieldmesh_objects",
    use: ({ database }, options) => sqliteOrder(database, options),
  },
  {
    name: "sqlitePoison",
    table: "fieldmesh_poison",
    use: ({ database }, options) => sqlitePoison(database, options),
  },
];

test.each(owners)("$name uses one table, $table unless another one is given", async (owner) => {
  const [byDefault, named] = [recording(), recording()];
  await owner.use(byDefault);
  await owner.use(named, { table: "of_another_receiver" });
  expect(tablesIn(byDefault.sql)).toEqual([owner.table]);
  expect(tablesIn(named.sql)).toEqual(["of_another_receiver"]);
});

test.each([
  ["redisStore", ["fieldmesh:event:evt_1"]],
  ["redisOrder", ["fieldmesh:object:sim.sim_1", "fieldmesh:object:first claim.evt_1"]],
] as const)("%s uses the keys %s, or with another prefix", async (name, usual) => {
  const keys: unknown[] = [];
  const client = ioredisOf(async (command, ...args) => {
    keys.push(command === "GET" ? args[0] : args[2]);
    return command === "GET" ? null : ["ok", null];
  });
  const seen = { ...event, id: "evt_1", data: { object: { id: "sim_1" } } } as typeof event;
  for (const options of [{}, { prefix: "mine:" }]) {
    if (name === "redisStore") await redisStore(client, options).release("evt_1", "token");
    else {
      await redisOrder(client, options).isOlder(seen);
      await redisOrder(client, options).remember(seen);
    }
  }
  const own = usual.map((key) => `mine:${key.split(":").at(-1)}`);
  expect([...new Set(keys)]).toEqual([...usual, ...own]);
});

test("postgresStore reads what a driver returns, also numbers as strings", async () => {
  const found = postgresStore(recording().pool);
  expect(await found.claim("e", "t", 1)).toEqual({ status: "claimed", attempt: 3 });
  expect(await found.extend("e", "t", 1)).toBe(true);
  expect(await found.complete("e", "t")).toBe(true);
  const none = postgresStore(recording([]).pool);
  expect(await none.extend("e", "t", 1)).toBe(false);
  expect(await none.complete("e", "t")).toBe(false);
});

test.each([
  [{ done: true, left: null }, { status: "done" }],
  [
    { done: false, left: 5, held: 3.5 },
    { status: "in_progress", endsIn: 5, heldFor: 3.5 },
  ],
  [
    { done: false, left: "7", held: "4" },
    { status: "in_progress", endsIn: 7, heldFor: 4 },
  ],
  [
    { done: false, left: -9, held: -1 },
    { status: "in_progress", endsIn: 1, heldFor: 0 },
  ],
])("postgresStore reads the row %j of an event that it did not claim", async (row, claim) => {
  expect(await postgresStore(recording([row]).pool).claim("e", "t", 1)).toEqual(claim);
});

test.each([
  [1, 1],
  [86_400_000, 86_400_000],
  [0, 1_000],
])("an event whose lease ends in %d ms is in progress for %d ms", async (endsIn, retryIn) => {
  const claim = async () => ({ status: "in_progress" as const, endsIn });
  const router = { dispatch: () => Promise.reject(new Error("must not run")) };
  expect(await handleEvent(event, { router, store: { ...memoryStore(), claim } })).toEqual({
    outcome: "in_progress",
    retryIn,
  });
});
