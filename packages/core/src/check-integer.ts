import { mistake } from "./mistake.ts";
import { describeNumber } from "./describe-value.ts";

/**
 * Checks an option that must be an integer and returns it. Throws a TypeError that says what you passed and what to write.
 *
 * @example
 * ```ts
 * checkInteger("timeout", 0.5, 1); // TypeError: timeout must be an integer from 1 up; it is 0.5.
 * ```
 */
export function checkInteger(
  name: string,
  value: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
  unit = "",
): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} up` : `${min} to ${max}`;
  throw mistake(
    `${name} must be an integer from ${range}${unit && `, in ${unit}`}; it is ${describeNumber(value)}.`,
  );
}
