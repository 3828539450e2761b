import { isRecord, stringifyJson } from "@fieldmesh/core/internal";

/** JSON that is equal for equal values, whatever the order of their fields and the form of their numbers. */
export function canonical(value: unknown): string {
  return stringifyJson(sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value === "number") return Number.isInteger(value) ? digitsOf(value) : value;
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}

/** PostgreSQL writes 1e21 with all its digits, which are read as a bigint. */
function digitsOf(value: number): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value);
  const [digits, exponent] = value.toExponential().split("e") as [string, string];
  const [whole, fraction = ""] = digits.split(".") as [string, string?];
  return BigInt(whole + fraction.padEnd(Number(exponent), "0"));
}
