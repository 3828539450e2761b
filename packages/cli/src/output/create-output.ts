import { stringifyJson } from "@fieldmesh/core";
import { type Output, type Sink, wrapFor, writeTo } from "./output.ts";
import { createProgress, type ShownProgress } from "./progress.ts";
import { printableJson, printableLines } from "./printable.ts";
import { createTable, writePairs, type TableStyle } from "./table.ts";

export interface OutputOptions {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly reveal: boolean;
}

/** The number of records that determine the widths of the columns. Further records are written as they arrive. */
const MEASURED = 100;
const DEFAULT_WIDTH = 80;

/** Creates the output of a command. */
export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, env, json, quiet, reveal } = options;
  const isTerminal = stdout.isTTY === true;
  const isColored = (sink: Sink): boolean => sink.isTTY === true && !env["NO_COLOR"];
  const style: TableStyle = {
    reveal,
    isColored: isColored(stdout),
    // Output for a program is never cut.
    // A terminal of a container may report no columns.
    width: isTerminal ? stdout.columns || DEFAULT_WIDTH : Infinity,
    now: isTerminal ? Date.now() : undefined,
  };
  let bar: ShownProgress | undefined;
  const print = async (lines: readonly string[]): Promise<void> => {
    if (lines.length === 0) return;
    bar?.hide();
    await writeTo(stdout, `${lines.join("\n")}\n`);
  };
  const note = (text: string): void => {
    if (quiet) return;
    bar?.hide();
    // If stderr is closed, the command continues.
    stderr.write(`${wrapFor(stderr, printableLines(text))}\n`, () => undefined);
  };
  // A program receives what the server has sent, and a terminal nothing that it would obey.
  const printJson = (value: unknown, space?: number): Promise<void> => {
    const written = stringifyJson(value, { reveal, space });
    return print([isTerminal ? printableJson(written) : written]);
  };

  return {
    isJson: json,
    isQuiet: quiet,
    isTerminal,
    // A pipe may end at a terminal. What continues a line does not look like another record.
    line: (text) => print([wrapFor(stdout, printableLines(text), "    ")]),
    file: (text) => print([isTerminal ? printableLines(text) : text]),
    async record(value) {
      if (json) await printJson(value ?? null, 2);
      else await print(writePairs(value, style));
    },
    async records(values, columns, { wrap, keepsAll } = {}) {
      if (json) {
        for await (const value of values) await printJson(value);
        return;
      }
      const table = createTable({ ...style, wrap }, columns, keepsAll);
      const start = async (rows: readonly unknown[]): Promise<void> => {
        const lines = table.start(rows);
        if (table.left.length > 0)
          note(`Not shown: ${table.left.join(", ")}. --columns chooses; --json prints all.`);
        await print(lines);
      };
      let first: unknown[] = [];
      for await (const value of values) {
        if (table.isMeasured) await print([table.row(value)]);
        else if (first.push(value) === MEASURED) first = (await start(first), []);
      }
      if (table.isMeasured) return;
      if (first.length === 0) note("There are no records.");
      await start(first);
    },
    note,
    progress(what, total) {
      bar?.end();
      bar = createProgress({
        what,
        total,
        sink: stderr,
        isColored: isColored(stderr),
        isShown: stderr.isTTY === true && !quiet,
      });
      return bar;
    },
  };
}
