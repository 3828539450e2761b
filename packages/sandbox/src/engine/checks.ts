import { mistake, mustBe, type Check } from "@fieldmesh/core/internal";

/** Creates the check of an option whose error says only what it must be. */
/* @__NO_SIDE_EFFECTS__ */ export function must<T = never>(
  be: string,
  test: (value: unknown) => boolean,
): Check<T> {
  return (value, name) => {
    if (test(value)) return value as T;
    throw mistake(`${name} must be ${be}.`);
  };
}

/** Creates the check of a number in a range. */
/* @__NO_SIDE_EFFECTS__ */ export function aNumber(min: number, max = Infinity): Check<number> {
  const range = max === Infinity ? `${min} up, or Infinity` : `${min} to ${max}`;
  return must(`a number from ${range}`, (value) => isNumber(value) && value >= min && value <= max);
}

/** Creates the check of an array from that of its items, whose index it adds to the name. */
/* @__NO_SIDE_EFFECTS__ */ export function listOf<T>(item: Check<T>): Check<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) throw mustBe(name, "an array", value);
    return value.map((each, index) => item(each, `${name}[${index}]`));
  };
}

/** Checks a time in milliseconds that may be 0. */
export const someMilliseconds: Check<number> = /* @__PURE__ */ must(
  "a number of milliseconds, 0 or more",
  (value) => isNumber(value) && value >= 0,
);

/** Checks the time between two events, which may be endless. */
export const anInterval: Check<number> = /* @__PURE__ */ must(
  "more than 0 milliseconds",
  (value) => isNumber(value) && value > 0,
);

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}
