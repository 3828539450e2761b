import { postgresInbox, postgresOrder, redisStore } from "@fieldmesh/webhook-types/stores";
import type { Part, Wait } from "../row.ts";
import { HANDLED, receiving, STORE_FAILED, through } from "./receiver.ts";

const pass: Part = (good) => good;

/** A pool of `pg` that holds no event. Its `connect` returns through one part, and the INSERT of a mark through another. */
function poolOf({ connecting = pass, inserting = pass }: { connecting?: Part; inserting?: Part }) {
  const query = async (text: string) => {
    if (text.includes("pg_try_advisory_xact_lock")) return { rows: [{ free: true }] };
    if (text.includes("txid_current")) return { rows: [{ id: "7" }] };
    const done = { rows: [{}] };
    return text.startsWith("INSERT") ? inserting(done, "INSERT 0 1") : done;
  };
  const client = { query, on: () => {}, removeListener: () => {}, release: () => {} };
  return { query, connect: async () => connecting(client, "client") };
}

/** A connected client of `ioredis` that holds no event. Each of its scripts succeeds. Those that claim return through the part. */
function redisOf(part: Part) {
  const call = async (_command: string, script = "") =>
    script.includes("'claimed'") ? part(["claimed", "1"], "OK") : ["ok", null];
  return { call };
}

const lent = {
  limit: 10_000,
  after: "`store_failed`: 503, and the sender retries",
  reported: "`onError`",
  ends: { never: STORE_FAILED, late: STORE_FAILED, twice: HANDLED, odd: STORE_FAILED },
  works: HANDLED,
};

export const lentWaits: readonly Wait[] = [
  {
    part: "a connection of the pool that an inbox was lent",
    ...lent,
    recovers: "a connection that comes late is returned, and each delivery asks the pool again",
    start: (part) => ({
      use: receiving({ store: postgresInbox(poolOf({ connecting: part }) as never) }),
    }),
  },
  {
    part: "a query on a connection that an inbox was lent",
    ...lent,
    recovers:
      "the connection is closed, which undoes its transaction, and each delivery asks for one",
    start: (part) => ({
      use: receiving({ store: postgresInbox(poolOf({ inserting: part }) as never) }),
    }),
  },
  {
    part: "a command of the Redis client that a store was lent",
    ...lent,
    recovers: "each delivery sends its own commands; those that reach Redis late are undone",
    start: (part) => ({ use: receiving({ store: redisStore(redisOf(part)) }) }),
  },
  {
    part: "`claimObject` of an order, in the transaction of an inbox",
    ...lent,
    recovers: "the transaction is undone, and each delivery claims its object again",
    start: (part) => {
      const pool = poolOf({}) as never;
      const order = through(postgresOrder(pool), "claimObject", part);
      return { use: receiving({ store: postgresInbox(pool), order }) };
    },
  },
];
