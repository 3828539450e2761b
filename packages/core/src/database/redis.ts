import { describeValue } from "../describe-value.ts";
import { getOrInsertComputed } from "../get-or-insert-computed.ts";
import { mistake } from "../mistake.ts";
import { hasMethod, memberOf } from "../record.ts";
import { digestOf } from "../hex.ts";
import { ioredis, isIoredis, isNodeRedis, nodeRedis, type RedisDriver } from "./redis-driver.ts";
import { borrow, type Driver } from "./port.ts";

/** A Redis, as stores use it. */
export interface Redis extends Pick<RedisDriver, "command"> {
  /** Whether the client is of the package `ioredis`. */
  readonly isIoredis: boolean;
  /** Runs a script on one key. The server has its text after the first time. */
  readonly script: (text: string, key: string, ...values: string[]) => Promise<unknown>;
  /** Runs any code that uses the client, with the limit of a command. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

/** By client: stores of the same one replace a connection that hangs once. */
const opened = new WeakMap<object, Redis>();

/** Returns the database of a client. Throws a TypeError for one that the port cannot use. */
export function openRedis(owner: string, client: unknown): Redis {
  const driver = driverOf(owner, client);
  return getOrInsertComputed(opened, client as object, () => redisOf(client as object, driver));
}

function redisOf(client: object, driver: RedisDriver): Redis {
  const port = portOf(client, driver);
  const run = <T>(work: () => Promise<T>): Promise<T> =>
    borrow(port, ({ send }) => send(work)) as Promise<T>;
  const command = (words: readonly string[]) => run(() => driver.command(words));
  const hashes = new Map<string, Promise<string>>();
  return {
    isIoredis: isIoredis(client),
    run,
    command,
    script: async (text, key, ...values) => {
      // Redis names scripts by SHA-1, which protects nothing here.
      const hash = await getOrInsertComputed(hashes, text, () => digestOf("SHA-1", text));
      try {
        return await command(["EVALSHA", hash, "1", key, ...values]);
      } catch (error) {
        // The first time, and after a restart of the server.
        if (!String(memberOf(error, "message")).startsWith("NOSCRIPT")) throw error;
        return command(["EVAL", text, "1", key, ...values]);
      }
    },
  };
}

function driverOf(owner: string, client: unknown): RedisDriver {
  if (isIoredis(client)) return ioredis(client);
  if (isNodeRedis(client)) return nodeRedis(client);
  if (hasMethod(client, "nodeClient"))
    throw mistake(
      `${owner} does not accept a cluster of redis, whose commands need their key beside them. Pass createClient({ url }), or a Cluster of ioredis.`,
    );
  throw mistake(
    `${owner} requires a client of the package redis or ioredis that can reconnect, not ${describeValue(client)}. Pass await createClient({ url }).connect().`,
  );
}

/** All work shares the connection. One that hangs is replaced once, and not again for each command that it holds. */
function portOf(client: object, driver: RedisDriver): Driver<[() => Promise<unknown>], unknown> {
  let generation = 0;
  return {
    client,
    connect: async () => {
      const own = generation;
      return {
        client,
        send: (work) => work(),
        onLost: () => () => {},
        release(error) {
          if (error === undefined || own !== generation) return;
          generation += 1;
          void driver.reconnect().catch(() => undefined);
        },
      };
    },
  };
}
