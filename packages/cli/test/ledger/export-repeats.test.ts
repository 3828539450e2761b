import { readdirSync } from "node:fs";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import type { Sandbox } from "@fieldmesh/sandbox";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  address,
  DAY,
  path,
  read,
  run,
  runFolder,
  sandbox,
  stopAfter,
  useExportFolder,
  writeAccounts,
} from "./export-folder.ts";
import type { Row } from "./read-back.ts";

useExportFolder();

const FORMATS = ["ndjson", "csv", "sqlite", "parquet"] as const;

/** A ledger whose pages begin with the last rows of the page before, as some deployments do (observed). */
function repeating(rows = 2, isListed: (row: Row) => boolean = () => true): Sandbox {
  // The client warns about it once.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const lastRows = new Map<string, Row[]>();
  const fetch: Sandbox["ledger"]["fetch"] = async (url, init) => {
    const response = await sandbox.ledger.fetch(url, init);
    const body = parseJson(await response.text()) as { data: Row[]; cursor?: string };
    if (!Array.isArray(body.data)) return new Response(stringifyJson(body), response);
    const before = lastRows.get(new URL(url).searchParams.get("cursor") ?? "") ?? [];
    const last = body.data.length > 0 ? body.data.slice(-rows) : before;
    if (body.cursor !== undefined) lastRows.set(body.cursor, last);
    const data = body.data.length > 0 ? [...before, ...body.data.filter(isListed)] : [];
    return new Response(stringifyJson({ ...body, data }), response);
  };
  return { ...sandbox, ledger: { ...sandbox.ledger, fetch } };
}

/** 432 rewards on five pages, of which four begin with two rows of the page before. */
const REWARDS = 432;
const REPEATED = 8;

const CELLS = FORMATS.flatMap((format) =>
  ["fresh", "resumed"].flatMap((how) =>
    [false, true].map((distinct) => ({ format, how, distinct, lanes: "1" })),
  ),
);

test.each([...CELLS, { format: "csv", how: "resumed", distinct: true, lanes: "8" }])(
  "$format, $how, --distinct $distinct, $lanes lanes: the last line counts the repeated rows",
  async ({ format, how, distinct, lanes }) => {
    await run(`whole.${format}`);
    const [name, ledger] = [`rewards.${format}`, repeating()];
    const options = { ...DAY, lanes, distinct };
    if (how === "resumed")
      for (let requests = 2; requests < 5; requests++)
        await stopAfter(requests, name, options, ledger);
    const { stdout } = await run(name, options, { sandbox: ledger });

    const [found, whole] = [await read(name), await read(`whole.${format}`)];
    const repeated = Number(/ (\d+) rows were repeated/.exec(stdout.at(-1)!)?.[1]);
    if (lanes === "1") expect(repeated).toBe(REPEATED);
    expect(stdout.at(-1)).toBe(
      `Account ${address} has ${distinct ? REWARDS : REWARDS + REPEATED} rewards from 2026-11-19T08:00:00.000Z to 2026-11-20T08:00:00.000Z: they are in ${path(name)}. ` +
        `${repeated} rows were repeated at the start of a page${distinct ? " and are left out" : ": --distinct leaves them out"}.`,
    );
    expect(found.length).toBe(distinct ? REWARDS : REWARDS + REPEATED);
    const keys = found.map((row) => stringifyJson(row));
    expect([...new Set(keys)]).toEqual(whole.map((row) => stringifyJson(row)));
  },
);

test.each(["fresh", "resumed"])(
  "a folder of shards, %s, counts and leaves them out",
  async (how) => {
    const accounts = writeAccounts(4);
    const options = { accounts, ...DAY, partition: "day" };
    await runFolder(options, "whole");
    for (const distinct of [false, true]) {
      const ledger = repeating();
      const out = `out-${distinct}`;
      const counts = { rows: 0, repeated: 0 };
      for (const shard of ["1/2", "2/2"]) {
        const given = { ...options, shard, distinct };
        if (how === "resumed") await stopAfter(7, out, given, ledger);
        const { stdout } = await runFolder(given, out, { sandbox: ledger, json: true });
        const record = JSON.parse(stdout.join("\n")) as typeof counts;
        counts.rows += record.rows;
        counts.repeated += record.repeated;
        // Complete accounts are not read again, and still counted.
        const { stdout: again } = await runFolder(given, out);
        const advice = distinct ? " and are left out" : ": --distinct leaves them out";
        expect(again.at(-1)).toContain(
          ` ${record.repeated} rows were repeated at the start of a page${advice}. Check them with`,
        );
      }
      const rows = 4 * (distinct ? REWARDS : REWARDS + REPEATED);
      expect(counts).toEqual({ rows, repeated: 4 * REPEATED });
      if (!distinct) continue;
      const files = readdirSync(path("whole"), { recursive: true, encoding: "utf8" });
      for (const file of files.filter((name) => name.endsWith(".parquet")))
        expect(await read(`${out}/${file}`)).toEqual(await read(`whole/${file}`));
    }
  },
);

const NIGHT = { minTime: "2026-11-19T20:00:00Z", maxTime: DAY.maxTime };

test.each([
  ["activity", {}],
  ["blocks", NIGHT],
] as const)(
  "%s: one object with --json has their number, 0 if there are none",
  async (list, times) => {
    const numbers = async (name: string, distinct: boolean, ledger: Sandbox) => {
      const context = { list, json: true, sandbox: ledger };
      const { stdout } = await run(name, { ...times, distinct, lanes: "1" }, context);
      return JSON.parse(stdout.join("\n")) as { items: number; repeated: number };
    };
    const { items, repeated: none } = await numbers("whole.ndjson", true, sandbox);
    const all = await numbers("all.ndjson", false, repeating(1));
    const { repeated } = all;
    expect([none, repeated > 0, all.items]).toEqual([0, true, items + repeated]);
    expect(await numbers("distinct.ndjson", true, repeating(1))).toMatchObject({ items, repeated });
    expect(await read("distinct.ndjson")).toEqual(await read("whole.ndjson"));
  },
);

test("a single row is counted as one, and an export with --distinct is another than one without", async () => {
  const times = { ...DAY, minTime: "2026-11-20T00:00:00Z", lanes: "1" };
  const { stdout } = await run("one.csv", times, { sandbox: repeating(1) });
  expect(stdout[0]).toContain(
    ". 1 row was repeated at the start of a page: --distinct leaves it out.",
  );
  await stopAfter(2, "rewards.csv", { ...DAY, distinct: true });
  await expect(run("rewards.csv")).rejects.toThrow(`--max-time "${DAY.maxTime}" --distinct"`);
});

test("blocks that the list lacks are found, although others are repeated", async () => {
  const ledger = repeating(1, ({ height }) => Number(height) % 50 !== 7);
  await expect(run("blocks.csv", NIGHT, { list: "blocks", sandbox: ledger })).rejects.toThrow(
    /list lacks 1[45] of the blocks/,
  );
});
