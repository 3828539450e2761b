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
  guardInput(`What ${owner} got`, options, () => checkNames(owner, options, names));
}

function checkNames(owner: string, options: object, names: readonly string[]): void {
  if (!isRecord(options))
    throw new TypeError(
      `${owner} has options in an object, such as { ${names[0]} }, and not ${describeValue(options)}.`,
    );
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue;
    const meant = nearest(name, names);
    const advice =
      meant === undefined ? `Its options are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
    throw new TypeError(`${owner} has no option ${JSON.stringify(name)}. ${advice}`);
  }
}
