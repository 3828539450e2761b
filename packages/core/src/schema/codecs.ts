import * as z from "../zod.ts";
import { MAX_DIGITS } from "../json-syntax-error.ts";
import { isSecret, revealText, Secret } from "../secret.ts";
import { sensitive } from "./registry.ts";

/** Declares a string of the wire format that becomes a {@link Secret}. */
export function secret(): z.ZodMiniType<Secret, string> {
  return sensitive(
    "secret",
    z.codec(z.string(), z.custom<Secret>(isSecret, "expected a Secret"), {
      decode: (text) => new Secret(text),
      encode: (value) => value.reveal(),
    }),
  );
}

/** Declares a secret in an input, which you pass as a string or as a {@link Secret}. The wire schema checks its form. */
export function secretInput(
  wire: z.core.$ZodType<string, string>,
  normalize: (text: string) => string = (text) => text,
): z.ZodMiniType<Secret | string, string> {
  const textOrSecret = z.custom<Secret | string>(
    (value) => typeof value === "string" || isSecret(value),
    "expected a string or a Secret",
  );
  return sensitive(
    "secret",
    z.codec(wire, textOrSecret, {
      decode: (text) => text,
      encode: (value) => normalize(revealText(value)),
    }),
  );
}

/**
 * Declares an integer of any size. The wire format is a number, a bigint or a decimal string. The output is always a `bigint`.
 */
export function bigInteger(): z.ZodMiniType<bigint, number | bigint | string> {
  return z.codec(
    z.custom<number | bigint | string>(isIntegerOnTheWire, "expected an integer"),
    z.bigint(),
    { decode: (value) => BigInt(value), encode: (value) => value },
  );
}

// BigInt needs quadratic time for its digits.
const DECIMAL = new RegExp(`^-?\\d{1,${MAX_DIGITS}}$`);

function isIntegerOnTheWire(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  return typeof value === "bigint" || (typeof value === "string" && DECIMAL.test(value));
}

/** Declares an integer that is a number, or a `bigint` if a number would round it. Use it for counts that are rarely so large. */
export function count(): z.ZodMiniType<number | bigint, number | bigint> {
  return z
    .custom<number | bigint>(
      (value) => typeof value === "bigint" || Number.isSafeInteger(value),
      "expected an integer",
    )
    .check(z.meta({ type: "integer" }));
}
