import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { startPgBouncer, startPostgres } from "../tools/servers.ts";
import { describeWith } from "../tools/testing/describe-with.ts";
import { createProgramFolder } from "./program-folder.ts";

// What the guide says to run to see your driver and your pooler.

const importProgram = createProgramFolder();
const guide = readFileSync(join(import.meta.dirname, "guides", "databases.md"), "utf8");
const poolers = guide.slice(guide.indexOf("## Poolers"));
const [, program = ""] = /^```ts check\n([^]*?)^```$/m.exec(poolers) ?? [];
const [, query = ""] = /^```sql\n([^]*?)^```$/m.exec(poolers) ?? [];
const server = await startPostgres();
const pooler = server.url === undefined ? server : await startPgBouncer(server.url);
afterAll(async () => {
  vi.unstubAllEnvs();
  if (pooler.url !== undefined) await pooler.stop();
  if (server.url !== undefined) await server.stop();
});

async function countConnections(name: string, url: string): Promise<unknown> {
  vi.stubEnv("DATABASE_URL", url);
  const log = vi.spyOn(console, "log").mockReturnValue();
  await importProgram(name, program);
  return log.mock.lastCall?.[0];
}

describeWith(server, "PostgreSQL", (url) => {
  test("without a pooler, a client has one connection", async () => {
    expect(await countConnections("direct", url)).toBe(1);
  });

  test("the query shows what holds connections", async () => {
    const client = new pg.Client({ connectionString: url, application_name: "me" });
    await client.connect();
    const { rows } = await client.query(query);
    expect(rows).toContainEqual(
      expect.objectContaining({ application_name: "me", state: "active" }),
    );
    await client.end();
  });
});

describeWith(pooler, "PgBouncer in transaction mode", (url) => {
  test("a client has several connections", async () => {
    expect(await countConnections("pooled", url)).toBeGreaterThan(1);
  });
});
