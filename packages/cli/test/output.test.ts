import { Secret } from "@fieldmesh/core";
import { expect, test, vi } from "vitest";
import { stripVTControlCharacters } from "node:util";
import { canaries } from "../../../tools/canaries/canaries.ts";
import { cellsOf, wrapCommand } from "../src/output/cells.ts";
import { createProgress, describeProgress } from "../src/output/progress.ts";
import { createOutput } from "../src/output/create-output.ts";
import { ClosedPipeError } from "../src/output/output.ts";
import { testContext } from "./context.ts";
import { PassThrough } from "node:stream";
import { text as readText } from "node:stream/consumers";
import type { Context } from "../src/context.ts";
import { openSheet, writeSheet } from "../src/fleet/csv/sheet.ts";
import { createPrompt } from "../src/output/create-prompt.ts";
import { showList } from "../src/rows/show-list.ts";
import type { Row } from "../src/rows/row.ts";
import { folder } from "./fleet/fleet-context.ts";
import { formatReport } from "../src/commands/failure.ts";

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

test("a narrow progress bar cuts its name by cells, and keeps the bar and the total", async () => {
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
  expect(cellsOf(stripVTControlCharacters(line).replace("\r", ""))).toBe(28);
  expect(line).toMatch(/水位計… {2}\S+█+░+\S+ {2}40 of 100$/);
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

test.each([
  [60, "Importing  ███░░░░░░░░  2,500 of 10,000  30 s left  3 failed"],
  [50, "Importing  ███░░░░░░░░░  2,500 of 10,000  3 failed"],
  [40, "Importing  ███░░░░░░░░░  2,500 of 10,000"],
])("in %i columns, the bar and the total stay", (width, line) => {
  const counts = { failed: 3 };
  const shown = describeProgress({ what: "Importing", total: 10_000 }, 2_500, 10, counts, width);
  expect(shown).toBe(line);
  expect(shown.length).toBeLessThanOrEqual(width);
});

test("what continues a line of a result is indented", async () => {
  const context = testContext({ terminal: true, columns: 20 });
  await context.output.line("sim.activated  evt_a8b7b87e");
  expect(context.stdout).toEqual(["sim.activated", "    evt_a8b7b87e"]);
});

test("a command that is wrapped is still one command", () => {
  const line = 'fieldmesh devices import order.csv --map "Serial No=name" --label Pumps';
  const wrapped = wrapCommand(line, 40, "    ");
  expect(wrapped.split("\n").filter((each) => each.length > 40)).toEqual([]);
  expect(wrapped.replaceAll(/ \\\n\s+/g, " ").trim()).toBe(line);
  expect(wrapped).toContain('--map "Serial No=name"');
});

// A server, or whoever may name a device there, chooses names and values. A terminal must only show them.

/** Writes the clipboard (OSC 52), clears the screen, forges a line, and reverses what follows. C1 codes do the same. */
const HOSTILE =
  "a\u001B]52;c;b3duZWQ=\u0007\u001B[2J\r\nok  done\u009B2J\u009D52;c;b3duZWQ=\u009C\u202Egnp.exe\u2066\u200F\u2028";
/** Characters that a terminal obeys, or that change what it shows. */
const OBEYED = /[^\P{C}\n\t]|[\u2028\u2029]/u;

function startTerminal(options: { isTTY?: boolean; json?: boolean } = {}) {
  const { isTTY = true, json = false } = options;
  const written = { stdout: "", stderr: "" };
  const sink = (name: keyof typeof written) => ({
    isTTY,
    columns: 1_000,
    write(text: string, done: (error?: Error | null) => void) {
      written[name] += text;
      done();
    },
  });
  const output = createOutput({
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    env: { NO_COLOR: "1" },
    json,
    quiet: false,
    reveal: false,
  });
  return { output, written };
}

const record = { [HOSTILE]: HOSTILE, [`${HOSTILE}2`]: { [HOSTILE]: [HOSTILE] } };

test("names and values of a record and of a table are printed as one line each, without control characters", async () => {
  for (const isTTY of [true, false]) {
    const { output, written } = startTerminal({ isTTY });
    await output.record(record);
    expect(written.stdout).not.toMatch(OBEYED);
    expect(written.stdout.trimEnd().split("\n")).toHaveLength(2);
    await output.records([record, record]);
    expect(written.stdout).not.toMatch(OBEYED);
    expect(written.stdout.trimEnd().split("\n")).toHaveLength(2 + 3);
    expect(written.stdout.toLowerCase()).toContain("gnp.exe");
  }
});

test("JSON on a terminal is escaped and has the same value, and in a pipe it is unchanged", async () => {
  const shown = startTerminal({ json: true });
  await shown.output.record(record);
  expect(shown.written.stdout).not.toMatch(OBEYED);
  expect(JSON.parse(shown.written.stdout)).toEqual(record);
  const lines = startTerminal({ json: true });
  await lines.output.records([record, record]);
  expect(lines.written.stdout).not.toMatch(OBEYED);
  const piped = startTerminal({ json: true, isTTY: false });
  await piped.output.records([record]);
  expect(piped.written.stdout).toBe(`${JSON.stringify(record)}\n`);
});

test("a line is printable on a terminal and in a pipe, and a file is unchanged in a pipe", async () => {
  const csv = `name\tvalue\n"${HOSTILE}",1`;
  for (const isTTY of [true, false])
    for (const how of ["line", "file"] as const) {
      const { output, written } = startTerminal({ isTTY });
      await output[how](csv);
      if (how === "file" && !isTTY) expect(written.stdout).toBe(`${csv}\n`);
      else expect(written.stdout).not.toMatch(OBEYED);
      expect(written.stdout.startsWith("name\tvalue\n")).toBe(true);
    }
});

test("a question and a question for a secret show names without what a terminal obeys", async () => {
  for (const ask of ["confirm", "secret"] as const) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 1_000 });
    const prompt = createPrompt({ stdin, stderr }, new AbortController().signal);
    const asked = prompt[ask](`Delete the device ${HOSTILE}`, "");
    setImmediate(() => stdin.write("no\r"));
    await asked;
    stderr.end();
    // readline moves the cursor itself.
    // oxlint-disable-next-line no-control-regex -- what readline writes
    const shown = (await readText(stderr)).replaceAll(/\u001B\[\d*[GJK]|\r/g, "");
    expect(shown).toContain("gnp.exe");
    expect(shown).not.toMatch(OBEYED);
  }
});

const FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\uFF1D1", "'=1", "=\t1"];
const NUMBERS = ["-5", "+43123", "-1.5e3", "7", "-", "Tank -5"];
const labelsList: Row = {
  path: "console labels list",
  summary: "",
  list: true,
  fields: [],
  example: "",
};

test("no cell of tab-separated output is a formula, numbers stay numbers, and the ledger is unchanged", async () => {
  const values = [...FORMULAS, ...NUMBERS];
  const rows = async (path: string) => {
    const { output, written } = startTerminal({ isTTY: false });
    async function* records() {
      for (const value of values)
        yield { [`=name${HOSTILE}`]: value, count: -5, big: -5n, none: null };
    }
    const context = { output, reveal: false } as Context;
    const service = path.startsWith("ledger") ? "ledger" : "console";
    const input = { arguments: [], options: {} };
    await showList(service, { ...labelsList, path }, records(), input, context);
    return written.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
  };
  const [[name] = [], ...cells] = await rows("console labels list");
  expect(name).toMatch(/^'=name/);
  expect(name).not.toMatch(OBEYED);
  expect(cells.map(([first]) => first)).toEqual([
    ...FORMULAS.map((each) => `'${each.replace("\t", " ")}`),
    ...NUMBERS.map((each) => (each === "-" ? "'-" : each)),
  ]);
  expect(new Set(cells.map(([, ...more]) => more.join(" ")))).toEqual(new Set(["-5 -5 -"]));
  const [[asItIs] = [], ...unchanged] = await rows("ledger accounts list");
  expect(asItIs).toMatch(/^=name/);
  expect(unchanged.map(([first]) => first)).toEqual(values.map((each) => each.replace("\t", " ")));
});

test("no cell of CSV is a formula, numbers stay numbers, and reading it returns every value", async () => {
  const values = [...FORMULAS, ...NUMBERS, "''=1", "\u0001=1", " =1", "\uFEFF@1", "\u200B' +x"];
  const written = writeSheet(
    ["=name", "n"],
    values.map((value) => [value, "-5"]),
  );
  expect(written).not.toMatch(/^"?[=@\uFF1D]/m);
  expect(written).toMatch(/^'=name,n\n/);
  expect(written).toContain("\n-5,-5\n");
  // Spreadsheets ignore blanks and invisible characters before a formula.
  expect(written).not.toMatch(/^"?[\p{Z}\p{C}]+[=@+]/mu);
  const { header, rows } = await openSheet(folder().write("d.csv", written));
  expect(header).toEqual(["=name", "n"]);
  const cells = [];
  for await (const row of rows()) cells.push(row.cells[0]);
  expect(cells).toEqual(values);
});

test("a note and an error contain no control characters", () => {
  const { output, written } = startTerminal();
  output.note(`device ${HOSTILE}`);
  expect(written.stderr).not.toMatch(OBEYED);
  for (const isJson of [true, false]) {
    const report = formatReport({ name: "ApiError", message: HOSTILE }, isJson);
    expect(report).not.toMatch(OBEYED);
    expect(report.trimEnd().split("\n")).toHaveLength(1);
  }
});
