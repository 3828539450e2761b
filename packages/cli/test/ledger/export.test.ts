import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox } from "@fieldmesh/sandbox";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Input } from "../../src/command.ts";
import { exportOf } from "../../src/ledger/export/run-export.ts";
import type { ListName } from "../../src/ledger/export/request.ts";
import { runCommand, testContext, type TestContext, type TestContextOptions } from "../context.ts";
import { readBack, type Row } from "./read-back.ts";

const DAY = { minTime: "2026-11-19T08:00:00Z", maxTime: "2026-11-20T08:00:00Z" };
/** 144 rounds of three hotspots. */
const REWARDS_A_DAY = 432;

let folder: string;
let sandbox: Sandbox;
let address: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "export-"));
  sandbox = createSandbox();
  address = sandbox.ledger.state.chain.addresses.of(1);
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);

interface Started extends TestContextOptions {
  readonly list?: ListName;
  readonly account?: string;
}

/** Runs an export into the folder. */
async function run(
  name: string,
  options: Input["options"] = DAY,
  { list = "rewards", account = address, ...context }: Started = {},
): Promise<TestContext> {
  const made = testContext({ sandbox, ...context });
  await runCommand(exportOf(list).run, made, { out: path(name), ...options }, account);
  return made;
}

/** Runs an export that is stopped, as by Ctrl-C, after so many requests. */
async function stopAfter(requests: number, name: string, options: Input["options"] = DAY) {
  const controller = new AbortController();
  let left = requests;
  const fetch: Sandbox["ledger"]["fetch"] = async (...request) => {
    if (left-- === 0) controller.abort();
    return await sandbox.ledger.fetch(...request);
  };
  return await run(name, options, {
    sandbox: { ...sandbox, ledger: { ...sandbox.ledger, fetch } },
    signal: controller.signal,
  });
}

async function read(name: string): Promise<Row[]> {
  const format = name.split(".").at(-1) ?? "";
  return await (readBack[format] as (file: string) => Promise<Row[]>)(path(name));
}

test("writes the file, says what is in it, and leaves nothing else", async () => {
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
    format: "parquet",
    file: path("rewards.out"),
  });
});

test("lanes write the same file as one lane", async () => {
  await run("one.ndjson", { ...DAY, lanes: "1" });
  await run("eight.ndjson", { ...DAY, lanes: "8" });
  expect(readFileSync(path("eight.ndjson"))).toEqual(readFileSync(path("one.ndjson")));
});

test("activity is read whole, or in lanes between times", async () => {
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

test("blocks of a timeframe are written without a gap", async () => {
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

test("an account without rewards is named, and the file has its columns", async () => {
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
  ["rewards.txt", DAY, "does not tell the format: end it in .ndjson, .csv"],
  ["rewards.csv", { ...DAY, format: "xlsx" }, "--format must be one of ndjson, csv"],
  ["rewards.csv", {}, 'Pass --min-time, such as --min-time "-30 day".'],
  ["rewards.csv", { minTime: "yesterday" }, "--min-time must be a time such as"],
  ["rewards.csv", { minTime: "-3 month" }, "--min-time must be a time such as"],
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

test("an address or a server that is none leaves no file", async () => {
  await expect(run("rewards.csv", DAY, { account: "0OIl" })).rejects.toThrow("base58");
  const fetch: Sandbox["ledger"]["fetch"] = async () => new Response("Not found", { status: 404 });
  const other = { ...sandbox, ledger: { ...sandbox.ledger, fetch } };
  await expect(run("rewards.csv", DAY, { sandbox: other })).rejects.toThrow("404");
  expect(readdirSync(folder)).toEqual([]);
});

test("does not write over a file that exists", async () => {
  writeFileSync(path("rewards.csv"), "mine");
  await expect(run("rewards.csv")).rejects.toThrow(
    "exists and is complete, or no export: delete it",
  );
  expect(readFileSync(path("rewards.csv"), "utf8")).toBe("mine");
});

test("Ctrl-C keeps what was read; the same command resumes, another one is rejected", async () => {
  await run("whole.ndjson");
  const stopped = await stopAfter(3, "rewards.ndjson");
  expect(stopped.stderr).toEqual(["What was read is kept: run the same command again to resume."]);
  expect(stopped.stdout).toEqual([]);
  expect(existsSync(path("rewards.ndjson"))).toBe(false);
  // As a kill between the items and their place leaves it.
  writeFileSync(path("rewards.ndjson.partial"), '{"block":1}\n{"blo', { flag: "a" });

  await expect(run("rewards.ndjson", { ...DAY, maxTime: "now" })).rejects.toThrow(
    `belongs to another export, "ledger export rewards ${address} --min-time "2026-11-19T08:00:00Z" --max-time "2026-11-20T08:00:00Z"": finish that one, delete`,
  );
  const { stderr } = await run("rewards.ndjson", { ...DAY, lanes: "2" });
  expect(stderr[0]).toMatch(/^Resuming after [1-9]\d* rewards\.$/);
  expect(readFileSync(path("rewards.ndjson"))).toEqual(readFileSync(path("whole.ndjson")));
  expect(readdirSync(folder).toSorted()).toEqual(["rewards.ndjson", "whole.ndjson"]);
});

test("relative times are those of the first run", async () => {
  await stopAfter(3, "rewards.ndjson", { minTime: "-6 day" });
  const before = readState("rewards.ndjson");
  await stopAfter(3, "rewards.ndjson", { minTime: "-6 day" });
  expect(readState("rewards.ndjson").times).toEqual(before.times);
  await run("rewards.ndjson", { minTime: "-6 day" });
  const asked = sandbox.log
    .requests("accounts.rewards")
    .map(({ url }) => new URL(url, "https://sandbox.invalid").searchParams.get("min_time"));
  expect(new Set(asked)).toEqual(new Set([before.times.min]));
});

function readState(name: string) {
  return JSON.parse(readFileSync(path(`${name}.state.json`), "utf8")) as {
    readonly times: { readonly min: string; readonly max: string };
  };
}

test("a state of another server, or one that was changed, says what to do", async () => {
  await stopAfter(3, "rewards.ndjson");
  const { ledger } = sandbox;
  const other = { ...sandbox, ledger: { ...ledger, baseUrl: "https://other.invalid/ledger" } };
  await expect(run("rewards.ndjson", DAY, { sandbox: other })).rejects.toThrow(
    "belongs to an export from another server, or was changed: use that server, delete",
  );
  rmSync(path("rewards.ndjson.partial"));
  await expect(run("rewards.ndjson")).rejects.toThrow("was deleted or cut off");
  writeFileSync(path("rewards.ndjson.state.json"), "{");
  await expect(run("rewards.ndjson")).rejects.toThrow("is not the state of an export");
});

test("a list that has changed since says to start again", async () => {
  await stopAfter(3, "rewards.ndjson");
  const fetch: Sandbox["ledger"]["fetch"] = async (...request) => {
    const response = await sandbox.ledger.fetch(...request);
    return new Response((await response.text()).replaceAll('"amount":', '"amount":1'), response);
  };
  const other = { ...sandbox, ledger: { ...sandbox.ledger, fetch } };
  await expect(run("rewards.ndjson", DAY, { sandbox: other })).rejects.toMatchObject({
    name: "CliError",
    exitCode: 1,
    message: expect.stringContaining("list has changed since it was read") as string,
  });
});

test("a second process that writes the same file stops", async () => {
  const context = testContext({ sandbox });
  const progress = () => ({
    update: () => writeFileSync(path("rewards.ndjson.partial"), "x", { flag: "a" }),
    end: () => undefined,
  });
  const other = { ...context, output: { ...context.output, progress } };
  const options = { ...DAY, out: path("rewards.ndjson") };
  await expect(runCommand(exportOf("rewards").run, other, options, address)).rejects.toThrow(
    "Another process is writing",
  );
});

test("a kill while the file is made, or behind that, is resumed without a request", async () => {
  await run("whole.csv");
  mkdirSync(path("rewards.csv.new"));
  await expect(run("rewards.csv")).rejects.toThrow("cannot be written here (EISDIR)");
  rmdirSync(path("rewards.csv.new"));
  const kept = ["rewards.csv.partial", "rewards.csv.state.json"];
  expect(readdirSync(folder).toSorted()).toEqual([...kept, "whole.csv"]);
  for (const file of kept) copyFileSync(path(file), path(`copy of ${file}`));
  const requests = sandbox.log.count;

  async function resume(...left: readonly string[]): Promise<void> {
    for (const file of left) copyFileSync(path(`copy of ${file}`), path(file));
    await run("rewards.csv");
    expect(readFileSync(path("rewards.csv"))).toEqual(readFileSync(path("whole.csv")));
    expect(kept.filter((file) => existsSync(path(file)))).toEqual([]);
  }
  writeFileSync(path("rewards.csv.new"), "half a row");
  await resume();
  await resume(...kept);
  await resume("rewards.csv.state.json");
  expect(sandbox.log.count).toBe(requests);
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk is one sentence, and nothing is lost",
  async () => {
    await run("whole.csv");
    for (const file of ["rewards.csv.partial", "rewards.csv.new"]) {
      symlinkSync("/dev/full", path(file));
      await expect(run("rewards.csv")).rejects.toMatchObject({
        name: "CliError",
        exitCode: 1,
        message: `There is no space left to write ${path("rewards.csv")}: make room, and run the same command again. What was read is kept.`,
      });
      rmSync(path(file));
    }
    await run("rewards.csv");
    expect(readFileSync(path("rewards.csv"))).toEqual(readFileSync(path("whole.csv")));
  },
);

test("a list that the ledger cannot serve keeps what was read", async () => {
  await run("whole.ndjson");
  let requests = 0;
  const fetch: Sandbox["ledger"]["fetch"] = async (...request) =>
    ++requests > 3 ? new Response("{}", { status: 400 }) : await sandbox.ledger.fetch(...request);
  const failing = { ...sandbox, ledger: { ...sandbox.ledger, fetch } };
  const context = testContext({ sandbox: failing });
  const options = { ...DAY, out: path("rewards.ndjson") };
  await expect(runCommand(exportOf("rewards").run, context, options, address)).rejects.toThrow(
    "400",
  );
  expect(context.stderr).toEqual(["What was read is kept: run the same command again to resume."]);
  const { stderr } = await run("rewards.ndjson");
  expect(stderr[0]).toMatch(/^Resuming after [1-9]\d* rewards\.$/);
  expect(readFileSync(path("rewards.ndjson"))).toEqual(readFileSync(path("whole.ndjson")));
});
