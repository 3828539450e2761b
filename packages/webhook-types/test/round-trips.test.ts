import pg from "pg";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startCountingProxy } from "../../../tools/testing/counting-proxy.ts";
import { startPostgres } from "../../../tools/servers.ts";
import { signedRequest } from "../src/index.ts";
import { createReceiver, type ReceiverOptions } from "../src/receiver/index.ts";
import { sampleEvent } from "../src/samples.ts";
import {
  postgresInbox,
  postgresOrder,
  postgresOrderTable,
  postgresPoison,
  postgresPoisonTable,
  postgresStore,
  postgresTables,
} from "../src/stores/index.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";

type Stores = Pick<ReceiverOptions, "store" | "order" | "poison">;

const secret = "whsec_canary";
const server = await startPostgres();
afterAll(async () => {
  if (server.url !== undefined) await server.stop();
});

const newEvent = () =>
  sampleEvent("sim.activated", {
    id: `evt_${crypto.randomUUID()}`,
    data: { object: { id: `sim_${crypto.randomUUID()}` } },
  });

describeWith(server, "PostgreSQL", (url) => {
  test.each<[string, number, (pool: pg.Pool) => Stores]>([
    ["an inbox", 2, (pool) => ({ store: postgresInbox(pool) })],
    [
      "an inbox with order",
      3,
      (pool) => ({ store: postgresInbox(pool), order: postgresOrder(pool) }),
    ],
    [
      "an inbox with order and poison",
      3,
      (pool) => ({
        store: postgresInbox(pool),
        order: postgresOrder(pool),
        poison: { store: postgresPoison(pool), attempts: 5 },
      }),
    ],
    ["a lease store", 2, (pool) => ({ store: postgresStore(pool) })],
    [
      "a lease store with order of one client",
      2,
      (pool) => ({ store: postgresStore(pool), order: postgresOrder(pool) }),
    ],
    [
      "a lease store with order and poison of one client",
      2,
      (pool) => ({
        store: postgresStore(pool),
        order: postgresOrder(pool),
        poison: { store: postgresPoison(pool), attempts: 5 },
      }),
    ],
  ])("a new event in %s costs %i round trips", async (_, expected, storesOf) => {
    const proxy = await startCountingProxy(url);
    const pool = new pg.Pool({ connectionString: proxy.url, connectionTimeoutMillis: 10_000 });
    pool.on("error", () => {});
    onTestFinished(async () => {
      await pool.end();
      proxy.close();
    });
    await pool.query(postgresTables() + postgresOrderTable() + postgresPoisonTable());
    const receive = createReceiver({
      secret,
      handlers: { "sim.activated": () => undefined },
      ...storesOf(pool),
    });
    const countOfNext = async (): Promise<number> => {
      const request = await signedRequest(newEvent(), { url: "http://127.0.0.1/hooks", secret });
      proxy.count();
      expect((await receive(request)).status).toBe(200);
      return proxy.count();
    };
    // The first delivery may do what is done once.
    await countOfNext();
    expect(await countOfNext()).toBe(expected);
    expect(await countOfNext()).toBe(expected);
  });
});
