import { Redis } from "ioredis";
import { createClient } from "redis";
import { startRedis } from "../../../tools/servers.ts";
import { redisStore, type RedisClient } from "../src/stores/index.ts";
import { startBlackHole } from "../../../tools/testing/black-hole.ts";
import { everyRule, type Bed, type Cell, type Rule } from "./drivers.ts";

/** A client of a test, with one command for its handlers. */
interface Client {
  readonly client: RedisClient;
  readonly ping: () => Promise<unknown>;
  readonly close: () => void;
}

export async function openIoredis(url: string): Promise<Client> {
  const client = new Redis(url, { lazyConnect: true });
  client.on("error", () => {});
  await client.connect();
  return { client, ping: async () => client.ping(), close: () => client.disconnect() };
}

export async function openNodeRedis(url: string): Promise<Client> {
  const client = createClient({ url });
  client.on("error", () => {});
  await client.connect();
  return { client, ping: async () => client.ping(), close: () => client.destroy() };
}

/** Cells of a client of Redis. Each has a server of its own, because it breaks it. */
export function cellsOfRedis(open: (url: string) => Promise<Client>): Record<Rule, Cell> {
  async function bed(): Promise<Bed> {
    const servers = [await startOwn()];
    const url = servers[0]!.url;
    let control = new Redis(url);
    const hole = await startBlackHole(url);
    const { client, ping, close } = await open(hole.url);
    const keyOf = (id: string): string => `fieldmesh:event:${id}`;
    let broken: string | undefined;
    return {
      isInbox: false,
      store: redisStore(client),
      write: () => {},
      query: ping,
      marks: async () => {
        const keys = await control.keys(keyOf("*"));
        const done = await Promise.all(keys.map((key) => control.hexists(key, "d")));
        return done.filter((is) => is === 1).length;
      },
      rows: async () => 0,
      close: async () => {
        close();
        control.disconnect();
        hole.close();
        for (const server of servers) await server.stop();
      },
      hole,
      last: (id) => [id],
      // It may send the next command to a server that does not know the script.
      pool: async () => control.script("FLUSH"),
      // A failover: the server that the connections lead to becomes a replica, and new ones lead to another server.
      setReadOnly: async (isReadOnly) => {
        if (isReadOnly) return control.replicaof("127.0.0.1", 1);
        const other = await startOwn();
        servers.push(other);
        control.disconnect();
        control = new Redis(other.url);
        hole.lead(other.url);
      },
      setFull: async (isFull) => control.config("SET", "maxmemory", isFull ? "1" : "0"),
      breakEvent: async (id) => {
        if (broken !== undefined) await control.del(keyOf(broken));
        broken = id;
        if (id !== undefined) await control.set(keyOf(id), "not a hash");
      },
      askPool: ping,
    };
  }

  return everyRule(
    { beds: { store: bed } },
    {
      "a conflict of transactions": {
        doesNotApply: "Redis runs one script at a time, and a store has no other transactions",
      },
    },
  );
}

async function startOwn() {
  const server = await startRedis({ isOwn: true });
  if (server.url === undefined) throw new Error(server.missing);
  return server;
}
