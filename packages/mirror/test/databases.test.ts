import { DatabaseSync } from "node:sqlite";
import { inspect } from "node:util";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { postgresMirror, sqliteMirror } from "../src/index.ts";
import { createReceiver, memoryStore } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import {
  postgresInbox,
  postgresStore,
  postgresTables,
  sqliteInbox,
} from "@fieldmesh/webhook-types/stores";
import { describeWith } from "../../../tools/testing/describe-with.ts";
import {
  deliverTo,
  migrationOf,
  startMirrors,
  type TestMirror,
} from "../../../tools/testing/mirrors.ts";

const { mirrors, newDatabase, openPool, server, throughSqlite } = await startMirrors();

// Larger than the free part of a page.
const note = "x".repeat(20_000);
const event = sampleEvent("sim.restored", { data: { object: { note } } } as object);

/** Breaks the database, expects an error and nothing stored, fixes it, and delivers the event again. */
async function survives(
  made: TestMirror,
  problem: RegExp,
  change: { readonly by: string; readonly undo: string },
): Promise<void> {
  const errors: unknown[] = [];
  const deliver = deliverTo(made, { onError: (error) => errors.push(error) });
  await made.query(change.by);
  expect(await deliver(event)).toBe("store_failed");
  expect(String(errors[0])).toMatch(problem);
  await made.query(change.undo);
  expect(await deliver(event)).toBe("handled");
  expect(await made.query("SELECT id FROM fieldmesh_sims")).toHaveLength(1);
}

describe.each(mirrors)("%s", (_name, create) => {
  test.each([
    [
      "without a column",
      /differ from their migrations/,
      "ALTER TABLE fieldmesh_mirror RENAME COLUMN previous TO before",
      "ALTER TABLE fieldmesh_mirror RENAME COLUMN before TO previous",
    ],
    [
      "without a table",
      /no tables of a mirror/,
      "ALTER TABLE fieldmesh_mirror_subscribers RENAME TO others",
      "ALTER TABLE others RENAME TO fieldmesh_mirror_subscribers",
    ],
  ])("a table that was changed by hand, %s, loses no event", async (_what, problem, by, undo) => {
    const made = await create({ personal: ["sim.msisdn"] });
    await survives(made, problem, { by, undo });
  });
});

describe("SQLite", () => {
  test("a database without the tables, or with those of another version, is an error at once", () => {
    const database = new DatabaseSync(":memory:");
    expect(() => sqliteMirror(database)).toThrow(
      /^This database has no tables of a mirror\. Apply the migrations from node_modules\/@fieldmesh\/mirror\/migrations\/sqlite/,
    );
    database.exec(migrationOf("sqlite"));
    database.exec("DELETE FROM fieldmesh_mirror_version");
    expect(() => sqliteMirror(database)).toThrow(
      "have version 0. Apply the migrations up to version 1",
    );
    database.exec("INSERT INTO fieldmesh_mirror_version VALUES (1), (2)");
    expect(() => sqliteMirror(database)).toThrow(
      "have version 2, and this package knows version 1. Update @fieldmesh/mirror.",
    );
    database.close();
  });

  test("a file that is full or read-only loses no event", async () => {
    const full = await throughSqlite();
    const [pages] = await full.query("PRAGMA page_count");
    await survives(full, /The disk of the database is full, so nothing was stored/, {
      by: `PRAGMA max_page_count = ${String(pages?.["page_count"])}`,
      undo: "PRAGMA max_page_count = 100000",
    });
    await survives(await throughSqlite(), /read-only|readonly/, {
      by: "PRAGMA query_only = 1",
      undo: "PRAGMA query_only = 0",
    });
  });

  test("only the database of the inbox can be used, and no lease store", () => {
    const database = new DatabaseSync(":memory:");
    database.exec(migrationOf("sqlite"));
    const order = sqliteMirror(database);
    const options = { secret: "whsec_test", order, handlers: {} };
    expect(() =>
      createReceiver({ ...options, store: sqliteInbox(new DatabaseSync(":memory:")) }),
    ).toThrow("order cannot join the transactions of this inbox");
    expect(() => createReceiver({ ...options, store: memoryStore() })).toThrow(
      "A mirror writes in the transaction of an inbox.",
    );
    expect(() => createReceiver({ ...options, store: sqliteInbox(database) })).not.toThrow();
    expect(() => sqliteMirror({} as never)).toThrow(
      "sqliteMirror requires a database of node:sqlite",
    );
    database.close();
  });

  test("only personal fields can be named", () => {
    const database = new DatabaseSync(":memory:");
    const problem = (personal: unknown) => () => sqliteMirror(database, { personal } as never);
    database.exec(migrationOf("sqlite"));
    expect(problem(["sim.msidn"])).toThrow(
      'sqliteMirror: "sim.msidn" is not a personal field of an event. Did you mean "sim.msisdn"?',
    );
    expect(problem(["invoice.document_url"])).toThrow("not a personal field");
    expect(problem("sim.msisdn")).toThrow("must be a list of fields");
    expect(() => sqliteMirror(database, { person: [] } as never)).toThrow("person");
    const undeclared = (fields: unknown) => () =>
      sqliteMirror(database, { undeclared: fields } as never);
    undeclared(["sim.full_name", "subscriber.deep.wallet_token"])();
    for (const field of ["sim.activation_code", "sin.full_name", "full_name", "sim.state", 7])
      expect(undeclared([field])).toThrow("which is not left out because of its name");
    expect(undeclared("sim.full_name")).toThrow("must be a list of fields");
    database.close();
  });
});

describeWith(server, "PostgreSQL", () => {
  test("a database without the tables, or with a newer version, loses no event", async () => {
    const pool = openPool(await newDatabase());
    await pool.query(postgresTables());
    const errors: unknown[] = [];
    const made = { mirror: postgresMirror(pool), inbox: postgresInbox(pool) };
    const deliver = deliverTo(made as never, { onError: (error) => errors.push(error) });
    expect(await deliver(event)).toBe("store_failed");
    await pool.query(migrationOf("postgres"));
    await pool.query("INSERT INTO fieldmesh_mirror_version VALUES (2)");
    expect(await deliver(event)).toBe("store_failed");
    await pool.query("DELETE FROM fieldmesh_mirror_version WHERE version = 2");
    expect(await deliver(event)).toBe("handled");
    expect(errors.map(String)).toEqual([
      expect.stringMatching(
        /^Error: This database has no tables of a mirror\. Apply the migrations/,
      ),
      expect.stringMatching(/^Error: The tables of the mirror have version 2/),
    ]);
    await expect(postgresMirror(openPool(await newDatabase())).verify([])).rejects.toThrow(
      "This database has no tables of a mirror.",
    );
  });

  test("a database that is full or read-only loses no event", async () => {
    const url = await newDatabase();
    const pool = openPool(url);
    await pool.query(migrationOf("postgres") + postgresTables());
    const again = (options: string) => {
      const other = openPool(`${url}?options=${encodeURIComponent(options)}`);
      return { mirror: postgresMirror(other), inbox: postgresInbox(other) };
    };
    const deliver = async (made: object) => {
      const errors: unknown[] = [];
      const outcome = await deliverTo(made as never, { onError: (error) => errors.push(error) })(
        event,
      );
      return `${outcome} ${errors.map(String).join()}`;
    };
    expect(await deliver(again("-c default_transaction_read_only=on"))).toContain("store_failed");
    const reader = again("-c default_transaction_read_only=on").mirror;
    await expect(reader.apply(await reader.repair([event]))).rejects.toThrow(
      "The database is read-only, so nothing was stored.",
    );
    // As PostgreSQL reports it.
    await pool.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`);
    await pool.query(
      "CREATE TRIGGER full_disk BEFORE INSERT ON fieldmesh_mirror FOR EACH ROW EXECUTE FUNCTION full_disk()",
    );
    expect(await deliver(again(""))).toMatch(
      /^store_failed Error: The disk of the database is full/,
    );
    await pool.query("DROP TRIGGER full_disk ON fieldmesh_mirror");
    expect(await deliver(again(""))).toBe("handled ");
  });

  test("no error of the database quotes a row", async () => {
    const pool = openPool(await newDatabase());
    await pool.query(migrationOf("postgres") + postgresTables());
    await pool.query("ALTER TABLE fieldmesh_mirror ADD CHECK (event_type <> 'sim.restored')");
    const errors: unknown[] = [];
    const made = {
      mirror: postgresMirror(pool, { personal: ["sim.msisdn"] }),
      inbox: postgresInbox(pool),
    };
    const deliver = deliverTo(made as never, { onError: (error) => errors.push(error) });
    expect(await deliver(event)).toBe("store_failed");
    const shown = inspect(errors, { showHidden: true, depth: 9 });
    expect(shown).toContain("The tables of the mirror differ from their migrations.");
    expect(shown).not.toMatch(/\+1202|sub_01/);
    await pool.query("ALTER TABLE fieldmesh_mirror ADD CHECK (1 / (length(event_id) - 9) <> 2)");
    const unstorable = sampleEvent("sim.restored", { id: "evt_early" });
    expect(await deliver(unstorable)).toBe("store_failed");
    expect(String(errors[1])).toMatch(/^Error: SQLSTATE 22\w+$/);
  });

  test("an erasure finds its rows by the index", async () => {
    const client = new pg.Client({ connectionString: await newDatabase() });
    await client.connect();
    await client.query(migrationOf("postgres"));
    await client.query("SET enable_seqscan = off");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      `EXPLAIN SELECT 1 FROM fieldmesh_mirror AS m WHERE m.subscribers IS NOT NULL AND m.subscribers @> to_jsonb('sub_1'::text)`,
    );
    await client.end();
    expect(rows.map((row) => row["QUERY PLAN"]).join(" ")).toContain(
      "fieldmesh_mirror_subscribers_of",
    );
  });

  test("only the pool of the inbox can be used, and no lease store", async () => {
    const [pool, other] = [openPool(String(server.url)), openPool(String(server.url))];
    const options = { secret: "whsec_test", order: postgresMirror(pool), handlers: {} };
    expect(() => createReceiver({ ...options, store: postgresInbox(other) })).toThrow(
      "cannot join",
    );
    expect(() => createReceiver({ ...options, store: postgresStore(pool) })).toThrow(
      "A mirror writes in the transaction of an inbox.",
    );
    expect(() => postgresMirror("postgres://" as never)).toThrow(
      "postgresMirror requires a Pool of pg",
    );
    await expect(options.order.isOlder(event)).rejects.toThrow("an inbox");
    await expect(options.order.remember(event)).rejects.toThrow("an inbox");
  });

  test("the order of events that arrive at the same time is that of their times, in every isolation", async () => {
    const url = await newDatabase();
    await openPool(url).query(migrationOf("postgres") + postgresTables());
    for (const isolation of ["repeatable read", "serializable"]) {
      const option = `-c default_transaction_isolation=${isolation.replace(" ", String.raw`\ `)}`;
      const pool = openPool(`${url}?options=${encodeURIComponent(option)}`);
      const deliver = deliverTo({
        mirror: postgresMirror(pool),
        inbox: postgresInbox(pool),
      } as never);
      const id = `sim_${isolation}`;
      const hours = ["03", "01", "05", "02", "04"];
      await Promise.all(
        hours.map(async (hour) => {
          const sent = sampleEvent("sim.restored", {
            id: `evt_${isolation}_${hour}`,
            created_at: `2026-11-20T${hour}:00:00Z`,
            data: { object: { id } },
          });
          // The sender retries.
          for (;;) {
            const outcome = await deliver(sent);
            if (["handled", "superseded"].includes(outcome)) return;
          }
        }),
      );
      const { rows } = await pool.query("SELECT event_id FROM fieldmesh_mirror WHERE id = $1", [
        id,
      ]);
      expect(rows).toEqual([{ event_id: `evt_${isolation}_05` }]);
    }
  });
});
