import { Cluster, Redis } from "ioredis";
import { createCluster } from "redis";
import { afterAll, expect, test, vi } from "vitest";
import { startRedis } from "../../../tools/servers.ts";
import { redisRateLimit } from "@fieldmesh/rate-limit";
import { storeTests } from "../src/store-kit/index.ts";
import {
  redisOrder,
  redisStore,
  type PgPool,
  postgresInbox,
  postgresOrder,
  postgresPoison,
  postgresStore,
} from "../src/stores/index.ts";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import type * as mirrors from "../../mirror/src/index.ts";
import { postgresMirror } from "../../mirror/src/index.ts";
import type * as stores from "../src/stores/index.ts";

const server = await startRedis({ isOwn: true, isCluster: true });
afterAll(async () => {
  if (server.url !== undefined) await server.stop();
});

test.each(Object.entries({ redisStore, redisOrder, redisRateLimit }))(
  "%s rejects a cluster of redis, with what to pass",
  (name, create) => {
    const cluster = createCluster({ rootNodes: [{ url: "redis://127.0.0.1:1" }] });
    expect(() => create(cluster as never)).toThrow(
      new RegExp(`^${name} does not accept a cluster of redis.*Cluster of ioredis`),
    );
  },
);

describeWith(server, "a cluster of ioredis", (url) => {
  const { hostname, port } = new URL(url);
  const cluster = new Cluster([{ host: hostname, port: Number(port) }], { lazyConnect: true });
  afterAll(() => cluster.disconnect());
  let isReady: Promise<unknown> | undefined;
  const ready = async () => {
    const node = new Redis(url);
    await node.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await vi.waitFor(
      async () => expect(await node.call("CLUSTER", "INFO")).toContain("cluster_state:ok"),
      { timeout: 10_000, interval: 100 },
    );
    node.disconnect();
    await cluster.connect();
  };
  for (const { name, run } of storeTests(async () => {
    await (isReady ??= ready());
    return redisStore(cluster);
  }))
    // oxlint-disable-next-line vitest/valid-title -- the kit names its tests
    test(name, run);
});

type Exports = typeof mirrors & typeof stores;
type FirstOf<F> = F extends (first: infer First, ...rest: never[]) => unknown ? First : never;

/** The exported functions whose first argument is a client of PostgreSQL. A table of them does not compile if it lacks one. */
type OfPostgres = {
  [
    Name in keyof Exports as [FirstOf<Exports[Name]>] extends [PgPool]
      ? [FirstOf<Exports[Name]>] extends [never]
        ? never
        : Name
      : never
  ]: unknown;
};

const everyFunction = {
  postgresInbox,
  postgresMirror,
  postgresOrder,
  postgresPoison,
  postgresStore,
} satisfies OfPostgres;

/** The members of what `postgres()` of postgres.js returns that tell it from a pool. */
function postgresJs(): never {
  const nothing = () => {};
  const options = { host: ["db.test"], user: "app", pass: "canary" };
  return Object.assign(nothing, { unsafe: nothing, begin: nothing, options }) as never;
}

test.each(Object.entries(everyFunction))(
  "%s rejects a client of postgres.js before any event, and says what to pass",
  (name, create) => {
    expect(() => create(postgresJs())).toThrow(
      new TypeError(
        `${name} does not accept postgres.js, which cannot close one connection that hangs, and hides how a COMMIT ended. Pass new Pool({ connectionString }) of pg, beside your own client: see the guide "Databases", guides/databases.`,
      ),
    );
  },
);
