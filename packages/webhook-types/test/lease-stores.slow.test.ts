// The stores of receivers as stores of leases, with real servers.
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { startPostgres, startRedis } from "../../../tools/servers.ts";
import {
  createConsoleClient,
  LeaseLostError,
  type CreateManyOptions,
  type LeaseStore,
} from "../../console-client/src/index.ts";
import { createSandbox } from "../../sandbox/src/engine/index.ts";
import { postgresStore, postgresTables, redisStore, sqliteStore } from "../src/stores/index.ts";

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const pool = new pg.Pool({ connectionString: postgres.url });
pool.on("error", () => undefined);
const cache = new Redis(redis.url ?? "", { lazyConnect: true });
const database = new DatabaseSync(":memory:");
if (postgres.url !== undefined) await pool.query(postgresTables());
afterAll(async () => {
  await pool.end();
  cache.disconnect();
  for (const server of [postgres, redis]) if (server.url !== undefined) await server.stop();
});

const stores: readonly {
  readonly name: string;
  readonly missing: string | undefined;
  readonly open: () => LeaseStore;
}[] = [
  {
    name: "redisStore",
    missing: redis.url === undefined ? redis.missing : undefined,
    open: () => redisStore(cache),
  },
  {
    name: "postgresStore",
    missing: postgres.url === undefined ? postgres.missing : undefined,
    open: () => postgresStore(pool),
  },
  { name: "sqliteStore", missing: undefined, open: () => sqliteStore(database) },
];

const COUNT = 6;
const FLEET = Array.from({ length: COUNT }, (_, number) => ({
  name: `Tank ${number}`,
  dev_eui: `70B3D57ED001000${number}`,
  app_eui: "70B3D57ED0000001",
  app_key: "2B7E151628AED2A6ABF7158809CF4F3C",
}));
/** The shortest lease. */
const DURATION = 5_000;

function openConsole() {
  const sandbox = createSandbox({ console: { data: "empty", duplicates: "allowed" } });
  const { devices } = createConsoleClient(sandbox.console);
  const create = (store: LeaseStore, id: string, options: CreateManyOptions = {}) =>
    devices.createMany(FLEET, {
      settleTime: 1,
      // The next owner of an interrupted run waits for twice as long.
      timeout: 1_000,
      lease: { id, store, duration: DURATION },
      ...options,
    });
  return { create, sandbox };
}

describe.concurrent.each(stores)("$name", ({ name, missing, open }) => {
  test("lets one of two runs send, and tells the other one until when", async (context) => {
    if (missing !== undefined) return context.skip(missing);
    const { create, sandbox } = openConsole();
    const id = `${name}/both`;
    const second = Promise.withResolvers<void>();
    const slow = (async function* () {
      await second.promise;
      yield* FLEET;
    })();
    const holder = createConsoleClient(sandbox.console)
      .devices.createMany(slow, { lease: { id, store: open(), duration: DURATION }, settleTime: 1 })
      .report();
    await sleep(DURATION / 10);
    const lost = await Promise.resolve(create(open(), id)).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(LeaseLostError);
    expect((lost as LeaseLostError).heldUntil!.getTime()).toBeGreaterThan(Date.now());
    expect(sandbox.log.requests("devices.createBatch")).toEqual([]);
    second.resolve();
    await holder;
    expect(sandbox.console.state.devices.size).toBe(COUNT);
  });

  test("the lease of a run that was killed ends by itself, and is claimed by the next", async (context) => {
    if (missing !== undefined) return context.skip(missing);
    const { create, sandbox } = openConsole();
    const id = `${name}/killed`;
    await open().claim(id, "of a process that was killed", DURATION);
    await expect(create(open(), id)).rejects.toThrow("another run holds the lease");
    expect(sandbox.log.count).toBe(0);
    await sleep(DURATION);
    expect(await create(open(), id)).toMatchObject({ created: COUNT });
  });

  test("a run whose lease was claimed by another one sends nothing more", async (context) => {
    if (missing !== undefined) return context.skip(missing);
    const { create, sandbox } = openConsole();
    const id = `${name}/stolen`;
    const store = open();
    // As after a pause: the store has let the lease end.
    const forgetful: LeaseStore = {
      ...store,
      async claim(key, token, duration) {
        const claim = await store.claim(key, token, duration);
        await store.release(key, token);
        await store.claim(key, "another", duration);
        return claim;
      },
    };
    const slow = (async function* () {
      await sleep(DURATION);
      yield* FLEET;
    })();
    const { devices } = createConsoleClient(sandbox.console);
    const run = devices.createMany(slow, {
      lease: { id, store: forgetful, duration: DURATION },
      settleTime: 1,
    });
    await expect(run).rejects.toThrow("has lost its lease");
    expect(sandbox.console.state.devices.size).toBe(0);
    // It does not release the lease of the other one.
    await expect(create(open(), id)).rejects.toThrow("another run holds the lease");
  });
});
