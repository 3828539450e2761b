import type { Clock } from "@fieldmesh/core";
import { sign, signedRequest } from "@fieldmesh/webhook-types";
import {
  createReceiver,
  memoryPoison,
  noStore,
  type ReceiverOptions,
} from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { afterEach, describe, expect, test, vi } from "vitest";
import { lend, NOT_YOURS } from "@fieldmesh/core/internal/database";

// What is remembered, printed and lent, at the limits of each range.

const MINUTE = 60_000;
const start = Date.parse("2026-11-23T08:00:00Z");

/** A clock that does not move until a test sets it. */
function clockAt(time: number): Clock & { time: number } {
  return {
    time,
    now() {
      return this.time;
    },
    sleep: async () => undefined,
  };
}

describe("memoryPoison", () => {
  const failureOf = (id: string) => ({ id, type: "plan.created", error: `failed with ${id}` });

  test("forgets the event that began to fail first when it exceeds its limit", async () => {
    const store = memoryPoison({ limit: 2 });
    const counts = async (...ids: string[]): Promise<number[]> => {
      const all: number[] = [];
      for (const id of ids) all.push(await store.fail(failureOf(id)));
      return all;
    };
    expect(await counts("a", "b", "a", "b")).toEqual([1, 1, 2, 2]);
    expect(await counts("c", "b", "c")).toEqual([1, 3, 2]);
    // This event now began to fail last.
    expect(await counts("a", "c", "a", "b")).toEqual([1, 3, 2, 1]);
  });

  test("keeps a single failing event, which can still be set aside", async () => {
    const store = memoryPoison({ limit: 1 });
    await store.fail(failureOf("a"));
    expect(await store.setAside("a", "payload")).toBe(true);
    await store.fail(failureOf("b"));
    expect(await store.setAside("b", "payload")).toBe(false);
    expect(await store.setAside("c", "payload")).toBe(false);
    expect((await store.list()).map(({ id }) => id)).toEqual(["a"]);
  });

  test("continues the count of an event that was set aside, with its first payload and its times", async () => {
    const clock = clockAt(start);
    const store = memoryPoison({ clock });
    expect(await store.fail(failureOf("a"))).toBe(1);
    clock.time += MINUTE;
    expect(await store.fail({ ...failureOf("a"), error: "later" })).toBe(2);
    clock.time += MINUTE;
    expect(await store.setAside("a", undefined)).toBe(true);
    clock.time += MINUTE;
    expect(await store.fail({ ...failureOf("a"), error: "latest" })).toBe(3);
    expect(await store.setAside("a", "first")).toBe(true);
    expect(await store.setAside("a", "second")).toBe(true);
    expect(await store.get("a")).toEqual({
      id: "a",
      type: "plan.created",
      error: "latest",
      attempts: 3,
      firstFailedAt: new Date(start),
      lastFailedAt: new Date(start + 3 * MINUTE),
      setAsideAt: new Date(start + 2 * MINUTE),
      payload: "first",
    });
    expect(JSON.stringify(await store.list())).not.toContain('first"');
    await store.remove("a");
    expect(await store.get("a")).toBeUndefined();
    expect(await store.setAside("a", "again")).toBe(false);
    expect(await store.fail(failureOf("a"))).toBe(1);
    await store.remove("a");
    expect(await store.fail(failureOf("a"))).toBe(1);
  });

  test("lists only the first thousand events that were set aside", async () => {
    const store = memoryPoison({ limit: 1_002 });
    for (let each = 0; each < 1_002; each++) {
      await store.fail(failureOf(`e${each}`));
      await store.setAside(`e${each}`, undefined);
    }
    const ids = (await store.list()).map(({ id }) => id);
    expect([ids.length, ids[0], ids[999]]).toEqual([1_000, "e0", "e999"]);
  });

  test.each([0, 0.5, -1, Number.NaN, "5", null])("rejects the limit %j", (limit) => {
    expect(() => memoryPoison({ limit: limit as number })).toThrow(
      "memoryPoison: limit must be 1 or more.",
    );
  });
});

describe("the line about a delivery", () => {
  const secret = "whsec_test";
  afterEach(() => void vi.restoreAllMocks());

  function receiverWith(options: Partial<ReceiverOptions> = {}) {
    const clock = clockAt(start);
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const receive = createReceiver({
      secret,
      store: noStore(),
      handlers: {},
      clock,
      ...options,
    } as ReceiverOptions);
    const get = () => receive(new Request("http://127.0.0.1/hooks"));
    const unsigned = () =>
      receive(new Request("http://127.0.0.1/hooks", { method: "POST", body: "{}" }));
    return { clock, warn, get, unsigned, receive };
  }

  test("is printed once a minute, even if the clock is set back", async () => {
    const { clock, warn, get } = receiverWith();
    const printed: number[] = [];
    for (const time of [0, 1, MINUTE - 1, MINUTE, MINUTE + 1, 1, 0, -1, 2 * MINUTE]) {
      clock.time = start + time;
      const before = warn.mock.calls.length;
      await get();
      if (warn.mock.calls.length > before) printed.push(time);
    }
    expect(printed).toEqual([0, MINUTE, 0, 2 * MINUTE]);
  });

  test("is printed separately for each reason", async () => {
    const { warn, get, unsigned } = receiverWith();
    await get();
    await unsigned();
    await get();
    await unsigned();
    expect(warn).toHaveBeenCalledTimes(2);
  });

  test("is not printed if a function or a logger receives each delivery", async () => {
    const reports: unknown[] = [];
    const { warn, get } = receiverWith({ onOutcome: (report) => void reports.push(report) });
    await get();
    await get();
    const lines: string[] = [];
    const logger = {
      debug: (line: string) => void lines.push(`debug ${line}`),
      warn: (line: string) => void lines.push(`warn ${line}`),
      error: (line: string) => void lines.push(`error ${line}`),
    };
    const logged = receiverWith({
      logger,
      handlers: {
        "plan.created": () => {
          throw new Error("broken");
        },
        otherwise: () => undefined,
      },
      onError: () => undefined,
    } as Partial<ReceiverOptions>);
    await logged.get();
    const deliver = async (type: "plan.created" | "plan.updated"): Promise<string> => {
      const event = sampleEvent(type);
      const timestamp = start / 1_000;
      const body = JSON.stringify(event);
      const headers = await sign({ secret, body, timestamp });
      await logged.receive(
        new Request("http://127.0.0.1/hooks", { method: "POST", headers: { ...headers }, body }),
      );
      return event.id;
    };
    const failed = await deliver("plan.created");
    const handled = await deliver("plan.updated");
    expect(warn).not.toHaveBeenCalled();
    expect(logged.warn).not.toHaveBeenCalled();
    expect(reports).toEqual([
      { outcome: "not_post", status: 405, event: undefined, reason: undefined },
      { outcome: "not_post", status: 405, event: undefined, reason: undefined },
    ]);
    expect(lines).toEqual([
      "warn A delivery: 405 not_post. Deliveries are POST requests: check that no redirect turns them into GET.",
      expect.stringMatching(new RegExp(`^error .*${failed}.*: 500 failed\\.$`)),
      expect.stringMatching(new RegExp(`^debug .*${handled}.*: 200 handled\\.$`)),
    ]);
  });
});

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
    "begin;",
    " \n\tCommit",
    "END",
    "abort",
    "START TRANSACTION",
    "start \n transaction",
    "prepare  transaction 'a'",
    "ROLLBACK",
    "rollback work",
    "ROLLBACK TRANSACTION",
    "rollback and chain",
    "rollback today",
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
    "SELECT '; COMMIT'",
    'SELECT "; COMMIT" FROM a',
    "SELECT $$; COMMIT$$, $b$; END$b$",
    "SELECT 1 -- ; COMMIT",
    "SELECT 1 /* ; COMMIT */",
    "CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END",
    "beginning",
    "ends",
    "committed",
    "start",
    "starttransaction",
    "prepare a as select 1",
    "preparetransaction",
    "SAVEPOINT a",
    "RELEASE SAVEPOINT a",
    "ROLLBACK TO a",
    "rollback  to savepoint a",
    "ROLLBACK WORK TO SAVEPOINT a",
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

test("a signed request has the method and the headers of a delivery", async () => {
  const request = await signedRequest(sampleEvent("plan.created"), {
    url: "http://127.0.0.1/hooks",
    secret: "whsec_test",
  });
  expect(request.method).toBe("POST");
  expect(request.headers.get("content-type")).toContain("application/json");
});
