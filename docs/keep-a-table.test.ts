import { readFileSync } from "node:fs";
import { join } from "node:path";
import { signedRequest } from "@fieldmesh/webhook-types";
import type { Receiver } from "@fieldmesh/webhook-types/receiver";
import { sampleEvent } from "@fieldmesh/webhook-types/samples";
import { postgresOrderTable, postgresTables } from "@fieldmesh/webhook-types/stores";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startPostgres } from "../tools/servers.ts";
import { describeWith } from "../tools/testing/describe-with.ts";
import { createProgramFolder } from "./program-folder.ts";

// The migration and the program of the guide, as they are, on a real PostgreSQL.

const secret = "whsec_test_secret_only";
const importProgram = createProgramFolder();
const file = join(import.meta.dirname, "guides", "keep-a-table-up-to-date.md");
const [, section = ""] = readFileSync(file, "utf8").split("\n## With PostgreSQL\n");
const [, migration = ""] = /^```sql\n([^]*?)^```$/m.exec(section) ?? [];
const [, code = ""] = /^```ts check\n([^]*?)^```$/m.exec(section) ?? [];
const server = await startPostgres();
afterAll(async () => {
  if (server.url !== undefined) await server.stop();
});

interface Program {
  readonly pool: pg.Pool;
  readonly receive: Receiver;
}

describeWith(server, "PostgreSQL", (url) => {
  let program: Program;
  beforeAll(async () => {
    vi.stubEnv("DATABASE_URL", url);
    vi.stubEnv("WEBHOOK_SECRET", secret);
    program = await importProgram<Program>("program", code);
    await program.pool.query(migration + postgresTables() + postgresOrderTable());
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await program.pool.end();
  });

  let count = 0;
  type SubscriberType = "subscriber.locked" | "subscriber.unlocked" | "subscriber.deleted";
  const deliver = async (id: string, type: SubscriberType, hour: string): Promise<string> => {
    const event = sampleEvent(type, {
      id: `evt_${(count += 1)}`,
      created_at: `2026-11-20T${hour}:00:00Z`,
      data: { object: { id } },
    });
    const request = await signedRequest(event, { url: "http://127.0.0.1/", secret });
    return (await program.receive(request)).text();
  };
  const rowOf = async (id: string) => {
    const columns = "locked_status, event_created_at, is_ambiguous";
    const { rows } = await program.pool.query(`SELECT ${columns} FROM subscribers WHERE id = $1`, [
      id,
    ]);
    return rows[0] as unknown;
  };
  const row = (locked_status: string, hour: string, is_ambiguous = false) => ({
    locked_status,
    event_created_at: new Date(`2026-11-20T${hour}:00:00Z`),
    is_ambiguous,
  });

  test("the row shows the newest event, and says if two of the same time are ambiguous", async () => {
    expect(await deliver("sub_1", "subscriber.unlocked", "09")).toBe("handled");
    expect(await deliver("sub_1", "subscriber.locked", "11")).toBe("handled");
    expect(await deliver("sub_1", "subscriber.unlocked", "10")).toBe("superseded");
    expect(await rowOf("sub_1")).toEqual(row("user_initiated_lock", "11"));
    expect(await deliver("sub_1", "subscriber.unlocked", "11")).toBe("handled");
    expect(await rowOf("sub_1")).toEqual(row("unlocked", "11", true));
    expect(await deliver("sub_1", "subscriber.locked", "12")).toBe("handled");
    expect(await rowOf("sub_1")).toEqual(row("user_initiated_lock", "12"));
  });

  test("a deleted row stays deleted for older events, and a newer one creates it again", async () => {
    expect(await deliver("sub_2", "subscriber.deleted", "10")).toBe("handled");
    expect(await deliver("sub_2", "subscriber.locked", "09")).toBe("superseded");
    expect(await rowOf("sub_2")).toBeUndefined();
    expect(await deliver("sub_2", "subscriber.locked", "11")).toBe("handled");
    expect(await rowOf("sub_2")).toEqual(row("user_initiated_lock", "11"));
  });
});
