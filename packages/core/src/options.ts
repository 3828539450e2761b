// Why it is so: docs/decisions/39-one-place-for-each-rule.md
import { mistake, readInput, requires } from "./mistake.ts";
import { nearest } from "./nearest.ts";
import type { AnyRecord } from "./record.ts";

/** Returns the value of an option, or throws a {@link mistake} that says what to write. `name` is that of the option. */
export type Check<T = never> = (value: unknown, name: string) => T;

/** A check for each option of an interface. That of an option that must be set is in `required`. */
export type OptionTable<Options> = {
  readonly [Name in keyof Options]-?: undefined extends Options[Name]
    ? RowCheck<Exclude<Options[Name], undefined>>
    : { readonly required: RowCheck<Options[Name]> };
};

/** A check in a table. It also receives the owner of the table, for a message that names the function. */
export type RowCheck<T> = (value: unknown, name: string, owner: string) => T;

/**
 * Reads the options that a caller passed, once, and returns those that are set. It is a check itself, for options within an
 * option: `name` is then the name of the outer one. A function with type parameters passes its own type of the options.
 */
export type ReadOptions<Options> = <Own = Options>(given: unknown, name?: string) => Own;

/**
 * Creates the function that reads the options of a function: a table with one check for each. An unknown name is rejected with
 * the one you likely meant, because JavaScript would silently ignore it. An option with the value `undefined` counts as left out.
 * `example` is what to pass, such as `{ port: 4010 }`.
 *
 * @example
 * ```ts
 * const readOptions = options<{ size: number; key?: string }>("splitJob", { size: { required: wholeNumber(1) }, key: aString });
 * readOptions({ sise: 5 }); // TypeError: splitJob has no option "sise". Did you mean "size"?
 * ```
 */
// A bundler leaves out the table of a function that a program does not use. esbuild needs /* @__PURE__ */ at a call from another package.
/* @__NO_SIDE_EFFECTS__ */
export function options<Options>(
  owner: string,
  table: OptionTable<Options>,
  example?: string,
): ReadOptions<Options> {
  const rows = Object.entries<Row>(table);
  const names = Object.keys(table);
  const required = rows.flatMap(([name, row]) => (typeof row === "function" ? [] : [name]));
  const usual = example ?? `{ ${required.join(", ") || names[0]} }`;

  return (given, name) => {
    if (given === undefined && name === undefined && required.length === 0) return {} as never;
    const prefix = name === undefined ? "" : `${name}.`;
    return readInput(`The options of ${owner}`, () => {
      const own = checkNames(owner, given, names, usual);
      const set: Record<string, unknown> = {};
      for (const [option, row] of rows) {
        const value = own[option];
        if (typeof row !== "function") set[option] = row.required(value, prefix + option, owner);
        else if (value !== undefined) set[option] = row(value, prefix + option, owner);
      }
      return set as never;
    });
  };
}

/** Returns the options of a caller after a check of their names only. Use it for values that are checked elsewhere. */
export function checkNames(
  owner: string,
  value: unknown,
  names: readonly string[],
  example = `{ ${names[0]} }`,
): AnyRecord {
  // Not isRecord, because a revoked proxy must throw.
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw requires(owner, `an object of options, such as ${example}`, value);
  const given = value as AnyRecord;
  const unknown = Object.keys(given).find(
    (name) => !names.includes(name) && given[name] !== undefined,
  );
  if (unknown === undefined) return given;
  const meant = nearest(unknown, names);
  const advice =
    meant === undefined ? `Its options are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
  throw mistake(`${owner} has no option ${JSON.stringify(unknown)}. ${advice}`);
}

type Row = RowCheck<unknown> | { readonly required: RowCheck<unknown> };
