// The receiver and the worker of a process.
import { createQueueReceiver, createQueueWorker } from "@fieldmesh/webhook-types/queue";
import { createReceiver, type Inbox, type Receiver } from "@fieldmesh/webhook-types/receiver";
import type { EventContext } from "@fieldmesh/webhook-types/router";
import { postgresInbox } from "@fieldmesh/webhook-types/stores";
import pg from "pg";
import type { Engine } from "./engine.ts";
import { EFFECTS, type DeliveryTask, type Step } from "./task.ts";

type Receive = Pick<Receiver, "receive">;

/** Both sides of a process. */
export interface Sides extends Receive {
  readonly close: () => Promise<void>;
}

/** Opens the queue of a task. Its module is loaded only if it is used, because processes start often. */
export async function openEngine(
  task: DeliveryTask,
  pool: pg.Pool,
  reach?: (step: Step) => void,
): Promise<Engine> {
  if (task.engine === "bullmq") return (await import("./bullmq.ts")).openBullmq(task, reach);
  return (await import("./pg-boss.ts")).openPgBoss(task, pool, reach);
}

/** Opens the sides of a task. `reach` is called at each step. */
export async function openSides(
  task: DeliveryTask,
  reach: (step: Step) => void = () => {},
): Promise<Sides> {
  const { engine: name, postgresUrl, secret, concurrency, failureRate } = task;
  const pool = new pg.Pool({
    connectionString: postgresUrl,
    max: 25,
    connectionTimeoutMillis: 5_000,
  });
  // The query that uses a broken connection reports it.
  pool.on("error", () => {});
  const inbox = postgresInbox(pool);
  const handlers = {
    "plan.created": async ({ id }: { readonly id: string }, context: EventContext) => {
      await inbox.transaction(context).query(`INSERT INTO ${EFFECTS} VALUES ($1)`, [id]);
      reach("in the handler");
      if (Math.random() < failureRate) throw new Error("the handler failed after its write");
    },
  };
  // Failures are expected here: the queue, or the sender, tries again.
  const quiet = { onError: () => {}, onOutcome: () => {} };
  if (name === "none") {
    const { receive } = createReceiver({ secret, store: inbox, handlers, ...quiet });
    return { receive, close: () => pool.end() };
  }

  const bytes = new Uint8Array(32).fill(7);
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  const keys = [key];
  const engine = await openEngine(task, pool, reach);
  const { receive } = createQueueReceiver({ secret, keys, queue: engine.queue, ...quiet });
  const work = createQueueWorker({ keys, store: withSteps(inbox, reach), handlers, ...quiet });
  if (concurrency > 0)
    await engine.startWorker(async (job) => {
      const result = await work(job);
      reach("before the job is completed");
      return result;
    });
  return {
    receive: async (message) => {
      const response = await receive(message);
      reach("before the response");
      return response;
    },
    close: async () => {
      await engine.close();
      await pool.end();
    },
  };
}

/** The inbox, with a step before its mark, and one between the last write and the commit. */
function withSteps(inbox: Inbox, reach: (step: Step) => void): Inbox {
  return {
    ...inbox,
    run: (id, work, options) => {
      reach("before the mark");
      const watched: typeof work = async (transaction) => {
        await work(transaction);
        reach("before the commit");
      };
      return inbox.run(id, watched, options);
    },
  };
}
