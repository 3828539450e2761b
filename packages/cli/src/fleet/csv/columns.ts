import { CliError } from "../../exit-codes.ts";
import { nearest } from "../../nearest.ts";
import {
  bare,
  distinctNames,
  ends,
  type Field,
  FIELDS,
  isHeader,
  isKnown,
  NAMES,
  REQUIRED,
} from "./field-names.ts";

/** The positions of the columns of each field, the best first. */
export type Columns = Readonly<Record<Field, readonly number[]>> & {
  /** The columns that `--map` names. */
  readonly chosen: ReadonlySet<number>;
  /** Columns with the same name of a field, such as `devEui` and `DevEUI`. A row may have one of them. */
  readonly alike: readonly AlikeColumns[];
};

/** Columns of which a row may have one. */
export interface AlikeColumns {
  readonly field: Field;
  readonly columns: readonly number[];
}

/**
 * Finds the columns of each field. `mapping` has entries such as `DevEUI=dev_eui` and `4=dev_eui`, which have priority: other columns
 * of a required field count in rows where the chosen ones are empty.
 */
export function findColumns(header: readonly string[], mapping: readonly string[] = []): Columns {
  const mapped = mapping.map((entry, at) => {
    const which = mapping.length === 1 ? "--map" : `Entry ${at + 1} of --map`;
    return readEntry(entry, header, which);
  });
  const taken = new Set(mapped.map(({ column }) => column));
  const alike: AlikeColumns[] = [];
  const columnsOf = (field: Field): number[] => {
    const chosen = mapped.filter((each) => each.field === field).map(({ column }) => column);
    if (chosen.length > 0 && !(REQUIRED as readonly Field[]).includes(field)) return chosen;
    const columnsOfNames = (names: readonly string[], isName: IsName): number[] =>
      names.flatMap((name) => {
        const found = header.flatMap((each, column) =>
          isName(each, name) && !taken.has(column) ? [column] : [],
        );
        if (found.length < 2) return found;
        // Beside a chosen column, nothing says which of them counts.
        if (chosen.length > 0) return [];
        alike.push({ field, columns: found });
        return found;
      });
    const exact = columnsOfNames(NAMES[field], (each, name) => bare(each) === name);
    const ending = columnsOfNames(distinctNames(field), (each, name) => ends(each).includes(name));
    return [...new Set([...chosen, ...exact, ...ending])];
  };
  const columns = Object.fromEntries(FIELDS.map((field) => [field, columnsOf(field)]));
  return { ...(columns as Record<Field, number[]>), chosen: taken, alike };
}

/** Returns those of the filled columns of a row that count: `--map` decides between them. */
export function decided(filled: readonly number[], { chosen }: Columns): readonly number[] {
  const picked = filled.filter((column) => chosen.has(column));
  return picked.length > 0 ? picked : filled;
}

type IsName = (column: string, name: string) => boolean;

/**
 * Returns how messages call the columns of a file: by their names, and `column 4` where the first line may not be shown. This is
 * the only way of a cell of the first line into a message. Below it, only names and EUIs are shown.
 */
export function namesOf(header: readonly string[]): readonly string[] {
  const isShown = isHeader(header);
  return header.map((cell, at) => (isShown && isTitle(cell) ? cell : `column ${at + 1}`));
}

/** Returns an entry of `--map` as it is typed. */
export function mapEntry(header: readonly string[], column: number, field: Field): string {
  const name = namesOf(header)[column]?.replace(/^column (?=\d+$)/, "");
  return `--map "${name}=${field}"`;
}

/** Words without what a shell obeys, and without what may be a key. */
function isTitle(cell: string): boolean {
  if (isKnown(cell) && WORDS.test(cell)) return true;
  return WORDS.test(cell) && !cell.split(/[^a-z\d]/i).some(isLikeKey);
}

/** A run of letters and digits, eight and more, may be a part of a key. */
function isLikeKey(run: string): boolean {
  return run.length >= 8 && /\d/.test(run);
}

const WORDS = /^[\p{L}\p{N} _.:/()#-]{1,40}$/u;

export function severalColumns(
  { field, columns }: AlikeColumns,
  header: readonly string[],
): CliError {
  const called = namesOf(header);
  const names = columns.map((column) => JSON.stringify(called[column]));
  const advice =
    new Set(names).size < names.length
      ? "rename one of them"
      : `choose one with --map, such as ${mapEntry(header, columns[0] ?? 0, field)}`;
  return new CliError(`The columns ${names.join(" and ")} both look like ${field}: ${advice}.`);
}

/** What the user typed is not quoted, because it may be a key. */
function readEntry(
  entry: string,
  header: readonly string[],
  which: string,
): { field: Field; column: number } {
  const parts = splitEntry(entry);
  if (parts === undefined)
    throw new CliError(
      `${which} is not of the form "column of the file=field", such as "DevEUI=dev_eui" or "2=dev_eui".`,
    );
  const { name, field } = parts;
  if (!(FIELDS as string[]).includes(field))
    throw new CliError(
      `${which} names no field. ${suggest(field, FIELDS)}The fields are ${FIELDS.join(", ")}.`,
    );
  const column = columnOf(name, header);
  if (column === -1)
    throw new CliError(
      `${which} names a column that the file does not have. ${suggest(name, namesOf(header))}`.trimEnd(),
    );
  return { field: field as Field, column };
}

/** Returns the two parts of an entry of `--map`. A name may contain the sign. */
export function splitEntry(entry: string): { name: string; field: string } | undefined {
  const at = entry.lastIndexOf("=");
  if (at < 1) return undefined;
  return { name: entry.slice(0, at).trim(), field: entry.slice(at + 1).trim() };
}

/** Tells whether an entry of `--map` means a column by its position, counted from 1. */
export function isPosition(name: string): boolean {
  return /^\d{1,5}$/.test(name);
}

/** Tells whether a column has the name of an entry of `--map`. */
export function isCalled(column: string, name: string): boolean {
  return column.trim().toLowerCase() === name.toLowerCase();
}

function columnOf(name: string, header: readonly string[]): number {
  const position = isPosition(name) ? Number(name) : 0;
  if (position >= 1 && position <= header.length) return position - 1;
  return header.findIndex((each) => isCalled(each, name));
}

function suggest(name: string, names: readonly string[]): string {
  const found = nearest(name, names);
  return found === undefined ? "" : `Did you mean ${JSON.stringify(found)}? `;
}
