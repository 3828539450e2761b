import { digitsOf } from "./cells.ts";
import type { Columns } from "./columns.ts";
import { REQUIRED } from "./field-names.ts";
import { sayLines } from "./group-problems.ts";
import type { Sheet, SheetRow } from "./sheet.ts";

/** Leaves out the rows of a CSV file that are titles or totals. `notes` names those of the rows that were read so far. */
export function withoutTitles(sheet: Sheet, columns: Columns) {
  const lines = new Set<number>();
  const rows = async function* (): AsyncGenerator<SheetRow> {
    for await (const row of sheet.rows())
      if (isTitle(row, columns)) lines.add(row.line);
      else yield row;
  };
  const notes = (): string[] =>
    lines.size === 0
      ? []
      : [
          `Not read, because ${lines.size === 1 ? "it has" : "they have"} no EUI and no key: ${sayLines([...lines])}.`,
        ];
  return { sheet: sheet.isJson ? sheet : { ...sheet, rows }, notes };
}

/** Cells of a title or a total, such as `Total:` and `3`. */
const MOST_CELLS = 2;

/** Tells whether a row is a title or a total. A device has cells in the columns of EUIs and keys, even if their values are damaged. */
function isTitle({ cells }: SheetRow, columns: Columns): boolean {
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length > MOST_CELLS || filled.some(isLikeValue)) return false;
  const isOfDevice = REQUIRED.some((field) =>
    columns[field].some((column) => (cells[column] ?? "") !== ""),
  );
  return filled.length === 1 || !isOfDevice;
}

/** Tells whether a cell may be an EUI or a key, or what became of one. */
function isLikeValue(cell: string): boolean {
  return /(?=[a-f]*\d)[\da-f]{4}|\de[+-]?\d/i.test(cell) || /^[\da-f]{4,}$/i.test(digitsOf(cell));
}
