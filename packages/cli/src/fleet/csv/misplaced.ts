import { getOrInsertComputed } from "@fieldmesh/core/internal";
import { digitsOf, isEui } from "./cells.ts";
import type { Decisions } from "./doubts.ts";
import { sayLines } from "./group-problems.ts";
import { isOfVendor, type Euis } from "./vendors.ts";

/** The cells of a row that a reader compares with those of other rows. */
export interface PlacedRow extends Euis {
  readonly name: string;
}

/**
 * Finds the EUIs that are in the wrong cell, because other rows show where they belong. Returns a function that looks at one row after
 * the other, and one that returns the problems of the rows then, by the index of a row.
 */
export function createMisplaced({ euis: decided }: Decisions) {
  // Of two problems of a row, the last one says more.
  const checks = decided === "as-written" ? [] : [reversed(), likeOtherColumns(), ofOtherRows()];
  return {
    add({ name, ...euis }: PlacedRow, index: number): void {
      const [dev_eui, app_eui] = [euis.dev_eui.toUpperCase(), euis.app_eui.toUpperCase()];
      if (!isEui(dev_eui) || !isEui(app_eui)) return;
      for (const { add } of checks) add({ name, dev_eui, app_eui }, index);
    },
    /** Receives the lines of all rows. */
    problems(lines: readonly number[]): ReadonlyMap<number, string> {
      return new Map(checks.flatMap(({ problems }) => problems(lines)));
    },
  };
}

interface Check {
  readonly add: (row: PlacedRow, index: number) => void;
  readonly problems: (lines: readonly number[]) => (readonly [number, string])[];
}

const DECIDE = "correct the row, or add --euis as-written if it is right";

/** An app_eui may be the dev_eui of its own device. No other row has that one. */
function ofOtherRows(): Check {
  const owners = new Map<string, number>();
  const others = new Map<string, number[]>();
  const own = new Set<number>();
  return {
    add({ dev_eui, app_eui }, index) {
      if (!owners.has(dev_eui)) owners.set(dev_eui, index);
      if (dev_eui === app_eui) own.add(index);
      else getOrInsertComputed(others, app_eui, () => []).push(index);
    },
    problems(lines) {
      const areOwn = own.size > owners.size / 2;
      return [...others].flatMap(([eui, indexes]) => {
        const [owner, [first = 0]] = [owners.get(eui), indexes];
        if (owner === undefined) return [];
        const ofDevice = `the dev_eui is the app_eui in ${sayLines([lines[first] ?? 0])}: ${DECIDE}`;
        const ofApp = `the app_eui is the dev_eui in ${sayLines([lines[owner] ?? 0])}, and most devices have their own: ${DECIDE}`;
        return [
          ...(own.has(owner) ? [] : [[owner, ofDevice] as const]),
          ...(areOwn ? indexes.map((index) => [index, ofApp] as const) : []),
        ];
      });
    },
  };
}

/** The digits that a vendor or an application has in common. */
const COMMON = 6;
/** Above it, the EUIs have nothing in common. */
const MAX_BEGINNINGS = 1_000;

/** The dev_eui begins as another column does, and another cell begins as the dev_euis do. */
function likeOtherColumns(): Check {
  const rows = new Map<string, number[]>();
  let count = 0;
  const named: number[] = [];
  return {
    add({ dev_eui, app_eui, name }, index) {
      count++;
      const digits = digitsOf(name).toUpperCase();
      const written = isEui(digits) ? digits : "";
      if (isOfVendor(written) && !isOfVendor(dev_eui)) named.push(index);
      const begin = [dev_eui, app_eui, written].map((each) => each.slice(0, COMMON)).join(" ");
      if (rows.size < MAX_BEGINNINGS || rows.has(begin))
        getOrInsertComputed(rows, begin, () => []).push(index);
    },
    problems() {
      const columns = [0, 1, 2].map((column) => countBy(rows, column));
      const isUsual = (begin: string, column: number) =>
        begin !== "" && (columns[column]?.get(begin) ?? 0) > count / 2;
      const misplaced = [...rows].flatMap(([begins, indexes]) => {
        const [dev = "", app = "", name = ""] = begins.split(" ");
        const isForeign = !isUsual(dev, 0) && (isUsual(dev, 1) || isUsual(dev, 2));
        return isForeign && (isUsual(app, 0) || isUsual(name, 0)) ? indexes : [];
      });
      return [...misplaced, ...named].map((index) => [
        index,
        `the dev_eui begins as another column does, and another cell of the row as the dev_euis of other rows or of a vendor: ${DECIDE}`,
      ]);
    },
  };
}

/** EUIs begin with their vendor, and end with a number. */
function reversed(): Check {
  const fields = (["dev_eui", "app_eui"] as const).map((field) => ({
    field,
    begins: new Set<string>(),
    ends: new Map<string, number[]>(),
    isUsual: false,
  }));
  return {
    add(row, index) {
      for (const each of fields) {
        if (each.isUsual) continue;
        const begin = row[each.field].slice(0, COMMON);
        each.isUsual = each.begins.has(begin);
        each.begins.add(begin);
        getOrInsertComputed(each.ends, row[each.field].slice(-COMMON), () => []).push(index);
      }
    },
    problems: () =>
      fields.flatMap(({ field, begins, ends, isUsual }) => {
        const common = [...ends.values()].find(({ length }) => length > begins.size / 2) ?? [];
        if (isUsual || common.length < FEWEST_REVERSED) return [];
        const problem = `the ${field} ends as those of other rows do, and begins as none, so its bytes are probably reversed: ${DECIDE}`;
        return common.map((index) => [index, problem] as const);
      }),
  };
}

const FEWEST_REVERSED = 3;

function countBy(rows: ReadonlyMap<string, readonly number[]>, column: number) {
  const counts = new Map<string, number>();
  for (const [begins, { length }] of rows) {
    const begin = begins.split(" ")[column] ?? "";
    counts.set(begin, (counts.get(begin) ?? 0) + length);
  }
  return counts;
}
