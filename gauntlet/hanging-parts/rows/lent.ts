import { postgresInbox, postgresOrder, redisStore } from "@fieldmesh/webhook-types/stores";
import type { Part, Wait } from "../row.ts";
import { HANDLED, receiving, STORE_FAILED, through } from "./receiver.ts";

const pass: Part = (good) => good;

/** A pool of `pg` that holds no event. Its `connect` returns through one part, and the statements that mark an event through another. */
function poolOf({ connecting = pass, inserting = pass }: { connecting?: Part; inserting?: Part }) {
  const resultOf = (row: object, command = "SELECT") => ({ rows: [row], command });
  const query = async (text: string) => {
    const marked = resultOf({ tx: "7", outcome: "committed" }, "COMMIT");
    const all = [resultOf({}), marked, marked];
    const results = all.slice(-text.split(";\n").length);
    return text.startsWith("BEGIN") ? inserting(results, "INSERT 0 1") : results;
  };
  const client = {
    query,
    escapeLiteral: (value: string) => `'${value}'`,
    on: () => {},
    removeListener: () => {},
    release: () => {},
  };
  return { query, connect: async () => connecting(client, "client") };
}

/** A connected client of `ioredis` that holds no event. Each of its scripts succeeds. Those that claim return through the part. */
function redisOf(part: Part) {
  const call = async (command: string, script = "") => {
    if (command === "EVALSHA") throw new Error("NOSCRIPT No matching script");
    return script.includes("'claimed'") ? part(["claimed", "1"], "OK") : ["ok", null];
  };
  return { call, ...RECONNECTS };
}

/** What a client of `ioredis` needs besides. */
export const RECONNECTS = {
  disconnect: () => {},
  connect: async () => {},
  once: (_event: "end", listener: () => void) => listener(),
};

const lent = {
  limit: 9_000,
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
    recovers: "the connection is replaced, and what reaches Redis late is undone",
    start: (part) => ({ use: receiving({ store: redisStore(redisOf(part)) }) }),
  },
  {
    part: "`claimObject` of an order, in the transaction of an inbox",
    ...lent,
    limit: 10_000,
    recovers: "the transaction is undone, and each delivery claims its object again",
    start: (part) => {
      const pool = poolOf({}) as never;
      const order = through(postgresOrder(pool), "claimObject", part);
      return { use: receiving({ store: postgresInbox(pool), order }) };
    },
  },
];
