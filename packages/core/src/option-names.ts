import { nearest } from "./nearest.ts";

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
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue;
    const meant = nearest(name, names);
    const advice =
      meant === undefined ? `Its options are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
    throw new TypeError(`${owner} has no option ${JSON.stringify(name)}. ${advice}`);
  }
}
