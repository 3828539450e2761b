import type { RedisClient } from "../src/stores/index.ts";

/** A client of `ioredis` that responds to commands with what a function returns, and has no connection. */
export function ioredisOf(
  call: (command: string, ...args: string[]) => Promise<unknown>,
): RedisClient {
  const connect = async (): Promise<void> => {};
  const once = (_event: "end", listener: () => void): void => listener();
  return { call, disconnect: () => {}, connect, once };
}
