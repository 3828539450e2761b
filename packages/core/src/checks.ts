import { describeNumber } from "./describe-value.ts";
import { mistake, mustBe } from "./mistake.ts";
import type { Check } from "./options.ts";
import { isSignal, signalOf } from "./realm.ts";
import { hasMethod } from "./record.ts";

/** Creates the check of an option from a test of its value. `what` says what to write, `read` returns what is used. */
/* @__NO_SIDE_EFFECTS__ */ export function check<T = never>(
  what: string,
  test: (value: unknown) => boolean,
  read = (value: T): T => value,
): Check<T> {
  return (value, name) => {
    if (test(value)) return read(value as T);
    throw mustBe(name, what, value);
  };
}

/** Checks a function. The interface of the options declares its type. */
export const aFunction = /* @__PURE__ */ check(
  "a function",
  (value) => typeof value === "function",
);

/** Checks a boolean. A string such as "false" from the environment would count as true. */
export const trueOrFalse = /* @__PURE__ */ check<boolean>(
  "true or false",
  (value) => typeof value === "boolean",
);

/** Checks a string that is not empty. */
export const aString = /* @__PURE__ */ check<string>(
  "a non-empty string",
  (value) => typeof value === "string" && value !== "",
);

/** Checks the signal that aborts a call. Returns one of this realm. */
export const aSignal = /* @__PURE__ */ check<AbortSignal>("an AbortSignal", isSignal, signalOf);

/** Accepts any value. Use it for an option that is checked where it is used. */
export function anything(value: unknown): never {
  return value as never;
}

/** Creates the check of an option with a list of possible values. */
/* @__NO_SIDE_EFFECTS__ */ export function oneOf<const T extends string>(
  ...values: readonly T[]
): Check<T> {
  const quoted = values.map((value) => `"${value}"`);
  const what = [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].join(" or ");
  return check(what, (value) => values.includes(value as T));
}

/** Creates the check of an object with methods, such as a store. `what` says which object to pass. */
/* @__NO_SIDE_EFFECTS__ */ export function withMethods(
  what: string,
  ...methods: readonly string[]
): Check {
  return check(what, (value) => methods.every((name) => hasMethod(value, name)));
}

/** Creates the check of a whole number in a range. */
/* @__NO_SIDE_EFFECTS__ */ export function wholeNumber(
  min: number,
  max = Number.MAX_SAFE_INTEGER,
  unit = "",
): Check<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} up` : `${min} to ${max}`;
  return (value, name) => {
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max)
      return value as number;
    throw mistake(
      `${name} must be an integer from ${range}${unit && `, in ${unit}`}; it is ${describeNumber(value)}.`,
    );
  };
}

/** The longest wait of a timer. `setTimeout` treats anything above as no wait. */
const LONGEST_TIMER = 2_147_483_647;

/** Creates the check of a time in milliseconds, up to the longest one that a timer accepts. */
/* @__NO_SIDE_EFFECTS__ */ export function milliseconds(
  min = 1,
  max = LONGEST_TIMER,
): Check<number> {
  return wholeNumber(min, max, "milliseconds");
}
