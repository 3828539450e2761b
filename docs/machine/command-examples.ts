import type { RowCommand } from "./row-command.ts";
import type { Json } from "./shapes.ts";

/** Writes two command lines: one of the row's sample, and one that shows what else the command can do. */
export function commandExamples(
  command: Omit<RowCommand, "examples">,
  sample: Json,
): RowCommand["examples"] {
  const { path, summary, fields, writes, list, open } = command;
  const file = `${path.split(" ").at(-2) ?? "input"}.json`;
  const options = fields.flatMap(({ name, option, kind }) => {
    const value = sample[name] as string | number | boolean | null | undefined;
    if (option === undefined || value === undefined) return [];
    const values = kind === "strings" ? `${value}`.split(",") : [`${value}`];
    return values.map((each) => `--${option} ${quoted(each)}`);
  });
  const needsFile = options.length === 0 && Object.keys(sample).length > 0;
  const own = needsFile ? [`--input ${file}`] : options;
  const line = [path, ...own].join(" ");
  const asks = fields.some(({ secret, required }) => secret && required);
  const first = {
    line,
    does: asks && !needsFile ? `${summary}, and ask for the secrets` : summary,
  };
  if (list && own.every((each) => !each.startsWith("--limit")))
    return [
      first,
      {
        line: `${line} --out ${outName(path)}.ndjson`,
        does: "Write the records to a file, one JSON object per line",
      },
    ];
  if (needsFile)
    return [
      first,
      {
        line: `${path} --input - --yes`,
        does: "Read the input from stdin, and skip the confirmation",
      },
    ];
  if (asks || open)
    return [
      first,
      {
        line: `${path} --input ${file}`,
        does: asks
          ? "Read all fields from a file, which may hold secrets"
          : "Read all fields from a file",
      },
    ];
  if (writes)
    return [
      first,
      { line: `${line} --yes`, does: "Skip the confirmation, for example in a script" },
    ];
  return [first, { line: `${line} --json`, does: "Print it as JSON" }];
}

/** `console devices list` fills devices.ndjson, and `console devices events` events.ndjson. */
function outName(path: string): string | undefined {
  const [resource, name] = path.split(" ").slice(-2);
  return name === "list" ? resource : name;
}

function quoted(value: string): string {
  return /^[\w.:@/-]+$/.test(value) && !value.startsWith("-") ? value : `"${value}"`;
}
