// Counts the deliveries that one process accepts per second, with and without a queue.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { nextMessage, startChild } from "../support/child.ts";
import { deliver } from "./processes.ts";
import { bodyOf, createTables } from "./run-deliveries.ts";
import type { DeliveryTask } from "./task.ts";

const IN_PROGRESS = 32;
const WARM_UP = 200;

/** A process that only receives: nothing handles the jobs. */
export async function measureAccepting(
  task: Pick<DeliveryTask, "engine" | "postgresUrl" | "redisUrl">,
  deliveries: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: task.postgresUrl, max: 1 });
  await createTables(pool);
  await pool.end();
  const secret = "whsec_canary_of_the_bench";
  const child = startChild("deliveries/child.ts", {
    ...task,
    queue: `accept-${randomUUID()}`,
    secret,
    lease: 10_000,
    concurrency: 0,
    failureRate: 0,
  } satisfies DeliveryTask);
  const url = `http://127.0.0.1:${await nextMessage<number>(child)}/`;
  const send = async (count: number): Promise<void> => {
    let left = count;
    const sender = async (): Promise<void> => {
      while (left-- > 0)
        if (!(await deliver(url, bodyOf(`evt_${randomUUID()}`), secret)))
          throw new Error("a delivery was not accepted");
    };
    await Promise.all(Array.from({ length: IN_PROGRESS }, sender));
  };
  await send(WARM_UP);
  const startedAt = performance.now();
  await send(deliveries);
  const seconds = (performance.now() - startedAt) / 1_000;
  child.kill();
  return deliveries / seconds;
}
