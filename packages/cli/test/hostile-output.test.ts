// A server, or whoever may name a device there, chooses names and values. A terminal must only show them.
import { expect, test } from "vitest";
import { formatReport } from "../src/commands/failure.ts";
import { createOutput } from "../src/output/create-output.ts";
import { printable, printableJson, printableLines } from "../src/output/printable.ts";

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

test("a line, such as one of CSV, is printable on a terminal and unchanged in a pipe", async () => {
  const csv = `name\tvalue\n"${HOSTILE}",1`;
  const shown = terminal();
  await shown.output.line(csv);
  expect(shown.written.stdout).not.toMatch(OBEYED);
  expect(shown.written.stdout.startsWith("name\tvalue\n")).toBe(true);
  const piped = terminal({ isTTY: false });
  await piped.output.line(csv);
  expect(piped.written.stdout).toBe(`${csv}\n`);
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

test("printable text of any characters keeps what a terminal only shows", () => {
  expect(printable("Pumpe äöü 7 🌊 ok")).toBe("Pumpe äöü 7 🌊 ok");
  expect(printableLines("a\tb\n\nc")).toBe("a\tb\n\nc");
  expect(printableJson('{"a":"\u{E0001}"}')).toBe('{"a":"\\udb40\\udc01"}');
});
