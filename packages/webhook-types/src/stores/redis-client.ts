import { describeValue, hasMethod, mistake } from "@fieldmesh/core/internal";

/** A connected client of `redis` (node-redis) or `ioredis`. */
export type RedisClient =
  | {
      /** Sends a command, as in `ioredis`. */
      call(command: string, ...args: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command, as in `redis`. */
      sendCommand(args: string[]): Promise<unknown>;
    };

/** Returns one function for commands, whichever package the client is from. */
export function senderOf(client: RedisClient): (args: string[]) => Promise<unknown> {
  // ioredis has a different sendCommand, so `call` is tried first.
  if (!hasMethod(client, "call") && !hasMethod(client, "sendCommand"))
    throw mistake(
      `A client of the package redis or ioredis is required, not ${describeValue(client)}. Pass await createClient({ url }).connect().`,
    );
  if ("call" in client) return ([command = "", ...args]) => client.call(command, ...args);
  return (args) => client.sendCommand(args);
}
