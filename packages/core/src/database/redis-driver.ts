import { hasMethod } from "../record.ts";

/** A connected client of `redis` (node-redis), or of `ioredis` or its cluster. */
export type RedisClient =
  | {
      /** Sends a command, as in `ioredis`. */
      call(command: string, ...args: string[]): Promise<unknown>;
      /** Closes the connection. */
      disconnect(): void;
      /** Opens a connection. */
      connect(): Promise<unknown>;
      /** Calls the function once the connection is closed. */
      once(event: "end", listener: () => void): unknown;
    }
  | {
      /** Sends a command, as in `redis`. */
      sendCommand(args: string[]): Promise<unknown>;
      /** Opens a connection. */
      connect(): Promise<unknown>;
      /** Closes the connection immediately. */
      destroy(): unknown;
    };
type Ioredis = Extract<RedisClient, { call: unknown }>;
type NodeRedis = Extract<RedisClient, { sendCommand: unknown }>;

/** What a driver of Redis must do. Its one connection serves all work at the same time. */
export interface RedisDriver {
  readonly command: (words: readonly string[]) => Promise<unknown>;
  /** Closes the connection, and opens a new one. */
  readonly reconnect: () => Promise<void>;
}

export function isIoredis(client: unknown): client is Ioredis {
  return ["call", "disconnect", "connect", "once"].every((name) => hasMethod(client, name));
}

/** The cluster of node-redis needs the key of a command beside it, and is not accepted. */
export function isNodeRedis(client: unknown): client is NodeRedis {
  const methods = ["sendCommand", "connect", "destroy"];
  return methods.every((name) => hasMethod(client, name)) && !hasMethod(client, "nodeClient");
}

export function ioredis(client: Ioredis): RedisDriver {
  return {
    command: ([name = "", ...values]) => client.call(name, ...values),
    // Not disconnect(true), which sends the commands again whose outcome was reported as unknown.
    reconnect: async () => {
      const ended = new Promise<void>((resolve) => client.once("end", resolve));
      client.disconnect();
      await ended;
      await client.connect();
    },
  };
}

export function nodeRedis(client: NodeRedis): RedisDriver {
  return {
    command: (words) => client.sendCommand([...words]),
    reconnect: async () => {
      client.destroy();
      await client.connect();
    },
  };
}
