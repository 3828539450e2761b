import type { Clients } from "../context.ts";
import { camelCase } from "@fieldmesh/sandbox/internal";

/** A row of a service's tables as a command, as `npm run generate -- commands` writes it from them: see docs/documents/row-command.ts. */
export interface Row {
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly writes?: boolean;
  /** The method returns a pager. */
  readonly paged?: boolean;
  /** The method returns several records. */
  readonly list?: boolean;
  /** The input may have fields that are not listed. */
  readonly open?: boolean;
  /** What to say if nothing matches, such as "no label has this name". */
  readonly absent?: string;
  readonly fields: readonly Field[];
  /** A command line, with the values of the row's sample. */
  readonly example: string;
}

export interface Field {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  /** How the value of its option is read. If omitted, the field has no option, and its value comes from `--input` or a prompt. */
  readonly kind?: "string" | "strings" | "integer" | "number" | "boolean";
  readonly choices?: readonly string[];
  /** The word `null` is null. */
  readonly nullable?: boolean;
  readonly secret?: boolean;
}

/** What `generated/rows.json` holds, by service. */
export type Rows = Readonly<Record<keyof Clients, ServiceRows>>;

export interface ServiceRows {
  /** A line of help for each resource. */
  readonly groups: Readonly<Record<string, string>>;
  readonly commands: readonly Row[];
}

/** Returns the words of the client's method, such as `labels` and `create`, from the path of the command. */
export function methodOf(path: string): readonly string[] {
  return path.split(" ").slice(1).map(camelCase);
}

/** Returns the name of the option of a field, such as `app-eui`. */
export function optionOf({ name, kind }: Field): string | undefined {
  if (kind === undefined) return undefined;
  return name.replace(/[A-Z]/g, "-$&").replaceAll("_", "-").toLowerCase();
}

/** Names of fields that say which record a command is about. */
const NAMES_A_RECORD = /^(?:id|\w+_id|address|height|hash|location)$/;

/**
 * Returns the field that may be typed without its option: the first id that the command requires, or the only EUI, or the only
 * option that it requires.
 */
export function positionalOf({ fields }: Row): Field | undefined {
  const required = fields.filter((field) => field.required && optionOf(field) !== undefined);
  const euis = required.filter(({ name }) => name.endsWith("_eui"));
  const id = required.find(({ name }) => NAMES_A_RECORD.test(name));
  return id ?? [euis, required].find(({ length }) => length === 1)?.[0];
}

/** Returns the other options that may be typed for such a field: `--id` for `--device-id`, and the other way round. */
export function aliasesOf({ fields }: Row, { name, description }: Field): readonly string[] {
  if (!NAMES_A_RECORD.test(name)) return [];
  // Such as "the id of the subscriber".
  const [, kind] = /\bid of the (\w+)/.exec(description) ?? [];
  const own = new Set(fields.map(optionOf));
  const names = ["id", ...(kind === undefined ? [] : [`${kind}-id`])];
  return names.filter((alias) => !own.has(alias));
}
