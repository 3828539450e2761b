// A server, or whoever may name a device there, chooses names and values. A terminal must only show them.
import { PassThrough } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Context } from "../src/context.ts";
import { openSheet, writeSheet } from "../src/fleet/csv/sheet.ts";
import { createPrompt } from "../src/output/create-prompt.ts";
import { showList } from "../src/rows/show-list.ts";
import type { Row } from "../src/rows/row.ts";
import { folder } from "./fleet/fleet-context.ts";
import { formatReport } from "../src/commands/failure.ts";
import { createOutput } from "../src/output/create-output.ts";

/** Writes the clipboard (OSC 52), clears the screen, forges a line, and reverses what follows. C1 codes do the same. */
const HOSTILE =
  "a\u001B]52;c;b3duZWQ=\u0007\u001B[2J\r\nok  done\u009B2J\u009D52;c;b3duZWQ=\u009C\u202Egnp.exe\u2066\u200F\u2028";
/** Characters that a terminal obeys, or that change what it shows. */
const OBEYED = /[^\P{C}\n\t]|[\u2028\u2029]/u;

function terminal(options: { isTTY?: boolean; json?: boolean } = {}) {
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
    const { output, written } = terminal({ isTTY });
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
  const shown = terminal({ json: true });
  await shown.output.record(record);
  expect(shown.written.stdout).not.toMatch(OBEYED);
  expect(JSON.parse(shown.written.stdout)).toEqual(record);
  const lines = terminal({ json: true });
  await lines.output.records([record, record]);
  expect(lines.written.stdout).not.toMatch(OBEYED);
  const piped = terminal({ json: true, isTTY: false });
  await piped.output.records([record]);
  expect(piped.written.stdout).toBe(`${JSON.stringify(record)}\n`);
});

test("a line is printable on a terminal and in a pipe, and a file is unchanged in a pipe", async () => {
  const csv = `name\tvalue\n"${HOSTILE}",1`;
  for (const isTTY of [true, false])
    for (const how of ["line", "file"] as const) {
      const { output, written } = terminal({ isTTY });
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
    const { output, written } = terminal({ isTTY: false });
    async function* records() {
      for (const value of values)
        yield { [`=name${HOSTILE}`]: value, count: -5, big: -5n, none: null };
    }
    const context = { output, reveal: false } as Context;
    await showList({ ...labelsList, path }, records(), { arguments: [], options: {} }, context);
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
  const { output, written } = terminal();
  output.note(`device ${HOSTILE}`);
  expect(written.stderr).not.toMatch(OBEYED);
  for (const isJson of [true, false]) {
    const report = formatReport({ name: "ApiError", message: HOSTILE }, isJson);
    expect(report).not.toMatch(OBEYED);
    expect(report.trimEnd().split("\n")).toHaveLength(1);
  }
});
