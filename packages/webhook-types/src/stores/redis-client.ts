/** A client of `redis` (node-redis) or of `ioredis`, connected by you. */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> };

/** One way to send a command, whichever package the client is of. */
export function senderOf(client: RedisClient): (args: string[]) => Promise<unknown> {
  // ioredis has a sendCommand of another kind, so it is asked for `call` first.
  if ("call" in client) return ([command = "", ...args]) => client.call(command, ...args);
  if ("sendCommand" in client) return (args) => client.sendCommand(args);
  throw new TypeError("Give a client of the package redis or ioredis.");
}
