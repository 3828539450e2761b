import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { openPostgres } from "./postgres.ts";

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
