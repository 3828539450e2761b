import { once } from "node:events";
import { sign } from "@fieldmesh/webhook-types";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startPostgres } from "../../tools/servers.ts";
import { nextMessage, startChild } from "../support/child.ts";
import { startDurableRedis } from "./durable-redis.ts";
import { deliver } from "./processes.ts";
import { openEngine, openSides } from "./sides.ts";
import { bodyOf, createTables, runDeliveries } from "./run-deliveries.ts";
import { EFFECTS, RECEIVER_STEPS, WORKER_STEPS, type DeliveryTask, type Step } from "./task.ts";

// A small run; bench/deliveries.ts is the large one.
const [postgres, redis] = await Promise.all([startPostgres(), startDurableRedis()]);
afterAll(async () => {
  await redis?.stop();
  if (postgres.url !== undefined) await postgres.stop();
});
const missing =
  postgres.url === undefined
    ? postgres.missing
    : redis === undefined
      ? "redis-server is not on PATH"
      : "";
const urls = { postgresUrl: postgres.url ?? "", redisUrl: redis?.url ?? "" };
const LEASE = 2_000;

describe.skipIf(missing !== "").each(["pg-boss", "bullmq"] as const)(
  `%s${missing === "" ? "" : ` is skipped, because ${missing}`}`,
  (engine) => {
    const pool = new pg.Pool({ connectionString: urls.postgresUrl });
    pool.on("error", () => {});
    beforeAll(() => createTables(pool));
    afterAll(() => pool.end());

    const taskOf = (step: Step): DeliveryTask => ({
      ...urls,
      engine,
      queue: `queue-${step.replaceAll(" ", "-")}`,
      secret: "whsec_test_secret_only",
      lease: LEASE,
      concurrency: 2,
      failureRate: 0,
    });

    /** Delivers an event to a process that dies at a step, and then to one that does not. */
    const killAt = async (step: Step): Promise<void> => {
      const id = `evt_${step}`;
      const task = taskOf(step);
      const dying = startChild("deliveries/child.ts", { ...task, dieAt: step });
      const death = once(dying, "exit");
      const port = await nextMessage<number>(dying);
      const send = (to: number) => deliver(`http://127.0.0.1:${to}/`, bodyOf(id), task.secret);
      const isAccepted = await send(port);
      const [, signal] = (await death) as [unknown, string];
      expect([step, signal]).toEqual([step, "SIGKILL"]);
      expect([step, isAccepted]).toEqual([step, (WORKER_STEPS as readonly Step[]).includes(step)]);
      const sides = await openSides(task);
      // The sender retries what was not accepted, and repeats some of what was.
      const body = bodyOf(id);
      const headers = await sign({ secret: task.secret, body });
      const { status } = await sides.receive({ method: "POST", headers, body });
      expect([step, status]).toEqual([step, 200]);
      const watcher = await openEngine(task, pool);
      await vi.waitFor(
        async () => expect([step, await watcher.count()]).toEqual([step, { jobs: 1, open: 0 }]),
        { timeout: 60_000, interval: 200 },
      );
      const sql = `SELECT event_id FROM ${EFFECTS} WHERE event_id = $1`;
      expect((await pool.query(sql, [id])).rows).toEqual([{ event_id: id }]);
      await sides.close();
      await watcher.close();
    };

    test("a kill at each step loses no event, makes no second job, and leaves one row of its handler", async () => {
      await Promise.all([...RECEIVER_STEPS, ...WORKER_STEPS].map(killAt));
    });

    test("kills, stops and a restart of the queue lose no event, and each row is written once", async () => {
      const counts = await runDeliveries({
        ...urls,
        engine,
        events: 150,
        processes: 2,
        kills: 2,
        stops: 1,
        stopFor: 2 * LEASE,
        lease: LEASE,
        ...(engine === "bullmq" && { restart: async () => redis?.restart(), restarts: 1 }),
      });
      console.log(engine, counts);
      expect(counts).toMatchObject({ lost: 0, doubled: 0, open: 0, jobs: 150 });
    });
  },
);
