import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runRaces } from "./run-races.ts";
import { startPostgres } from "../../tools/servers.ts";

// A small run; bench/receiver-races.ts is the large one.
const SMALL = { objects: 60, kills: 5 };
const postgres = await startPostgres();
const folder = mkdtempSync(join(tmpdir(), "fieldmesh-races-"));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  if (postgres.url !== undefined) await postgres.stop();
});

test("no row keeps an old state when two events of an object arrive together, with SQLite", async () => {
  const database = join(folder, "states.db");
  const outcome = await runRaces({ kind: "sqlite", database, ...SMALL });
  expect(outcome).toMatchObject({ old: 0, missing: 0 });
  expect(outcome.kills).toBeGreaterThan(0);
});

const title = postgres.url === undefined ? `skipped, because ${postgres.missing}` : "PostgreSQL";

// oxlint-disable-next-line vitest/valid-title -- a skipped test is what shows the reason
describe.skipIf(postgres.url === undefined)(title, () => {
  const database = postgres.url ?? "";

  test("no row keeps an old state when two events of an object arrive together, through pg", async () => {
    const outcome = await runRaces({ kind: "pg", database, ...SMALL });
    expect(outcome).toMatchObject({ old: 0, missing: 0 });
    expect(outcome.kills).toBeGreaterThan(0);
  });

  test("the same deliveries leave old states where the order is beside the transaction", async () => {
    const outcome = await runRaces({ kind: "beside", database, ...SMALL, kills: 0 });
    expect(outcome.missing).toBe(0);
    expect(outcome.old).toBeGreaterThan(0);
  });
});
