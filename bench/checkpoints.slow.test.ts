// Checkpoints through the databases that users keep them in: a column of jsonb, which sorts keys, and a key of Redis.
import { createConsoleClient, type BulkCheckpoint } from "@fieldmesh/console-client";
import { createLedgerClient, type Checkpoint } from "@fieldmesh/ledger-client";
import { createSandbox } from "@fieldmesh/sandbox/engine";
import { Redis } from "ioredis";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, startRedis } from "../tools/servers.ts";

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const pool = new Pool({ connectionString: postgres.url });
const cache = new Redis(redis.url ?? "", { lazyConnect: true });

beforeAll(async () => {
  if (missing === "") await pool.query("CREATE TABLE kept (place jsonb NOT NULL)");
});
afterAll(async () => {
  await pool.end();
  cache.disconnect();
  for (const server of [postgres, redis]) if (server.url !== undefined) await server.stop();
});

/** Stores a checkpoint, and reads it as another process would. */
type Keep = <Place>(checkpoint: Place) => Promise<Place>;

/** One device more than there was. */
const DAMAGE =
  "UPDATE kept SET place = jsonb_set(place, '{created}', to_jsonb((place->>'created')::int + 1))";

const databases: Readonly<Record<string, Keep>> = {
  "a column of jsonb": async <Place>(checkpoint: Place) => {
    await pool.query("DELETE FROM kept");
    await pool.query("INSERT INTO kept (place) VALUES ($1)", [checkpoint]);
    return readRow<Place>();
  },
  "a key of Redis": async <Place>(checkpoint: Place) => {
    await cache.set("place", JSON.stringify(checkpoint));
    return JSON.parse((await cache.get("place")) ?? "") as Place;
  },
};

async function readRow<Place>(): Promise<Place> {
  const { rows } = await pool.query<{ place: Place }>("SELECT place FROM kept");
  return rows[0]!.place;
}

const FLEET = Array.from({ length: 8 }, (_, number) => ({
  name: `Tank ${number}`,
  dev_eui: `70B3D57ED001000${number}`,
  app_eui: "70B3D57ED0000001",
  app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
}));
const QUICK = { chunkSize: 2, settleTime: 1, concurrency: 1, timeout: 2_000 } as const;

/** Leaves a bulk run after five results. */
async function leaveBulkRun() {
  const sandbox = createSandbox({ console: { data: "empty" } });
  const { devices } = createConsoleClient(sandbox.console);
  let checkpoint!: BulkCheckpoint;
  const onCheckpoint = (next: BulkCheckpoint) => void (checkpoint = next);
  let seen = 0;
  for await (const _ of devices.createMany(FLEET, { ...QUICK, onCheckpoint }))
    if (++seen === 5) break;
  return { sandbox, devices, checkpoint };
}

/** The last week of the sandbox's ledger, whose clock stands still. */
const WEEK = { min_time: "2026-11-13T00:00:00Z", max_time: "2026-11-20T00:00:00Z" };

function openRewards() {
  const sandbox = createSandbox();
  const { accounts } = createLedgerClient(sandbox.ledger);
  const address = sandbox.ledger.state.chain.addresses.of(1);
  return (checkpoint?: Checkpoint) => accounts.rewards({ address, ...WEEK }, { checkpoint });
}

/** Returns the next items, up to a number of them. */
async function take<Item>(items: AsyncIterator<Item>, count = Infinity): Promise<Item[]> {
  const taken: Item[] = [];
  for (let number = 0; number < count; number++) {
    const { done, value } = await items.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

const missing =
  postgres.url === undefined ? postgres.missing : redis.url === undefined ? redis.missing : "";
const title = missing === "" ? "a checkpoint resumes" : `skipped, because ${missing}`;

// oxlint-disable-next-line vitest/valid-title -- a skipped test is what shows the reason
describe.skipIf(missing !== "")(title, () => {
  describe.each(Object.entries(databases))("from %s", (_database, keep) => {
    test("in a bulk run, which creates each device once", async () => {
      const { sandbox, devices, checkpoint } = await leaveBulkRun();
      const run = devices.createMany(FLEET, { ...QUICK, checkpoint: await keep(checkpoint) });
      expect(await run.report()).toMatchObject({ created: 8, failed: 0 });
      expect(await devices.list()).toHaveLength(8);
      expect(sandbox.log.requests().filter(({ method }) => method === "POST")).toHaveLength(4);
    });

    test("in a walk, which returns the items that are left", async () => {
      const rewards = openRewards();
      const all = await take(rewards().walk());
      const walk = rewards().walk();
      await take(walk, 150);
      const checkpoint = await keep(walk.checkpoint());
      expect(await take(rewards(checkpoint).walk())).toEqual(all.slice(150));
    });

    test("in a walk in parallel lanes, which returns the items that are left", async () => {
      const rewards = openRewards();
      const all = await take(rewards().walk());
      const walk = rewards().parallel({ order: "list", lanes: 3 });
      await take(walk, 150);
      const checkpoint = await keep(walk.checkpoint());
      await walk.return();
      expect(await take(rewards().parallel({ order: "list", checkpoint }))).toEqual(all.slice(150));
    });
  });

  test("not after the database has changed a digit: nothing is sent", async () => {
    const { sandbox, devices, checkpoint } = await leaveBulkRun();
    await databases["a column of jsonb"]!(checkpoint);
    await pool.query(DAMAGE);
    const sent = sandbox.log.requests().length;
    const damaged = await readRow<BulkCheckpoint>();
    expect(damaged).not.toEqual(checkpoint);
    const run = devices.createMany(FLEET, { ...QUICK, checkpoint: damaged });
    await expect(run.report()).rejects.toThrow("was changed or damaged");
    expect(sandbox.log.requests()).toHaveLength(sent);
  });
});
