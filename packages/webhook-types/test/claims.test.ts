import { expect, test } from "vitest";
import { postgresStore, redisOrder, redisStore } from "../src/stores/index.ts";
import { handleEvent, memoryStore } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { ioredisOf } from "./ioredis-double.ts";

const event = sampleEvent("sim.activated");
const ONE_ROW = [{ free: true, attempt: "3", attempts: "2", done: false, left: 5 }];

/** A pool that returns the same rows to each of its statements. */
function poolOf(rows: unknown[] = ONE_ROW) {
  const query = async (text: string) => text.split(";\n").map((command) => ({ rows, command }));
  const nothing = () => undefined;
  const escapeLiteral = (value: string) => `'${value}'`;
  const client = { query, escapeLiteral, release: nothing, on: nothing, removeListener: nothing };
  return { ...client, connect: async () => client } as never;
}

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
  const found = postgresStore(poolOf());
  expect(await found.claim("e", "t", 1)).toEqual({ status: "claimed", attempt: 3 });
  expect(await found.extend("e", "t", 1)).toBe(true);
  expect(await found.complete("e", "t")).toBe(true);
  const none = postgresStore(poolOf([]));
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
  expect(await postgresStore(poolOf([row])).claim("e", "t", 1)).toEqual(claim);
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
