import { styleText } from "node:util";
import { isDate, isRecord, isSecret, stringifyJson } from "@fieldmesh/core/internal";
import { cellsOf, cutCells, padCells, wrapCells } from "./cells.ts";
import { printable } from "./printable.ts";
import { isTimeName, sayTime } from "./times.ts";

export interface TableStyle {
  readonly reveal: boolean;
  readonly isColored: boolean;
  /** The width of the terminal, at which a row is cut. */
  readonly width: number;
  /** What a time is compared with, in milliseconds. If omitted, times are printed as they are, for a program. */
  readonly now?: number | undefined;
  /** A row that is too wide breaks between words. */
  readonly wrap?: boolean | undefined;
}

/** A table whose columns are as wide as its first rows need. */
export interface Table {
  readonly isMeasured: boolean;
  /** Returns the heading and the first rows, or nothing without rows. */
  start(values: readonly unknown[]): string[];
  /** Returns a further row. */
  row(value: unknown): string;
  /** The columns that the terminal has no place for. */
  readonly left: readonly string[];
}

const GAP = "  ";
/** The limit for a long cell, such as a description, so that the others stay visible. */
const WIDEST = 60;
/** The least width to which a cell is cut, so that its beginning can be read. */
const NARROWEST = 12;

/**
 * Creates a table of records. Without `columns`, it has the columns of the first rows. On a terminal, the first column is whole:
 * it names the record. Other columns are cut, and then left out from the end, until the rest fits. `keepsAll` cuts only.
 */
export function createTable(
  style: TableStyle,
  columns?: readonly string[],
  keepsAll = false,
): Table {
  let names: readonly string[] = columns ?? [];
  let left: readonly string[] = [];
  let widths: readonly number[] | undefined;
  const { width, wrap = false } = style;
  const shownCells = (value: unknown): string[] =>
    isRecord(value)
      ? names.map((name) => showField(name, value[name], style))
      : [showValue(value, style)];
  const lineOf = (cells: readonly string[]): string => {
    const cellAt = (cell: string, at: number): string => padCells(cell, widths?.[at] ?? 0);
    if (wrap) return wrapRow(cells.map(cellAt), width);
    const cut = (cell: string, at: number): string =>
      width === Infinity || at === cells.length - 1
        ? cell
        : cutCells(cell, widths?.[at] ?? Infinity);
    return cutCells(
      cells
        .map((cell, at) => cellAt(cut(cell, at), at))
        .join(GAP)
        .trimEnd(),
      width,
    );
  };

  return {
    get isMeasured() {
      return widths !== undefined;
    },
    get left() {
      return left;
    },
    start(values) {
      if (values.length === 0) return [];
      const records = values.filter((value) => isRecord(value));
      if (columns === undefined)
        names = [...new Set(records.flatMap((value) => Object.keys(value)))];
      const has = (name: string): boolean => records.some((value) => Object.hasOwn(value, name));
      if (!keepsAll && names.some(has)) names = names.filter(has);
      const headingOf = (): string[][] =>
        records.length > 0 ? [names.map((name) => printable(name).toUpperCase())] : [];
      const measured = widthsOf([...headingOf(), ...values.map(shownCells)]);
      widths = width === Infinity || wrap ? measured : fit(measured, names, width, keepsAll);
      if (records.length > 0)
        [names, left] = [names.slice(0, widths.length), names.slice(widths.length)];
      return [
        ...headingOf().map((cells) => bold(lineOf(cells), style)),
        ...values.map(shownCells).map(lineOf),
      ];
    },
    row: (value) => lineOf(shownCells(value)),
  };
}

/** Under the first line of a row. */
const INDENT = "    ";

/** Writes a row on several lines if it is too wide: breaks between its cells, and in a long cell between words. */
function wrapRow(cells: readonly string[], width: number): string {
  const lines: string[] = [];
  for (const cell of cells) {
    const longer = lines.length === 0 ? cell : `${lines.at(-1)}${GAP}${cell}`;
    if (lines.length === 0 || cellsOf(longer.trimEnd()) <= width) lines.splice(-1, 1, longer);
    else if (cell.trim() !== "") lines.push(INDENT + cell);
  }
  return lines.map((line) => wrapCells(line.trimEnd(), width, INDENT)).join("\n");
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows.at(-1) ?? []).map((_, at) =>
    Math.min(WIDEST, Math.max(...rows.map((row) => cellsOf(row[at] ?? "")))),
  );
}

/** Cells of some columns are of no use when they are cut. */
function isWhole(name: string): boolean {
  return isTimeName(name) || /(?:^|_)(?:id|eui|hash|address|height)$/.test(name);
}

/** Returns the widths with which columns fit: cuts the widest ones first, then leaves out the last. */
function fit(
  measured: readonly number[],
  names: readonly string[],
  width: number,
  keepsAll: boolean,
): readonly number[] {
  const widths = [...measured];
  const excess = (): number =>
    widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - width;
  for (;;) {
    const canCut = widths.map((each, at) => (at > 0 && !isWhole(names[at] ?? "") ? each : 0));
    const widest = Math.max(...canCut);
    if (excess() <= 0 || widths.length === 1) return widths;
    if (widest > NARROWEST) {
      // To the width of the next one, so that two long columns share the loss.
      const next = Math.max(NARROWEST, ...canCut.filter((each) => each < widest));
      widths[canCut.indexOf(widest)] = Math.max(next, widest - excess(), NARROWEST);
      if (next === widest) return widths;
    } else if (keepsAll) return widths;
    else widths.splice(0, widths.length, ...measured.slice(0, widths.length - 1));
  }
}

/** Writes one record as a line for each field, and a list of records as a table. */
export function writePairs(value: unknown, style: TableStyle): string[] {
  if (Array.isArray(value)) return createTable(style).start(value);
  if (!isRecord(value) || isSecret(value)) return [showValue(value, style)];
  const names = Object.keys(value);
  // A server may choose the names of fields.
  const width = Math.max(0, ...names.map((name) => cellsOf(printable(name))));
  return names.map((name) => {
    const label = padCells(printable(name), width);
    const shown = showValue(value[name], style);
    const time = style.now === undefined ? undefined : sayTime(name, value[name], style.now);
    const ago = time === undefined || time === "never" ? time : `${shown}  (${time})`;
    return `${bold(label, style)}${GAP}${ago ?? shown}`;
  });
}

function bold(text: string, { isColored }: TableStyle): string {
  return isColored ? styleText("bold", text, { validateStream: false }) : text;
}

/** Formats the value of a field for a table: a time is short on a terminal. */
function showField(name: string, value: unknown, style: TableStyle): string {
  if (value === undefined && style.wrap) return "";
  const time = style.now === undefined ? undefined : sayTime(name, value, style.now);
  return time ?? showValue(value, style);
}

/** Formats a value as one line without control characters. */
export function showValue(value: unknown, { reveal }: Pick<TableStyle, "reveal">): string {
  if (value === undefined || value === null) return "-";
  if (isDate(value)) return value.toISOString();
  if (isSecret(value)) return printable(reveal ? value.reveal() : value.toString());
  return printable(typeof value === "string" ? value : stringifyJson(value, { reveal }));
}
