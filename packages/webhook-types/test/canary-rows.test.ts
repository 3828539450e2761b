import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { canaries, fixtureSecret } from "../../../tools/canaries/canaries.ts";
import { scanner } from "../../../tools/canaries/setup.ts";
import { memoryPoison, memoryStore } from "../src/receiver/index.ts";
import {
  postgresInbox,
  postgresPoison,
  postgresStore,
  redisStore,
  sqlitePoison,
  sqliteStore,
} from "../src/stores/index.ts";
import { ioredisOf } from "./ioredis-double.ts";

// Tests the search of the rows that stores write: it finds a planted secret in each of them, and names the place.

const client = {
  query: async (text: string) => text.split(";\n").map((command) => ({ rows: [], command })),
  escapeLiteral: (text: string) => text,
  on: () => {},
  removeListener: () => {},
  release: () => {},
};
const pool = { query: async () => ({ rows: [] }), connect: async () => client };
const attempt = (text: string) => ({ id: "evt_1", type: "x.y", error: text });
const keep = async (store: ReturnType<typeof memoryPoison>, text: string) => {
  await store.fail(attempt("TypeError"));
  await store.setAside("evt_1", JSON.stringify({ text }));
};

const PLACES: readonly [string, string, (text: string) => Promise<unknown>][] = [
  ["memoryStore", "a row in memory", (text) => memoryStore().claim(text, "token", 1)],
  ["memoryPoison", "a row in memory", (text) => keep(memoryPoison(), text)],
  [
    "sqliteStore",
    "a row of a database",
    (text) => sqliteStore(new DatabaseSync(":memory:")).claim(text, "token", 1),
  ],
  [
    "sqlitePoison",
    "a row of a database",
    (text) => keep(sqlitePoison(new DatabaseSync(":memory:")), text),
  ],
  ["postgresStore", "a row of a database", (text) => postgresStore(pool).claim(text, "token", 1)],
  ["postgresPoison", "a row of a database", (text) => postgresPoison(pool).setAside("evt_1", text)],
  [
    "postgresInbox",
    "a row of a database",
    (text) => postgresInbox(pool as never).run(text, async () => {}),
  ],
  [
    "redisStore",
    "a key of Redis",
    (text) => redisStore(ioredisOf(async () => ["done", null])).claim(text, "token", 1),
  ],
];

test.each(PLACES)(
  "the search finds a secret that %s writes in %s",
  async (_store, place, write) => {
    await write(fixtureSecret);
    expect(scanner.hits()).toContainEqual(expect.stringContaining(`${place} holds a canary`));
    await write(canaries.appKey.toLowerCase());
    expect(scanner.hits()).toContainEqual(expect.stringContaining(`${place} holds a canary`));
    await write("evt_2");
    expect(scanner.hits()).toEqual([]);
  },
);
