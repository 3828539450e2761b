import { EventEmitter } from "node:events";
import { expect, test, afterEach, beforeEach, vi } from "vitest";
import { openPostgres } from "./postgres.ts";
import { openRedis } from "./redis.ts";

/** A pool of `pg`, whose clients have no listener of the pool from the moment on when they are handed out. */
class Pool extends EventEmitter {
  readonly options = { max: 2, connectionTimeoutMillis: 5_000 };
  readonly client = Object.assign(new EventEmitter(), {
    query: async () => ({ rows: [], command: "SELECT" }),
    escapeLiteral: String,
    release: () => {},
  });
  query = this.client.query;
  connect = async () => {
    if (this.client.listenerCount("error") === 0) this.emit("connect", this.client);
    return this.client;
  };
}

test("a connection that breaks at the moment when it is handed out does not end the process", async () => {
  const pool = new Pool().on("error", () => {});
  const { queryAlone } = openPostgres("a test", pool);
  openPostgres("another store of the same pool", pool);
  const asked = queryAlone("SELECT 1");
  pool.client.emit("error", new Error("terminating connection due to administrator command"));
  await asked.catch(() => undefined);
  expect(pool.listenerCount("connect")).toBe(1);
  expect(() => pool.client.emit("error", new Error("again"))).not.toThrow();
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a connection that hangs is replaced once, whichever stores of the client wait for it", async () => {
  const client = {
    call: () => new Promise(() => {}),
    disconnect: vi.fn(),
    connect: vi.fn(async () => {}),
    once: (_event: "end", listener: () => void) => listener(),
  };
  const stores = ["redisStore", "redisOrder"].map((owner) => openRedis(owner, client));
  const asked = stores.flatMap(({ command }) =>
    ["a", "b"].map((key) => command(["GET", key]).catch((error: unknown) => String(error))),
  );
  await vi.advanceTimersByTimeAsync(9_000);
  expect(await Promise.all(asked)).toEqual(
    Array(4).fill(expect.stringContaining("did not respond within 9 s")),
  );
  expect([client.disconnect, client.connect].map((each) => each.mock.calls.length)).toEqual([1, 1]);
});
