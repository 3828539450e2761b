import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startPostgres, startRedis } from "../../../tools/servers.ts";
import { handleEvent, type EventStore } from "../src/receiver/index.ts";
import { createEventRouter } from "../src/router/index.ts";
import { sampleEvent } from "../src/samples.ts";
import { postgresInbox, postgresTables, redisStore } from "../src/stores/index.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";

const source = (path: string) => JSON.stringify(join(import.meta.dirname, "../src", path));

/** A program that handles the event. It prints "now" when it may be stopped, then what its handler saw, then the outcome. */
const programOf = (id: string, store: string) => `
  import { handleEvent } from ${source("receiver/index.ts")};
  import { createEventRouter } from ${source("router/index.ts")};
  import { sampleEvent } from ${source("samples.ts")};
  import { postgresInbox, redisStore } from ${source("stores/index.ts")};
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  ${store}
  const router = createEventRouter({
    "plan.created": async (_event, { signal }) => {
      console.log("now");
      await sleep(800);
      // A continued process ends its overdue timers before it reads from its connections.
      await sleep(100);
      console.log(signal.aborted ? "handler: lost" : "handler: ours");
    },
  });
  const event = sampleEvent("plan.created", { id: ${JSON.stringify(id)} });
  const { outcome } = await handleEvent(event, { router, store, lease: 1_500 });
  console.log(outcome);
  process.exit();`;

/** Stops a process for some time while it handles an event that this process then handles too. Returns what the other prints. */
async function stopFor(
  milliseconds: number,
  name: string,
  { program, store }: { readonly program: string; readonly store: EventStore },
): Promise<string[]> {
  // Another one for each attempt, because a failed one leaves its event done.
  const id = `${name}_${randomUUID()}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", programOf(id, program)], {
    // Inside the package, so that its imports resolve.
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  try {
    const exit = once(child, "exit");
    const printed: string[] = [];
    const isReady = Promise.withResolvers<void>();
    createInterface({ input: child.stdout }).on("line", (line) => {
      printed.push(line);
      if (line === "now") isReady.resolve();
    });
    await Promise.race([isReady.promise, exit]);
    child.kill("SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const router = createEventRouter({ "plan.created": () => undefined });
    const event = sampleEvent("plan.created", { id });
    expect(await handleEvent(event, { router, store })).toEqual({ outcome: "handled" });
    child.kill("SIGCONT");
    await exit;
    return printed;
  } finally {
    child.kill("SIGKILL");
  }
}

// A process that is stopped with SIGSTOP and continued must notice what it has lost.
/** Twice as long as the lease. */
const STOPPED = 3_000;
const [redisServer, postgresServer] = await Promise.all([startRedis(), startPostgres()]);
afterAll(async () => {
  for (const server of [redisServer, postgresServer])
    if (server.url !== undefined) await server.stop();
});

describeWith(redisServer, "Redis", (url) => {
  const client = new Redis(url);
  afterAll(() => client.disconnect());
  const store = redisStore(client);
  const begin = `
    import { Redis } from "ioredis";
    const redis = redisStore(new Redis(${JSON.stringify(url)}));`;

  test("a process that was stopped while its handler ran loses its lease, and completes nothing", async () => {
    const program = `${begin} const store = redis;`;
    expect(await stopFor(STOPPED, "evt_running", { program, store })).toEqual([
      "now",
      "handler: lost",
      "lease_lost",
    ]);
  });

  test("a process that was stopped after its claim starts no handler", async () => {
    const program = `${begin}
      const claim = async (...values) => {
        const claimed = await redis.claim(...values);
        console.log("now");
        await sleep(800);
        return claimed;
      };
      const store = { ...redis, claim };`;
    expect(await stopFor(STOPPED, "evt_claimed", { program, store })).toEqual([
      "now",
      "lease_lost",
    ]);
  });
});

describeWith(postgresServer, "PostgreSQL", (url) => {
  test("a process that was stopped while its transaction was ended by the server commits nothing", async () => {
    const pool = new pg.Pool({ connectionString: url });
    await pool.query(postgresTables());
    const program = `
      import pg from "pg";
      const pool = new pg.Pool({
        connectionString: ${JSON.stringify(url)},
        options: "-c idle_in_transaction_session_timeout=1000",
      });
      pool.on("error", () => undefined);
      const store = postgresInbox(pool);`;
    const store = postgresInbox(pool);
    pool.on("error", () => undefined);
    const printed = await stopFor(STOPPED, "evt_inbox", { program, store });
    expect(printed).toEqual(["now", "handler: lost", "store_failed"]);
    await pool.end();
  });
});
