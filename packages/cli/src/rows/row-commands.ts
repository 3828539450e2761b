import type { Command, Option } from "../command.ts";
import type { Clients } from "../context.ts";
import type { Field, Row, Rows } from "./row.ts";

const SERVICES: readonly (keyof Clients)[] = ["console", "ledger", "mapper", "mobile"];

/** Returns the commands of the services that a command line names, and the help of their groups. For any other line, loads nothing. */
export async function rowCommands(args: readonly string[]): Promise<{
  readonly commands: readonly Command[];
  readonly groups: Readonly<Record<string, string>>;
}> {
  const named = SERVICES.filter((service) => args.includes(service));
  if (named.length === 0) return { commands: [], groups: {} };
  const { default: rows } = await import("../generated/rows.json", { with: { type: "json" } });
  // A generator writes this file, and a test compares them.
  const all = rows as unknown as Rows;
  return {
    commands: named.flatMap((service) =>
      all[service].commands.map((row) => toCommand(service, row)),
    ),
    groups: Object.assign(
      {},
      ...named.map((service) => all[service].groups),
    ) as Rows["console"]["groups"],
  };
}

function toCommand(service: keyof Clients, row: Row): Command {
  const { path, summary, description, writes, examples } = row;
  return {
    path,
    summary,
    ...(description !== undefined && { description }),
    ...(writes && { writes, writesTo: service }),
    examples,
    options: [...row.fields.flatMap(toOption), ...ownOptions(row)],
    load: async () => {
      const { runRow } = await import("./run-row.ts");
      return { run: (context, input) => runRow(service, row, context, input) };
    },
  };
}

function toOption({ option, kind, description, choices, required }: Field): Option[] {
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
  const inFile = fields.filter(({ option }) => option === undefined);
  const input = {
    name: "input",
    value: "file",
    description: `read the input, a JSON object, from a file, or from stdin with "-"${saysFields(inFile)}`,
  };
  const hasLimit = fields.some(({ option }) => option === "limit");
  return [
    ...(open || inFile.length > 0 ? [input] : []),
    ...(list && !hasLimit
      ? [{ name: "limit", value: "count", description: "stop after this many records" }]
      : []),
    ...(list
      ? [
          {
            name: "columns",
            value: "names",
            description: "the fields to print, separated by commas; --json prints all",
          },
          { name: "out", value: "file", description: "write the records to a new file as NDJSON" },
        ]
      : []),
  ];
}

function saysFields(fields: readonly Field[]): string {
  const names = fields.map(({ name, secret }) => (secret ? `${name} (a secret)` : name));
  return names.length === 0 ? "" : `; these fields have no option: ${names.join(", ")}`;
}
