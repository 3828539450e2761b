import { styleText } from "node:util";
import { isDate, isRecord, isSecret, stringifyJson } from "@fieldmesh/core/internal";
import { cellsOf, cutCells, padCells } from "./cells.ts";
import { printable } from "./printable.ts";

export interface TableStyle {
  readonly reveal: boolean;
  readonly isColored: boolean;
  /** The width of the terminal, at which a row is cut. */
  readonly width: number;
}

/** A table whose columns are as wide as its first rows need. */
export interface Table {
  readonly isMeasured: boolean;
  /** Returns the heading and the first rows, or nothing without rows. */
  start(values: readonly unknown[]): string[];
  /** Returns a further row. */
  row(value: unknown): string;
}

const GAP = "  ";
/** The limit for a long cell, such as a description, so that the others stay visible. */
const WIDEST = 60;

/** Creates a table of records. Without `columns`, it has the columns of the first rows. */
export function createTable(style: TableStyle, columns?: readonly string[]): Table {
  let names: readonly string[] = columns ?? [];
  let widths: readonly number[] | undefined;
  const shownCells = (value: unknown): string[] =>
    isRecord(value)
      ? names.map((name) => showValue(value[name], style))
      : [showValue(value, style)];
  const lineOf = (cells: readonly string[]): string =>
    cutCells(
      cells
        .map((cell, at) => padCells(cell, widths?.[at] ?? 0))
        .join(GAP)
        .trimEnd(),
      style.width,
    );

  return {
    get isMeasured() {
      return widths !== undefined;
    },
    start(values) {
      if (values.length === 0) return [];
      const records = values.filter((value) => isRecord(value));
      if (columns === undefined)
        names = [...new Set(records.flatMap((value) => Object.keys(value)))];
      const rows = values.map(shownCells);
      const heading =
        records.length > 0 ? [names.map((name) => printable(name).toUpperCase())] : [];
      widths = (rows[0] ?? []).map((_, at) =>
        Math.min(WIDEST, Math.max(...[...heading, ...rows].map((row) => cellsOf(row[at] ?? "")))),
      );
      return [...heading.map((cells) => bold(lineOf(cells), style)), ...rows.map(lineOf)];
    },
    row: (value) => lineOf(shownCells(value)),
  };
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
    return `${bold(label, style)}${GAP}${showValue(value[name], style)}`;
  });
}

function bold(text: string, { isColored }: TableStyle): string {
  return isColored ? styleText("bold", text, { validateStream: false }) : text;
}

/** Formats a value as one line without control characters. */
export function showValue(value: unknown, { reveal }: Pick<TableStyle, "reveal">): string {
  if (value === undefined || value === null) return "-";
  if (isDate(value)) return value.toISOString();
  if (isSecret(value)) return printable(reveal ? value.reveal() : value.toString());
  return printable(typeof value === "string" ? value : stringifyJson(value, { reveal }));
}
