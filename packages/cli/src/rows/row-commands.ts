import type { Argument, Command, Option, Example } from "../command.ts";
import type { Clients } from "../context.ts";
import { aliasesOf, optionOf, positionalOf, type Field, type Row } from "./row.ts";
import { readRows } from "./with-service.ts";

const SERVICES: readonly (keyof Clients)[] = ["console", "ledger", "mapper", "mobile"];

/** Returns the commands of the services that a command line names, and the help of their groups. For any other line, loads nothing. */
export async function rowCommands(args: readonly string[]): Promise<{
  readonly commands: readonly Command[];
  readonly groups: Readonly<Record<string, string>>;
}> {
  const named = SERVICES.filter((service) => args.includes(service));
  if (named.length === 0) return { commands: [], groups: {} };
  const rows = await readRows();
  return {
    commands: named.flatMap((service) =>
      rows[service].commands.map((row) => toCommand(service, row)),
    ),
    groups: Object.fromEntries(named.flatMap((service) => Object.entries(rows[service].groups))),
  };
}

function toCommand(service: keyof Clients, row: Row): Command {
  const { path, summary, description, writes } = row;
  return {
    path,
    summary,
    ...(description !== undefined && { description }),
    calls: service,
    ...(writes && { writes }),
    examples: examplesOf(row),
    arguments: argumentsOf(row),
    options: [...row.fields.flatMap(toOption), ...ownOptions(row)],
    load: async () => {
      const { runRow } = await import("./run-row.ts");
      return { run: (context, input) => runRow(service, row, context, input) };
    },
  };
}

/** It may also come through its option or `--input`, so it is checked after everything is read. */
function argumentsOf(row: Row): Argument[] {
  const field = positionalOf(row);
  const option = field && optionOf(field);
  if (field === undefined || option === undefined) return [];
  const { description, choices } = field;
  return [
    {
      name: option,
      description: `${description}; the same as --${option}`,
      optional: true,
      aliases: aliasesOf(row, field),
      ...(choices !== undefined && { choices }),
    },
  ];
}

function toOption(field: Field): Option[] {
  const { kind, description, choices, required } = field;
  const option = optionOf(field);
  if (option === undefined) return [];
  return [
    {
      name: option,
      // It may also come through --input, so it is checked after everything is read.
      description: required ? `${description} (required)` : description,
      value: choices === undefined ? (VALUES[kind ?? "string"] ?? "text") : choices.join("|"),
      ...(choices !== undefined && { choices }),
      ...(kind === "strings" && { repeatable: true }),
    },
  ];
}

const VALUES: Partial<Record<NonNullable<Field["kind"]>, string>> = {
  integer: "integer",
  number: "number",
};

function ownOptions({ fields, open, list }: Row): Option[] {
  const inFile = fields.filter(({ kind }) => kind === undefined);
  const input = {
    name: "input",
    value: "file",
    description: `read the input, a JSON object, from a file, or from stdin with "-"${saysFields(inFile)}`,
  };
  const hasLimit = fields.some((field) => optionOf(field) === "limit");
  return [
    ...(open || inFile.length > 0 ? [input] : []),
    ...(list ? LIST_OPTIONS.filter(({ name }) => name !== "limit" || !hasLimit) : []),
  ];
}

const LIST_OPTIONS: readonly Option[] = [
  { name: "limit", value: "count", description: "stop after this many records" },
  {
    name: "columns",
    value: "names",
    description: "the fields to print, separated by commas; --json prints all",
  },
  { name: "out", value: "file", description: "write the records to a new file as NDJSON" },
];

function saysFields(fields: readonly Field[]): string {
  const names = fields.map(({ name, secret }) => (secret ? `${name} (a secret)` : name));
  return names.length === 0 ? "" : `; these fields have no option: ${names.join(", ")}`;
}

/** Returns two command lines: that of the row, and one that shows what else the command can do. */
function examplesOf(row: Row): readonly [Example, Example] {
  const { summary, fields } = row;
  const line = shortExample(row);
  const asks =
    !readsFile(row) && fields.some(({ secret, required }) => secret === true && required === true);
  return [
    { line, does: asks ? `${summary}, and ask for the secrets` : summary },
    secondExample(row, line, asks),
  ];
}

/** The line of the row's sample, with its id as an argument. */
function shortExample(row: Row): string {
  const { path, example } = row;
  const [argument] = argumentsOf(row);
  return argument === undefined
    ? example
    : example.replace(`${path} --${argument.name} `, `${path} `);
}

function readsFile({ example }: Row): boolean {
  return example.includes(" --input ");
}

function secondExample(row: Row, line: string, asks: boolean): Example {
  const { path, writes, list, open } = row;
  const [resource = "", name = ""] = path.split(" ").slice(-2);
  if (list && !line.includes(" --limit"))
    return {
      // `console devices list` fills devices.ndjson, and `console devices events` events.ndjson.
      line: `${line} --out ${name === "list" ? resource : name}.ndjson`,
      does: "Write the records to a file, one JSON object per line",
    };
  if (readsFile(row))
    return {
      line: `${path} --input - --yes`,
      does: "Read the input from stdin, and skip the confirmation",
    };
  if (asks || open)
    return {
      line: `${path} --input ${resource}.json`,
      does: `Read all fields from a file${asks ? ", which may hold secrets" : ""}`,
    };
  if (writes)
    return { line: `${line} --yes`, does: "Skip the confirmation, for example in a script" };
  return { line: `${line} --json`, does: "Print it as JSON" };
}
