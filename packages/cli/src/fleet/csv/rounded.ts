import { getOrInsertComputed } from "@fieldmesh/core/internal";
import { AGAIN, ROUNDED } from "./damage.ts";
import type { Decisions } from "./doubts.ts";
import type { Euis } from "./vendors.ts";

/** A name is often the number of a series. */
const FIELDS = ["dev_eui", "app_eui", "name"] as const;
/** As a number, it has no zeros at its beginning. */
const DECIMAL = /^[1-9]\d{15}$/;
/** People write fewer digits and zeros by hand. */
const BY_HAND = /^\d{1,4}0+$/;

/**
 * Finds the EUIs that a spreadsheet rounded: it keeps 15 digits of a number, so that the last one of 16 is a zero in the whole column.
 * Returns a function that looks at one row after the other, and one that returns the problems of the rows then. `isTwin` says that
 * another row with this dev_eui is another device.
 */
export function createRounding({ euis: decided }: Decisions) {
  const found = FIELDS.map((field) => ({
    field,
    rows: new Map<string, number[]>(),
    isText: false,
  }));
  return {
    add(euis: Euis & { readonly name?: string }, index: number): void {
      for (const each of found) {
        const eui = euis[each.field] ?? "";
        if (decided === "as-written" || !DECIMAL.test(eui)) continue;
        if (!eui.endsWith("0")) each.isText = true;
        else if (!BY_HAND.test(eui)) getOrInsertComputed(each.rows, eui, () => []).push(index);
      }
    },
    problems(isTwin: (index: number) => boolean = () => false): Map<number, string[]> {
      const problems = new Map<number, string[]>();
      for (const { field, rows, isText } of found)
        for (const indexes of rows.values()) {
          const hasTwins = field === "dev_eui" && indexes.some(isTwin);
          if (isText && !hasTwins) continue;
          const isCertain = hasTwins || rows.size > 1;
          for (const index of indexes)
            getOrInsertComputed(problems, index, () => []).push(
              `the ${field} ${isCertain ? ROUNDED : MAYBE}`,
            );
        }
      return problems;
    },
  };
}

const MAYBE = `ends in a zero, as a number that a spreadsheet rounds: ${AGAIN}, or add --euis as-written if it is right`;
