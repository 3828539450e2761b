import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import type { Sandbox } from "@fieldmesh/sandbox";
import { expect, onTestFinished, test, vi } from "vitest";
import { exportOf } from "../../src/ledger/export-list.ts";
import { runCommand, testContext } from "../context.ts";
import {
  address,
  DAY,
  folder,
  path,
  run,
  sandbox,
  stopAfter,
  useExportFolder,
} from "./export-folder.ts";

useExportFolder();

test("Ctrl-C keeps the records that were read. The same command resumes, and another one is rejected", async () => {
  await run("whole.ndjson");
  const stopped = await stopAfter(3, "rewards.ndjson");
  expect(stopped.stderr).toEqual(["What was read is kept: run the same command again to resume."]);
  expect(stopped.stdout).toEqual([]);
  expect(existsSync(path("rewards.ndjson"))).toBe(false);
  // As after a kill between the write of the items and that of their position.
  writeFileSync(path("rewards.ndjson.partial"), '{"block":1}\n{"blo', { flag: "a" });

  await expect(run("rewards.ndjson", { ...DAY, maxTime: "now" })).rejects.toThrow(
    `belongs to another export, "ledger export rewards ${address} --min-time "2026-11-19T08:00:00Z" --max-time "2026-11-20T08:00:00Z"": finish that one, delete`,
  );
  const { stderr } = await run("rewards.ndjson", { ...DAY, lanes: "2" });
  expect(stderr[0]).toMatch(/^Resuming after [1-9]\d* rewards\.$/);
  expect(readFileSync(path("rewards.ndjson"))).toEqual(readFileSync(path("whole.ndjson")));
  expect(readdirSync(folder).toSorted()).toEqual(["rewards.ndjson", "whole.ndjson"]);
});

test("a resumed export keeps the relative times of the first run", async () => {
  // The chain of the sandbox ends here.
  vi.useFakeTimers({ now: Date.parse(DAY.maxTime), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
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
  const { state } = JSON.parse(readFileSync(path(`${name}.state.json`), "utf8")) as {
    readonly state: { readonly times: { readonly min: string; readonly max: string } };
  };
  return state;
}

test("the error about a state of another server, or a changed one, says what to do", async () => {
  await stopAfter(3, "rewards.ndjson");
  const { ledger } = sandbox;
  const other = { ...sandbox, ledger: { ...ledger, baseUrl: "https://other.invalid/ledger" } };
  const context = testContext({ sandbox: other });
  const options = { ...DAY, out: path("rewards.ndjson") };
  await expect(runCommand(exportOf("rewards").run, context, options, address)).rejects.toThrow(
    "belongs to an export from another server, or was changed: use that server, delete",
  );
  // It does not print that it resumes a state that it rejects.
  expect(context.stderr).toEqual([]);
  rmSync(path("rewards.ndjson.partial"));
  await expect(run("rewards.ndjson")).rejects.toThrow("was deleted or cut off");
  writeFileSync(path("rewards.ndjson.state.json"), "{");
  await expect(run("rewards.ndjson")).rejects.toThrow(
    "is damaged, or is not the state of ledger export. Delete it and",
  );
});

test("the error about a list that has changed since says to start again", async () => {
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

test("a second process that exports to the same file is rejected", async () => {
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

test("after a kill during or after the creation of the file, the export resumes without a request", async () => {
  await run("whole.csv");
  mkdirSync(path("rewards.csv.new"));
  await expect(run("rewards.csv")).rejects.toThrow("cannot be written (EISDIR)");
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

test("a run that could not print its report, or was killed afterwards, resumes with only the report", async () => {
  const context = testContext({ sandbox });
  const line = () => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
  const options = { ...DAY, out: path("rewards.csv") };
  const silent = { ...context, output: { ...context.output, line } };
  await expect(runCommand(exportOf("rewards").run, silent, options, address)).rejects.toThrow(
    "There is no space left",
  );
  expect(readdirSync(folder).toSorted()).toEqual(["rewards.csv", "rewards.csv.state.json"]);
  const written = statSync(path("rewards.csv")).mtimeMs;
  const requests = sandbox.log.count;
  const { stdout } = await run("rewards.csv");
  expect(stdout).toEqual([expect.stringContaining(" has 432 rewards ")]);
  expect(sandbox.log.count).toBe(requests);
  expect(statSync(path("rewards.csv")).mtimeMs).toBe(written);
  expect(readdirSync(folder)).toEqual(["rewards.csv"]);
});

test("after a kill behind the last step, only the same command reports again, but not an hour later", async () => {
  const env = { XDG_RUNTIME_DIR: path("runtime") };
  const first = await run("rewards.csv", DAY, { env });
  const requests = sandbox.log.count;
  const again = await run("rewards.csv", DAY, { env });
  expect(again.stdout).toEqual(first.stdout);
  expect(sandbox.log.count).toBe(requests);
  const exists = "exists and is not an unfinished export. Delete it to export again";
  await expect(run("rewards.csv", { minTime: "-1 day" }, { env })).rejects.toThrow(exists);
  const [name = ""] = readdirSync(path("runtime/fieldmesh/exports"));
  const record = path(`runtime/fieldmesh/exports/${name}`);
  const hourAgo = Date.now() / 1_000 - 3_600;
  utimesSync(record, hourAgo, hourAgo);
  await expect(run("rewards.csv", DAY, { env })).rejects.toThrow(exists);
  // The next export removes it.
  await run("other.csv", DAY, { env });
  expect(existsSync(record)).toBe(false);
  writeFileSync(path("other.csv"), "precious");
  await expect(run("other.csv", DAY, { env })).rejects.toThrow(exists);
});

test("a file that was not written by an export is not changed", async () => {
  writeFileSync(path("rewards.csv.partial"), "precious");
  await expect(run("rewards.csv")).rejects.toThrow("does not belong to an export. Move it");
  expect(readFileSync(path("rewards.csv.partial"), "utf8")).toBe("precious");
});

test.skipIf(!existsSync("/dev/full"))(
  "a full disk is reported in one sentence, and nothing is lost",
  async () => {
    await run("whole.csv");
    symlinkSync("/dev/full", path("rewards.csv.partial"));
    await expect(run("rewards.csv")).rejects.toMatchObject({
      name: "CliError",
      exitCode: 1,
      message: `There is no space left to write ${path("rewards.csv")}: free some space, and run the same command again. What was read is kept.`,
    });
    rmSync(path("rewards.csv.partial"));
    await run("rewards.csv");
    expect(readFileSync(path("rewards.csv"))).toEqual(readFileSync(path("whole.csv")));
  },
);

test("if the ledger cannot serve a list, the records that were read are kept", async () => {
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
