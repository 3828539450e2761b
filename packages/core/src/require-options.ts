import { describeValue } from "./describe-value.ts";
import { isRecord } from "./record.ts";

/**
 * Returns the options. Throws a TypeError for anything else, such as a string, that says what you passed and what to write.
 *
 * @example
 * ```ts
 * requireOptions("createConsoleClient", key, "such as { baseUrl }"); // TypeError: … requires an object of options, such as { baseUrl }, not a string.
 * ```
 */
export function requireOptions<Options>(owner: string, options: Options, example: string): Options {
  if (isRecord(options)) return options;
  throw new TypeError(
    `${owner} requires an object of options, ${example}, not ${describeValue(options)}.`,
  );
}
