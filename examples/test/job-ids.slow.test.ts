// What the ids of jobs meet in the queues that people run, with real servers.
import { once } from "node:events";
import { Queue, Worker } from "bullmq";
import { PgBoss } from "pg-boss";
import { splitJob, type DeviceJob } from "@fieldmesh/console-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres, startRedis, type Server } from "../../tools/servers.ts";

let redis: Server;
let postgres: Server;
beforeAll(async () => {
  redis = await startRedis();
  postgres = await startPostgres();
});
afterAll(async () => {
  for (const server of [redis, postgres]) if (server.url !== undefined) await server.stop();
});

async function firstJob(): Promise<DeviceJob> {
  const bytes = new Uint8Array(32);
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  const device = {
    name: "Tank 1",
    dev_eui: "0004A30B001C0001",
    app_eui: "70B3D57ED0010001",
    app_key: "00112233445566778899AABBCCDDEEFF",
  };
  for await (const job of splitJob([device], { size: 1, key })) return job;
  throw new Error("no job");
}

test("BullMQ drops a job that it has, also once it is done, and rejects ids with a colon and integers", async (context) => {
  if (redis.url === undefined) return context.skip(redis.missing);
  const connection = { url: redis.url };
  const queue = new Queue("ids", { connection });
  for (const jobId of ["import:1", "12"])
    await expect(queue.add("import", {}, { jobId })).rejects.toThrow("Custom Id cannot");

  const job = await firstJob();
  await queue.add("import", job, { jobId: job.id });
  await queue.add("import", job, { jobId: job.id });
  expect(await queue.getJobCounts("waiting")).toEqual({ waiting: 1 });

  let runs = 0;
  const worker = new Worker("ids", async () => ++runs, { connection });
  await once(worker, "completed");
  await queue.add("import", job, { jobId: job.id });
  expect(await queue.getJobCounts("waiting", "completed")).toEqual({ waiting: 0, completed: 1 });
  expect((await queue.getJob(job.id))?.returnvalue).toBe(1);
  await worker.close();
  await queue.close();
});

test("a job of BullMQ that has failed blocks its id until it is retried", async (context) => {
  if (redis.url === undefined) return context.skip(redis.missing);
  const connection = { url: redis.url };
  const queue = new Queue("failed-ids", { connection });
  const job = await firstJob();
  await queue.add("import", job, { jobId: job.id });
  let runs = 0;
  const worker = new Worker(
    "failed-ids",
    async () => {
      runs++;
      if (runs === 1) throw new Error("the first run fails");
    },
    { connection },
  );
  await once(worker, "failed");
  await queue.add("import", job, { jobId: job.id });
  expect(await queue.getJobState(job.id)).toBe("failed");

  const completed = once(worker, "completed");
  await (await queue.getJob(job.id))!.retry("failed");
  await completed;
  expect(runs).toBe(2);
  await worker.close();
  await queue.close();
});

test("pg-boss requires a UUID, drops a job that it has, and runs a failed one again only after retry", async (context) => {
  if (postgres.url === undefined) return context.skip(postgres.missing);
  const boss = await new PgBoss(postgres.url).start();
  await boss.createQueue("ids");
  await expect(boss.send("ids", {}, { id: "import:1" })).rejects.toThrow("uuid");

  const job = await firstJob();
  const { id } = job;
  expect(await boss.send("ids", job, { id, retryLimit: 0 })).toBe(id);
  expect(await boss.send("ids", job, { id })).toBeNull();

  const fetched = await boss.fetch("ids");
  expect(fetched.map((each) => each.id)).toEqual([id]);
  await boss.fail("ids", id);
  expect(await boss.send("ids", job, { id })).toBeNull();
  expect(await boss.fetch("ids")).toEqual([]);
  await boss.retry("ids", id);
  expect(await boss.fetch("ids")).toMatchObject([{ id }]);
  await boss.complete("ids", id, { created: 1 });
  expect(await boss.send("ids", job, { id })).toBeNull();
  expect(await boss.findJobs("ids", { id })).toMatchObject([
    { state: "completed", output: { created: 1 } },
  ]);
  await boss.stop({ graceful: false });
});
