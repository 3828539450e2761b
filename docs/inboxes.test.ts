import { readFileSync } from "node:fs";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import type { Receiver } from "@fieldmesh/webhook-types/receiver";
import type { EventContext } from "@fieldmesh/webhook-types/router";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { inboxTests } from "@fieldmesh/webhook-types/store-tests";
import {
  postgresOrderTable,
  postgresTables,
  type PostgresInbox,
} from "@fieldmesh/webhook-types/stores";
import { sql as drizzleSql } from "drizzle-orm";
import type { drizzle } from "drizzle-orm/node-postgres";
import { type Kysely, sql as kyselySql } from "kysely";
import pg from "pg";
import type { DataSource, EntityManager } from "typeorm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startPostgres } from "../tools/servers.ts";
import { describeWith } from "../tools/testing/describe-with.ts";
import { createProgramFolder } from "./program-folder.ts";

// The programs of the guide, as they are, on a real PostgreSQL.

const secret = "whsec_test_secret_only";
const importProgram = createProgramFolder();
const guide = readFileSync(
  join(import.meta.dirname, "guides", "keep-a-table-up-to-date.md"),
  "utf8",
);
const server = await startPostgres();
afterAll(async () => {
  if (server.url !== undefined) await server.stop();
});

/** What all programs export. */
interface Program {
  readonly pool: pg.Pool;
  readonly inbox: PostgresInbox<pg.PoolClient>;
  readonly dataSource?: DataSource;
  readonly within: (context: EventContext) => never;
  readonly receive: Receiver;
}

type Drizzle = ReturnType<typeof drizzle>;
interface Prisma {
  readonly $executeRawUnsafe: (text: string) => Promise<unknown>;
}

const run: Readonly<Record<string, (database: never, text: string) => Promise<unknown>>> = {
  Drizzle: async (database: Drizzle, text) => database.execute(drizzleSql.raw(text)),
  Kysely: async (database: Kysely<object>, text) => kyselySql.raw(text).execute(database),
  TypeORM: async (manager: EntityManager, text) => manager.query(text),
  Prisma: async (client: Prisma, text) => client.$executeRawUnsafe(text),
};
const libraries = Object.keys(run);

describeWith(server, "PostgreSQL", (url) => {
  const pool = new pg.Pool({ connectionString: url });
  pool.on("error", () => {});
  const programs = new Map<string, Program>();
  beforeAll(async () => {
    vi.stubEnv("DATABASE_URL", url);
    vi.stubEnv("WEBHOOK_SECRET", secret);
    await pool.query(postgresTables() + postgresOrderTable());
    await pool.query("CREATE TABLE sims (id text PRIMARY KEY, state text)");
    await pool.query("CREATE TABLE effects (event_id text)");
    for (const name of libraries) {
      const [, section = ""] = guide.split(`\n## Through ${name}\n`);
      const [, program = ""] = /^```ts check\n([^]*?)^```$/m.exec(section) ?? [];
      programs.set(name, await importProgram<Program>(name, program));
    }
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    for (const { pool: own, dataSource } of programs.values()) {
      await own.end();
      await dataSource?.destroy();
    }
    await pool.end();
  });

  test.for(libraries)(
    "a handler writes through %s in the transaction of its event",
    async (name) => {
      const { receive } = programs.get(name)!;
      vi.spyOn(console, "error").mockReturnValue();
      const id = `sim_${name}`;
      const deliver = async (eventId: string, state: string, day: string): Promise<string> => {
        const event = sampleEvent("sim.activated", {
          id: `evt_${name}_${eventId}`,
          created_at: `2026-11-${day}T08:00:00Z`,
          data: { object: { id, state } },
        });
        const request = await signedRequest(event, { url: "http://127.0.0.1/", secret });
        return (await receive(request)).text();
      };
      await pool.query("ALTER TABLE sims ADD CONSTRAINT broken CHECK (false) NOT VALID");
      expect(await deliver("newer", "active", "20")).toBe("failed");
      await pool.query("ALTER TABLE sims DROP CONSTRAINT broken");
      expect(await deliver("newer", "active", "20")).toBe("handled");
      expect(await deliver("newer", "active", "20")).toBe("duplicate");
      expect(await deliver("older", "provisioned", "19")).toBe("superseded");
      expect(await deliver("newest", "suspended", "21")).toBe("handled");
      const { rows } = await pool.query("SELECT * FROM sims WHERE id = $1", [id]);
      expect(rows).toEqual([{ id, state: "suspended" }]);
    },
  );

  /** Runs a handler in the inbox of a program, in the transaction of its event. */
  const handle = (name: string, id: string, handler: (database: never) => Promise<void>) => {
    const { inbox, within } = programs.get(name)!;
    return inbox.run(id, async ({ signal, enter }) => {
      const context = { idempotencyKey: id, attempt: 1, delivery: undefined, signal };
      enter(context);
      await handler(within(context));
    });
  };

  test.for(libraries)("a conflict within %s runs the handlers again", async (name) => {
    const conflict = "DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$";
    let runs = 0;
    const outcome = await handle(name, `evt_conflict_${name}`, async (database) => {
      runs += 1;
      if (runs === 1) await run[name]!(database, conflict);
    });
    expect([outcome, runs]).toEqual(["committed", 2]);
  });

  type Transact = (work: (database: never) => Promise<unknown>) => Promise<unknown>;
  test.for([
    { name: "TypeORM", method: "transaction" },
    { name: "Prisma", method: "$transaction" },
  ])("a transaction of $name is a savepoint", async ({ name, method }) => {
    const [outer, inner] = [`evt_outer_${name}`, `evt_inner_${name}`];
    const write = (database: never, id: string) =>
      run[name]!(database, `INSERT INTO effects VALUES ('${id}')`);
    await handle(name, outer, async (database: Record<string, Transact>) => {
      const failing = database[method]!(async (part) => {
        await write(part, inner);
        throw new Error("this part alone");
      });
      await expect(failing).rejects.toThrow("this part alone");
      await database[method]!((part) => write(part, outer));
    });
    const { rows } = await pool.query("SELECT * FROM effects WHERE event_id LIKE $1", [
      `%er_${name}`,
    ]);
    expect(rows).toEqual([{ event_id: outer }]);
  });

  const testable = (name: string) => () => {
    const { inbox, within } = programs.get(name)!;
    const query = (context: EventContext, text: string) => run[name]?.(within(context), text);
    return {
      inbox,
      write: (context: EventContext, id: string) =>
        query(context, `INSERT INTO effects VALUES ('${id}')`),
      fail: (context: EventContext) => query(context, "SELECT nonsense"),
      count: async (id: string) =>
        (await pool.query("SELECT 1 FROM effects WHERE event_id = $1", [id])).rows.length,
    };
  };
  const rules = libraries.flatMap((name) =>
    inboxTests(testable(name)).map((rule) => ({ ...rule, by: name })),
  );
  test.each(rules)("$by: $name", async ({ run: check }) => {
    await expect(check()).resolves.toBeUndefined();
  });
});
