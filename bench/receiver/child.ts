// One process of a receiver that is killed at named points; started by run-kills.ts.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@fieldmesh/webhook-types/adapters";
import {
  createReceiver,
  type EventStore,
  type IdempotencyStore,
  type Inbox,
} from "@fieldmesh/webhook-types/receiver";
import { postgresInbox, postgresStore, redisStore } from "@fieldmesh/webhook-types/stores";
import { Redis } from "ioredis";
import pg from "pg";
import {
  EFFECTS,
  FAILURES,
  OVERLAPS,
  TABLE,
  type ChildOptions,
  type Point,
} from "./kill-points.ts";

const { kind, postgresUrl, redisUrl, secret, lease, failing } = JSON.parse(
  process.env["RECEIVER_WORK"] ?? "{}",
) as ChildOptions;
const pool = new pg.Pool({ connectionString: postgresUrl, max: 20 });
// A connection that the server ends is noticed by whoever uses it.
pool.on("error", () => {});
let armed: Point | undefined;
process.on("message", (point: Point) => {
  armed = point;
});

/** Dies here, if it was told to. Nothing behind it runs. */
function reach(point: Point): void {
  if (armed === point) process.kill(process.pid, "SIGKILL");
}

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
  // What fails on purpose, and what a dying neighbour leaves behind, comes again.
  onError: () => {},
  handlers: {
    "plan.created": async (event, context) => {
      reach("in the handler");
      const client = kind === "inbox" ? inbox.transaction(context) : await pool.connect();
      try {
        const key = [event.id];
        // Held by a session, so that it ends with the process: whoever finds it held runs at the same time as another.
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
    // A neighbour that fails now and then, after the effect above.
    "plan.*": async (event) => {
      if (Math.random() >= failing) return;
      await pool.query(`INSERT INTO ${FAILURES} VALUES ($1)`, [event.id]);
      throw new Error("a neighbour failed");
    },
  },
});

// Nobody is left to deliver anything.
process.on("disconnect", () => process.exit());

const handle = toNodeHandler(receive);
const server = createServer((req, res) => void handle(req, res)).listen(0, "127.0.0.1");
await once(server, "listening");
process.send?.((server.address() as AddressInfo).port);

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

function dyingInbox(real: Inbox): Inbox {
  return {
    run: async (id, work) => {
      reach("before claim");
      const outcome = await real.run(id, async (transaction) => {
        reach("after claim");
        await work(transaction);
      });
      reach("after complete");
      return outcome;
    },
  };
}
