import { describe, expect, test } from "vitest";
import { lend, NOT_YOURS } from "./lend.ts";

describe("a transaction that is lent", () => {
  const sent: unknown[][] = [];
  class Client {
    #queries = sent;
    readonly name = "pool-1";
    query(...values: unknown[]): Promise<number> {
      return Promise.resolve(this.#queries.push(values));
    }
    exec(...values: unknown[]): number {
      return this.#queries.push(values);
    }
    release(): string {
      return "released";
    }
  }
  const borrow = () => {
    const lost = new AbortController();
    const loan = lend({ client: new Client(), lost: lost.signal, send: async () => [] });
    return { loan, client: loan.connection() as Client, lost };
  };

  test.each([
    "BEGIN",
    "START TRANSACTION",
    "prepare  transaction 'a'",
    "ROLLBACK",
    "rollback and chain",
    "/* a tag */ COMMIT",
    "-- a tag\nCOMMIT",
    "; COMMIT",
    "SELECT 1; commit",
    "INSERT INTO a VALUES ('it''s; fine'); /* and */ ROLLBACK",
  ])("rejects a statement of a handler that would end it: %j", async (text) => {
    const { client } = borrow();
    await expect(client.query(text)).rejects.toThrow(NOT_YOURS);
    await expect(client.query({ text })).rejects.toThrow(NOT_YOURS);
    expect(() => client.exec(text)).toThrow(NOT_YOURS);
  });

  test.each([
    "SELECT 'commit'",
    'SELECT "; COMMIT" FROM a',
    "SELECT $$; COMMIT$$, $b$; END$b$",
    "SELECT 1 -- ; COMMIT",
    "SELECT 1 /* ; COMMIT */",
    "CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END",
    "beginning",
    "prepare a as select 1",
    "SAVEPOINT a",
    "RELEASE SAVEPOINT a",
    "ROLLBACK TO a",
    "rollback transaction  to a",
    "",
  ])("sends %j", (text) => {
    const { client } = borrow();
    sent.length = 0;
    void client.query(text, [1]);
    void client.query({ text });
    expect(sent).toEqual([[text, [1]], [{ text }]]);
  });

  test("sends values that are not strings, and shows the members of its client", () => {
    const { client } = borrow();
    sent.length = 0;
    for (const query of [undefined, null, 5, { text: 5 }, {}]) void client.query(query);
    expect(sent).toHaveLength(5);
    expect(client.name).toBe("pool-1");
  });

  test("can be released only by the inbox", () => {
    expect(borrow().client.release()).toBeUndefined();
  });

  test("rejects every use after its connection was lost", async () => {
    const { client, lost } = borrow();
    lost.abort(new Error("Connection terminated unexpectedly"));
    sent.length = 0;
    await expect(client.query("SELECT 1")).rejects.toThrow(
      /^The connection of this event was lost/,
    );
    expect(sent).toEqual([]);
  });

  test("rejects every use after its event has ended", async () => {
    const { loan, client } = borrow();
    const exec = Reflect.get(client, "exec") as (text: string) => unknown;
    loan.end();
    const ended =
      "The transaction of this event has ended. Await every query before the handler returns.";
    sent.length = 0;
    for (const use of [
      () => exec("SELECT 1"),
      () => client.exec("SELECT 1"),
      () => client.name,
      () => client.release(),
      () => loan.connection(),
    ])
      expect(use).toThrow(new TypeError(ended));
    // A promise, as before: one that nobody awaits must not end the process.
    void client.query("SELECT 1");
    await expect(client.query("SELECT 1")).rejects.toThrow(new TypeError(ended));
    expect(sent).toEqual([]);
  });
});
