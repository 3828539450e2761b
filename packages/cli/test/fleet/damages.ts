// What happens to sheets: keys and bytes that slip, and what spreadsheets do to numbers, dates and text.
import type { Random } from "../../../sandbox/src/engine/random.ts";
import { bytesOf, FIELDS, pick, type Grid, type Sheet } from "./good-sheets.ts";

/** Damages a sheet in one way that changes its bytes. */
export function damage(sheet: Sheet, random: Random): { kind: string; bytes: Buffer } {
  for (;;) {
    const grid = sheet.grid.map((row) => [...row]);
    const damages = {
      ...ofText(sheet, random),
      ...ofNumbers(sheet, random),
      ...ofCells(sheet, random),
    };
    const kinds = [...Object.keys(damages), ...OF_BYTES];
    const kind = pick(random, kinds);
    damages[kind]?.(grid);
    const bytes = damageBytes(kind, [...bytesOf({ ...sheet, grid })], random);
    if (!bytes.equals(bytesOf(sheet))) return { kind, bytes };
  }
}

type Damages = Record<string, (grid: Grid) => void>;
const SIGNS =
  "0123456789ABCDEFabcdefGOlSxz -_.,;:|\t\"'#/=+%\u00A0\u200B\u00E9\u0412\u0421\u03B1\u03B2\uFFFD&()[]{}<>?".split(
    "",
  );
const VALUES = [
  ..."#N/A,#REF!,#VALUE!,#NAME?,#NULL!,#DIV/0!,#WERT!,#\u00A1REF!,########,NaN,null,undefined".split(
    ",",
  ),
  ..."12-May,1900-01-00,2025-05-12,0,1,TRUE,-,n/a,x,?,0x".split(","),
];
const LETTERS = ["0O", "0o", "1l", "1I", "5S", "2Z", "6G"];

function ofText(sheet: Sheet, random: Random): Damages {
  const sign = pick(random, SIGNS);
  const [digit = "", letter = ""] = pick(random, LETTERS);
  const place = random.next();
  const edit = (change: (old: string) => string) => (cell: string) => {
    const at = Math.floor(place * cell.length);
    return cell.slice(0, at) + change(cell.charAt(at)) + cell.slice(at + 1);
  };
  const changes: Record<string, (cell: string) => string> = {
    "a character replaced": edit(() => sign),
    "a character lost": edit(() => ""),
    "a character inserted": edit((old) => sign + old),
    "a character doubled": edit((old) => old + old),
    "a cell emptied": () => "",
    "another value": () => pick(random, VALUES),
    "a letter for a digit": (cell) => cell.replace(digit, letter),
    "curly quotes": (cell) => pick(random, [`\u201C${cell}\u201D`, `\u2019${cell}`]),
    "other dashes": (cell) =>
      cell.replaceAll("-", pick(random, "\u2013 \u2014 \u2212 \u2010".split(" "))),
    "a blank of print": edit((old) => pick(random, "\u00A0_\u202F_\u2009".split("_")) + old),
    "cut at the width of its column": (cell) => cell.slice(0, random.int(1, cell.length)),
  };
  // One in ten is in the header.
  const [row, at] = [random.next() < 0.1 ? 0 : rowOf(sheet, random), columnOf(sheet, random)];
  return mapValues(changes, (change) => (grid) => {
    grid[row]![at] = change(grid[row]![at]!);
  });
}

/** What looks like a number changes: in one cell, in a column, or everywhere. */
function ofNumbers(sheet: Sheet, random: Random): Damages {
  const [digits, end] = [random.int(0, 14), pick(random, ["", "", ".0", ",0", ".00"])];
  const between = pick(random, [",", ".", " ", "'", "\u00A0", "\u202F"]);
  const point = pick(random, [".", ","]);
  // A spreadsheet keeps 15 digits.
  const round = (number: string) =>
    number.slice(0, 15) + "0".repeat(Math.max(0, number.length - 15));
  const changes: Record<string, (number: string) => string> = {
    "numbers with an exponent": (number) =>
      number.length < 12
        ? number
        : Number(number).toExponential(digits).toUpperCase().replace(".", point),
    "numbers rounded": (number) => round(number) + end,
    "numbers as floats": (number) => `${Number(number)}${number.length < 22 ? ".0" : ""}`,
    "numbers in thousands": (number) => round(number).replaceAll(/\B(?=(\d{3})+$)/g, between),
    "leading zeros lost": (number) => number,
  };
  const scope = pick(random, ["cell", "column", "column", "sheet"]);
  const [only, column] = [rowOf(sheet, random), columnOf(sheet, random)];
  const everywhere = (change: (cell: string) => string) => (grid: Grid) => {
    for (const [index, row] of grid.entries())
      for (const [at, cell] of row.entries())
        if (scope === "sheet" || (at === column && (scope === "column" || index === only)))
          row[at] = change(cell);
  };
  const dates = ["$1. Mrz $2", "2025-0$2-0$1", "4570$1"];
  return {
    ...mapValues(changes, (change) =>
      everywhere((cell) => {
        const [, number, zeros = 0] = /^0*(\d+?)(?:E(\d{1,2}))?$/.exec(cell.trim()) ?? [];
        return number === undefined ? cell : change(number + "0".repeat(Number(zeros)));
      }),
    ),
    dates: everywhere((cell) => cell.replace(/^(\d\d?)-(\d)$/, pick(random, dates))),
  };
}

function ofCells(sheet: Sheet, random: Random): Damages {
  const [row, at] = [rowOf(sheet, random), columnOf(sheet, random)];
  const other = random.int(0, sheet.grid[0]!.length - 1);
  const last = random.int(row, sheet.grid.length - 1);
  const fill = (next: (cell: string, by: number) => string) => (grid: Grid) => {
    for (let to = row; to <= last; to++) grid[to]![at] = next(grid[row]![at]!, to - row);
  };
  const exchange = (cells: string[]) => ([cells[at], cells[other]] = [cells[other]!, cells[at]!]);
  const ofColumn = (change: (cells: string[]) => string[]) => (grid: Grid) => {
    const cells = change(grid.slice(1).map((each) => each[at]!));
    for (const [index, cell] of cells.entries()) grid[index + 1]![at] = cell;
  };
  return {
    "cells shifted to the right": (grid) => void grid[row]!.splice(at, 0, ""),
    "cells shifted over the last": (grid) =>
      (grid[row] = grid[row]!.toSpliced(at, 0, "").slice(0, -1)),
    "cells shifted to the left": (grid) => void grid[row]!.splice(at, 1),
    "two cells of a row exchanged": (grid) => void exchange(grid[row]!),
    "two columns exchanged": (grid) => grid.slice(1).forEach(exchange),
    "two cells of a column exchanged": ofColumn((cells) => {
      const [cell] = cells.splice(row - 1, 1);
      return cells.toSpliced(row % sheet.devices.length, 0, cell!);
    }),
    "one column sorted": ofColumn((cells) => cells.toSorted()),
    "bytes reversed": (grid) => {
      const eui = pick(random, [sheet.columns.dev_eui, sheet.columns.app_eui]);
      for (const cells of grid.slice(1))
        cells[eui] = cells[eui]!.match(/[\da-f]{2}/gi)!
          .toReversed()
          .join("");
    },
    "filled down": fill((cell) => cell),
    "counted up": fill((cell, by) =>
      cell.replace(/\d+(?=\D*$)/, (number) =>
        `${BigInt(number) + BigInt(by)}`.padStart(number.length, "0"),
      ),
    ),
    "a row doubled": (grid) => void grid.splice(row, 0, [...grid[row]!]),
  };
}

const OF_BYTES = [
  "a bit flipped",
  "a byte replaced",
  "a byte lost",
  "a byte inserted",
  "some bytes lost",
  "the file cut off",
];

function damageBytes(kind: string, bytes: number[], random: Random): Buffer {
  const [at, byte] = [random.int(0, bytes.length - 1), random.int(0, 255)];
  if (kind === "a bit flipped") bytes[at]! ^= 1 << random.int(0, 7);
  if (kind === "a byte replaced") bytes[at] = byte;
  if (kind === "a byte lost") bytes.splice(at, 1);
  if (kind === "a byte inserted") bytes.splice(at, 0, byte);
  if (kind === "some bytes lost") bytes.splice(at, random.int(2, 40));
  if (kind === "the file cut off") bytes.splice(at);
  return Buffer.from(bytes);
}

const rowOf = ({ devices }: Sheet, random: Random): number => random.int(1, devices.length);
const columnOf = ({ columns }: Sheet, random: Random): number => columns[pick(random, FIELDS)];

function mapValues<T, R>(values: Record<string, T>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
