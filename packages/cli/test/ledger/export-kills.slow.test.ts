import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import { runExport } from "./kill-export.ts";
import { readBack, type Row } from "./read-back.ts";

test("an export that is killed twice and started again writes every reward once, and prints only notes", async () => {
  await using sandbox = await startSandbox({ latency: 20 });
  const folder = mkdtempSync(join(tmpdir(), "kills-"));
  const out = join(folder, "rewards.sqlite");
  const { chain } = sandbox.ledger.state;
  // 4,320 rewards: 44 pages in two lanes last longer than all kills.
  const args = ["rewards", chain.addresses.of(1), "--max-time", "2026-11-20T08:00:00Z"];
  const started = { baseUrl: sandbox.ledger.baseUrl, out };
  const command = [...args, "--min-time", "-10 day", "--lanes", "2"];
  try {
    let kills = 0;
    for (const killAfter of [0, 60])
      if ((await runExport(command, { ...started, killAfter })).code === null) kills++;
    expect(kills).toBe(2);
    const { code, stderr } = await runExport(command, started);
    expect(stderr).toMatch(/^Resuming after \d+ rewards\.\n$/);
    expect(code).toBe(0);
    expect(readdirSync(folder)).toEqual(["rewards.sqlite"]);
    const rows = await (readBack["sqlite"] as (file: string) => Promise<Row[]>)(out);
    expect(rows.length).toBe(4_320);
    expect(new Set(rows.map(({ block, gateway }) => [block, gateway].join())).size).toBe(4_320);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
