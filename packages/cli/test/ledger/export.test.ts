import { readdirSync, readFileSync } from "node:fs";
import type { Sandbox } from "@fieldmesh/sandbox";
import { expect, test } from "vitest";
import {
  address,
  DAY,
  folder,
  path,
  read,
  run,
  sandbox,
  useExportFolder,
} from "./export-folder.ts";

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
