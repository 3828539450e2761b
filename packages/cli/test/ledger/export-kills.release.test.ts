import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ledgerFaults, startSandbox } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import { runExport } from "./kill-export.ts";
import { readBack, type Row } from "./read-back.ts";

const DAYS = 60;
const REWARDS = DAYS * 144 * 3;
/** Each run saves 1,000 rewards before it is killed, so that the export completes within this number of kills. */
const MOST_KILLS = 40;
const FEWEST_KILLS = 10;
const LAST_KILL = 150;
const FAULT_RATE = 0.05;

const read = async (format: string, file: string): Promise<string[]> => {
  const rows = await (readBack[format] as (file: string) => Promise<Row[]>)(file);
  return rows.map(({ block, gateway, amount }) => [block, gateway, amount].join());
};

test.each(["ndjson", "csv", "sqlite", "parquet"])(
  "an export with kills, faults and expired cursors writes the same %s file as an undisturbed run",
  async (format) => {
    await using sandbox = await startSandbox({
      latency: 3,
      logSize: 1,
      ledger: { expiringLists: "all", expiredText: "Cursor Expired" },
    });
    const { baseUrl, state } = sandbox.ledger;
    const folder = mkdtempSync(join(tmpdir(), "kills-"));
    const out = join(folder, `rewards.${format}`);
    const whole = join(folder, "whole.ndjson");
    const range = ["--min-time", `-${DAYS} day`, "--max-time", "2026-11-20T08:00:00Z"];
    const args = ["rewards", state.chain.addresses.of(1), ...range, "--lanes", "4"];
    try {
      await runExport(args, { baseUrl, out: whole });
      const kinds = ["reset", "truncate", 503, ledgerFaults.throttled] as const;
      sandbox.setFaults({ rate: FAULT_RATE, kinds, seed: 1 });
      let kills = 0;
      // After a kill behind the last step, there is nothing left to do.
      const isWhole = (): boolean => existsSync(out) && !existsSync(`${out}.state.json`);
      while (kills < MOST_KILLS && !isWhole()) {
        const killAfter = Math.random() * LAST_KILL;
        const { code, stderr } = await runExport(args, { baseUrl, out, killAfter });
        if (code !== 0) expect({ code, stderr }).toMatchObject({ code: null });
        if (code === null) kills++;
        state.expireCursors();
      }
      if (!isWhole()) expect((await runExport(args, { baseUrl, out })).code).toBe(0);
      expect(kills).toBeGreaterThan(FEWEST_KILLS);
      const rewards = await read(format, out);
      expect(rewards.length).toBe(REWARDS);
      expect(rewards).toEqual(await read("ndjson", whole));
      expect(readdirSync(folder).toSorted()).toEqual([`rewards.${format}`, "whole.ndjson"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
