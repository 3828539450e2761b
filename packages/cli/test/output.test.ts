import { Secret } from "@fieldmesh/core";
import { expect, test, vi } from "vitest";
import { stripVTControlCharacters } from "node:util";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { cellsOf, wrapCommand } from "../src/output/cells.ts";
import { createProgress, describeProgress } from "../src/output/progress.ts";
import { createOutput } from "../src/output/create-output.ts";
import { ClosedPipeError } from "../src/output/output.ts";
import { testContext } from "./context.ts";

const device = {
  name: "pump 7",
  app_key: new Secret(canaries.appKey),
  nonce: 12345678901234567890n,
  labels: [{ id: "a" }],
  note: null,
};

test("a record is printed as a line for each field, without its secrets", async () => {
  const context = testContext();
  await context.output.record(device);
  expect(context.stdout).toEqual([
    "name     pump 7",
    "app_key  [redacted]",
    "nonce    12345678901234567890",
    'labels   [{"id":"a"}]',
    "note     -",
  ]);
});

test("with --json integers are exact, and --reveal shows secrets", async () => {
  const context = testContext({ json: true, reveal: true });
  await context.output.records([{ key: new Secret("shown-on-purpose"), nonce: 2n ** 64n }]);
  expect(context.stdout).toEqual(['{"key":"shown-on-purpose","nonce":18446744073709551616}']);
});

test("a table is as wide as its first rows, and longer cells are not cut off without a terminal", async () => {
  const rows = Array.from({ length: 101 }, (_, at) => ({ id: at, name: `d${at}` }));
  const context = testContext();
  await context.output.records([...rows, { id: 101, name: "x".repeat(200) }]);
  expect(context.stdout).toHaveLength(103);
  expect(context.stdout.slice(0, 2)).toEqual(["ID  NAME", "0   d0"]);
  expect(context.stdout.at(-1)).toBe(`101  ${"x".repeat(200)}`);
  const narrow = testContext({ terminal: true, env: { NO_COLOR: "1" } });
  await narrow.output.records([{ name: "x".repeat(200) }]);
  expect(narrow.stdout.map((line) => line.length)).toEqual([4, 120]);
});

test("a terminal that reports no columns, as in a container, has 80 columns", async () => {
  const lines: string[] = [];
  const write = (text: string, written: () => void) => (lines.push(text), written());
  const terminal = { isTTY: true, columns: 0, write };
  const facts = { env: { NO_COLOR: "1" }, json: false, quiet: false, reveal: false };
  const output = createOutput({ stdout: terminal, stderr: terminal, ...facts });
  await output.records([{ name: "x".repeat(200) }, { name: "short" }]);
  expect(lines.join("").split("\n")).toEqual(["NAME", `${"x".repeat(79)}…`, "short", ""]);
});

test("tables count the cells of CJK characters, emoji and combining marks, and cut between characters", async () => {
  const narrow = testContext({ terminal: true, env: { NO_COLOR: "1" } });
  const names = ["水位計", "Pump\u{1F4A7}", "Su\u0308dtor", "\u6C34".repeat(80)];
  await narrow.output.records(names.map((name) => ({ name, active: true })));
  const ends = narrow.stdout.slice(1, 4).map((line) => cellsOf(line));
  expect(new Set(ends).size).toBe(1);
  await narrow.output.records([{ name: "\u6C34".repeat(80) }]);
  expect(narrow.stdout.at(-1)).toBe(`${"\u6C34".repeat(59)}…`);
});

test("a progress bar is cut by cells, and its color ends before the cut", async () => {
  vi.useFakeTimers();
  const drawn: string[] = [];
  const sink = { isTTY: true, columns: 30, write: (text: string) => drawn.push(text) };
  const bar = createProgress({
    what: "水位計を登録中",
    total: 100,
    sink,
    isColored: true,
    isShown: true,
  });
  vi.advanceTimersByTime(2_000);
  bar.update(40);
  vi.useRealTimers();
  const [line = ""] = drawn;
  expect(cellsOf(stripVTControlCharacters(line).replace("\r", ""))).toBe(29);
  expect(line.endsWith("\u001B[39m…")).toBe(true);
});

test("only output to a terminal has colors, and not with NO_COLOR", async () => {
  const print = async (terminal: boolean, env = {}): Promise<string> => {
    const context = testContext({ terminal, env });
    await context.output.record({ name: "pump" });
    return context.stdout.join();
  };
  expect(await print(true)).toContain("\u001B[1m");
  expect(await print(true, { NO_COLOR: "1" })).toBe("name  pump");
  expect(await print(false)).toBe("name  pump");
});

test("--quiet omits notes", () => {
  const [loud, quiet] = [testContext(), testContext({ quiet: true })];
  for (const { output } of [loud, quiet]) output.note("3 rows were skipped.");
  expect([loud.stderr, quiet.stderr]).toEqual([["3 rows were skipped."], []]);
});

test("the command ends when its reader ends, as head does", async () => {
  const sink = { write: (_: string, written: (error: Error) => void) => written(epipe) };
  const epipe = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  const facts = { env: {}, json: true, quiet: false, reveal: false };
  const output = createOutput({ stdout: sink, stderr: sink, ...facts });
  await expect(output.records([1, 2])).rejects.toBeInstanceOf(ClosedPipeError);
});

test("the progress bar shows how much is done, how fast, and how long the rest takes", () => {
  const bar = { what: "Importing", total: 10_000 };
  expect(describeProgress(bar, 2_500, 10, { failed: 3, skipped: 0 })).toBe(
    "Importing  ██████░░░░░░░░░░░░░░░░░░  2,500 of 10,000  250/s  30 s left  3 failed",
  );
  expect(describeProgress({ ...bar, total: undefined }, 90, 2, {})).toBe("Importing  90  45/s");
  expect(describeProgress(bar, 10, 10, {})).toContain("2 h 47 min left");
});

test("a command that is wrapped is still one command", () => {
  const line = 'fieldmesh devices import order.csv --map "Serial No=name" --label Pumps';
  const wrapped = wrapCommand(line, 40, "    ");
  expect(wrapped.split("\n").filter((each) => each.length > 40)).toEqual([]);
  expect(wrapped.replaceAll(/ \\\n\s+/g, " ").trim()).toBe(line);
  expect(wrapped).toContain('--map "Serial No=name"');
});
