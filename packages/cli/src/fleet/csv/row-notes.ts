import { countOf } from "../plan/count-of.ts";
import type { Columns } from "./columns.ts";
import type { DeviceRow } from "./device-rows.ts";
import { sayLines } from "./group-problems.ts";
import { firstFilled } from "./read-table.ts";
import type { Sheet } from "./sheet.ts";

/**
 * Finds what rows show that the user may not expect in the console. Returns a function that looks at one row after the other, and one
 * that returns the sentences then. A row with a problem shows only which cells were merged.
 */
export function createRowNotes({ header }: Sheet, columns: Columns) {
  const all = [mergedLabels(header, columns), disabled(header), misreadNames()];
  return {
    add: (row: DeviceRow, isGood: boolean): void => all.forEach(({ add }) => add(row, isGood)),
    notes: (): string[] => all.flatMap(({ note }) => note() ?? []),
  };
}

interface RowNote {
  readonly add: (row: DeviceRow, isGood: boolean) => void;
  readonly note: () => string | undefined;
}

/** A merged cell is in the file once, in its first row. Another column with the same empty cells shows that they were merged. */
function mergedLabels(header: readonly string[], columns: Columns): RowNote {
  const used = new Set(Object.values(columns).flat());
  let alike = header.map((_, column) => column).filter((column) => !used.has(column));
  const empty: number[] = [];
  let count = 0;
  return {
    add(row) {
      const isEmpty = firstFilled(row, columns.labels) === "";
      if (isEmpty && count === 0) alike = [];
      count++;
      if (alike.length === 0) return;
      alike = alike.filter((column) => ((row.cells[column] ?? "") === "") === isEmpty);
      if (isEmpty) empty.push(row.line);
    },
    note() {
      if (empty.length === 0 || alike.length === 0) return undefined;
      const follow = empty.length === 1 ? "follows" : "follow";
      return `${countOf(empty.length, "row")} without a label ${follow} one that has a label: ${sayLines(empty)}. If their cells were merged, write the label into each row.`;
    },
  };
}

const DISABLED = /(?:^|[.:])(?:is[ _-]?)?disabled$/i;
const ACTIVE = /(?:^|[.:])(?:is[ _-]?)?(?:active|enabled)$/i;

/** The console creates active devices. */
function disabled(header: readonly string[]): RowNote {
  const signs = header.flatMap((name, column) => {
    if (DISABLED.test(name)) return [{ column, sign: /^(?:true|1)$/i }];
    return ACTIVE.test(name) ? [{ column, sign: /^(?:false|0)$/i }] : [];
  });
  const lines: number[] = [];
  return {
    add({ cells, line }, isGood) {
      if (isGood && signs.some(({ column, sign }) => sign.test(cells[column] ?? "")))
        lines.push(line);
    },
    note() {
      if (lines.length === 0) return undefined;
      const [are, them] = lines.length === 1 ? ["is", "it"] : ["are", "them"];
      return `${countOf(lines.length, "device")} of the file ${are} disabled, and ${are} created active: ${sayLines(lines)}. Deactivate ${them} with \`devices deactivate\`.`;
    },
  };
}

/** The bytes of a letter in UTF-8, as Windows shows them, without the signs that may follow a letter of Portuguese. */
const MISREAD = /\u00C3[\u0080-\u009F\u00A1-\u00BA\u00BC-\u00BF€ƒ„…†‡ˆ‰Š‹ŒŽ‘™š›œžŸ]/;

function misreadNames(): RowNote {
  const lines: number[] = [];
  return {
    add({ device: { name }, line, labels }, isGood) {
      if (isGood && [name, ...labels].some((each) => MISREAD.test(each))) lines.push(line);
    },
    note() {
      if (lines.length === 0) return undefined;
      const [names, them] = lines.length === 1 ? ["The name in", "it"] : ["The names in", "them"];
      const was = lines.length === 1 ? "was" : "were";
      return `${names} ${sayLines(lines)} ${was} probably read in a wrong encoding, such as Ã¼ for ü. Correct ${them} first: a console does not rename devices.`;
    },
  };
}
