// A receiver that is killed at named points. run-kills.ts starts it.
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import {
  createReceiver,
  type EventStore,
  type IdempotencyStore,
} from "@fieldmesh/webhook-types/receiver";
import { postgresInbox, postgresStore, redisStore } from "@fieldmesh/webhook-types/stores";
import { Redis } from "ioredis";
import pg from "pg";
import { readTask, serveInChild } from "../support/child.ts";
import { dyingInbox, reach } from "./dying.ts";
import { EFFECTS, FAILURES, OVERLAPS, TABLE, type ReceiverTask } from "./kill-points.ts";

const { kind, postgresUrl, redisUrl, secret, lease, failureRate } = readTask() as ReceiverTask;
const pool = new pg.Pool({
  connectionString: postgresUrl,
  max: 25,
  connectionTimeoutMillis: 5_000,
});
// The query that uses a broken connection reports it.
pool.on("error", () => {});

const inbox = postgresInbox(pool, { table: TABLE });
const store: EventStore =
  kind === "inbox"
    ? dyingInbox(inbox)
    : dyingStore(
        kind === "redis"
          ? redisStore(new Redis(redisUrl ?? ""))
          : postgresStore(pool, { table: TABLE }),
      );

const receive = createReceiver({
  secret,
  store,
  lease,
  // Failures are expected here: the sender retries.
  onError: () => {},
  handlers: {
    "plan.created": async (event, context) => {
      reach("in the handler");
      const client = kind === "inbox" ? inbox.transaction(context) : await pool.connect();
      try {
        const key = [event.id];
        // The lock belongs to the session and ends with the process. A handler that finds it held runs at the same time as another.
        const { rows } = await client.query(
          "SELECT pg_try_advisory_lock(hashtextextended('handler ' || $1, 0)) AS is_free",
          key,
        );
        if (!rows[0].is_free) await pool.query(`INSERT INTO ${OVERLAPS} VALUES ($1)`, key);
        await client.query(`INSERT INTO ${EFFECTS} VALUES ($1)`, key);
        reach("after its effect");
        await client.query("SELECT pg_advisory_unlock(hashtextextended('handler ' || $1, 0))", key);
      } finally {
        if (kind !== "inbox") client.release();
      }
    },
    // A second handler, which sometimes fails after the effect above.
    "plan.*": async (event) => {
      if (Math.random() >= failureRate) return;
      await pool.query(`INSERT INTO ${FAILURES} VALUES ($1)`, [event.id]);
      throw new Error("the second handler failed");
    },
  },
});

const handle = toNodeHandler(receive);
await serveInChild((req, res) => void handle(req, res));

function dyingStore(real: IdempotencyStore): IdempotencyStore {
  return {
    ...real,
    claim: async (...args) => {
      reach("before claim");
      const claim = await real.claim(...args);
      if (claim.status === "claimed") reach("after claim");
      return claim;
    },
    complete: async (...args) => {
      const isMine = await real.complete(...args);
      reach("after complete");
      return isMine;
    },
  };
}
