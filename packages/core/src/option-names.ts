import { mistake, readInput, requires } from "./mistake.ts";
import { nearest } from "./nearest.ts";
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
  const given = readInput(`The options of ${owner}`, () => readNames(owner, options, names));
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownOption(owner, unknown, names);
}

/** Creates the error for an option that does not exist. It suggests the one that you likely meant. */
export function unknownOption(owner: string, name: string, names: readonly string[]): TypeError {
  const meant = nearest(name, names);
  const advice =
    meant === undefined ? `Its options are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
  return mistake(`${owner} has no option ${JSON.stringify(name)}. ${advice}`);
}

/** Returns the names of the options that are set. Only this function reads the value of the caller, whose getters may throw. */
function readNames(owner: string, options: object, names: readonly string[]): string[] {
  const given = requireOptions(owner, options, `such as { ${names[0]} }`);
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]));
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
