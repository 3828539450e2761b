import { readInput, requires } from "./mistake.ts";
import { checkNames } from "./options.ts";
import { isRecord } from "./record.ts";

/**
 * Checks the names of options. Throws a TypeError for a name that does not exist, and suggests the one you likely meant. Without
 * this check, JavaScript would silently ignore a misspelled option. An option with the value `undefined` counts as left out.
 *
 * @example
 * ```ts
 * checkOptionNames("retry", { attempt: 5 }, ["attempts", "baseDelay"]); // TypeError: … Did you mean "attempts"?
 * ```
 */
export function checkOptionNames(owner: string, options: object, names: readonly string[]): void {
  const example = `such as { ${names[0]} }`;
  readInput(`The options of ${owner}`, () =>
    checkNames(owner, requireOptions(owner, options, example), names),
  );
}

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
  throw requires(owner, `an object of options, ${example}`, options);
}
