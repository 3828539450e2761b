import { readdirSync, readFileSync } from "node:fs";
import type { Sandbox } from "@fieldmesh/sandbox";
import { expect, test, onTestFinished, vi } from "vitest";
import {
  address,
  DAY,
  folder,
  path,
  read,
  run,
  sandbox,
  useExportFolder,
  runFolder,
  stopAfter,
  writeAccounts,
} from "./export-folder.ts";
import { parseJson, stringifyJson } from "@fieldmesh/core";
import type { Row } from "./read-back.ts";

useExportFolder();

/** 144 rounds of three hotspots. */
const REWARDS_A_DAY = 432;

test("writes the file, prints what it contains, and leaves no other file", async () => {
  const { stdout, stderr } = await run("rewards.csv");
  expect(stdout).toEqual([
    `Account ${address} has 432 rewards from 2026-11-19T08:00:00.000Z to 2026-11-20T08:00:00.000Z: they are in ${path("rewards.csv")}.`,
  ]);
  expect(stderr).toEqual([]);
  expect(readdirSync(folder)).toEqual(["rewards.csv"]);
});

test("describes the file as one object with --json", async () => {
  const { stdout } = await run("rewards.out", { ...DAY, format: "parquet" }, { json: true });
  expect(JSON.parse(stdout.join("\n"))).toEqual({
    list: "rewards",
    account: address,
    min_time: "2026-11-19T08:00:00.000Z",
    max_time: "2026-11-20T08:00:00.000Z",
    items: REWARDS_A_DAY,
    repeated: 0,
    format: "parquet",
    file: path("rewards.out"),
  });
});

test("several lanes write the same file as one lane", async () => {
  await run("one.ndjson", { ...DAY, lanes: "1" });
  await run("eight.ndjson", { ...DAY, lanes: "8" });
  expect(readFileSync(path("eight.ndjson"))).toEqual(readFileSync(path("one.ndjson")));
});

test("activity is exported completely, or in lanes for a timeframe", async () => {
  const { stdout } = await run("all.ndjson", {}, { list: "activity" });
  expect(stdout[0]).toMatch(/^Account \w+ has \d+ transactions: they are in /);
  await run("week.sqlite", { minTime: "2026-11-13T08:00:00Z", lanes: "4" }, { list: "activity" });
  const all = await read("all.ndjson");
  const week = await read("week.sqlite");
  expect(all.length).toBeGreaterThan(week.length);
  expect(week.length).toBeGreaterThan(10);
  const hashes = all.map(({ hash }) => hash);
  expect(week.map(({ hash }) => hash)).toEqual(hashes.slice(0, week.length));
  expect(sandbox.log.requests()[0]?.url).not.toContain("time");
});

test("the blocks of a timeframe are exported without a gap", async () => {
  await run(
    "blocks.parquet",
    { minTime: "-5 hour", maxTime: "2026-11-20T05:00:00Z" },
    { list: "blocks" },
  );
  const heights = (await read("blocks.parquet")).map(({ height }) => Number(height));
  expect(heights.length).toBe(300);
  expect(heights).toEqual(heights.map((_, index) => (heights[0] as number) - index));
  const { chain } = sandbox.ledger.state;
  const end = Date.parse("2026-11-20T05:00:00Z") / 1_000;
  expect(chain.timeOf((heights[0] as number) + 1)).toBe(end);
});

test("an account without rewards is reported, and the file contains the columns", async () => {
  const account = "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G";
  for (const format of ["csv", "sqlite", "parquet", "ndjson"]) {
    const { stdout } = await run(`none.${format}`, DAY, { account });
    expect(stdout).toEqual([
      `Account ${account} has no rewards from 2026-11-19T08:00:00.000Z to 2026-11-20T08:00:00.000Z: ${path(`none.${format}`)} has no rows.`,
    ]);
    expect(await read(`none.${format}`)).toEqual([]);
  }
  expect(readFileSync(path("none.csv"), "utf8")).toBe(
    "block,hash,timestamp,account,gateway,amount,type\n",
  );
});

test.each([
  ["rewards.txt", DAY, "has no known format: end it in .ndjson, .csv"],
  ["rewards.csv", { minTime: "yesterday" }, "--min-time is not a time such as"],
  ["rewards.csv", { minTime: "-3 month" }, "--min-time is not a time such as"],
  ["rewards.csv", { minTime: DAY.maxTime, maxTime: DAY.minTime }, "must be before --max-time"],
  ["rewards.csv", { ...DAY, lanes: "65" }, "--lanes must be a whole number from 1 to 64."],
  ["no/such/rewards.csv", DAY, "does not exist: create it, or choose another --out."],
])("rejects %s with %o in one sentence, and leaves no file", async (name, options, sentence) => {
  await expect(run(name, options)).rejects.toMatchObject({
    name: "CliError",
    exitCode: 2,
    message: expect.stringContaining(sentence) as string,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["letters that base58 lacks", "0OIl"],
  ["a space", "14PfJGTfaDUPYZyASmRyGsVMCijn BQ2441HM19SjAntMjrkDv6G"],
  ["nothing", ""],
])("an address with %s is rejected before a request is sent", async (_what, account) => {
  for (const list of ["rewards", "activity"] as const)
    await expect(run("rewards.csv", DAY, { list, account })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("Copy the whole address") as string,
    });
  expect([sandbox.log.count, readdirSync(folder)]).toEqual([0, []]);
});

test("an export from a wrong server leaves no file", async () => {
  const fetch: Sandbox["ledger"]["fetch"] = async () => new Response("Not found", { status: 404 });
  const other = { ...sandbox, ledger: { ...sandbox.ledger, fetch } };
  await expect(run("rewards.csv", DAY, { sandbox: other })).rejects.toThrow("404");
  expect(readdirSync(folder)).toEqual([]);
});

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
