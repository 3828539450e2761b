import { AGAIN, FORMULA_ERROR } from "./damage.ts";

/** A name may be anything, except what a program writes for a value that it lost. The console cannot rename a device. */
export function damageOfName(name: string): string | undefined {
  if (LOST.test(name) || FORMULA_ERROR.test(name))
    return `the name is ${name}, which is not a name: enter it, or leave the cell empty`;
  if (name.includes("\uFFFD")) return "the name has a damaged character: write it again";
  if (EXPONENT.test(name))
    return `the name became a number with an exponent, and lost digits: ${AGAIN}`;
  if (THOUSANDS.test(name))
    return `the name became a number with separators, and may have lost digits: ${AGAIN}`;
  const [, whole] = DECIMALS.exec(name) ?? [];
  return whole === undefined ? undefined : `the name became a number with decimals: write ${whole}`;
}

const LOST = /^(?:#{3,}|NaN|null|undefined)$/;
const EXPONENT = /^\d(?:[.,]\d+)?e\+\d{1,3}$/i;
/** A long number, such as that of a series. A shorter one may be a version. */
const DECIMALS = /^(\d{12,})[.,]0+$/;
/** Of 13 digits and more. An address of the internet has four groups. */
const THOUSANDS = /^\d{1,3}([.,'\u2019\s])\d{3}(?:\1\d{3}){3,}$/;
