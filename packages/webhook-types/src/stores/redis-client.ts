/** A client of `redis` (node-redis) or of `ioredis`, connected by you. */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> };

/** Returns one function for commands, whichever package the client is from. */
export function senderOf(client: RedisClient): (args: string[]) => Promise<unknown> {
  // ioredis has a different sendCommand, so `call` is tried first.
  if ("call" in client) return ([command = "", ...args]) => client.call(command, ...args);
  if ("sendCommand" in client) return (args) => client.sendCommand(args);
  throw new TypeError("Give a client of the package redis or ioredis.");
}
