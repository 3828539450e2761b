import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { exportOf } from "../../src/ledger/export-list.ts";
import { runCommand, testContext } from "../context.ts";
import { path, read, run, sandbox, useExportFolder } from "./export-folder.ts";

useExportFolder();

const guide = join(import.meta.dirname, "../../../../docs/guides/export-rewards.md");
const [, query = ""] = /```sql \[folder\]\n([^]*?)```/.exec(readFileSync(guide, "utf8")) ?? [];

test("the query of the guide reads the folder with DuckDB, and sums every day", async () => {
  const { addresses } = sandbox.ledger.state.chain;
  const accounts = [1, 2, 3].map((index) => addresses.of(index));
  writeFileSync(path("accounts.txt"), accounts.join("\n"));
  const times = { minTime: "2026-11-17T00:00:00Z", maxTime: "2026-11-20T00:00:00Z" };
  const options = { ...times, accounts: path("accounts.txt"), partition: "day" };
  await runCommand(exportOf("rewards").run, testContext({ sandbox }), {
    ...options,
    out: path("november"),
  });

  const connection = await (await DuckDBInstance.create()).connect();
  const result = await connection.runAndReadAll(query.replace("november", path("november")));
  const days = result.getRows().map(([day, bones]) => [String(day), String(bones)]);

  const expected = new Map<string, bigint>();
  for (const [index, account] of accounts.entries()) {
    await run(`${index}.parquet`, times, { account });
    for (const { timestamp, amount } of await read(`${index}.parquet`)) {
      const day = String(timestamp).slice(0, 10);
      expected.set(day, (expected.get(day) ?? 0n) + (amount as bigint));
    }
  }
  expect(expected.size).toBe(3);
  expect(new Map(days as [string, string][])).toEqual(
    new Map([...expected].map(([day, bones]) => [day, String(bones)])),
  );
});
