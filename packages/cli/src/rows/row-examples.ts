import type { Example } from "../command.ts";
import type { Row } from "./row.ts";

/** Returns two command lines: that of the row, and one that shows what else the command can do. */
export function examplesOf(row: Row): readonly [Example, Example] {
  const { example: line, summary, fields } = row;
  const asks =
    !readsFile(row) && fields.some(({ secret, required }) => secret === true && required === true);
  return [
    { line, does: asks ? `${summary}, and ask for the secrets` : summary },
    secondExample(row, asks),
  ];
}

function readsFile({ example }: Row): boolean {
  return example.includes(" --input ");
}

function secondExample(row: Row, asks: boolean): Example {
  const { path, example: line, writes, list, open } = row;
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
