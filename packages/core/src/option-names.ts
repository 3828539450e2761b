import { describeValue } from "./describe-value.ts";
import { guardInput } from "./guard-input.ts";
import { nearest } from "./nearest.ts";
import { isRecord } from "./record.ts";

/**
 * Throws a TypeError for an option that does not exist: in JavaScript, and in an object that TypeScript did not check, a
 * misspelled one would have no effect without a word. A value of `undefined` counts as left out, as for every option.
 *
 * @example
 * ```ts
 * checkOptionNames("retry", { attempt: 5 }, ["attempts", "baseDelay"]); // TypeError: … Did you mean "attempts"?
 * ```
 */
export function checkOptionNames(owner: string, options: object, names: readonly string[]): void {
  const given = guardInput(`What ${owner} got`, options, () => readNames(owner, options, names));
  for (const name of given) {
    if (names.includes(name)) continue;
    const meant = nearest(name, names);
    const advice =
      meant === undefined ? `Its options are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
    throw new TypeError(`${owner} has no option ${JSON.stringify(name)}. ${advice}`);
  }
}

/** The names of the options that are not left out. Only this reads the caller's value, whose getters may throw. */
function readNames(owner: string, options: object, names: readonly string[]): string[] {
  if (!isRecord(options))
    throw new TypeError(
      `${owner} has options in an object, such as { ${names[0]} }, and not ${describeValue(options)}.`,
    );
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
