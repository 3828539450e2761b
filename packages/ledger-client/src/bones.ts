import { mistake } from "@fieldmesh/core/internal";

/** The decimal places of a token, which has 100,000,000 bones. */
const PLACES = 8;
const BONES_PER_TOKEN = 10n ** BigInt(PLACES);

/**
 * Formats an amount in bones as tokens, exactly. 100,000,000 bones are one token.
 *
 * The published spec names only the unit; its size is (observed). Trailing zeros are omitted. Throws a TypeError for anything but
 * a bigint.
 *
 * @example
 * ```ts
 * formatBones(123_456_789n); // "1.23456789"
 * formatBones(-50_000_000n); // "-0.5"
 * ```
 */
export function formatBones(bones: bigint): string {
  if (typeof bones !== "bigint")
    throw mistake("formatBones requires a bigint, such as 150_000_000n; a number may be rounded.");
  const size = bones < 0n ? -bones : bones;
  const fraction = String(size % BONES_PER_TOKEN)
    .padStart(PLACES, "0")
    .replace(/0{1,8}$/, "");
  const whole = `${bones < 0n ? "-" : ""}${size / BONES_PER_TOKEN}`;
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/**
 * Converts an amount in tokens to bones, exactly.
 *
 * Throws a RangeError for anything but a string with a plain decimal number of up to eight decimal places. It never rounds.
 *
 * @example
 * ```ts
 * parseBones("1.5"); // 150_000_000n
 * ```
 */
export function parseBones(tokens: string): bigint {
  const match =
    typeof tokens === "string" ? /^(-?)(\d{1,1000})(?:\.(\d{1,8}))?$/.exec(tokens) : undefined;
  const [, sign, whole = "", fraction = ""] = match ?? [];
  if (sign === undefined) {
    throw new RangeError(
      `parseBones requires a string with a decimal number with up to ${PLACES} places, such as "1.5".`,
    );
  }
  const size = BigInt(whole) * BONES_PER_TOKEN + BigInt(fraction.padEnd(PLACES, "0"));
  return sign === "-" ? -size : size;
}
