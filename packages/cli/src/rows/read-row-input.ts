import { isRecord, Secret } from "@fieldmesh/core/internal";
import { camelCase, jsonOrUndefined, readStream, shownPath } from "@fieldmesh/sandbox/internal";
import type { Input } from "../command.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit-codes.ts";
import { readUserFile } from "../files/user-file.ts";
import { optionOf, positionalOf, type Field, type Row } from "./row.ts";

/** Reads the input of a row from `--input`, from the options, which have priority, and from a prompt for secrets. */
export async function readRowInput(
  row: Row,
  { options }: Input,
  context: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const { fields } = row;
  const { input: file } = options;
  const value = typeof file === "string" ? { ...(await readInputFile(file, context)) } : {};
  for (const field of fields) {
    const option = optionOf(field);
    const given = option === undefined ? undefined : options[camelCase(option)];
    if (given !== undefined) value[field.name] = coerce(field, given as string | readonly string[]);
    if (/(?:^|_)id$/.test(field.name) && EUI.test(String(given)))
      throw new CliError(
        `<${option}> is an id, and this is an EUI: "fieldmesh ${LISTS["dev-eui"]} --columns id,name,dev_eui" prints both.`,
      );
    else if (field.required && !Object.hasOwn(value, field.name))
      value[field.name] = await askFor(row, field, context);
  }
  return value;
}

const EUI = /^(?:[\dA-F]{2}[:-]?){7}[\dA-F]{2}$/i;

const FILE = "The file of --input";

async function readInputFile(
  file: string,
  { stdin, signal }: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const content = (
    file === "-" ? await readStream(stdin, signal) : await readUserFile(file, FILE, signal)
  ).toString();
  const value = jsonOrUndefined(content);
  if (isRecord(value)) return value;
  const what = file === "-" ? "stdin" : shownPath(file, "the file");
  throw new CliError(`--input needs a JSON object, which ${what} does not contain.`);
}

async function askFor(row: Row, field: Field, { prompt }: Context): Promise<unknown> {
  const { name, secret } = field;
  const option = optionOf(field);
  if (secret) return new Secret(await prompt.secret(name, `pass ${name} in a file with --input`));
  if (option === undefined)
    throw new CliError(`${name} is missing: pass it in a file with --input.`);
  if (field !== positionalOf(row)) throw new CliError(`--${option} is missing: see --help.`);
  const list = LISTS[option];
  const where = list === undefined ? "" : ` "fieldmesh ${list}" lists them.`;
  throw new CliError(
    `The argument <${option}> is missing: type "fieldmesh ${row.path} <${option}>".${where}`,
  );
}

/** The commands that list what an argument names. */
const LISTS: Readonly<Record<string, string>> = {
  "device-id": "console devices list",
  "dev-eui": "console devices list",
  "flow-id": "console flows list",
  "integration-id": "console integrations list",
  "label-id": "console labels list",
  address: "ledger accounts list",
  hash: "ledger blocks list",
  height: "ledger blocks list",
};

function coerce(field: Field, given: string | readonly string[]): unknown {
  if (field.nullable && given === "null") return null;
  // No value of such a field contains a comma: types of transactions and ids.
  if (typeof given !== "string" || field.kind === "strings")
    return [given].flat().flatMap((each) => each.split(","));
  if (field.kind === "boolean") return given === "true";
  if (field.kind === "integer") return toInteger(field, given);
  return field.kind === "number" ? toNumber(field, given) : given;
}

function toInteger(field: Field, given: string): number | bigint {
  if (!/^[+-]?\d{1,1000}$/.test(given))
    throw new CliError(`--${optionOf(field)} needs a whole number.`);
  const exact = BigInt(given.replace("+", ""));
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

function toNumber(field: Field, given: string): number {
  const number = given.trim() === "" ? NaN : Number(given);
  if (!Number.isFinite(number)) throw new CliError(`--${optionOf(field)} needs a number.`);
  return number;
}
