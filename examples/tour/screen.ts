// What the tour prints: colors, a live table and pauses on a terminal, and plain lines when piped.
import { inspect, styleText } from "node:util";
import stringWidth from "string-width";

const MAX_WIDTH = 100;
const INDENT = "  ";
const BAR_WIDTH = 40;
/** Milliseconds between two steps that a person watches. */
const BEAT = 450;
const CTRL_C = "\u0003";

const { stdin, stdout } = process;
const isTerminal = stdout.isTTY;
/** Whether a person watches, who gets pauses. */
export const isPaced = isTerminal && stdin.isTTY && !process.argv.includes("--fast");

let isBelowHeading = false;

/** Prints a heading, and the file whose code the chapter shows. */
export function heading(title: string, file: string): void {
  console.log(`\n${styleText(["bold", "cyan"], title)}  ${styleText("dim", file)}`);
  isBelowHeading = true;
}

/** Prints what comes next, after a blank line unless a heading precedes. */
export function say(remark: string): void {
  console.log(`${isBelowHeading ? "" : "\n"}${styleText("dim", wrap(remark))}`);
  isBelowHeading = false;
}

/** Prints a line of output. */
export function print(line: string): void {
  console.log(wrap(line, INDENT));
}

/** Prints a call as it is in the source, runs it, and prints its result: the fields `only`, and of an array the first item. */
export async function show<T>(run: () => PromiseLike<T>, only?: readonly string[]): Promise<T> {
  printCode(run);
  const result = await run();
  print(describe(result, only));
  return result;
}

/** Prints a call as it is in the source, runs it, and prints and returns the error that it rejects with. */
export async function showError(run: () => PromiseLike<unknown>): Promise<Error> {
  printCode(run);
  const error = await run().then(
    () => new Error("The tour expects this call to fail, and it did not."),
    (reason: unknown) => reason as Error,
  );
  print(styleText("red", `${error.name}: ${error.message}`));
  return error;
}

/** Prints the expression that a function returns, or its body, as it is in the source. */
export function printCode(run: (...input: never[]) => unknown): void {
  const source = run.toString().replace(/^(async )?\(\) =>\s*/, "");
  const body = /^(?:(?:async )?function [^]*?\) *)?\{\n([^]*)\n *\}$/.exec(source)?.[1] ?? source;
  const lines = body.split("\n");
  // The first line of an expression follows its arrow; the last one is indented as the statement is.
  const indent = /^ */.exec(body === source ? lines.at(-1)! : lines[0]!)![0];
  for (const [index, line] of lines.entries()) {
    const mark = index === 0 ? styleText("green", ">") : " ";
    const code = line.startsWith(indent) ? line.slice(indent.length) : line;
    console.log(`${mark} ${styleText("bold", wrapCode(code))}`);
  }
}

/** Breaks a line of code between words. What follows is indented, and is still a comment if it was one. */
function wrapCode(code: string): string {
  const [, indent = "", comment = ""] = /^( *)(\/\/ )?/.exec(code) ?? [];
  return wrap(code, INDENT + indent + (comment === "" ? INDENT : comment), INDENT.length);
}

/** Breaks the cells of a row between words, and returns its lines. */
export function rowLines(cells: readonly string[], widths: readonly number[]): string[] {
  const broken = cells.map((cell, column) => wordLines(cell, widths[column] ?? 0));
  const height = Math.max(...broken.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    broken
      .map((lines, column) => (lines[at] ?? "").padEnd(widths[column] ?? 0))
      .join(" ")
      .trimEnd(),
  );
}

function wordLines(text: string, columns: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length <= columns) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

/** Tells whether a line fits the terminal. */
export function fits(columns: number): boolean {
  return columns <= width();
}

let kept = 0;
let broken = 0;

/** Prints a promise and its proof. A promise that was not kept makes the tour fail. */
export function prove(promise: string, isKept: boolean, proof: string): void {
  if (isKept) kept++;
  else broken++;
  const mark = isKept ? styleText(["bold", "green"], "✓") : styleText(["bold", "red"], "✗");
  console.log(`${mark} ${styleText("bold", promise)}: ${wrap(proof, INDENT, promise.length + 4)}`);
}

/** Counts the promises so far. */
export function countPromises(): { readonly kept: number; readonly broken: number } {
  return { kept, broken };
}

/** Returns a function that draws lines: a terminal redraws them in place, and a pipe gets nothing before `isLast`. */
export function createLiveLines(): (lines: readonly string[], isLast?: boolean) => void {
  let drawn: readonly string[] = [];
  return (lines, isLast = false) => {
    if (!isTerminal && !isLast) return;
    const indented = lines.map((line) => INDENT + line);
    // The terminal may be narrower now than when it wrapped them.
    const rows = drawn.reduce((sum, line) => sum + rowsOf(line), 0);
    const up = rows === 0 ? "" : `\u001B[${rows}A`;
    const clear = isTerminal ? "\u001B[J" : "";
    stdout.write(up + clear + indented.map((line) => `${line}\n`).join(""));
    drawn = indented;
  };
}

/** Counts the lines of the terminal that a line takes up. */
function rowsOf(line: string): number {
  return Math.max(1, Math.ceil(stringWidth(line) / (stdout.columns || MAX_WIDTH)));
}

/** Prints a picture, unless the terminal is too narrow for it. */
export function printPicture(picture: string): void {
  const widest = Math.max(...picture.split("\n").map((line) => stringWidth(line)));
  console.log(widest > width() ? "" : picture);
}

/** Prints a command and what it does. On a narrow terminal, a line of the command that continues ends with a backslash. */
export function printCommand(command: string, why: string): void {
  const continued = " \\";
  const lines = wrap(command, INDENT, 0, continued.length).split("\n").join(`${continued}\n  `);
  console.log(styleText("bold", lines));
  console.log(styleText("dim", wrap(why, INDENT + INDENT)));
}

/** A bar, such as `████░░░░  40%  1,000 of 2,500`. */
export function bar(done: number, total: number): string {
  const percent = String(Math.round((100 * done) / total)).padStart(3);
  const counts = ` ${percent}%  ${number(done)} of ${number(total)} rows`;
  const room = width() - INDENT.length - counts.length - 1;
  const whole = Math.max(1, Math.min(BAR_WIDTH, room));
  const filled = Math.round((whole * done) / total);
  return `${styleText("cyan", "█".repeat(filled))}${"░".repeat(whole - filled)}${counts}`;
}

/** A number with a comma after each thousand. */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** Waits until a person has seen a step. */
export async function beat(): Promise<void> {
  if (isPaced) await new Promise((resolve) => setTimeout(resolve, BEAT));
}

/** Asks on a terminal whether to continue. Any key but q, Esc and Ctrl-C does. */
export async function pause(next: string): Promise<boolean> {
  if (!isPaced) return true;
  // Before the question: what is typed from here on is not shown.
  stdin.setRawMode(true);
  stdout.write(`\n${styleText("dim", `Enter: ${next}   q: quit`)}`);
  const key = await readKey();
  stdin.setRawMode(false);
  stdout.write("\r\u001B[2K\u001B[1A");
  if (key === CTRL_C) process.exit(130);
  return !["q", "Q", "\u001B"].includes(key);
}

async function readKey(): Promise<string> {
  stdin.resume();
  const key = await new Promise<string>((resolve) => {
    stdin.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    stdin.once("end", () => resolve("q"));
  });
  stdin.pause();
  return key;
}

function describe(value: unknown, only?: readonly string[]): string {
  const [first, ...others] = Array.isArray(value) ? (value as unknown[]) : [value];
  const isObject = typeof first === "object" && first !== null;
  const fields = new Map(isObject ? Object.entries(first) : []);
  const shown = (only ?? [...fields.keys()]).map((name) => [name, fields.get(name)]);
  const output = inspect(isObject ? Object.fromEntries(shown) : first, {
    colors: isTerminal && stdout.hasColors(),
    depth: 4,
    maxArrayLength: 2,
    breakLength: Math.min(width(), MAX_WIDTH) - INDENT.length,
  });
  const left = [
    countOf(fields.size - shown.length, "more field"),
    countOf(others.length, "more item"),
  ].filter((each) => each !== "");
  return left.length === 0 ? output : `${output} ${styleText("dim", `… ${left.join(", ")}`)}`;
}

function countOf(count: number, name: string): string {
  if (count === 0) return "";
  return `${number(count)} ${name}${count === 1 ? "" : "s"}`;
}

/** A word; in JSON, one ends after each comma. */
const WORD = /( *)(\S+?(?:,(?=")|(?= |$)))/g;

/** Breaks lines between words, and indents them: after `used` columns the first one. `spare` columns stay free at the end. A pipe gets whole lines. */
function wrap(text: string, indent = "", used = 0, spare = 0): string {
  const lines = text.split("\n").map((line) => {
    let column = used;
    return line.replaceAll(WORD, (_, space: string, word: string) => {
      const length = stringWidth(word);
      const breaks = column > 0 && column + space.length + length > width() - indent.length - spare;
      column = breaks ? length : column + space.length + length;
      return breaks ? `\n${word}` : space + word;
    });
  });
  const wrapped = lines.join("\n").replaceAll("\n", `\n${indent}`);
  return used === 0 ? indent + wrapped : wrapped;
}

function width(): number {
  return isTerminal ? Math.min(stdout.columns || MAX_WIDTH, MAX_WIDTH) : Infinity;
}
