import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { run as verify } from "../../src/ledger/folder/verify-folder.ts";
import type { Input } from "../../src/command.ts";
import { runCommand, testContext } from "../context.ts";
import {
  folder,
  path,
  read,
  run,
  runFolder,
  sandbox,
  useExportFolder,
  writeAccounts,
} from "./export-folder.ts";

useExportFolder();

const TIMES = { minTime: "2026-11-18T12:00:00Z", maxTime: "2026-11-20T08:00:00Z" };
const RICH = { ...TIMES, partition: "day" };

const exportFolder = (options: Input["options"], out = "out", context: FolderContext = {}) =>
  runFolder({ ...RICH, ...options }, out, context);
type FolderContext = Parameters<typeof runFolder>[2];

const parquetFiles = (name = "out"): string[] =>
  readdirSync(path(name), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".parquet"))
    .toSorted();

async function verified(name = "out"): Promise<{ lines: readonly string[]; exitCode: number }> {
  const context = testContext({});
  const exitCode = await runCommand(verify, context, {}, path(name)).then(
    () => 0,
    (error: { exitCode: number }) => error.exitCode,
  );
  return { lines: context.stdout, exitCode };
}

test("writes a file for each account and UTC day, with the same rewards as an export of the account", async () => {
  const accounts = writeAccounts(2);
  const { stdout } = await exportFolder({ accounts });
  const address = sandbox.ledger.state.chain.addresses.of(1);
  const days = ["day=2026-11-18", "day=2026-11-19", "day=2026-11-20"];
  const files = parquetFiles();
  expect(files.filter((file) => file.includes(address))).toEqual(
    days.map((day) => join(`account=${address}`, day, "rewards.parquet")),
  );
  await run("one.parquet", TIMES, { account: address });
  const rows = await Promise.all(
    days.toReversed().map((day) => read(join("out", `account=${address}`, day, "rewards.parquet"))),
  );
  expect(rows.flat()).toEqual(await read("one.parquet"));
  expect(stdout[0]).toMatch(
    /^\d+ rewards of 2 accounts are in \d+ files in .*out\. Check them with/,
  );
  expect(readdirSync(path("out")).filter((name) => name.startsWith("."))).toEqual([]);
  const { stdout: hostile } = await exportFolder({ accounts }, "$(touch ran)");
  expect(hostile[0]).toMatch(
    /\. Check them with: fieldmesh ledger verify '[^']*\/\$\(touch ran\)'$/,
  );
  expect(await verified()).toMatchObject({ exitCode: 0 });
});

test("the shards of an export have all accounts once, and verify adds them up", async () => {
  const accounts = writeAccounts(6);
  await exportFolder({ accounts });
  for (const shard of ["1/3", "2/3", "3/3"]) await exportFolder({ accounts, shard }, "shards");
  expect(parquetFiles("shards")).toEqual(parquetFiles());
  const [whole, shards] = [await verified(), await verified("shards")];
  expect(shards.lines.map((line) => line.replace("shards", "out"))).toEqual(whole.lines);
});

test("an export that is stopped resumes: complete accounts are not read again", async () => {
  const accounts = writeAccounts(4);
  await exportFolder({ accounts }, "fresh");
  const controller = new AbortController();
  let left = Math.floor(sandbox.log.count / 2);
  const fetch: typeof sandbox.ledger.fetch = async (...request) => {
    if (left-- === 0) controller.abort();
    return await sandbox.ledger.fetch(...request);
  };
  const stopping = { ...sandbox, ledger: { ...sandbox.ledger, fetch } };
  await exportFolder({ accounts }, "out", { sandbox: stopping, signal: controller.signal });
  expect((await verified()).exitCode).toBe(4);
  const { stderr } = await exportFolder({ accounts });
  expect(stderr.join("\n")).toMatch(/Resuming after [1-3] accounts/);
  expect(readFileSync(path("out/manifest-1-of-1.ndjson"), "utf8")).toBe(
    readFileSync(path("fresh/manifest-1-of-1.ndjson"), "utf8"),
  );
  const before = sandbox.log.count;
  await exportFolder({ accounts });
  expect(sandbox.log.count).toBe(before);
});

test("a manifest line that a kill cut off does not count", async () => {
  const accounts = writeAccounts(2);
  await exportFolder({ accounts });
  const file = path("out/manifest-1-of-1.ndjson");
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.slice(0, -20));
  expect((await verified()).lines.join("\n")).toContain("is not complete");
  await exportFolder({ accounts });
  expect(readFileSync(file, "utf8")).toBe(whole);
});

test("blocks are divided by 10,000 heights", async () => {
  const options = { minTime: "-8 day", maxTime: TIMES.maxTime, partition: "height" };
  await exportFolder(options, "blocks", { list: "blocks" });
  const files = parquetFiles("blocks");
  expect(files.length).toBeGreaterThan(1);
  const heights: number[] = [];
  for (const file of files) {
    const [, from = ""] = /^from_height=(\d+)/.exec(file) ?? [];
    const own = (await read(join("blocks", file))).map(({ height }) => Number(height));
    expect(own.every((height) => Math.floor(height / 10_000) * 10_000 === Number(from))).toBe(true);
    heights.push(...own);
  }
  const sorted = heights.toSorted((one, other) => one - other);
  expect(sorted).toEqual(sorted.map((_, index) => (sorted[0] as number) + index));
  expect((await verified("blocks")).exitCode).toBe(0);
});

test.each<[string, (file: string) => void, string]>([
  ["a missing file", (file) => rmSync(file), "is missing"],
  ["a changed file", (file) => appendFileSync(file, "x"), "has changed"],
  [
    "a file of another export",
    (file) => {
      const other = file.replace("day=2026-11-19", "day=2026-01-01");
      mkdirSync(dirname(other), { recursive: true });
      cpSync(file, other);
    },
    "is in no manifest",
  ],
  ["a missing shard", () => rmSync(path("out/manifest-2-of-2.ndjson")), "shard 2/2 is missing"],
  [
    "an account in two manifests",
    () => {
      const [one, two] = [1, 2].map((index) => path(`out/manifest-${index}-of-2.ndjson`));
      const [, ...lines] = readFileSync(one as string, "utf8")
        .trim()
        .split("\n");
      appendFileSync(two as string, `${lines[0]}\n`);
    },
    "is in two manifests",
  ],
])("verify exits with 4 for %s", async (_, damage, sentence) => {
  const accounts = writeAccounts(5);
  for (const shard of ["1/2", "2/2"]) await exportFolder({ accounts, shard });
  const file = parquetFiles().find((name) => name.includes("day=2026-11-19")) as string;
  damage(path(join("out", file)));
  const { lines, exitCode } = await verified();
  expect(exitCode).toBe(4);
  expect(lines.join("\n")).toContain(sentence);
});

test.each<[string, Input["options"], string]>([
  ["accounts without a partition", { partition: undefined }, "--accounts needs --partition day"],
  ["another format", { format: "csv" }, "leave out --format"],
  ["a part of nothing", { shard: "3/2" }, "--shard must be a part of all"],
  ["a shard with relative times", { shard: "1/2", minTime: "-3 day" }, "must be dates"],
  ["a shard until now", { shard: "1/2", maxTime: undefined }, "must be dates"],
])("rejects %s before anything is sent", async (_, options, sentence) => {
  const accounts = writeAccounts(1);
  await expect(exportFolder({ accounts, ...options })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(sentence) as string,
  });
  expect([sandbox.log.count, readdirSync(folder)]).toEqual([0, ["accounts.txt"]]);
});

test("names the lines of the file that are not addresses", async () => {
  writeFileSync(
    path("wrong.txt"),
    "14PfJGTfaDUPYZyASmRyGsVMCijnBQ2441HM19SjAntMjrkDv6G\n0OIl\n\nl l\n",
  );
  await expect(exportFolder({ accounts: path("wrong.txt") })).rejects.toThrow(
    "has lines that are not an address in base58: 2, 4.",
  );
});

test("a folder of another export is left alone", async () => {
  const accounts = writeAccounts(2);
  await exportFolder({ accounts });
  await expect(exportFolder({ accounts, maxTime: "2026-11-20T07:00:00Z" })).rejects.toThrow(
    "belongs to another export",
  );
});
