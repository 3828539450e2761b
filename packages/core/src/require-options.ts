import { describeValue } from "./describe-value.ts";
import { isRecord } from "./record.ts";

/**
 * Returns options; throws a TypeError for anything else, such as a key alone, that says what was given and what is needed.
 *
 * @example
 * ```ts
 * requireOptions("createConsoleClient", key, "such as { baseUrl }"); // TypeError: … takes its options, such as { baseUrl }, and not a string.
 * ```
 */
export function requireOptions<Options>(owner: string, options: Options, example: string): Options {
  if (isRecord(options)) return options;
  throw new TypeError(`${owner} takes its options, ${example}, and not ${describeValue(options)}.`);
}
